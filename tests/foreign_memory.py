"""Folders of other programs with memories, for tests of the import."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.importers.import_foreign import import_foreign

if TYPE_CHECKING:
    from sandbox import Sandbox

SECRET = "AKIA" + "Z7Q2M4X8K1P5R3T9"
CHAT = (
    ("11111111-aaaa-4bbb-8ccc-000000000001", "User", "09:15:00", "I prefer vim."),
    (
        "22222222-aaaa-4bbb-8ccc-000000000002",
        "Assistant",
        "09:15:20",
        f"Noted. The key is {SECRET}.",
    ),
    ("33333333-aaaa-4bbb-8ccc-000000000003", "User", "10:00:00", "## Content\n\nOK"),
)
"""Id, role, time and text of the messages of a session."""


def put(root: Path, path: str, content: str | bytes) -> Path:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content.encode() if isinstance(content, str) else content)
    return place


def chat_message(identity: str, role: str, time: str, text: str) -> str:
    """Return the text of a message file of cortex-mem."""
    icon = {"User": "👤", "Assistant": "🤖", "System": "⚙️"}[role]
    return (
        f"# {icon} {role}\n\n**ID**: `{identity}`  \n"
        f"**Timestamp**: 2026-04-01 {time} UTC\n\n## Content\n\n{text}\n\n"
    )


def migrated_message(day: str, number: int, text: str) -> tuple[str, str]:
    """Return the path and the text of a paragraph that the migration tool wrote."""
    clock = (number % 24, number * 7 % 60, number * 13 % 60)
    identity = f"{day.replace('-', '')}_{number:04d}"
    time = "{:02}:{:02}:{:02}".format(*clock)
    name = "{:02}_{:02}_{:02}_".format(*clock) + f"{identity}.md"
    session = f"migrated-oc-{day}"
    content = (
        f'---\nid: "{identity}"\nrole: "user"\ntimestamp: "{day}T{time}Z"\n'
        f'thread_id: "{session}"\n---\n{text}'
    )
    return f"session/{session}/timeline/{day.replace('-', '/')}/{name}", content


def session_file(**fields: Any) -> str:
    value = {
        "thread_id": "s1",
        "status": "closed",
        "created_at": "2026-04-01T09:00:00.123456789Z",
        "updated_at": "2026-04-01T11:00:00.5Z",
        "closed_at": "2026-04-01T11:00:00Z",
        "message_count": 3,
        "participants": [],
        "tags": ["editor"],
        "title": "Choice of an editor",
        "description": None,
        "user_id": "ana",
        "agent_id": None,
    }
    return json.dumps({**value, **fields}, indent=2)


def index_entry(identity: str, kind: str, key: str, **fields: Any) -> dict[str, Any]:
    folder = {"preference": "preferences", "entity": "entities", "case": "cases"}[kind]
    return {
        "id": identity,
        "file": f"{folder}/{identity}.md",
        "memory_type": kind,
        "key": key,
        "content_hash": "0" * 64,
        "source_sessions": ["s1"],
        "created_at": "2026-04-01T11:00:00Z",
        "updated_at": "2026-04-02T11:00:00.987Z",
        "last_accessed": "2026-04-02T11:00:00Z",
        "access_count": 2,
        "confidence": 0.9,
        "content_summary": "…",
        "consolidation_count": 0,
        "archived": False,
        **fields,
    }


def memory_index(*entries: dict[str, Any]) -> str:
    value = {
        "version": 1,
        "scope": "user",
        "owner_id": "ana",
        "last_updated": "2026-04-02T11:00:00Z",
        "memories": {entry["id"]: entry for entry in entries},
        "session_summaries": {},
    }
    return json.dumps(value)


def plant_cortex(root: Path) -> Path:
    """Write a tree of cortex-mem with a session, memories, layers and a resource."""
    for identity, role, time, text in CHAT:
        name = f"{time.replace(':', '_')}_{identity[:8]}.md"
        path = f"session/s1/timeline/2026-04/01/{name}"
        put(root, path, chat_message(identity, role, time, text))
    put(root, "session/s1/.session.json", session_file())
    put(root, "session/s1/.abstract.md", "Ana chose an editor.\n")
    put(root, "session/s1/timeline/2026-04/01/.overview.md", "generated\n")
    put(
        root,
        "user/ana/preferences/pref_1a2b3c4d.md",
        "# editor\n\nAna prefers vim.\nShe uses it for Rust.\n\n"
        "**Confidence**: 0.90\n\n**Added**: 2026-04-01 11:00:00 UTC",
    )
    put(
        root,
        "user/ana/entities/entity_5e6f7a8b.md",
        "# Ben\n\nBen is the designer.\n\n---\n\n**Added**: 2026-04-01 12:00:00 UTC\n"
        "<!-- source-hash: 00ff00ff -->\n",
    )
    put(
        root,
        "user/ana/.memory_index.json",
        memory_index(
            index_entry("pref_1a2b3c4d", "preference", "editor"),
            index_entry("entity_99999999", "entity", "gone"),
        ),
    )
    put(
        root,
        "agent/helper/cases/case_0a0b0c0d.md",
        "# blank page\n\nClear the cookie.\n\n**Confidence**: 0.90\n",
    )
    put(root, "user/ana/memories/2026-04/01/09_00_00_abcdef01.md", "a stored note\n")
    put(root, "resources/handbook/rules.md", "# Rules\n\nBe brief.\n")
    return root


def record(identity: str, text: str, category: str = "note", **fields: Any) -> str:
    """Return the line of a record of CursorClaw."""
    provenance = {
        "sourceChannel": "main",
        "confidence": 0.8,
        "timestamp": "2026-04-02T01:31:39.005Z",
        "sensitivity": "operational",
    }
    value = {
        "id": identity,
        "sessionId": "main",
        "category": category,
        "text": text,
        "provenance": provenance,
        **fields,
    }
    return "- " + json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plant_cursorclaw(root: Path) -> Path:
    """Write a profile of CursorClaw."""
    head = (
        "# MEMORY.md — Long-term memory\n\nCurated memories of the main session.\n\n"
        "**Format:** one record a line.\n\n---\n\n"
    )
    lines = (
        record("r-1", "The parser is fixed"),
        record("r-2", f"The key is {SECRET}", "learned"),
        '- {"id":"r-3","text":',
    )
    put(root, "MEMORY.md", head + "\n".join(lines) + "\n")
    put(root, "memory/2026-04-02.md", lines[0] + "\n")
    put(root, "memory/2026-02-30.md", lines[0] + "\n")
    put(root, "memory/MEMORY-archive.md", record("r-0", "An old note") + "\n")
    put(
        root,
        "LONGMEMORY.md",
        "# LONGMEMORY.md — Long-term summaries\n\n\n## Summary (2026-03-30)\n\n"
        "The project began.\n",
    )
    store = {
        "version": 1,
        "experiences": [
            {
                "id": "exp_1_aaaaaaaa",
                "text": "Ana prefers dark mode",
                "category": "user-preference",
                "sessionId": "main",
                "recordId": "r-1",
                "timestamp": "2026-04-02T01:31:39.017Z",
                "vector": [0.5, 0.5],
            },
            {"text": "without an id"},
        ],
    }
    put(root, "tmp/experience-store.json", json.dumps(store, indent=2))
    put(root, "tmp/memory-embeddings.json", "{}")
    put(root, "USER.md", "# USER.md - About Your Human\n")
    return root


def plant_clawcode(root: Path) -> Path:
    """Write a memory folder of ClawCode."""
    put(root, "MEMORY.md", "# Memory\n\n## People\n- Cookie is our dog\n")
    put(
        root,
        "2026-04-02.md",
        "# 2026-04-02\n\n## Session (10:15)\n- shrimp for lunch\n",
    )
    put(root, "2026-04-02-standup.md", "Standup: all fine\n")
    put(
        root,
        "DREAMS.md",
        "# Dreams\n\n*Memory consolidation diary.*\n\n"
        "## Deep Sleep — 2026-04-02 03:00:00\n\nCandidates: 1 | Promoted: 0\n",
    )
    put(root, ".dreams/short-term-recall.json", '{"version":1,"entries":{}}')
    put(root, ".memory.sqlite", b"SQLite format 3\0")
    put(root, "crons.json", "{}")
    return root


def contents(root: Path) -> dict[str, bytes | str]:
    """Return every file below a folder; a link as its target."""
    found: dict[str, bytes | str] = {}
    for place in sorted(root.rglob("*")):
        name = place.relative_to(root).as_posix()
        if place.is_symlink():
            found[name] = str(place.readlink())
        elif place.is_file():
            found[name] = place.read_bytes()
    return found


def import_twice(sandbox: Sandbox, source: Path, kind: str = "") -> dict[str, Any]:
    """Import a folder and check that the dry run agrees, that the source is unchanged,
    and that a second import changes nothing.
    """
    workspace = sandbox.workspace
    foreign, before = contents(source), sandbox.bytes()
    plan = import_foreign(workspace(), str(source), kind, dry_run=True)
    assert sandbox.bytes() == before
    done = import_foreign(workspace(), str(source), kind)
    assert contents(source) == foreign
    assert done["rows"] == plan["rows"]
    after = sandbox.bytes()
    again = import_foreign(workspace(), str(source), kind)
    assert sandbox.bytes() == after
    assert again["counts"]["new"] == again["counts"]["merged"] == 0
    return done


def rows_of(done: dict[str, Any], action: str) -> dict[str, tuple[str, str]]:
    """Return target and reason of the rows with an action, by source."""
    return {
        each["source"]: (each["target"], each["reason"])
        for each in done["rows"]
        if each["action"] == action
    }
