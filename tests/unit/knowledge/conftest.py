"""Fixtures of the tests of timelines."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.knowledge.cortex.add_message import AddedMessage, NewMessage, add_message
from cuedeck.knowledge.cortex.commit_session import commit_session


class Timeline:
    """The timelines of a workspace."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self._seconds = 0

    def say(
        self, text: str, role: str = "user", session: str = "", time: str = ""
    ) -> AddedMessage:
        """Add a message; by default each is one second later than the one before."""
        self._seconds += 1
        minutes, seconds = divmod(self._seconds, 60)
        time = time or f"2026-11-22T09:{minutes:02}:{seconds:02}Z"
        return add_message(
            self.sandbox.workspace(), NewMessage(text, role, time), session
        )

    def commit(self, session: str = "") -> dict[str, object]:
        return commit_session(self.sandbox.workspace(), session)

    def text(self, address: str) -> str:
        path = address.replace("cortex://", ".cuedeck/cortex/")
        return self.sandbox.place(path).read_text()

    def files(self) -> dict[str, bytes]:
        """Return the files of the tree by their paths in it."""
        root = ".cuedeck/cortex/"
        return {
            name.removeprefix(root): data
            for name, data in self.sandbox.bytes().items()
            if name.startswith(root)
        }


@pytest.fixture
def timeline(sandbox: Sandbox) -> Timeline:
    return Timeline(sandbox)
