"""Commands on sessions and decisions that are killed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.kills.bench import Bench, Deed, Fact

_GROWTH = 40
"""Characters by which each text is longer than the one before; so the session file is
packed before the end.
"""
_MOST = 3_900
"""Characters more than which no note may have, but for its number."""


class SessionCommands:
    """Notes, files, decisions, checkpoints."""

    def __init__(self, bench: Bench, lots: random.Random) -> None:
        self._bench = bench

    def deeds(self) -> Iterator[Deed]:
        """Yield commands without end, each with what it makes known."""
        number = 0
        while True:
            number += 1
            name, text = (
                f"{number}.md",
                f"number {number} " + "x" * min(number * _GROWTH, _MOST),
            )
            self._bench.write(name, text)
            yield Deed("note", ["session", "note", text], Fact("notes", text))
            yield Deed(
                "touch", ["session", "touch", name, "--write"], Fact("workingSet", name)
            )
            decided = Fact("decisions", f"number {number}")
            yield Deed("decide", ["decide", decided.text, "--because", text], decided)
            yield Deed(
                "checkpoint", ["session", "checkpoint", text], Fact("checkpoints", text)
            )

    def found(self) -> set[Fact]:
        """Return what sessions and decisions say."""
        from cuedeck.app.decisions.decision_repository import decisions_of
        from cuedeck.app.open_workspace import open_workspace
        from cuedeck.app.sessions.list_sessions import list_sessions, show_session

        workspace = open_workspace(self._bench.root, {})
        try:
            found = {
                Fact("decisions", each.decision) for each in decisions_of(workspace)
            }
            listed = list_sessions(workspace)
            assert not listed["faults"], listed
            for row in listed["sessions"]:
                session = show_session(workspace, row["session"])
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
        """Return nothing: the doctor looks at these files in the end."""
        return []
