"""Kind of the sessions, one file each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cuedeck.graph.resolve_ref import whole_file
from cuedeck.ledger.entry_source import EntrySource, Shown
from cuedeck.ledger.session_files import unreadable
from cuedeck.model.entry_node import EntryEdge
from cuedeck.model.paths import SESSIONS
from cuedeck.model.session import Session


class SessionSource(EntrySource[Session]):
    """Access to the session files."""

    def ids(self, start: str) -> Iterable[str]:
        return self.workspace.sessions.ids()

    def find(self, identity: str) -> Session:
        session = self.workspace.sessions.load(identity).session
        if session is None:
            raise unreadable(identity)
        return session

    def shown(self, value: Session) -> Shown:
        """Return the parts of a session that describe its work.

        Times of access, hashes and the state of the last scene are left out, because a
        scene that shows them never settles.
        """
        used = [f"{path} ({each.role})" for path, each in value.working_set.items()]
        chosen = [each for each in value.decisions if each.id]
        fields = {
            "id": value.id,
            "title": value.title,
            "status": value.status,
            "card": value.card,
            "created": value.created_at,
            "workflow": value.workflow,
            "branch": value.branch,
            "notes": [note.text for note in value.notes],
            "progress": [f"{item.state}: {item.text}" for item in value.progress],
            "next": value.next,
            "decisions": [f"decision:{each.id} {each.title}" for each in chosen],
            "attempts": [f"attempt:{each}" for each in value.attempts],
            "checkpoints": [each.text for each in value.checkpoints if each.text],
            "files": used,
        }
        return Shown(f"{SESSIONS}/{value.id}.json", 1, fields)

    def edges(self, value: Session) -> Iterator[EntryEdge]:
        """Yield the files that a session used and that still exist, in the order in
        which they were first used.
        """
        for path, used in value.working_set.items():
            file = self.workspace.index.file(path)
            if file is not None:
                kind = "read" if used.role == "read" else "wrote"
                yield EntryEdge(kind, whole_file(file))
