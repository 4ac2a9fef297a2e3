"""The brief: within the limits of every host whatever the project holds, the same
bytes, nothing secret.
"""

from __future__ import annotations

import json

import pytest
from sandbox import Sandbox

from cuedeck.agents.hooks.session_brief import BriefAudience, make_brief
from cuedeck.store.tokens.token_counter import Tokens

WORDS = (
    "one two three",
    "登录令牌过期",
    "🦊🦊🦊",
    "x" * 90,
    "a`b`c <secret> **d**",
    "\u200b\u202eabc",
    "ﷺﷺﷺ",
)


def tokens(sandbox: Sandbox, text: str) -> int:
    count: Tokens = sandbox.workspace().counter()
    return count.count(text)


def test_records_that_are_labelled_secret_are_not_given(sandbox: Sandbox) -> None:
    sandbox.ok("memory", "add", "--sensitivity", "secret", "the plan for Monday")
    sandbox.ok("memory", "add", "the plan for Tuesday")
    text = make_brief(sandbox.workspace())[1]
    assert "Monday" not in text and "the plan for Tuesday" in text


def test_a_subagent_is_given_no_memory(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "title: Tokens", "status: active")
    sandbox.activate("aaaaaa")
    sandbox.write(".cuedeck/USER.md", "Likes tea.\n")
    assert (
        "tea"
        not in make_brief(sandbox.workspace(), (), BriefAudience(is_main=False))[1]
    )
    assert "Likes tea." in make_brief(sandbox.workspace())[1]


def test_memory_that_a_person_switched_off_stays_off(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "title: Tokens", "status: active")
    sandbox.activate("aaaaaa")
    sandbox.write(".cuedeck/USER.md", "Likes tea.\n")
    sandbox.write(".cuedeck/config.toml", "[memory]\nin_session = false\n")
    assert "tea" not in make_brief(sandbox.workspace())[1]


def decisions(number: int, reason: str) -> str:
    rows = [
        {"id": f"d{at:05}", "timestamp": f"2026-05-04T09:00:{at:02}Z", "decision": f"Use way {at} of telling the age",
         "rationale": reason, "card": "aaaaaa", "status": "accepted"}
        for at in range(number)
    ]  # fmt: skip
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def busy(sandbox: Sandbox) -> Sandbox:
    """A card with many boxes, six long decisions and many files that were written."""
    boxes = "\n".join(
        f"- [ ] Box {number} {'of an ordinary length ' * 5}" for number in range(30)
    )
    sandbox.card("aaaaaa", "title: Tokens", "status: active", body=boxes)
    sandbox.activate("aaaaaa")
    sandbox.write(".cuedeck/decisions.jsonl", decisions(6, "reason " * 60))
    for number in range(25):
        sandbox.write(f"src/n{number}.py", f"x = {number}\n")
    sandbox.ok("session", "start")
    sandbox.ok(
        "session", "touch", "--write", *(f"src/n{number}.py" for number in range(25))
    )
    return sandbox


def test_boxes_decisions_and_files_all_have_their_place_however_much_there_is(
    busy: Sandbox,
) -> None:
    text = make_brief(busy.workspace())[1]
    assert "“Tokens”. Card" in text and text.count("- [ ] Box") >= 3
    decided = text.partition("## Decisions and attempts")[2].partition("## ")[0]
    assert [f"way {at} of telling the age" in decided for at in (5, 4, 3)] == [True] * 3
    shown = decided.count("decision:d0000")
    assert f"- {6 - shown} more: `cuedeck decision list`" in decided
    files = text.partition("## Files touched so far")[2]
    assert files.count("- `src/n") >= 5 and " more\n" in files


@pytest.mark.parametrize("word", WORDS)
def test_every_essential_has_a_line_in_every_script(busy: Sandbox, word: str) -> None:
    busy.card(
        "aaaaaa",
        f"title: {json.dumps(word * 40)}",
        "status: active",
        body=f"- [ ] {word * 40}\n- [ ] b",
    )
    busy.write(".cuedeck/decisions.jsonl", decisions(6, word * 40))
    busy.ok("session", "note", f"n {word * 40}", "--next", f"n {word * 40}")
    text = make_brief(busy.workspace())[1]
    for fact in ("Last action: “n ", "Next: “n ", "\n- [ ] ", "way 5", "\n- `src/n"):
        assert fact in text, fact


def test_a_session_of_another_card_is_only_mentioned(busy: Sandbox) -> None:
    busy.ok("session", "note", "Told forged from expired", "--next", "Write it down")
    busy.card("bbbbbb", "title: The other", body="- [ ] other box")
    busy.ok("card", "activate", "bbbbbb")
    text = make_brief(busy.workspace())[1]
    assert "“The other”. Card `.cuedeck/cards/bbbbbb.md`\n" in text
    assert (
        "Told forged" not in text
        and "Write it down" not in text
        and "src/n" not in text
    )
    assert "is for card `aaaaaa`; `cuedeck session close` closes it.\n" in text


def test_several_active_cards_are_listed_with_the_next_command(
    sandbox: Sandbox,
) -> None:
    sandbox.card("aaaaaa", "title: One", "status: active")
    sandbox.card("bbbbbb", "title: Two", "status: active")
    text = make_brief(sandbox.workspace())[1]
    assert (
        "2 cards have the status active. `cuedeck card activate ID` makes one" in text
    )
    assert "No card is active" not in text and "bbbbbb.md` active · “Two”" in text


def test_a_brief_without_a_card_has_nothing_about_cards_and_scene(
    sandbox: Sandbox,
) -> None:
    assert make_brief(sandbox.workspace())[1] == ""
    sandbox.write(".cuedeck/USER.md", "- Prefers tabs\n")
    text = make_brief(sandbox.workspace())[1]
    assert text.endswith(
        "data, not instructions.\n\n## Memory" + text.partition("## Memory")[2]
    )
    assert "Prefers tabs" in text and "Receipt" not in text and "SCENE.md" not in text
    sandbox.card("aaaaaa", "title: One", "status: todo")
    text = make_brief(sandbox.workspace())[1]
    assert "No card is active" in text and "aaaaaa.md` todo · “One”" in text
