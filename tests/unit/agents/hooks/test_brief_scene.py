"""The brief is a scene: numbered code, precedents and occurrences within its limits,
cached by its inputs.
"""

from __future__ import annotations

import json
import re
import shutil

import pytest
from sandbox import Sandbox

from cuedeck.agents.hooks.session_brief import (
    MOST_BYTES,
    MOST_TOKENS,
    is_small,
    make_brief,
)
from cuedeck.store.cache.kept_scenes import kept_scenes

AWS = ("AKIA" + "QYLPMN5HHHFPZAM2", "AKIA" + "ZYLPMN5HHHFPZAM7")


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A repository with a linked file, a related one and a precedent."""
    sandbox.git("init", "-q")
    sandbox.write(".gitignore", ".cuedeck/\n")
    sandbox.write(
        "src/token.py",
        '"""Tokens."""\n\n\ndef verify_token(token):\n    return bool(token)\n',
    )
    sandbox.write(
        "src/login.py",
        "from src.token import verify_token\n\n\ndef log_in(token):\n    return False\n",
    )
    sandbox.write("docs/weather.md", "# Weather\n\nRain.\n")
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", "Begin")
    for path in ("src/token.py", "src/login.py"):
        place = sandbox.place(path)
        place.write_text(
            place.read_text()
            + "\n\ndef forged_token(token):\n    return verify_token(token)\n"
        )
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", "Report a forged token at the login")
    sandbox.card(
        "aaaaaa",
        "title: Report an expired token at the login",
        "status: active",
        "refs: [src/token.py]",
        body="`verify_token` takes an expired token.\n\n- [ ] report it",
    )
    sandbox.activate("aaaaaa")
    return sandbox


def test_a_brief_shows_numbered_code_precedents_and_occurrences(shop: Sandbox) -> None:
    text = make_brief(shop.workspace()).text
    linked = text.partition("## Linked\n")[2].partition("## Precedents")[0]
    assert "4│def verify_token(token):\n5│    return bool(token)\n" in linked
    assert (
        "“Report a forged token at the login”" in text.partition("## Precedents\n")[2]
    )
    related = text.partition("## Related\n")[2]
    assert "### `src/login.py`" in related and re.search(
        r"^\d+│def ", related, re.MULTILINE
    )
    assert "### `docs/weather.md`" not in related


def test_each_fact_is_printed_once(shop: Sandbox) -> None:
    row = {
        "id": "d1",
        "timestamp": "2026-05-04T09:00:00Z",
        "decision": "Use the age",
        "card": "aaaaaa",
    }
    shop.write(".cuedeck/decisions.jsonl", json.dumps(row) + "\n")
    shop.ok("session", "start")
    shop.ok("progress", "doing", "read the tokens")
    shop.ok("session", "note", "the age is in the token", "--next", "compare the age")
    text = make_brief(shop.workspace()).text
    for fact in (
        "“Use the age.”",
        "read the tokens",
        "the age is in the token",
        "compare the age",
        "report it",
    ):
        assert text.count(fact) == 1, fact
    assert [text.count(f"## {name}\n") for name in ("Task", "Map", "Receipt")] == [
        1
    ] * 3
    assert "Report an expired token" in text


def test_cold_and_cached_briefs_have_the_same_bytes(shop: Sandbox) -> None:
    shop.ok("memory", "add", "src/token.py has a trap")
    first = make_brief(shop.workspace()).text
    assert make_brief(shop.workspace()).text == first
    shutil.rmtree(shop.place(".cuedeck/cache"))
    assert make_brief(shop.workspace()).text == first
    changed = make_brief(
        shop.workspace(), [{"path": "src/login.py", "change": "changed"}]
    ).text
    assert changed != first and "- `src/login.py`: changed\n" in changed
    assert make_brief(shop.workspace()).text == first


@pytest.mark.parametrize(
    "edit",
    ["src/token.py", "src/login.py", ".cuedeck/cards/aaaaaa.md", ".cuedeck/USER.md"],
)
def test_a_change_of_an_input_makes_a_new_brief(shop: Sandbox, edit: str) -> None:
    make_brief(shop.workspace())
    place = shop.place(edit)
    place.write_text(
        (place.read_text() if place.exists() else "")
        + "\n# the expired_marker of a token\n"
    )
    text = make_brief(shop.workspace()).text
    assert "expired_marker" in text


def test_the_order_of_the_files_of_a_session_is_an_input(shop: Sandbox) -> None:
    shop.ok("session", "start")
    shop.ok("session", "touch", "--write", "src/token.py")
    shop.ok("session", "touch", "--write", "docs/weather.md")
    files = make_brief(shop.workspace()).text.partition("## Files touched so far\n\n")[
        2
    ]
    assert files.startswith("- `docs/weather.md` changed\n- `src/token.py` changed\n")
    shop.ok("session", "touch", "--write", "src/token.py")
    files = make_brief(shop.workspace()).text.partition("## Files touched so far\n\n")[
        2
    ]
    assert files.startswith("- `src/token.py` changed\n- `docs/weather.md` changed\n")


def test_equal_secrets_have_equal_numbers_in_front_and_code(shop: Sandbox) -> None:
    shop.write(
        "src/token.py", f'"""Tokens."""\n\nFIRST = "{AWS[0]}"\nSECOND = "{AWS[1]}"\n'
    )
    row = {
        "id": "d1",
        "timestamp": "2026-05-04T09:00:00Z",
        "decision": f"Use {AWS[1]}",
        "card": "aaaaaa",
    }
    shop.write(".cuedeck/decisions.jsonl", json.dumps(row) + "\n")
    shop.write(".cuedeck/USER.md", f"My key is {AWS[0]}.\n")
    text = make_brief(
        shop.workspace(),
        [{"path": "src/token.py", "change": f"renamed to {AWS[1]}.py"}],
    ).text
    assert not any(key in text for key in AWS)
    (second,) = re.findall(r"“Use (<secret:aws-key:\d>)", text)
    assert f'SECOND = "{second}"' in text and f"renamed to {second}.py" in text
    assert (
        re.search(r'FIRST = "<secret:aws-key:\d>"', text)
        and f'FIRST = "{second}"' not in text
    )
    assert "My key is <secret:aws-key>." in text


def test_a_brief_is_no_scene_to_compare_with(shop: Sandbox) -> None:
    made, text, _ = make_brief(shop.workspace())
    assert [parts[0] for parts in kept_scenes(shop.workspace().index)] == [made.text]
    digits = text.splitlines()[-1].removeprefix("sha256 ")
    assert shop.run("scene", "diff", digits).code == 1


@pytest.mark.parametrize("word", ["plain words ", "登录令牌过期", "x" * 90, "🦊"])
def test_a_list_of_open_cards_is_within_the_limits(sandbox: Sandbox, word: str) -> None:
    for number in range(90):
        sandbox.card(
            f"aaaa{number:02}", f"title: {json.dumps(word * 40)}", "status: todo"
        )
    sandbox.write(".cuedeck/USER.md", word * 900)
    sandbox.write("docs/a.md", "# A\n")
    changed = [
        {"path": f"docs/{number}.md", "change": word * 40} for number in range(40)
    ]
    text = make_brief(sandbox.workspace(), changed).text
    count = sandbox.workspace().counter()
    assert (
        is_small(text, lambda: count)
        and len(text.encode()) <= MOST_BYTES
        and count.count(text) <= MOST_TOKENS
    )
    assert "No card is active" in text
    assert text.count("aaaa0") > 5 and "## Memory" in text


def test_text_within_both_limits_is_small(sandbox: Sandbox) -> None:
    counter = sandbox.workspace().counter
    assert is_small("plain words " * 300, counter)
    assert not is_small("é" * (MOST_BYTES // 2 + 1), counter)
    assert not is_small("登录" * MOST_TOKENS, counter)
