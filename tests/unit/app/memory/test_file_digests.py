"""A block of memory has the same bytes whether digests are cached, damaged or gone."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.app.memory.add_record import NewRecord, add_records
from cuedeck.app.memory.forget_record import forget_record
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.memory.session_context import memory_context
from cuedeck.app.scene.build_scene import Request, make_scene
from cuedeck.parse.record_file import dump
from cuedeck.records import file_digest

NAMED = "src/auth.py holds the login"


@pytest.fixture
def large(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """A memory of many pieces, in which some records are there twice, secret, replaced,
    or broken.
    """
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
        said = {**value, "provenance": {"sensitivity": sensitivity}, **more}
        lines += [f"- {dump(said)}", *(["- {broken", ""] if at % 50 == 0 else [])]
    lines.insert(
        60,
        f"- {dump({'id': 'named', 'text': NAMED, 'provenance': {'sensitivity': 'public'}})}",
    )
    sandbox.write(".cuedeck/MEMORY.md", "\n".join(lines) + "\n")
    return sandbox


def block(sandbox: Sandbox, room: int) -> str:
    workspace = sandbox.workspace()
    workspace.refresh()
    text = memory_context(workspace, memory_of(workspace), room=room).text
    workspace.close()
    return text


def scene(sandbox: Sandbox) -> str:
    workspace = sandbox.workspace()
    text = make_scene(workspace, Request()).text
    workspace.close()
    return text


def rows(sandbox: Sandbox) -> int:
    return int(sandbox.workspace().index.ask("SELECT count(*) FROM digests")[0][0])


@pytest.mark.parametrize("room", [400, 2_600, 32_000])
def test_the_block_is_the_same_with_and_without_cache(
    large: Sandbox, room: int
) -> None:
    cold = block(large, room)
    assert rows(large) > 10
    warm = block(large, room)
    large.workspace().index.wipe("digests")
    assert warm == cold == block(large, room)


def test_damaged_rows_are_made_again(large: Sandbox) -> None:
    expected = block(large, 2_600), scene(large)
    index = large.workspace().index
    index.keep(
        "digests",
        [(key, b"junk", sum_) for key, _, sum_ in index.ask("SELECT * FROM digests")],
        8_000,
    )
    index.wipe("scenes")
    assert (block(large, 2_600), scene(large)) == expected
    assert NAMED in expected[1]


def test_the_cache_follows_appends_and_edits(large: Sandbox) -> None:
    place = large.place(".cuedeck/MEMORY.md")
    for turn in range(2):
        workspace = large.workspace()
        add_records(workspace, memory_of(workspace), [NewRecord(f"appended {turn}")])
        workspace.close()
        warm = block(large, 1_000)
        assert f"appended {turn}" in warm
        place.write_text(
            place.read_text().replace(f'text 10{turn}"', f'edited {turn}"')
        )
        warm = block(large, 32_000), scene(large)
        large.workspace().index.wipe("digests")
        large.workspace().index.wipe("scenes")
        assert warm == (block(large, 32_000), scene(large))
        assert f"edited {turn}" in warm[0]


def test_nothing_of_a_forgotten_record_stays_in_the_cache(large: Sandbox) -> None:
    assert NAMED in scene(large)
    workspace = large.workspace()
    forget_record(workspace, memory_of(workspace), "named", dry_run=False)
    workspace.close()
    assert NAMED not in scene(large) + block(large, 32_000)
    index = large.workspace().index
    assert not [
        row for row in index.ask("SELECT data FROM digests") if b"named" in row[0]
    ]
