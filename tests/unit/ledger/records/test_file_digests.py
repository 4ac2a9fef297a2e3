"""A memory block has equal bytes whether digests are cached, damaged or missing."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.knowledge.memory.forget_record import forget_record
from cuedeck.knowledge.memory.session_context import memory_context
from cuedeck.ledger.records import file_digest
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.record_file import dump

NAMED = "src/auth.py holds the login"


@pytest.fixture
def large(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """A memory of many pieces with duplicate, secret, superseded and broken records."""
    monkeypatch.setattr(file_digest, "PIECE_BYTES", 1_000)
    sandbox.card("2a9f1x", "title: Fix login", "status: active", "refs: [src/auth.py]")
    sandbox.write("src/auth.py", "x = 1\n")
    lines = ["# Memory", "---", "by hand"]
    for at in range(200):
        value = {
            "id": f"r{at % 180}",
            "category": "note" if at % 3 else "learned",
            "text": f"text {at % 150}",
        }
        sensitivity = "secret" if at % 17 == 0 else "public"
        more = {"supersedes": [f"r{at - 1}"]} if at % 11 == 0 else {}
        message = {**value, "provenance": {"sensitivity": sensitivity}, **more}
        lines += [f"- {dump(message)}", *(["- {broken", ""] if at % 50 == 0 else [])]
    lines.insert(
        60,
        f"- {dump({'id': 'named', 'text': NAMED, 'provenance': {'sensitivity': 'public'}})}",
    )
    sandbox.write(".cuedeck/MEMORY.md", "\n".join(lines) + "\n")
    return sandbox


def block_text(sandbox: Sandbox, room: int) -> str:
    workspace = sandbox.workspace()
    workspace.refresh()
    text = memory_context(workspace, memory_of(workspace), room=room).text
    workspace.close()
    return text


def scene_text(sandbox: Sandbox) -> str:
    workspace = sandbox.workspace()
    text = make_scene(workspace, Request()).text
    workspace.close()
    return text


def count_digests(sandbox: Sandbox) -> int:
    return int(sandbox.workspace().index.ask("SELECT count(*) FROM digests")[0][0])


@pytest.mark.parametrize("room", [400, 2_600, 32_000])
def test_block_is_equal_with_and_without_cache(large: Sandbox, room: int) -> None:
    cold = block_text(large, room)
    assert count_digests(large) > 10
    warm = block_text(large, room)
    large.workspace().index.wipe("digests")
    assert warm == cold == block_text(large, room)


def test_damaged_digests_are_rebuilt(large: Sandbox) -> None:
    expected = block_text(large, 2_600), scene_text(large)
    index = large.workspace().index
    index.keep(
        "digests",
        [(key, b"junk", sum_) for key, _, sum_ in index.ask("SELECT * FROM digests")],
        8_000,
    )
    index.wipe("scenes")
    assert (block_text(large, 2_600), scene_text(large)) == expected
    assert NAMED in expected[1]


def test_cache_follows_appends_and_edits(large: Sandbox) -> None:
    place = large.place(".cuedeck/MEMORY.md")
    for turn in range(2):
        workspace = large.workspace()
        add_records(workspace, memory_of(workspace), [NewRecord(f"appended {turn}")])
        workspace.close()
        warm = block_text(large, 1_000)
        assert f"appended {turn}" in warm
        place.write_text(
            place.read_text().replace(f'text 10{turn}"', f'edited {turn}"')
        )
        warm = block_text(large, 32_000), scene_text(large)
        large.workspace().index.wipe("digests")
        large.workspace().index.wipe("scenes")
        assert warm == (block_text(large, 32_000), scene_text(large))
        assert f"edited {turn}" in warm[0]


def test_forgotten_record_leaves_nothing_in_the_cache(large: Sandbox) -> None:
    assert NAMED in scene_text(large)
    workspace = large.workspace()
    forget_record(workspace, memory_of(workspace), "named", dry_run=False)
    workspace.close()
    assert NAMED not in scene_text(large) + block_text(large, 32_000)
    index = large.workspace().index
    assert not [
        row for row in index.ask("SELECT data FROM digests") if b"named" in row[0]
    ]
