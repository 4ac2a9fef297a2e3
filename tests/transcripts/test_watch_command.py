"""`cuedeck watch` in a real process: after every save SCENE.md equals the output of a
cold command.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from sandbox import Sandbox, expect, fields, until

from cuedeck.store.workspace_paths import WorkspacePaths


def cold_scene(sandbox: Sandbox) -> str:
    """Return the output of `cuedeck scene --print` without any cache."""
    from cuedeck.context.scene.build_scene import build_or_idle
    from cuedeck.engine.open_workspace import workspace_at
    from cuedeck.store.workspace_paths import WorkspacePaths

    workspace = workspace_at(WorkspacePaths(str(sandbox.root)), {})
    workspace = workspace.reopened(index_in_memory=True)
    workspace.refresh()
    try:
        return build_or_idle(workspace)[0].text
    finally:
        workspace.close()


class WatchProcess:
    """A watcher in its own process."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.process = sandbox.start("watch", "--json")
        self.received: list[dict[str, Any]] = []
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def next(self, seconds: float = 20.0) -> dict[str, Any] | None:
        """Return the next event, or None at the end of the output or on a timeout."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if not line:
            return None
        self.received.append(json.loads(line))
        return self.received[-1]

    def until(self, kind: str) -> dict[str, Any]:
        while True:
            event = self.next()
            assert event is not None, (kind, self.received)
            if event["event"] == kind:
                return event

    def wait_for_scene(self) -> str:
        """Wait until SCENE.md matches the files; return it."""

        def same() -> str | bool:
            try:
                text = self.sandbox.scene.read_text()
            except FileNotFoundError:
                return False
            return text if text == cold_scene(self.sandbox) else False

        return str(until(same, "SCENE.md matches the files"))

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        code = self.process.wait(10)
        if self.process.stderr is not None and number != signal.SIGKILL:
            assert b"Traceback" not in self.process.stderr.read()
        return code


def watching(sandbox: Sandbox) -> Iterator[WatchProcess]:
    """Yield a watcher that is ready, and end it."""
    watch = WatchProcess(sandbox)
    try:
        watch.until("ready")
        yield watch
    finally:
        watch.process.kill()
        watch.process.wait(10)
        for stream in (watch.process.stdout, watch.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def watch(sandbox: Sandbox) -> Iterator[WatchProcess]:
    sandbox.card("aaaaaa", "refs: [docs/a.md]")
    sandbox.activate("aaaaaa")
    sandbox.write("docs/a.md", "# A\n\n[b](b.md)\n")
    sandbox.write("docs/b.md", "# B\n")
    yield from watching(sandbox)


def test_every_way_of_saving_updates_the_scene(watch: WatchProcess) -> None:
    """One process covers all ways; each ends with the scene of the files."""
    sandbox = watch.sandbox
    place = sandbox.place("docs/a.md")
    with place.open("w") as file:  # truncated first, then written in two pieces
        file.flush()
        os.fsync(file.fileno())
        file.write("# Truncated, ")
        file.flush()
        file.write("then written\n")
    assert "# Truncated, then written" in watch.wait_for_scene()
    sandbox.write("docs/.a.md.swp", "# Renamed\n").rename(place)
    assert "# Renamed" in watch.wait_for_scene()
    place.rename(sandbox.place("docs/a.md~"))  # vim with a backup
    place.write_text("# Backed up\n\n[[b]]\n")
    sandbox.place("docs/a.md~").unlink()
    assert "# Backed up" in watch.wait_for_scene()
    sandbox.write("docs/b.md", "# B is linked\n")
    assert "# B is linked" in watch.wait_for_scene()


def init_history(sandbox: Sandbox) -> None:
    """Create a repository with a branch `form` that changed two files."""
    sandbox.write(".gitignore", ".cuedeck/cache/\n.cuedeck/SCENE.md\n")
    sandbox.write("src/form.py", "def form():\n    return 1\n")
    sandbox.git("init", "-q")
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", "Begin")
    sandbox.git("checkout", "-q", "-b", "form")
    sandbox.write("docs/a.md", "# A\n\nWith the form.\n")
    sandbox.write("src/form.py", "def form():\n    return 'together'\n")
    sandbox.git("commit", "-q", "-a", "-m", "Change the form")


def test_linked_worktree_follows_its_own_head(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "refs: [docs/a.md]")
    sandbox.write("docs/a.md", "# A\n")
    init_history(sandbox)
    sandbox.git(
        "worktree", "add", "-q", "--detach", str(sandbox.root.parent / "tree"), "form"
    )
    tree = Sandbox(sandbox.root.parent / "tree", sandbox.environ)
    tree.activate("aaaaaa")
    watching = WatchProcess(tree)
    try:
        watching.until("ready")
        first = watching.wait_for_scene()
        tree.git("reset", "-q", "--soft", "main")
        assert until(lambda: tree.scene.read_text() != first)
        watching.wait_for_scene()
        assert watching.stop() == 130
    finally:
        watching.process.kill()
        watching.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_watcher_ends_at_once_on_a_signal_and_leaves_nothing(
    watch: WatchProcess, number: int
) -> None:
    watch.sandbox.write("docs/a.md", "# Just saved\n")
    started = time.monotonic()
    assert watch.stop(number) == 130
    assert time.monotonic() - started < 5
    left = {path.name for path in watch.sandbox.place(".cuedeck/cache").iterdir()}
    private = WorkspacePaths(str(watch.sandbox.root)).private
    assert left <= {"watch.lock", "index.sqlite.lock", private.rpartition(os.sep)[2]}
    assert not list(watch.sandbox.root.rglob("*.tmp"))
    watch.sandbox.ok("scene")


@pytest.fixture
def second_watcher(watch: WatchProcess) -> Iterator[WatchProcess]:
    """Start another watcher of the same workspace."""
    yield from watching(watch.sandbox)


def test_second_watcher_reads_and_takes_over_when_the_first_is_killed(
    watch: WatchProcess, second_watcher: WatchProcess
) -> None:
    """It used to print an error and to exit with code 0."""
    first, ready = second_watcher.received
    expect(first, event="scene", written=False, writes=False)
    assert ready["writes"] is False
    sandbox = watch.sandbox
    # From now on only the second watcher can write.
    watch.process.send_signal(signal.SIGSTOP)
    before = sandbox.scene.read_bytes()
    sandbox.write("docs/a.md", "# Seen\n")
    event = second_watcher.until("scene")
    expect(event, changed=["docs/a.md"], written=False, writes=False)
    assert sandbox.scene.read_bytes() == before
    watch.stop(signal.SIGKILL)
    while not second_watcher.until("scene")["writes"]:
        pass
    assert "# Seen" in second_watcher.wait_for_scene()
    sandbox.write("docs/a.md", "# The next watcher\n")
    while not second_watcher.until("scene")["written"]:
        pass
    assert "# The next watcher" in second_watcher.wait_for_scene()
    assert second_watcher.stop() == 130


def test_events_are_one_object_per_line(watch: WatchProcess) -> None:
    first, ready = watch.received
    expect(first, event="scene", schema=1, written=True)
    fields(ready, "schema event root files polling writes")
    expect(ready, root=str(watch.sandbox.root), files=3, polling=False, writes=True)
    watch.sandbox.write("docs/a.md", "# Told\n")
    event = watch.until("scene")
    assert event["changed"] == ["docs/a.md"]
    assert {"ms", "tokens", "written", "card"} <= event.keys()


def test_terminal_output_has_a_line_for_each_scene(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "status: active")
    process = sandbox.start("watch")
    assert process.stdout is not None
    assert b".cuedeck/cards" in process.stdout.readline()
    assert b"watching 1 files in" in process.stdout.readline()
    sandbox.write("docs/b.md", "# Not shown\n")  # no line: the scene is unchanged
    sandbox.card("aaaaaa", "status: active", "refs: [docs/a.md]")
    assert b".cuedeck/cards/aaaaaa.md" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == 130


def test_deleted_workspace_ends_the_watcher(watch: WatchProcess) -> None:
    gone = watch.sandbox.place(".cuedeck")
    gone.rename(watch.sandbox.root.parent / "aside")
    event = watch.until("error")
    message = f"the workspace {watch.sandbox.root} was deleted or moved"
    expect(event, code=1011, message=message)
    assert "cuedeck init" in event["hint"]
    assert watch.process.wait(10) == 3
    assert watch.process.stderr is not None
    assert watch.process.stderr.read() == b""
    assert watch.next() is None or watch.received[-1] == event
    assert not gone.exists()


def test_closed_reader_ends_the_watcher(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "status: active")
    command = f"{sys.executable} -m cuedeck watch --json | head -n 2"
    with subprocess.Popen(
        ["bash", "-c", f"{command}; echo ${{PIPESTATUS[0]}} >&2"],
        cwd=sandbox.root,
        env=sandbox.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        for _ in range(2):
            process.stdout.readline()
        until(
            lambda: (
                sandbox.card("aaaaaa", "status: active", body=str(time.time()))
                and process.poll() is not None
            )
        )
        assert process.stderr.read() == b"0\n"


def living_processes(session: int) -> list[int]:
    """Return the living processes of a session."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                    state, _, _, of = file.read().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(of) == session and state != "Z":
                found.append(int(name))
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no list of processes")
def test_killed_command_leaves_no_process(sandbox: Sandbox) -> None:
    for number in range(2_000):
        sandbox.write(
            f"docs/{number % 50}/{number}.md",
            "# Doc\n\n" + "some [[link]] words\n" * 40,
        )
    process = sandbox.start("scene")
    until(lambda: len(living_processes(process.pid)) >= 3, "workers are at work")
    process.kill()
    process.communicate(timeout=10)
    until(lambda: not living_processes(process.pid), "all have ended")
