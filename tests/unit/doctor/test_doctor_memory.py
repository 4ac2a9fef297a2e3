"""The doctor check of memory: each kind of incomplete line is reported once per
file.
"""

from __future__ import annotations

import json
import os
from typing import Any

from cuedeck.parse.gitignore import IGNORE_LINES

MEMORY = ".cuedeck/MEMORY.md"


def record(identity: str, text: str, /, **provenance: Any) -> str:
    message = {
        "timestamp": "2026-05-03T12:00:00Z",
        "sensitivity": "public",
        **provenance,
    }
    return f"- {json.dumps({'id': identity, 'category': 'note', 'text': text, 'provenance': message})}\n"


def test_each_kind_of_broken_line_is_reported_once_with_its_first_lines(
    place: Any,
) -> None:
    broken = (
        '- 2026\n- true\n- [ ]\n- "x"\n- null\n- {}\n- {"id":"a","text":7}\n- {"id\n'
    )
    place.write(MEMORY, record("a", "x") + broken)
    found = place.found("memory")
    assert [
        (each.level, each.path, each.line, each.code, each.message) for each in found
    ] == [
        (
            "warning",
            MEMORY,
            2,
            "bad-record",
            "not read as a record (not a JSON object): lines 2, 3, 4 and 2 more",
        ),
        (
            "warning",
            MEMORY,
            7,
            "bad-record",
            "not read as a record (no text): lines 7, 8",
        ),
        (
            "warning",
            MEMORY,
            9,
            "bad-record",
            "not read as a record (broken JSON): line 9",
        ),
    ]


def test_incomplete_records_are_reported(place: Any) -> None:
    lines = [
        '- {"text":"x"}\n',
        '- {"id":"b","text":"x","provenance":{}}\n',
        record("c", "x", timestamp="gestern"),
        record("d", "x", sensitivity="top"),
        record("e", "x", sensitivity="top"),
    ]
    place.write(".cuedeck/memory/2026-05-03.md", "".join(lines))
    found = {
        each.code: (each.level, each.line, each.message)
        for each in place.found("memory")
    }
    assert found == {
        "bad-timestamp": ("warning", 3, "an invalid timestamp: line 3"),
        "unknown-label": (
            "warning",
            4,
            "unknown sensitivity `top`, treated as secret: lines 4, 5",
        ),
    }


def test_recall_counts_that_are_not_read_are_reported(place: Any) -> None:
    recalls = ".cuedeck/memory/.dreams/recalls.jsonl"
    place.write(recalls, '{"broken\n[]\n')
    (only,) = place.found("memory")
    assert (only.level, only.path, only.code) == ("warning", recalls, "bad-recall")
    assert only.message == "2 lines of the recall counts cannot be read"


def test_one_id_with_two_texts_is_reported_across_files(place: Any) -> None:
    place.write(MEMORY, record("a", "one") + record("b", "x") + record("b", "x"))
    place.write(".cuedeck/memory/2026-05-03.md", record("b", "x") + record("a", "two"))
    (only,) = place.found("memory")
    assert (only.path, only.line, only.code) == (
        ".cuedeck/memory/2026-05-03.md",
        2,
        "shared-id",
    )
    assert only.message.endswith("a different text: id a")


def test_every_profile_is_checked(place: Any) -> None:
    place.write(
        ".cuedeck/config.toml", '[[profile]]\nid = "other"\nroot = "agents/other"\n'
    )
    place.write("agents/other/MEMORY.md", "- {}\n")
    place.write("agents/other/memory/MEMORY-archive.md", "- {}\n")
    assert [each.path for each in place.found("memory")] == [
        "agents/other/MEMORY.md",
        "agents/other/memory/MEMORY-archive.md",
    ]


def test_an_unreadable_file_is_an_error(place: Any) -> None:
    place.write(f"{MEMORY}/file", "x")
    (only,) = place.found("memory")
    assert (only.level, only.code) == ("error", "unreadable")


def test_a_memory_outside_the_workspace_is_an_error(place: Any) -> None:
    (place.root.parent / "outside.md").write_text("x")
    (place.root / MEMORY).symlink_to(place.root.parent / "outside.md")
    (only,) = place.found("memory")
    assert (only.level, only.code) == ("error", "outside")


def test_contradictions_have_commands(place: Any) -> None:
    pairs = [
        record(side, f"The user prefers {word}", timestamp=f"2026-05-0{at}T12:00:00Z")
        for at, (side, word) in enumerate((("a", "tabs"), ("b", "spaces")), 1)
    ]
    place.write(MEMORY, "".join(pairs).replace('"note"', '"user-preference"'))
    found = place.found("memory")
    assert found
    assert all(each.hint.startswith("cuedeck memory ") for each in found)


def test_an_interrupted_deletion_is_reported_with_its_command(place: Any) -> None:
    place.write(
        ".cuedeck/config.toml", '[[profile]]\nid = "other"\nroot = "agents/other"\n'
    )
    rows = [
        {"id": "a1", "state": "begun"},
        {"id": "b2", "state": "begun"},
        {"id": "b2", "state": "done"},
    ]
    for root in (".cuedeck", "agents/other"):
        place.write(
            f"{root}/memory/tombstones.jsonl",
            "".join(f"{json.dumps(row)}\n" for row in rows),
        )
    assert [
        (each.level, each.code, each.path, each.hint) for each in place.found("memory")
    ] == [
        (
            "warning",
            "half-forgotten",
            ".cuedeck/memory/tombstones.jsonl",
            "cuedeck memory forget a1",
        ),
        (
            "warning",
            "half-forgotten",
            "agents/other/memory/tombstones.jsonl",
            "cuedeck memory forget a1 --profile other",
        ),
    ]


def in_git(place: Any, *tracked: str) -> None:
    entries = b"".join(
        len(each).to_bytes(2, "big") + each.encode() + b"\0" for each in tracked
    )
    place.write(".git/HEAD", "ref: refs/heads/main\n")
    place.write(".git/objects/info/packs")
    place.write(".git/index", b"DIRC" + bytes(70) + entries)


def test_memory_files_visible_to_git_are_reported_with_the_ignore_line(
    place: Any,
) -> None:
    place.write(
        ".cuedeck/config.toml", '[[profile]]\nid = "other"\nroot = "agents/other"\n'
    )
    lacking = ("MEMORY.md", "memory/")
    lines = [f"{line}\n" for line in IGNORE_LINES if line not in lacking]
    place.write(".cuedeck/.gitignore", "".join(lines))
    for name in (
        "MEMORY.md",
        "LONGMEMORY.md",
        "memory/2026-05-03.md",
        "memory/undo/12/MEMORY.md",
    ):
        place.write(f".cuedeck/{name}", "")
    place.write("agents/other/USER.md", "")
    missing = "`cuedeck doctor --repair` adds the lines"
    expected = ("info", "missing-lines", ".cuedeck/.gitignore", missing)
    (found,) = place.found("gitignore")
    assert (found.level, found.code, found.path, found.hint) == expected
    in_git(place)
    assert [
        (each.level, each.code, each.path, each.hint)
        for each in place.found("gitignore")
    ] == [
        (
            "warning",
            "not-ignored",
            ".cuedeck/MEMORY.md",
            "add the line `MEMORY.md` to .cuedeck/.gitignore",
        ),
        (
            "warning",
            "not-ignored",
            ".cuedeck/memory/2026-05-03.md",
            "add the line `memory/` to .cuedeck/.gitignore",
        ),
        (
            "warning",
            "not-ignored",
            "agents/other/USER.md",
            "add the line `/agents/other/USER.md` to .gitignore",
        ),
        expected,
    ]
    place.write(".cuedeck/.gitignore", "*\n")
    place.write(".gitignore", "/agents/other/USER.md\n")
    assert place.found("gitignore") == []


def test_a_linked_gitignore_hides_nothing_and_no_line_is_added_to_it(
    place: Any,
) -> None:
    """Pins that the doctor treated the rules in a linked .gitignore as rules that git
    reads.
    """
    rules = place.root / ".cuedeck/.gitignore"
    linked = rules.rename(place.root / "rules")
    rules.symlink_to(linked)
    place.write(".cuedeck/MEMORY.md", "")
    in_git(place)
    before = linked.read_bytes()
    assert [
        (each.code, each.path)
        for each in place.repair()[0].findings
        if each.check == "gitignore"
    ] == [
        ("linked-rules", ".cuedeck/.gitignore"),
        ("not-ignored", ".cuedeck/MEMORY.md"),
    ]
    assert linked.read_bytes() == before


def test_memories_that_git_tracks_are_errors(place: Any) -> None:
    for name in (
        "MEMORY.md",
        "USER.md",
        "memory/2026-05-03.md",
        "memory/2026-05-04.md",
    ):
        place.write(f".cuedeck/{name}", "")
    in_git(
        place,
        *(
            f".cuedeck/{name}"
            for name in ("MEMORY.md", "memory/2026-05-03.md", "memory/2026-05-04.md")
        ),
    )
    assert [(each.level, each.path, each.hint) for each in place.found("tracked")] == [
        ("error", ".cuedeck/MEMORY.md", "git rm --cached .cuedeck/MEMORY.md"),
        (
            "error",
            ".cuedeck/memory/2026-05-03.md",
            "git rm -r --cached .cuedeck/memory",
        ),
    ]


def test_what_is_no_memory_file_is_reported(place: Any) -> None:
    place.write(".cuedeck/memory/2026-02-26.md", record("a", "x"))
    place.write(".cuedeck/memory/2026-02-27.md/x.txt")
    os.mkfifo(place.root / ".cuedeck/memory/2026-02-28.md")
    place.write(".cuedeck/memory/2026-02-30.md", record("a", "x"))
    place.write("notes.md", "prose\n")
    for name in ("USER.md", "memory/2026-03-01.md"):
        (place.root / ".cuedeck" / name).symlink_to(place.root / "notes.md")
    assert {each.path: each.code for each in place.found("memory")} == {
        ".cuedeck/memory/2026-02-27.md": "log-name",
        ".cuedeck/memory/2026-02-28.md": "log-name",
        ".cuedeck/memory/2026-02-30.md": "log-name",
        ".cuedeck/memory/2026-03-01.md": "log-name",
        ".cuedeck/USER.md": "memory-link",
    }
