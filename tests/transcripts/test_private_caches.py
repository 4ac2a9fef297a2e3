"""Generated files contain no secret of the workspace, and only their owner can read
them.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sandbox import Sandbox

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "parse"))

GENERATED = (".cuedeck/cache", ".cuedeck/sessions", ".cuedeck/SCENE.md")


def files(sandbox: Sandbox) -> Iterator[Path]:
    for name in GENERATED:
        place = sandbox.place(name)
        yield from (
            [place]
            if place.is_file()
            else (each for each in place.rglob("*") if each.is_file())
        )


def index(sandbox: Sandbox) -> bytes:
    """Return the bytes of the index and of its log, in lower case."""
    places = (sandbox.private(f"index.sqlite{ending}") for ending in ("", "-wal"))
    return b"".join(place.read_bytes() for place in places if place.exists()).lower()


def hook(sandbox: Sandbox, event: str, **fields: object) -> None:
    request = json.dumps({"session_id": "host", "cwd": str(sandbox.root), **fields})
    sandbox.ok("hook", event, "--host", "claude", text=request)


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_generated_files_are_readable_only_by_their_owner(sandbox: Sandbox) -> None:
    before = os.umask(0o022)
    try:
        sandbox.card("aaaaaa", "status: active")
        hook(sandbox, "session-start", source="startup")
        sandbox.ok("scene")
        hook(sandbox, "prompt", prompt="where is the key?")
        hook(sandbox, "session-end", reason="other")
        sandbox.ok("decide", "x")
    finally:
        os.umask(before)
    modes = {
        str(place.relative_to(sandbox.root)): stat.S_IMODE(place.stat().st_mode)
        for place in files(sandbox)
    }
    assert {
        name: oct(mode)
        for name, mode in modes.items()
        if mode & 0o077 and not name.endswith(".lock")
    } == {}


def test_changed_masking_rules_rebuild_the_index(sandbox: Sandbox) -> None:
    sandbox.write("docs/own.md", "# Own\n\nthe customer ACMEWORD is here\n")
    sandbox.card("aaaaaa", "status: active")
    sandbox.ok("scene")
    assert b"acmeword" in index(sandbox)
    sandbox.write(
        ".cuedeck/config.toml", "[secrets]\npatterns = ['customer: ACME[A-Z]+']\n"
    )
    sandbox.ok("scene")
    assert b"acmeword" not in index(sandbox)
    sandbox.ok("scene", "--verify")
