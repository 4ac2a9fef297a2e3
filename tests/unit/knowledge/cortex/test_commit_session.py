"""A commit turns explicit statements into memories, each message once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cuedeck.knowledge.cortex.change_cortex_session import (
    set_cortex_status,
)
from cuedeck.knowledge.cortex.memory_card import PLACES, parse_card
from cuedeck.knowledge.recall.recall import recall
from cuedeck.model.errors import NotFound

if TYPE_CHECKING:
    from conftest import Timeline

ROOT = ".cuedeck/cortex"
EDITOR = "cortex://user/default/preferences/editor.md"
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
EVERY_KIND = {
    "preference": "I prefer vim as my editor.",
    "entity": "Ana is our designer.",
    "event": "We decided to use SQLite.",
    "personal_info": "My name is Luis.",
    "work_history": "I work at Acme.",
    "relationship": "Ben is my manager.",
    "goal": "TODO: write the docs",
    "case": "Problem: the page is blank\nSolution: clear the cookie",
    "skill": "I learned to read core dumps.",
    "instruction": "Remember to run the linter.",
}


def addresses(receipt: dict[str, Any], verb: str) -> list[str]:
    return [each["address"] for each in receipt[verb]]


def test_every_kind_of_memory_has_its_folder(timeline: Timeline) -> None:
    timeline.say("\n".join(EVERY_KIND.values()))
    receipt = timeline.commit()
    made = {
        each["kind"]: each["address"].split("/")[2:5]
        for each in receipt["made"]  # type: ignore[attr-defined]
    }
    assert made == {
        kind: [dimension, "default", category]
        for kind, (dimension, category) in PLACES.items()
    }
    assert set(made) == set(EVERY_KIND)


def test_a_memory_names_the_line_of_its_message(timeline: Timeline) -> None:
    added = timeline.say("Hello.\n\nI prefer vim as my editor.")
    timeline.commit()
    card = parse_card(timeline.text(EDITOR))
    assert (card.kind, card.key, card.current.text, card.current.time) == (
        "preference",
        "editor",
        "I prefer vim as my editor.",
        "2026-11-22T09:00:01Z",
    )
    (source,) = card.current.sources
    address, _, line = source.partition("#L")
    assert address == added.address.text
    lines = timeline.text(address).split("\n")
    assert lines[int(line) - 1] == "I prefer vim as my editor."


def test_a_second_commit_changes_nothing(timeline: Timeline) -> None:
    timeline.say("I prefer vim as my editor.")
    first = timeline.commit()
    before = timeline.files()
    second = timeline.commit()
    assert timeline.files() == before
    assert (first["messages"], second["messages"], second["seq"]) == (1, 0, 1)
    assert not any(second[verb] for verb in ("made", "updated", "reused", "left_out"))


def test_a_late_message_of_an_earlier_day_is_mined(timeline: Timeline) -> None:
    timeline.say("Hello.", time="2026-11-22T09:00:00Z")
    timeline.commit()
    timeline.say("I prefer vim as my editor.", time="2026-01-02T09:00:00Z")
    assert addresses(timeline.commit(), "made") == [EDITOR]


def test_a_new_statement_supersedes_and_keeps_the_history(timeline: Timeline) -> None:
    timeline.say("I prefer vim as my editor.")
    timeline.commit()
    timeline.say("I prefer emacs as my Editors!")
    receipt = timeline.commit()
    assert addresses(receipt, "updated") == [EDITOR]
    card = parse_card(timeline.text(EDITOR))
    assert card.current.text == "I prefer emacs as my Editors!"
    assert [each.text for each in card.superseded] == ["I prefer vim as my editor."]
    timeline.say("i prefer emacs as my editors")
    assert addresses(timeline.commit(), "reused") == [EDITOR]
    assert len(parse_card(timeline.text(EDITOR)).current.sources) == 2


def test_the_order_of_commits_of_two_sessions_does_not_matter(
    timeline: Timeline,
) -> None:
    timeline.say("I prefer vim as my editor.", session="old")
    timeline.say("I prefer emacs as my editor.", session="new")
    timeline.commit("new")
    timeline.commit("old")
    card = parse_card(timeline.text(EDITOR))
    assert card.current.text == "I prefer emacs as my editor."
    assert [each.text for each in card.superseded] == ["I prefer vim as my editor."]


def test_the_number_decides_when_the_clock_goes_backwards(timeline: Timeline) -> None:
    timeline.say("I prefer vim as my editor.", time="2026-11-22T12:00:00Z")
    timeline.commit()
    timeline.say("I prefer emacs as my editor.", time="2026-11-22T11:00:00Z")
    timeline.say("I prefer nano as my editor.", time="2026-11-22T10:00:00Z")
    timeline.commit()
    card = parse_card(timeline.text(EDITOR))
    assert [each.text.split()[2] for each in (card.current, *card.superseded)] == [
        "nano",
        "emacs",
        "vim",
    ]


def test_the_session_stays_active_or_closed(timeline: Timeline) -> None:
    timeline.say("I prefer vim as my editor.")
    assert timeline.commit()["status"] == "active"
    timeline.say("Ana is our designer.")
    set_cortex_status(timeline.sandbox.workspace(), "", "closed")
    assert timeline.commit()["status"] == "closed"
    set_cortex_status(timeline.sandbox.workspace(), "default", "archived")
    assert timeline.commit()["status"] == "archived"


def test_an_unknown_session_is_not_committed(timeline: Timeline) -> None:
    with pytest.raises(NotFound, match="there is no session other"):
        timeline.commit("other")


def test_foreign_files_are_left_out_and_kept(timeline: Timeline) -> None:
    path = ".cuedeck/cortex/user/default/preferences/editor.md"
    timeline.sandbox.write(path, "# Editor\n\nvim, of course\n")
    added = timeline.say("I prefer vim as my editor. Ana is our designer.")
    day = added.address.path.rpartition("/")[0]
    timeline.sandbox.write(f"{day}/10_00_00_abc.md", "no message")
    timeline.sandbox.write(f"{day}/10_00_01_abc.md", b"\xff")
    receipt = timeline.commit()
    assert timeline.text(EDITOR) == "# Editor\n\nvim, of course\n"
    assert addresses(receipt, "made") == ["cortex://user/default/entities/ana.md"]
    left_out: Any = receipt["left_out"]
    assert [each["address"].rpartition("/")[2] for each in left_out] == [
        "10_00_00_abc.md",
        "10_00_01_abc.md",
        "editor.md",
    ]
    assert all(each["reason"] for each in left_out)


def test_a_card_edited_by_hand_keeps_its_edit(timeline: Timeline) -> None:
    timeline.say("I prefer vim as my editor.")
    timeline.commit()
    path = ".cuedeck/cortex/user/default/preferences/editor.md"
    edited = timeline.text(EDITOR).replace("vim", "neovim")
    timeline.sandbox.write(path, edited.replace("type:", "colour: blue\ntype:"))
    timeline.say("I prefer emacs as my editor.")
    timeline.commit()
    card = parse_card(timeline.text(EDITOR))
    assert card.rest == (("colour", "blue"),)
    assert [each.text for each in card.superseded] == ["I prefer neovim as my editor."]


def test_a_secret_in_a_message_written_by_hand_is_masked(timeline: Timeline) -> None:
    added = timeline.say("I prefer vim as my editor.")
    text = timeline.text(added.address.text)
    timeline.sandbox.write(added.address.path, text.replace("vim", AWS))
    timeline.commit()
    assert parse_card(timeline.text(EDITOR)).current.text == (
        "I prefer <secret:aws-key> as my editor."
    )
    assert AWS not in timeline.text(EDITOR)


BROKEN = ("ghp_" + "Qm4Kx8Tn2Wb6Lp9Z", "c3VrHd7Fs1Gy5Jt0Ru8E")
"""A token that a line end divides."""


def parts_in(timeline: Timeline, folder: str = "") -> list[str]:
    """Return the files of the workspace that contain a part of the token."""
    return [
        str(path)
        for path in timeline.sandbox.place(folder).rglob("*")
        if path.is_file() and any(part.encode() in path.read_bytes() for part in BROKEN)
    ]


def test_a_token_of_two_lines_is_masked_before_it_is_written(
    timeline: Timeline,
) -> None:
    said = timeline.say("Remember the deploy token is {}\n{} today.".format(*BROKEN))
    assert "<secret:github-token> today." in timeline.text(said.address.text)
    assert [row["kind"] for row in timeline.commit()["made"]] == ["instruction"]
    recall(timeline.sandbox.workspace(), "deploy token")
    assert parts_in(timeline) == []


def test_a_key_that_changes_its_case_or_number_is_one_memory(
    timeline: Timeline,
) -> None:
    for text in ("Language", "the languages", "ＬＡＮＧＵＡＧＥ"):
        timeline.say(f"Preference: {text} = English")
    receipt = timeline.commit()
    assert addresses(receipt, "made") == [
        "cortex://user/default/preferences/language.md"
    ]


OLD_CARD = """\
---
type: preference
key: chip cooky
time: 2026-11-21T09:00:00Z
sources: ["cortex://session/old/timeline/2026-11/21/09_00_00_1a2b3c4d.md#L9"]
colour: blue
---

I prefer chip cookies.
"""
"""A card as CueDeck wrote it when the names of files had no plural endings."""


def preferences(timeline: Timeline) -> list[str]:
    """Return the names of the cards of preferences."""
    folder = timeline.sandbox.place(".cuedeck/cortex/user/default/preferences")
    return sorted(place.name for place in folder.glob("[!.]*.md"))


def test_a_memory_is_named_by_the_words_as_written(timeline: Timeline) -> None:
    timeline.say("I prefer chip cookies.\n\nI prefer small commits over large ones.")
    receipt = timeline.commit()
    names = [each["address"].rpartition("/")[2] for each in receipt["made"]]  # type: ignore[attr-defined]
    assert names == ["chip-cookies.md", "small-commits-over-large-ones.md"]
    titles = [(each["title"], each["key"]) for each in receipt["made"]]  # type: ignore[attr-defined]
    assert titles == [
        ("chip cookies", "chip cooky"),
        ("small commits over large ones", "small commit over large one"),
    ]
    found = recall(timeline.sandbox.workspace(), "cookies", below=f"{ROOT}/user")
    assert [(hit["title"], hit["snippet"]) for hit in found["hits"]] == [
        ("chip cookies", "I prefer chip cookies.")
    ]
    abstract = timeline.text("cortex://user/default/preferences/.abstract.md")
    assert "preference: chip cookies — I prefer chip cookies." in abstract


def test_other_spellings_of_a_key_are_found_whatever_the_file_is_called(
    timeline: Timeline,
) -> None:
    timeline.say("I prefer chip cookies.")
    timeline.commit()
    folder = timeline.sandbox.place(".cuedeck/cortex/user/default/preferences")
    (folder / "chip-cookies.md").rename(folder / "biscuits.md")
    timeline.say("I prefer large commits over small ones.")
    timeline.say("I prefer one Chip Cookie.")
    timeline.say("I prefer the Chip-Cookie!")
    timeline.commit()
    assert preferences(timeline) == [
        "biscuits.md",
        "large-commits-over-small-ones.md",
        "one-chip-cookie.md",
    ]
    card = parse_card((folder / "biscuits.md").read_text())
    assert card.current.text == "I prefer the Chip-Cookie!"
    assert card.shown_title == "Chip-Cookie"


def test_a_card_named_by_its_key_is_found(timeline: Timeline) -> None:
    path = ".cuedeck/cortex/user/default/preferences/chip-cooky.md"
    timeline.sandbox.write(path, OLD_CARD)
    timeline.say("I prefer not the Chip Cookies.")
    assert addresses(timeline.commit(), "updated") == [
        "cortex://user/default/preferences/chip-cooky.md"
    ]
    assert preferences(timeline) == ["chip-cooky.md"]
    card = parse_card(timeline.sandbox.place(path).read_text())
    assert (card.key, card.title) == ("chip cooky", "not the Chip Cookies")
    assert card.rest == (("colour", "blue"),)
    assert [each.text for each in card.superseded] == ["I prefer chip cookies."]


def test_two_keys_with_one_name_are_two_files(timeline: Timeline) -> None:
    timeline.say("Preference: C++ = 20")
    timeline.say("Preference: cpp = 17")
    made = addresses(timeline.commit(), "made")
    names = [each.rpartition("/")[2] for each in made]
    assert names[1] == "cpp.md"
    assert names[0].startswith("cpp-") and len(names[0]) == len("cpp-12345678.md")
    timeline.say("Preference: cpp = 14")
    timeline.say("Preference: C++ = 23")
    assert addresses(timeline.commit(), "updated") == made


def test_a_card_without_a_key_has_that_of_its_name(timeline: Timeline) -> None:
    path = ".cuedeck/cortex/user/default/preferences/chip-cookies.md"
    timeline.sandbox.write(path, OLD_CARD.replace("key: chip cooky\n", ""))
    timeline.say("I prefer Chip Cookie.")
    assert addresses(timeline.commit(), "updated") == [
        "cortex://user/default/preferences/chip-cookies.md"
    ]
