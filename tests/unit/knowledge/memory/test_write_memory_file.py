"""Limits of a new text of a memory file."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.knowledge.memory.read_memory_file import read_whole_file
from cuedeck.knowledge.memory.write_memory_file import write_memory_file
from cuedeck.model.errors import Invalid
from cuedeck.store.files import nofollow


def test_text_whose_restored_secrets_exceed_the_limit_is_refused(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    sandbox.write(".cuedeck/USER.md", f"{key}\n")
    workspace = sandbox.workspace()
    read = read_whole_file(workspace, "USER.md")
    monkeypatch.setattr(nofollow, "LARGEST_FILE", 100)
    edited = read["text"].strip() + " more" * 14
    assert len(edited) < 100
    before = sandbox.bytes()
    with pytest.raises(Invalid, match="bytes, more than 100"):
        write_memory_file(workspace, "USER.md", edited, read["hash"])
    assert sandbox.bytes() == before
