"""A command that condenses records, and its end."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cuedeck.model.errors import StorageError
from cuedeck.store.files.external_command import ask_summariser


@pytest.mark.skipif(
    not shutil.which("sh") or not hasattr(os, "mkfifo"),
    reason="needs a shell and a named pipe",
)
def test_children_of_an_ended_command_end_at_the_timeout(tmp_path: Path) -> None:
    """After the command had ended, no process was killed: a child of the command
    blocked the caller until the child ended.
    """
    place = tmp_path / "pipe"
    os.mkfifo(place)
    pipe = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    child = f"(sleep 10; echo late >&3) 3>'{place}' &"
    with pytest.raises(StorageError, match="did not answer within"):
        ask_summariser(["sh", "-c", f"{child} exit 0"], {}, 0.5, str(tmp_path))
    os.set_blocking(pipe, True)
    assert os.read(pipe, 10) == b"", "the child ends before it writes"
    os.close(pipe)


@pytest.mark.skipif(not shutil.which("sh"), reason="needs a shell")
def test_the_answer_of_a_command_is_returned(tmp_path: Path) -> None:
    assert ask_summariser(["sh", "-c", "cat"], {"a": [1]}, 20, str(tmp_path)) == {
        "a": [1]
    }
