"""A compressed file that unpacks to far more than a session is refused before it fills
the memory.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import lz4.frame
import pytest
from sandbox import SOURCE, Sandbox

from cuedeck.ledger.session_files import SessionFiles
from cuedeck.store.files.unpacking import MOST_BYTES, TooLarge, unpack, unpack_frames
from cuedeck.store.workspace_paths import WorkspacePaths

BOMB = lz4.frame.compress(b" " * (MOST_BYTES + 1))


def test_a_frame_up_to_the_limit_is_unpacked() -> None:
    frame = lz4.frame.compress(b"abc" * 100)
    assert unpack(frame, 300) == b"abc" * 100
    with pytest.raises(TooLarge, match="more than 299 bytes"):
        unpack(frame, 299)
    for broken in (b"", frame[:-1], b"no frame", frame[:10]):
        with pytest.raises(RuntimeError):
            unpack(broken)


def test_frames_end_before_other_data() -> None:
    one, two = lz4.frame.compress(b"one"), lz4.frame.compress(b"two")
    assert list(unpack_frames(one + two + two[:-2])) == [
        (b"one", len(one)),
        (b"two", len(one + two)),
    ]
    with pytest.raises(TooLarge):
        list(unpack_frames(one + BOMB))


def test_a_session_that_is_a_bomb_is_reported(sandbox: Sandbox) -> None:
    sandbox.ok("session", "start")
    identity = sandbox.answer("session", "status")["session"]
    sandbox.place(f".cuedeck/sessions/{identity}.json.lz4").write_bytes(BOMB)
    loaded = SessionFiles(WorkspacePaths(str(sandbox.root))).load(identity)
    assert loaded.session is not None
    assert [each.message for each in loaded.faults] == [
        f"not a valid session file: it unpacks to more than {MOST_BYTES:,} bytes"
    ]
    assert sandbox.answer("resume")["session"] == identity


@pytest.mark.skipif(
    sys.platform != "linux", reason="asks /proc for the memory of a process"
)
def test_a_bomb_costs_little_memory(tmp_path: Path) -> None:
    (tmp_path / "bomb").write_bytes(lz4.frame.compress(b" " * 400_000_000))
    code = """
import re, sys
from cuedeck.store.files.unpacking import TooLarge, unpack
data = open(sys.argv[1], "rb").read()
try: unpack(data)
except TooLarge: print(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
"""
    command = [sys.executable, "-c", code, str(tmp_path / "bomb")]
    ran = subprocess.run(
        command,
        env={"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(ran.stdout) * 1024 < 3 * MOST_BYTES
