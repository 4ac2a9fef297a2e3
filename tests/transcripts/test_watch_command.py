"""`cuedeck watch` as a real process: after every save SCENE.md is what a cold command
would write.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from sandbox import Sandbox, until

from cuedeck.store.workspace_paths import WorkspacePaths


def cold(sandbox: Sandbox) -> str:
    """Return what `cuedeck scene --print` gives without any cache."""
    from cuedeck.app.open_workspace import workspace_at
    from cuedeck.app.scene.no_active_card import build_or_idle
    from cuedeck.store.workspace_paths import WorkspacePaths

    workspace = workspace_at(
        WorkspacePaths(str(sandbox.root)), {}, index_in_memory=True
    )
    workspace.refresh()
    try:
        return build_or_idle(workspace)[0].text
    finally:
        workspace.close()


class Watch:
    """A watcher in a process of its own."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.process = sandbox.start("watch", "--json")
        self.told: list[dict[str, Any]] = []
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def next(self, seconds: float = 20.0) -> dict[str, Any] | None:
        """Return the next event, or None when none comes in time."""
        try:
            self.told.append(json.loads(self._lines.get(timeout=seconds)))
        except queue.Empty:
            return None
        return self.told[-1]

    def until(self, kind: str) -> dict[str, Any]:
        while True:
            event = self.next()
            assert event is not None, (kind, self.told)
            if event["event"] == kind:
                return event

    def true(self) -> str:
        """Wait until SCENE.md matches the files; return it."""

        def same() -> str | bool:
            try:
                text = self.sandbox.scene.read_text()
            except FileNotFoundError:
                return False
            return text if text == cold(self.sandbox) else False

        return str(until(same, "SCENE.md matches the files"))

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        code = self.process.wait(10)
        for stream in (self.process.stderr, self.process.stdout):
            if (
                stream is not None
                and number != signal.SIGKILL
                and stream is self.process.stderr
            ):
                assert b"Traceback" not in stream.read()
        return code


def watching(sandbox: Sandbox) -> Iterator[Watch]:
    """Yield a watcher that is ready; end it."""
    watch = Watch(sandbox)
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
def watch(sandbox: Sandbox) -> Iterator[Watch]:
    sandbox.card("aaaaaa", "refs: [docs/a.md]")
    sandbox.activate("aaaaaa")
    sandbox.write("docs/a.md", "# A\n\n[b](b.md)\n")
    sandbox.write("docs/b.md", "# B\n")
    yield from watching(sandbox)


def test_every_way_of_saving_arrives(watch: Watch) -> None:
    """One process for many ways: each ends with the scene that the files give."""
    sandbox = watch.sandbox
    place = sandbox.place("docs/a.md")

    place.write_text("# Plain save\n")
    assert "# Plain save" in watch.true()

    with place.open("w") as file:  # truncated first, then written in two pieces
        file.flush()
        os.fsync(file.fileno())
        file.write("# Truncated, ")
        file.flush()
        file.write("then written\n")
    assert "# Truncated, then written" in watch.true()

    (sandbox.root / "docs/.a.md.swp").write_text("# Renamed\n")
    (sandbox.root / "docs/.a.md.swp").rename(place)
    assert "# Renamed" in watch.true()

    place.rename(sandbox.place("docs/a.md~"))  # vim with a backup
    place.write_text("# Backed up\n\n[[b]]\n")
    sandbox.place("docs/a.md~").unlink()
    assert "# Backed up" in watch.true()

    sandbox.write("docs/b.md", "# B is linked\n")
    assert "# B is linked" in watch.true()


def test_a_deleted_file_and_a_save(watch: Watch) -> None:
    """The original's watch panicked here."""
    watch.sandbox.place("docs/a.md").unlink()
    assert "unresolved" in watch.true()
    watch.sandbox.write("docs/b.md", "# B again\n")
    watch.sandbox.write("docs/a.md", "# A again\n")
    assert "# A again" in watch.true()


def test_two_saves_twenty_milliseconds_apart(watch: Watch) -> None:
    """The original threw the second away: no later save ever brought it back."""
    for turn in range(5):
        watch.sandbox.write("docs/a.md", f"# First {turn}\n")
        end = time.perf_counter() + 0.02
        while time.perf_counter() < end:
            pass
        watch.sandbox.write("docs/a.md", f"# Second {turn}\n")
        assert f"# Second {turn}" in watch.true()


def test_saves_while_it_builds(watch: Watch) -> None:
    for turn in range(60):
        watch.sandbox.write(
            "docs/a.md" if turn % 2 else "docs/b.md", f"# Turn {turn}\n\n[b](b.md)\n"
        )
    assert "# Turn 59" in watch.true()


def test_folders_move(watch: Watch) -> None:
    sandbox = watch.sandbox
    sandbox.place("docs").rename(sandbox.place("texts"))
    assert "unresolved" in watch.true()
    sandbox.place("texts").rename(sandbox.place("docs"))
    assert "# B" in watch.true()
    shutil.rmtree(sandbox.place("docs"))
    watch.true()
    sandbox.write("docs/deep/er/b.md", "# Deep\n")
    sandbox.write("docs/a.md", "# A\n\n[[b]]\n")
    assert "# Deep" in watch.true()


def test_a_checkout_of_hundreds_of_files(watch: Watch) -> None:
    sandbox = watch.sandbox
    sandbox.write(".gitignore", ".cuedeck/\n")
    sandbox.git("init", "-q")
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", "one")
    sandbox.git("checkout", "-q", "-b", "other")
    for number in range(400):  # more than are looked at one by one
        sandbox.write(f"many/d{number % 40}/n{number}.md", f"# Note {number}\n")
    sandbox.write("docs/a.md", "# Of the other branch\n\n[n](../many/d7/n7.md)\n")
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", "two")
    assert "# Note 7" in watch.true()
    sandbox.git("checkout", "-q", "main")
    assert "# Note 7" not in watch.true()
    sandbox.git("checkout", "-q", "other")
    assert "# Note 7" in watch.true()


def begin_history(sandbox: Sandbox) -> None:
    """Make a repository in which `docs/a.md` changed together with `src/form.py`, and
    then with `src/page.py`.
    """
    sandbox.write(".gitignore", ".cuedeck/cache/\n.cuedeck/SCENE.md\n")
    sandbox.write("src/form.py", "def form():\n    return 1\n")
    sandbox.write("src/page.py", "def page():\n    return 2\n")
    sandbox.git("init", "-q")
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", "Begin")
    for name in ("form", "page"):
        sandbox.git("checkout", "-q", "-B", name, "main")
        sandbox.write("docs/a.md", f"# A\n\nWith the {name}.\n")
        sandbox.write(f"src/{name}.py", f"def {name}():\n    return 'together'\n")
        sandbox.git("commit", "-q", "-a", "-m", f"Change the {name}")


def test_a_commit_changes_the_scene_though_it_changes_no_file(watch: Watch) -> None:
    sandbox = watch.sandbox
    begin_history(sandbox)
    watch.true()
    sandbox.write("docs/a.md", "# A\n\nWith both.\n")
    sandbox.write("src/form.py", "def form():\n    return 'again'\n")
    before = watch.true()
    files = sandbox.bytes()
    sandbox.git("commit", "-q", "-a", "-m", "Change the form again")
    after = str(until(lambda: (text := sandbox.scene.read_text()) != before and text))
    assert after == watch.true()
    assert "changed together" in after
    changed = {
        path for path, data in sandbox.bytes().items() if data != files.get(path)
    }
    assert {path for path in changed if not path.startswith(".git/")} == {
        ".cuedeck/SCENE.md"
    }


def test_a_head_that_moves_back_brings_the_same_bytes(watch: Watch) -> None:
    sandbox = watch.sandbox
    begin_history(sandbox)
    first = watch.true()
    sandbox.git("reset", "-q", "--soft", "main")
    assert until(lambda: sandbox.scene.read_text() != first)
    watch.true()
    sandbox.git("reset", "-q", "--soft", "ORIG_HEAD")
    assert until(lambda: sandbox.scene.read_text() == first)
    sandbox.git("commit", "-q", "--allow-empty", "-m", "Nothing")
    sandbox.scene.unlink()
    sandbox.write("src/other.py", "")  # the next build restores it
    assert until(
        lambda: sandbox.scene.exists() and sandbox.scene.read_text() == cold(sandbox)
    )
    assert sandbox.scene.read_text() == first


def test_a_linked_worktree_is_woken_by_its_own_head(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "refs: [docs/a.md]")
    sandbox.write("docs/a.md", "# A\n")
    begin_history(sandbox)
    sandbox.git(
        "worktree", "add", "-q", "--detach", str(sandbox.root.parent / "tree"), "form"
    )
    tree = Sandbox(sandbox.root.parent / "tree", sandbox.environ)
    tree.activate("aaaaaa")
    watching = Watch(tree)
    try:
        watching.until("ready")
        first = watching.true()
        tree.git("reset", "-q", "--soft", "main")
        assert until(lambda: tree.scene.read_text() != first)
        watching.true()
        assert watching.end() == 130
    finally:
        watching.process.kill()
        watching.process.communicate()


def test_inputs_of_the_scene_change(watch: Watch) -> None:
    sandbox = watch.sandbox
    sandbox.card("bbbbbb", "refs: [docs/b.md]")
    sandbox.activate("bbbbbb")
    assert "# Scene: Card bbbbbb" in watch.true()
    sandbox.activate("aaaaaa")
    assert "# Scene: Card aaaaaa" in watch.true()
    sandbox.write(".cuedeck/config.toml", "[scene]\nbudget = 700\n")
    assert "limit 700" in watch.true()
    sandbox.write(".cuedeck/config.toml", "[scene\n")
    # The watcher may see the moment in which no card is active, as an earlier error.
    while watch.until("error")["code"] != 1012:
        pass
    sandbox.write("docs/a.md", "# While broken\n")
    watch.until("error")
    sandbox.write(".cuedeck/config.toml", "[scene]\nbudget = 900\n")
    assert "# While broken" in watch.true()
    sandbox.write(".gitignore", "docs/a.md\n")
    assert "# While broken" not in watch.true()
    sandbox.git("init", "-q")
    sandbox.git("add", "-f", "docs/a.md")
    assert until(lambda: "# While broken" in sandbox.scene.read_text())
    sandbox.git("rm", "-q", "--cached", "docs/a.md")
    assert until(lambda: "# While broken" not in sandbox.scene.read_text())
    sandbox.place(".gitignore").unlink()
    assert "# While broken" in watch.true()
    sandbox.place(".cuedeck/active").unlink()
    assert "no active card" in watch.true()
    sandbox.ok("card", "activate", "aaaaaa")
    assert "# Scene: Card aaaaaa" in watch.true()


def test_irrelevant_changes_start_no_build(watch: Watch) -> None:
    """Also not its own output: whatever came before the last change would stand in its
    event, or be one.
    """
    sandbox = watch.sandbox
    sandbox.write(".gitignore", "*.log\nbuild/\n")
    sandbox.card("aaaaaa", "refs: [docs/a.md, docs/b.md]")
    while ".cuedeck/cards/aaaaaa.md" not in watch.until("scene")["changed"]:
        pass
    for turn in range(3):
        sandbox.write("x.log", str(turn))
        sandbox.write("build/deep/out.md", f"# Out {turn}\n")
        sandbox.place("docs/a.md").touch()
        sandbox.scene.write_text(
            "edited by hand"
        ) if turn % 2 else sandbox.scene.unlink()
        sandbox.write("docs/b.md", f"# The next build restores it {turn}\n")
        event = watch.next()
        assert event is not None
        assert (event["event"], event["changed"], event["written"]) == (
            "scene",
            ["docs/b.md"],
            True,
        )
        watch.true()


def test_the_cache_is_cleaned_meanwhile(watch: Watch) -> None:
    sandbox = watch.sandbox
    sandbox.ok("clean")
    sandbox.write("docs/a.md", "# Cleaned\n")
    assert "# Cleaned" in watch.true()
    sandbox.ok("scene")
    sandbox.write("docs/a.md", "# Both at work\n")
    assert "# Both at work" in watch.true()
    shutil.rmtree(sandbox.place(".cuedeck/cache"), ignore_errors=True)
    sandbox.write("docs/a.md", "# All of it gone\n")
    assert "# All of it gone" in watch.true()


def test_other_commands_at_work(watch: Watch) -> None:
    sandbox = watch.sandbox
    for turn in range(5):
        sandbox.write("docs/a.md", f"# Turn {turn}\n")
        sandbox.ok("list")
        assert f"# Turn {turn}" in watch.true()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_end_it_ends_at_once_and_leaves_nothing(
    watch: Watch, number: int
) -> None:
    watch.sandbox.write("docs/a.md", "# Just saved\n")
    started = time.monotonic()
    assert watch.end(number) == 130
    assert time.monotonic() - started < 5
    left = {path.name for path in watch.sandbox.place(".cuedeck/cache").iterdir()}
    private = WorkspacePaths(str(watch.sandbox.root)).private
    assert left <= {"watch.lock", "index.sqlite.lock", private.rpartition(os.sep)[2]}
    assert not list(watch.sandbox.root.rglob("*.tmp"))
    watch.sandbox.ok("scene")


@pytest.fixture
def second(watch: Watch) -> Iterator[Watch]:
    """Another watcher of the same workspace."""
    yield from watching(watch.sandbox)


def test_a_second_watcher_reads_and_writes_when_the_first_is_killed(
    watch: Watch, second: Watch
) -> None:
    """It told an error, and ended as if there were none."""
    first, ready = second.told
    assert (first["event"], first["written"], first["writes"]) == (
        "scene",
        False,
        False,
    )
    assert ready["writes"] is False
    sandbox = watch.sandbox
    watch.process.send_signal(
        signal.SIGSTOP
    )  # whatever is written now, the second writes
    before = sandbox.scene.read_bytes()
    for turn in range(3):
        sandbox.write("docs/a.md", f"# Seen {turn}\n")
        event = second.until("scene")
        assert (event["changed"], event["written"], event["writes"]) == (
            ["docs/a.md"],
            False,
            False,
        )
    assert sandbox.scene.read_bytes() == before
    watch.end(signal.SIGKILL)
    while not second.until("scene")["writes"]:
        pass
    assert "# Seen 2" in second.true()
    sandbox.write("docs/a.md", "# The next watcher\n")
    while not second.until("scene")["written"]:
        pass
    assert "# The next watcher" in second.true()
    assert second.end() == 130


def test_a_second_watcher_reports_that_it_only_reads(watch: Watch) -> None:
    process = watch.sandbox.start("watch")
    assert process.stdout is not None
    assert process.stdout.readline().split()[4] == b"read"
    assert (
        b"another process writes SCENE.md, so this watcher only reports changes"
        in process.stdout.readline()
    )
    process.send_signal(signal.SIGINT)
    assert b"error" not in process.communicate(timeout=10)[1]
    assert process.returncode == 130


def test_events_are_one_object_a_line(watch: Watch) -> None:
    first, ready = watch.told
    assert (first["event"], first["schema"], first["written"]) == ("scene", 1, True)
    assert list(ready) == ["schema", "event", "root", "files", "polling", "writes"]
    assert (ready["root"], ready["files"], ready["polling"], ready["writes"]) == (
        str(watch.sandbox.root),
        3,
        False,
        True,
    )
    watch.sandbox.write("docs/a.md", "# Told\n")
    event = watch.until("scene")
    assert event["changed"] == ["docs/a.md"]
    assert {"ms", "tokens", "written", "card"} <= event.keys()


def test_a_person_sees_a_line_for_each_scene(sandbox: Sandbox) -> None:
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


@pytest.mark.parametrize("what", [".", ".cuedeck"])
def test_a_workspace_that_is_deleted_ends_it(watch: Watch, what: str) -> None:
    gone = watch.sandbox.root / what
    gone.rename(watch.sandbox.root.parent / "aside")
    event = watch.until("error")
    assert (event["code"], event["message"]) == (
        1011,
        f"the workspace {watch.sandbox.root} was deleted or moved",
    )
    assert "cuedeck init" in event["hint"]
    assert watch.process.wait(10) == 3
    assert watch.process.stderr is not None
    assert watch.process.stderr.read() == b""
    assert watch.next() is None or watch.told[-1] == event
    assert not gone.exists()


def test_a_deleted_workspace_is_reported(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "status: active")
    process = sandbox.start("watch")
    assert process.stdout is not None
    process.stdout.readline()
    assert b"watching" in process.stdout.readline()
    sandbox.place(".cuedeck").rename(sandbox.root / "aside")
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out) == (3, b"")
    assert err.decode().startswith(
        f"the workspace {sandbox.root} was deleted or moved; `cuedeck init`"
    )


def test_a_reader_that_goes_away_ends_it(sandbox: Sandbox) -> None:
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


def members(session: int) -> list[int]:
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
def test_a_killed_command_leaves_no_process(sandbox: Sandbox) -> None:
    for number in range(2_000):
        sandbox.write(
            f"docs/{number % 50}/{number}.md",
            "# Doc\n\n" + "some [[link]] words\n" * 40,
        )
    process = sandbox.start("scene")
    until(lambda: len(members(process.pid)) >= 3, "workers are at work")
    process.kill()
    process.communicate(timeout=10)
    until(lambda: not members(process.pid), "all have ended")
