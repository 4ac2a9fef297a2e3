"""Transcripts of suggest and why, and the summary of a scene."""

from __future__ import annotations

import pytest
from sandbox import Sandbox, fields
from seed_workspace import write_token_shop

from cuedeck.shells.operations.search import SIGNALS

CARD = ".cuedeck/cards/aaaaaa.md"
LOGIN = '''\
def verify_token(token):
    """Tell an expired token from a forged one."""
    return token.expired


def greet(name):
    return "hello " + name
'''


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A card about tokens, one file about them, and many files about other subjects."""
    return write_token_shop(sandbox, LOGIN)


def test_suggest_prints_a_table_and_writes_nothing(shop: Sandbox) -> None:
    before = shop.bytes()
    head, row, *_, last = shop.ok("suggest").out.splitlines()
    assert head.split() == ["rank", "apply", "address", "why"]
    assert row.split()[:3] == ["1", "+", "src/login.py#verify_token"]
    assert (
        last
        == "`cuedeck suggest --apply` adds the 1 marked +, `cuedeck card ref add CARD ADDRESS` any other"
    )
    answer = shop.answer("suggest", "aaa", "--limit", "1")
    fields(answer, ["schema", "card", "suggestions", "applied"])
    (only,) = answer["suggestions"]
    fields(only, ["address", "path", "why", "score", "ranks", "linked", "clear"])
    assert shop.bytes() == before


def test_suggest_apply_adds_the_clear_suggestions(shop: Sandbox) -> None:
    added = "src/login.py#verify_token"
    out = shop.ok("suggest", "--apply").out
    assert out.splitlines()[-1] == f"added to {CARD}: {added}"
    assert f"\n  - docs/auth.md\n  - {added}\n" in shop.place(CARD).read_text()
    before = shop.bytes()
    assert shop.answer("suggest", "--apply")["applied"] == []
    assert shop.bytes() == before


def test_only_apply_reports_that_nothing_was_added(shop: Sandbox) -> None:
    shop.card("bbbbbb", "title: Say hello, people of a distant country")
    rest = "no suggestion is clear enough; `cuedeck card ref add CARD ADDRESS` adds any ref"
    assert shop.ok("suggest", "bbb").out.splitlines()[-1] == rest
    applied = shop.ok("suggest", "bbb", "--apply").out.splitlines()[-1]
    assert applied == f"nothing was added: {rest}"


def test_suggest_needs_one_card(shop: Sandbox) -> None:
    assert shop.answer("suggest", "nobody", code=1)["error"]["code"] == 1001
    shop.place(".cuedeck/active").unlink()
    assert "no card is active" in shop.run("suggest").err
    assert shop.run("suggest", "").code == 2
    assert shop.run("suggest", "--limit", "0").code == 2
    assert "Example" in shop.ok("suggest", "--help").out


_SIGNALS_BY_TEXT = {text: name for name, text in SIGNALS.items()}


def test_why_shows_the_ranks_of_a_related_file(shop: Sandbox) -> None:
    message, head, *ranks = shop.ok("why", "src/login.py").out.splitlines()
    assert message.startswith("shown (full, ")
    assert head.split() == ["signal", "rank"]
    shown = {
        _SIGNALS_BY_TEXT[row.rsplit(None, 1)[0]]: int(row.rsplit(None, 1)[1])
        for row in ranks
    }
    assert list(shown.values()) == sorted(shown.values())
    answer = shop.answer("why", "src/login.py")
    assert (answer["tier"], answer["ranks"]["defines"]) == ("related", 1)
    assert shown == answer["ranks"]
    assert shop.answer("why", "docs/auth.md")["tier"] == "explicit"


def test_summary_separates_the_tiers(shop: Sandbox) -> None:
    title, *lines = shop.ok("scene").out.splitlines()
    assert title == "Expired token"
    rows = [row.split() for row in lines]
    assert rows[0] == ["tier", "depth", "address", "view", "tokens"]
    assert [row[0] for row in rows[1:4]] == ["linked", "linked", "related"]
    rows = [
        row.split() for row in shop.ok("scene", "--no-related").out.splitlines()[1:]
    ]
    assert rows[0] == ["depth", "address", "view", "tokens"]
