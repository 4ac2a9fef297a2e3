"""A tree of cortex-mem is taken over once, without its layers, and never changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from foreign_memory import (
    CHAT,
    chat_message,
    import_twice,
    index_entry,
    memory_index,
    migrated_message,
    plant_cortex,
    put,
    rows_of,
    session_file,
)

from cuedeck.knowledge.cortex.memory_card import MemoryCard, parse_card
from cuedeck.knowledge.cortex.message_file import Message, parse_message
from cuedeck.knowledge.cortex.session_metadata import parse_session_metadata
from cuedeck.knowledge.importers.import_foreign import import_foreign
from cuedeck.model.errors import CueDeckError, NotFound

if TYPE_CHECKING:
    from conftest import Timeline
    from sandbox import Sandbox

ROOT = ".cuedeck/cortex/"


@pytest.fixture
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("foreign")


def card(sandbox: Sandbox, path: str) -> MemoryCard:
    return parse_card((sandbox.root / ROOT / path).read_text())


def messages(sandbox: Sandbox, session: str) -> list[Message]:
    timeline = sandbox.root / ROOT / "session" / session / "timeline"
    files = timeline.glob("[0-9]*/[0-9]*/[0-9]*.md")
    found = [parse_message(file.read_text()) for file in files]
    return sorted(found, key=lambda message: message.seq)


def test_messages_keep_id_role_time_order_and_text(
    sandbox: Sandbox, source: Path
) -> None:
    import_twice(sandbox, plant_cortex(source))
    found = messages(sandbox, "s1")
    assert [message.id for message in found] == [each[0] for each in CHAT]
    assert [message.seq for message in found] == [1, 2, 3]
    assert [message.role for message in found] == ["user", "assistant", "user"]
    assert found[0].time == "2026-04-01T09:15:00Z"
    assert found[2].content == "## Content\n\nOK"
    assert (
        (sandbox.root / ROOT)
        .joinpath(
            "session/s1/timeline/2026-04/01/09_15_00_11111111-aaaa-4bbb-8ccc-000000000001.md"
        )
        .is_file()
    )


def test_the_metadata_of_a_session_are_kept(sandbox: Sandbox, source: Path) -> None:
    import_twice(sandbox, plant_cortex(source))
    found = parse_session_metadata(
        (sandbox.root / ROOT / "session/s1/.session.json").read_bytes()
    )
    assert (found.status, found.closed_at) == ("closed", "2026-04-01T11:00:00Z")
    assert found.created_at == "2026-04-01T09:00:00Z"
    assert (found.title, found.tags) == ("Choice of an editor", ("editor",))
    assert (found.user_id, found.message_count, found.last_seq) == ("ana", 3, 3)
    assert found.uncommitted_days == ("2026-04/01",)


def test_memories_become_cards_with_the_facts_of_the_index(
    sandbox: Sandbox, source: Path
) -> None:
    import_twice(sandbox, plant_cortex(source))
    editor = card(sandbox, "user/ana/preferences/editor.md")
    assert editor.current.text == "Ana prefers vim.\nShe uses it for Rust."
    assert editor.current.time == "2026-04-02T11:00:00Z"
    assert editor.current.sources == ("cortex://session/s1",)
    ben = card(sandbox, "user/ana/entities/ben.md")
    assert ben.current.text == "Ben is the designer."
    assert (ben.kind, ben.current.time) == ("entity", "2026-04-01T12:00:00Z")
    case = card(sandbox, "agent/helper/cases/blank-page.md")
    assert (case.kind, case.key) == ("case", "blank page")


def test_layers_are_left_out_and_other_files_become_resources(
    sandbox: Sandbox, source: Path
) -> None:
    done = import_twice(sandbox, plant_cortex(source))
    assert set(rows_of(done, "left out")) == {
        "session/s1/.abstract.md",
        "session/s1/timeline/2026-04/01/.overview.md",
    }
    made = rows_of(done, "new")
    note = "user/ana/memories/2026-04/01/09_00_00_abcdef01.md"
    assert made[note][0] == f"cortex://resources/imported/{note}"
    rules = sandbox.root / ROOT / "resources/handbook/rules.md"
    assert rules.read_text() == "# Rules\n\nBe brief.\n"


def test_a_migrated_log_keeps_the_order_of_its_paragraphs(
    sandbox: Sandbox, source: Path
) -> None:
    for number in range(30):
        put(source, *migrated_message("2026-03-13", number, f"paragraph {number}"))
    put(source, "user/preferences.md", "<!--\nMigrated\n-->\n# Memory\n")
    import_twice(sandbox, source)
    found = messages(sandbox, "migrated-oc-2026-03-13")
    assert [message.content for message in found] == [
        f"paragraph {number}" for number in range(30)
    ]
    assert (sandbox.root / ROOT / "resources/imported/user/preferences.md").is_file()


def test_a_session_that_exists_is_left_out(timeline: Timeline, source: Path) -> None:
    timeline.say("first", session="s1")
    done = import_twice(timeline.sandbox, plant_cortex(source))
    assert [each.content for each in messages(timeline.sandbox, "s1")] == ["first"]
    left_out = rows_of(done, "left out")
    assert left_out["session/s1/.session.json"][1] == "the session exists"
    assert timeline.say("last", session="s1").seq == 2


def test_an_interrupted_import_of_a_session_is_completed(
    sandbox: Sandbox, source: Path
) -> None:
    import_twice(sandbox, plant_cortex(source))
    after = sandbox.bytes()
    session = sandbox.root / ROOT / "session/s1"
    (session / ".session.json").unlink()
    next(session.rglob("10_00_00_*.md")).unlink()
    import_foreign(sandbox.workspace(), str(source))
    assert sandbox.bytes() == after


def test_two_memories_with_one_key_are_one_card_with_history(
    sandbox: Sandbox, source: Path
) -> None:
    for identity, text in (("pref_a", "vim"), ("pref_b", "emacs")):
        content = f"# The Editors\n\nPrefers {text}.\n"
        put(source, f"user/ana/preferences/{identity}.md", content)
    put(
        source,
        "user/ana/.memory_index.json",
        memory_index(
            index_entry(
                "pref_b", "preference", "editor", updated_at="2026-04-03T00:00:00Z"
            ),
            index_entry("pref_a", "preference", "The Editors"),
        ),
    )
    done = import_twice(sandbox, source)
    editor = card(sandbox, "user/ana/preferences/editors.md")
    assert (editor.key, editor.shown_title) == ("editor", "editor")
    assert editor.current.text == "Prefers emacs."
    assert [each.text for each in editor.superseded] == ["Prefers vim."]
    assert set(rows_of(done, "merged")) == {"user/ana/preferences/pref_b.md"}


def test_a_later_statement_of_the_workspace_is_kept(
    timeline: Timeline, source: Path
) -> None:
    timeline.say("I prefer emacs as my editor.")
    timeline.commit()
    put(
        source,
        "user/default/preferences/pref_1.md",
        "# editor\n\nvim\n\n**Added**: 2026-01-01 00:00:00 UTC\n",
    )
    import_twice(timeline.sandbox, source)
    found = card(timeline.sandbox, "user/default/preferences/editor.md")
    assert "emacs" in found.current.text
    assert [each.text for each in found.superseded] == ["vim"]


def test_existing_files_with_other_content_are_refused(
    sandbox: Sandbox, source: Path
) -> None:
    plant_cortex(source)
    mine = "mine\n"
    sandbox.write(f"{ROOT}resources/handbook/rules.md", mine)
    sandbox.write(f"{ROOT}user/ana/preferences/editor.md", mine)
    done = import_twice(sandbox, source)
    refused = rows_of(done, "refused")
    assert "other content" in refused["resources/handbook/rules.md"][1]
    assert "without a memory" in refused["user/ana/preferences/pref_1a2b3c4d.md"][1]
    assert (sandbox.root / ROOT / "resources/handbook/rules.md").read_text() == mine
    assert (sandbox.root / ROOT / "user/ana/preferences/editor.md").read_text() == mine


def test_bad_files_are_refused_one_by_one(sandbox: Sandbox, source: Path) -> None:
    plant_cortex(source)
    outside = put(source.parent, "outside.md", "outside\n")
    day = "session/s1/timeline/2026-04/01/"
    put(source, f"{day}bad.md", "no message\n")
    put(source, f"{day}bytes.md", b"# \xff\n")
    long = chat_message("44444444-a", "User", "11:00:00", "x" * 1_000_001)
    put(source, f"{day}long.md", long)
    empty = chat_message("55555555-a", "User", "11:00:00", " ")
    put(source, f"{day}empty.md", empty)
    escaping = chat_message("../../x", "User", "11:00:00", "text")
    put(source, f"{day}escaping.md", escaping)
    put(source, "agent/helper/.memory_index.json", "{")
    put(source, "session/s2/.session.json", "[]")
    put(source, "resources/picture.png", b"\x89PNG\0\xff")
    (source / "resources/link.md").symlink_to(outside)
    (source / "resources/linked").symlink_to(source.parent)
    with (source / "resources/huge.md").open("wb") as file:
        file.truncate(65_000_000)
    os.mkfifo(source / "resources/pipe.md")
    done = take_without_reading(sandbox, source)
    refused = rows_of(done, "refused")
    for name, reason in (
        (f"{day}bad.md", "a header begins with ---"),
        (f"{day}bytes.md", "not valid UTF-8"),
        (f"{day}long.md", "at most 1,000,000 bytes"),
        (f"{day}empty.md", "it has no text"),
        (f"{day}escaping.md", "its id has characters"),
        ("agent/helper/.memory_index.json", "not an index"),
        ("session/s2/.session.json", "it is not a JSON object"),
        ("resources/picture.png", "not valid UTF-8"),
        ("resources/link.md", "a link is not followed"),
        ("resources/linked", "a link is not followed"),
        ("resources/huge.md", "are more than 64,000,000"),
        ("resources/pipe.md", "not a regular file"),
    ):
        assert reason in refused[name][1], (name, refused[name])
    assert len(messages(sandbox, "s1")) == 3
    assert not (sandbox.root / ROOT / "session/s2").exists()
    assert card(sandbox, "agent/helper/cases/blank-page.md")
    assert b"outside" not in b"".join(sandbox.bytes().values())


def take_without_reading(sandbox: Sandbox, source: Path) -> dict[str, Any]:
    """Import twice a folder that cannot be read as a whole."""
    done = import_foreign(sandbox.workspace(), str(source))
    after = sandbox.bytes()
    import_foreign(sandbox.workspace(), str(source))
    assert sandbox.bytes() == after
    return done


def test_names_that_no_address_can_have_are_mapped_and_reported(
    sandbox: Sandbox, source: Path
) -> None:
    put(source, "resources/what?.md", "question\n")
    put(source, "resources/NUL", "device\n")
    put(source, "resources/cafe\u0301.md", "coffee\n")
    put(source, "session/a:b/.session.json", session_file(thread_id="a:b"))
    put(source, "user/a:b/goals/goal_1.md", "# ship\n\nShip it.\n")
    raw = os.fsencode(source) + b"/resources/\xff.md"
    with open(raw, "wb") as file:
        file.write(b"x")
    done = take_without_reading(sandbox, source)
    made = rows_of(done, "new")
    assert made["resources/what?.md"][0].endswith(".md")
    assert "U+003F" in made["resources/what?.md"][1]
    assert "device on Windows" in made["resources/NUL"][1]
    target, reason = made["resources/cafe\u0301.md"]
    assert (target, "NFC" in reason) == ("cortex://resources/caf\u00e9.md", True)
    assert (
        made["user/a:b/goals/goal_1.md"][1] == "the id of the owner is not a valid name"
    )
    assert (
        rows_of(done, "refused")["resources/?.md"][1] == "its name is not valid UTF-8"
    )
    (session,) = (sandbox.root / ROOT / "session").iterdir()
    assert b'"original_id": "a:b"' in (session / ".session.json").read_bytes()


def test_one_tenant_is_imported_per_run(sandbox: Sandbox, source: Path) -> None:
    plant_cortex(source / "tenants/ana")
    with pytest.raises(NotFound) as error:
        import_foreign(sandbox.workspace(), str(source))
    assert error.value.candidates == ("tenants/ana",)
    done = import_twice(sandbox, source / "tenants/ana")
    rules = rows_of(done, "new")["resources/handbook/rules.md"]
    assert rules[0] == "cortex://resources/handbook/rules.md"


def test_the_tree_of_the_workspace_is_refused(timeline: Timeline) -> None:
    timeline.say("text")
    for path in (".cuedeck/cortex", ".cuedeck", ".cuedeck/cortex/session"):
        with pytest.raises(CueDeckError, match="memory of this workspace"):
            import_foreign(
                timeline.sandbox.workspace(), str(timeline.sandbox.place(path))
            )


def test_resources_keep_line_ends_and_byte_order_mark(
    sandbox: Sandbox, source: Path
) -> None:
    text = "\ufeffone\r\ntwo\n".encode()
    put(source, "resources/notes.md", text)
    put(source, "user/ana/goals/goal_1.md", "\ufeff# ship\r\n\r\nShip\r\nit.\r\n")
    import_twice(sandbox, source)
    assert (sandbox.root / ROOT / "resources/notes.md").read_bytes() == text
    assert card(sandbox, "user/ana/goals/ship.md").current.text == "Ship\nit."


def test_control_characters_of_messages_are_replaced(
    sandbox: Sandbox, source: Path
) -> None:
    message = chat_message("44444444-a", "User", "11:00:00", "a\x1b[2Jb\tc")
    put(source, "session/s1/timeline/2026-04/01/one.md", message)
    import_twice(sandbox, source)
    (file,) = (sandbox.root / ROOT).rglob("11_00_00_44444444-a.md")
    assert parse_message(file.read_text()).content == "a\ufffd[2Jb\tc"
