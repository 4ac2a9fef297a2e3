"""Session and decision commands that are killed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.kills.bench import Fact, KillableCommand, KillWorkspace

_GROWTH = 40
"""Number of characters by which each text is longer than the previous one, so that the
session file is compressed before the end.
"""
_MOST = 3_900
"""Maximum number of characters of a note, without its number."""


class SessionCommands:
    """Commands about notes, files, decisions and checkpoints."""

    def __init__(self, bench: KillWorkspace, lots: random.Random) -> None:
        self._bench = bench

    def commands(self) -> Iterator[KillableCommand]:
        """Yield commands without end, each with the facts that it stores."""
        number = 0
        while True:
            number += 1
            name, text = (
                f"{number}.md",
                f"number {number} " + "x" * min(number * _GROWTH, _MOST),
            )
            self._bench.write(name, text)
            yield KillableCommand(
                "note", ["session", "note", text], Fact("notes", text)
            )
            yield KillableCommand(
                "touch", ["session", "touch", name, "--write"], Fact("workingSet", name)
            )
            decided = Fact("decisions", f"number {number}")
            yield KillableCommand(
                "decide", ["decide", decided.text, "--because", text], decided
            )
            yield KillableCommand(
                "checkpoint", ["session", "checkpoint", text], Fact("checkpoints", text)
            )

    def found(self) -> set[Fact]:
        """Return the facts in sessions and decisions."""
        from cuedeck.engine.open_workspace import open_workspace
        from cuedeck.ledger.kinds.decision_kind import DECISION
        from cuedeck.work.sessions.list_sessions import list_sessions, show_session

        workspace = open_workspace(self._bench.root, {})
        try:
            found = {
                Fact("decisions", each.decision)
                for each in workspace.ledger.entries(DECISION)
            }
            listed = list_sessions(workspace)
            assert not listed["faults"], listed
            for row in listed["sessions"]:
                session = show_session(
                    workspace.sessions, workspace.paths, row["session"]
                )
                found |= {
                    Fact(kind, each["text"])
                    for kind in ("notes", "checkpoints")
                    for each in session[kind]
                }
                found |= {Fact("workingSet", path) for path in session["workingSet"]}
        finally:
            workspace.close()
        return found

    def errors(self) -> list[str]:
        """Return no errors: the doctor checks these files at the end."""
        return []
