"""One process at a time holds a lock; the lock of a dead process is free."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from sandbox import Sandbox, until

from cuedeck.model.errors import Locked, StorageError
from cuedeck.store.files import file_lock as module
from cuedeck.store.files.file_lock import is_held, lock_place, locked
from cuedeck.store.workspace_paths import WorkspacePaths

HOLD = """
import sys, time
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths
with locked(WorkspacePaths(sys.argv[1]), "cards", 0):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_holder_is_refused_until_the_first_is_dead(sandbox: Sandbox) -> None:
    workspace = WorkspacePaths(str(sandbox.root))
    command = [sys.executable, "-c", HOLD, str(sandbox.root)]
    with subprocess.Popen(
        command, env=sandbox.environ, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with (
            pytest.raises(Locked, match="holds the lock of cards") as caught,
            locked(workspace, "cards", 0.05),
        ):
            pass
        assert caught.value.code == 1007
        with locked(workspace, "watch", 0):
            pass
        holder.send_signal(signal.SIGKILL)

    def free() -> bool:
        with locked(workspace, "cards", 0):
            return True

    assert until(free)


def test_where_the_system_has_no_lock_of_its_own_the_library_keeps_the_same(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = WorkspacePaths(str(sandbox.root))
    with locked(workspace, "cards", 0):
        monkeypatch.setattr(module, "fcntl", None)
        with pytest.raises(Locked), locked(workspace, "cards", 0):
            pass
    with (
        locked(workspace, "cards", 0),
        pytest.raises(Locked),
        locked(workspace, "cards", 0),
    ):
        pass


def test_is_held_does_not_take_a_free_lock(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that tried the lock at that moment without a timeout was refused."""
    workspace = WorkspacePaths(str(sandbox.root))
    assert not is_held(workspace, "cards")
    with locked(workspace, "cards"):
        assert is_held(workspace, "cards")
    with monkeypatch.context() as patch:
        patch.setattr(module, "locked", None)
        assert not is_held(workspace, "cards")


def test_a_dead_process_holds_no_lock(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = WorkspacePaths(str(sandbox.root))
    with monkeypatch.context() as patch:
        patch.setattr(module, "_mark", lambda handle, size: os.ftruncate(handle, 1))
        with locked(workspace, "cards"):
            pass
    assert os.path.getsize(lock_place(workspace, "cards")) == 1
    assert not is_held(workspace, "cards")
    assert os.path.getsize(lock_place(workspace, "cards")) == 0


def test_errors_of_the_block_pass_through(sandbox: Sandbox) -> None:
    workspace = WorkspacePaths(str(sandbox.root))
    for error in (PermissionError(13, "x"), TimeoutError(), Locked("inner")):
        with pytest.raises(type(error)), locked(workspace, "cards", 0):
            raise error
    with locked(workspace, "cards", 0):
        pass


def test_if_locking_is_impossible_the_reason_is_given(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/cache", "a file")
    with (
        pytest.raises(StorageError, match="cannot lock"),
        locked(WorkspacePaths(str(sandbox.root)), "cards", 0),
    ):
        pass
