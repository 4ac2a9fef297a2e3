"""Lines that wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from cuedeck.model.errors import StorageError
from cuedeck.store.waiting import Waiting
from cuedeck.store.workspace import Workspace


def test_what_was_taken_and_cannot_go_is_trouble_with_the_disk(tmp_path: Path) -> None:
    """The error of the system came out as it was, which no caller expects."""
    taken = tmp_path / ".cuedeck/sessions/taken.jsonl"
    taken.mkdir(parents=True)
    with pytest.raises(StorageError, match=r"taken\.jsonl"):
        Waiting(Workspace(str(tmp_path))).keep([])
    taken.rmdir()
    Waiting(Workspace(str(tmp_path))).keep([])
