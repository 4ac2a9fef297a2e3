from __future__ import annotations

from typing import Any

import pytest
from sandbox import Sandbox
from seed_workspace import OTHER_SUBJECTS, write_token_shop

from cuedeck.context.scene.suggest_refs import suggest
from cuedeck.model.errors import Ambiguous, Invalid, NoActiveCard, NotFound

CARD = ".cuedeck/cards/aaaaaa.md"
LOGIN = '''\
import time


def verify_token(token):
    """Tell an expired token from a forged one."""
    return token.expired < time.time()


def greet(name):
    return "hello " + name


def bye(name):
    return "bye " + name
'''


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A card about tokens, one file about them, and many files about other subjects."""
    return write_token_shop(sandbox, LOGIN)


def addresses(answer: dict[str, Any]) -> list[str]:
    return [each["address"] for each in answer["suggestions"]]


def test_best_matching_definition_is_suggested_instead_of_its_file(
    shop: Sandbox,
) -> None:
    answer = suggest(shop.workspace())
    best = answer["suggestions"][0]
    assert list(best) == ["address", "path", "why", "score", "ranks", "linked", "clear"]
    assert (best["address"], best["path"]) == (
        "src/login.py#verify_token",
        "src/login.py",
    )
    assert (best["linked"], best["ranks"]["defines"]) == (False, 1)
    assert "verify_token" in best["why"]
    assert (answer["card"], answer["applied"]) == (CARD, [])


def test_file_with_equally_matching_definitions_is_suggested_itself(
    shop: Sandbox,
) -> None:
    twins = (
        f'def {kind}_token(token):\n    """Tell an expired token."""\n    return 1\n\n\n'
        for kind in ("one", "two")
    )
    shop.write("src/twins.py", "".join(twins))
    assert "src/twins.py" in addresses(suggest(shop.workspace()))


def test_files_that_the_card_reaches_are_not_suggested(shop: Sandbox) -> None:
    shop.write("docs/auth.md", "# Auth\n\nA token, see [it](../src/login.py).\n")
    shop.write("docs/tokens.md", "# Expired token\n\n## verify_token\n")
    found = suggest(shop.workspace())
    assert {each["path"] for each in found["suggestions"]}.isdisjoint(
        {"src/login.py", "docs/auth.md", CARD}
    )
    assert "docs/tokens.md" in addresses(found)


def test_apply_writes_clear_suggestions_and_changes_no_other_line(
    shop: Sandbox,
) -> None:
    for name in OTHER_SUBJECTS[:3]:
        shop.write(f"docs/{name}.md", f"# {name}\n\nA token.\n")
    rows = [
        "\ufeff---",
        "title:   Expired token",
        "updated: x",
        "refs: [ docs/auth.md ]",
        "---",
        "verify_token",
        "",
    ]
    data = "\r\n".join(rows)
    shop.write(CARD, data)
    answer = suggest(shop.workspace(), "aaaaaa", apply=True)
    found = answer["suggestions"]
    clear = answer["applied"]
    assert 0 < len(clear) < len(found)
    assert clear == addresses(answer)[: len(clear)]
    assert [each["address"] for each in found if each["linked"]] == clear
    old, new = (
        data.encode().split(b"\r\n"),
        shop.place(CARD).read_bytes().split(b"\r\n"),
    )
    assert (
        new[3]
        == f"refs: [ docs/auth.md, {', '.join(quote_ref(each) for each in clear)} ]".encode()
    )
    assert [*new[:2], *new[4:]] == [*old[:2], *old[4:]]


def quote_ref(address: str) -> str:
    return f'"{address}"' if f'"{address}"' in address else address


def test_best_of_weak_suggestions_is_not_clear(shop: Sandbox) -> None:
    """Everything above half of the best score used to be clear: a card got ten refs,
    and ten more the next time.
    """
    shop.card(
        "bbbbbb", "title: A walk to the harbour", body="Nobody wrote of it before."
    )
    for name in ("pier", "boat", "rope"):
        shop.write(
            f"docs/{name}.md", f"# {name}\n\nOne walk.\n" + "Other words.\n" * 40
        )
    answer = suggest(shop.workspace(), "bbbbbb", apply=True)
    assert len(answer["suggestions"]) >= 3
    assert answer["applied"] == []


@pytest.mark.parametrize(
    "name", ["@verify_token.py", "login:verify_token.py", "verify_token\x85.py"]
)
def test_name_with_another_meaning_in_refs_is_not_suggested(
    shop: Sandbox, name: str
) -> None:
    shop.place("src/login.py").rename(shop.place(name))
    found = suggest(shop.workspace(), apply=True)
    assert not any(each["path"] == name for each in found["suggestions"])
    assert not any(name in each for each in found["applied"])


def test_cards_that_cannot_be_changed_or_found_raise_an_error(shop: Sandbox) -> None:
    with pytest.raises(NotFound):
        suggest(shop.workspace(), "zzzzzz")
    shop.card("aaaaab")
    with pytest.raises(Ambiguous):
        suggest(shop.workspace(), "aaaaa")
    shop.write(CARD, "---\ntitle: Expired token\nrefs: {a: b\n---\nverify_token\n")
    before = shop.bytes()
    with pytest.raises(Invalid):
        suggest(shop.workspace(), apply=True)
    assert shop.bytes() == before
    shop.place(".cuedeck/active").unlink()
    with pytest.raises(NoActiveCard):
        suggest(shop.workspace())
