"""The memory block of a session: the files that it is made of."""

from __future__ import annotations

from datetime import datetime

import pytest
from sandbox import Sandbox

from cuedeck.knowledge.memory.session_context import memory_context
from cuedeck.ledger.records.memory_files import memory_of

NOON = datetime.fromisoformat("2026-11-21T12:00:00+00:00")
LOG = ".cuedeck/memory/2026-11-21.md"


def block_text(sandbox: Sandbox) -> str:
    workspace = sandbox.workspace()
    return memory_context(workspace, memory_of(workspace), now=NOON).text


def test_the_logs_of_yesterday_and_today_are_in_the_block(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/memory/2026-11-19.md", "- the heron\n")
    sandbox.write(".cuedeck/memory/2026-11-20.md", "- the otter\n")
    sandbox.write(LOG, "- the quokka\n")
    text = block_text(sandbox)
    assert "the otter" in text and "the quokka" in text
    assert "the heron" not in text


@pytest.mark.parametrize("target", ["notes.md", "../outside.md"])
def test_a_log_that_is_a_link_is_not_in_the_block(
    sandbox: Sandbox, target: str
) -> None:
    sandbox.write(target, "the quokka\n")
    sandbox.write(".cuedeck/memory/2026-11-20.md", "- the otter\n")
    sandbox.place(LOG).symlink_to(sandbox.place(target))
    text = block_text(sandbox)
    assert "the otter" in text
    assert "the quokka" not in text
