"""What a session decided and tried, as the ledgers tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.decisions.log import decisions_of as decisions_in
from cuedeck.memory.decisions import standing
from cuedeck.memory.fold import fold
from cuedeck.model.session import Chosen

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.session import Session


def decisions_of(project: Project, session: Session) -> tuple[Chosen, ...]:
    """Return the standing decisions of a session, oldest first, each with the step in which it was first seen."""
    known = {each.id: each for each in session.decisions}
    found = [each for each in session.decisions if not each.id]
    for each in standing(decisions_in(project)):
        if each.session == session.id:
            step = known[each.id].step if each.id in known else session.current_step
            found.append(Chosen(each.id, each.decision, each.timestamp, step))
    return tuple(found)


def attempts_of(project: Project, session: Session) -> tuple[str, ...]:
    """Return the ids of the attempts of a session, oldest first."""
    rows = project.ledgers.derive("attempts", fold)
    return tuple(identity for identity, row in rows.items() if row.get("session") == session.id)
