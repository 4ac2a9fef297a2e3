"""Digests for the sessions of a server: no line is given twice in a session."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from cuedeck.app.recall.memory_digest import TOKENS, answer_of_digest, memory_digest

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

MOST_SESSIONS = 64
"""Sessions whose lines are kept; the one that asked least recently is forgotten."""


class DigestSessions:
    """Keys of the lines that each session of a server received."""

    def __init__(self) -> None:
        self._keys: OrderedDict[str, set[str]] = OrderedDict()

    def keys(self, session: str) -> set[str]:
        """Return the keys of a session, which the caller extends."""
        keys = self._keys.setdefault(session, set())
        self._keys.move_to_end(session)
        if len(self._keys) > MOST_SESSIONS:
            self._keys.popitem(last=False)
        return keys


def digest_for_session(
    workspace: Workspace, message: str, *, session: str = "", tokens: int = 0
) -> dict[str, Any]:
    """Return the JSON of the lines that answer a message and that the session did not
    receive yet; `tokens` 0 means the default limit.

    A server with one client needs no name of a session. Raises: StorageError, Stale.
    """
    workspace.refresh()
    known = workspace.cached(DigestSessions).keys(session)
    digest = memory_digest(workspace, message, tokens=tokens or TOKENS, known=known)
    known.update(digest.keys)
    return answer_of_digest(digest)
