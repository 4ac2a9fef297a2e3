"""The next command completes a scene that was interrupted while git was slow."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sandbox import Sandbox, until

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="needs scripts in the place of git"
)

COMMITS = 400
STOPS = """\
#!{python}
import os, subprocess, sys
arguments = sys.argv[1:]
if "-U0" not in arguments:
    os.execv("{git}", ["git", *arguments])
asked = sys.stdin.buffer.read().split(b"\\n")
few = b"".join(each + b"\\n" for each in asked[: 3 * 150])
ran = subprocess.run(["{git}", *arguments], input=few, stdout=subprocess.PIPE, check=True)
sys.stdout.buffer.write(ran.stdout)
sys.stdout.buffer.flush()
if len(asked) > 3 * 150 + 1:
    with open("{pid}", "w") as file:
        file.write(str(os.getpid()) + "\\n")
    open("{fifo}").read()
"""


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace in a repository with a few hundred commits."""
    sandbox.git("init", "-q")
    stream = []
    for at in range(COMMITS):
        name, line = "abc"[at % 3], f"{'abc'[at % 3]} = {at}\n"
        stream.append(
            f"commit refs/heads/main\ncommitter Ada <ada@example.org> {1_700_000_000 + at} +0000\n"
        )
        stream.append(
            f"data 8\nUse {at:04}\nM 644 inline {name}.py\ndata {len(line)}\n{line}\n"
        )
        stream.append(f"M 644 inline d.py\ndata {len(line)}\n{line}\n")
    place = sandbox.write("stream", "".join(stream))
    sandbox.git("symbolic-ref", "HEAD", "refs/heads/main")
    with place.open("rb") as answer:
        subprocess.run(
            ["git", "fast-import", "--quiet"],
            cwd=sandbox.root,
            env=sandbox.environ,
            stdin=answer,
            check=True,
        )
    place.unlink()
    sandbox.git("reset", "-q", "--hard")
    sandbox.card("abc123", "refs: [a.py]")
    sandbox.activate("abc123")
    return sandbox


def replace_git(sandbox: Sandbox, tmp_path: Path, script: str) -> dict[str, str]:
    """Write a script that replaces git; return the environment that finds it."""
    place = tmp_path / "bin/git"
    place.parent.mkdir(exist_ok=True)
    values = {
        "git": shutil.which("git"),
        "python": sys.executable,
        "pid": tmp_path / "pid",
        "fifo": tmp_path / "fifo",
    }
    place.write_text(script.format(**values))
    place.chmod(0o755)
    return {"PATH": f"{place.parent}{os.pathsep}{sandbox.environ['PATH']}"}


def plain_scene(sandbox: Sandbox, tmp_path: Path) -> bytes:
    """Return the scene of a copy of the workspace with the real git."""
    shutil.copytree(
        sandbox.root,
        tmp_path / "copy",
        ignore=shutil.ignore_patterns("cache", "SCENE.md"),
    )
    copy = Sandbox(tmp_path / "copy", sandbox.environ)
    copy.ok("scene")
    return copy.scene.read_bytes()


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    # A zombie has ended; its parent has not waited for it yet.
    stat = Path(f"/proc/{number}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def test_interrupt_ends_git_and_keeps_read_commits(
    shop: Sandbox, tmp_path: Path
) -> None:
    environ = replace_git(shop, tmp_path, STOPS)
    os.mkfifo(tmp_path / "fifo")
    process = shop.start("scene", environ=environ)
    noted = tmp_path / "pid"
    until(lambda: noted.exists() and noted.read_text().endswith("\n"), "git stops")
    pid = int(noted.read_text())
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, b"Traceback" in err) == (130, False), err
    assert not shop.scene.exists()
    until(lambda: not is_running(pid), "git ends")
    assert 100 <= count_stored_commits(shop) < COMMITS
    shop.ok("scene")
    assert shop.scene.read_bytes() == plain_scene(shop, tmp_path)


def count_stored_commits(sandbox: Sandbox) -> int:
    place = sandbox.private("index.sqlite")
    database = sqlite3.connect(f"file:{place}?mode=ro", uri=True)
    try:
        (data,) = database.execute(
            "SELECT value FROM cache WHERE kind = 'pasts'"
        ).fetchone()
        return len(json.loads(data.partition(" ")[2]))
    finally:
        database.close()
