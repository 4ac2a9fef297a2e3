"""Private statements of the decisions that a command or tool records: worktrees share
them, while each branch has a ledger of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.model.hook_event import main_name
from cuedeck.model.statement import LONGEST, Statement
from cuedeck.records.decision_text import decision_line
from cuedeck.store.capture_consent import is_agreed
from cuedeck.store.clock import local_now
from cuedeck.store.ledgers.agent_sessions import HostSessionFiles
from cuedeck.store.ledgers.statement_files import DAY_SESSION, StatementFiles

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.decision import Decision

_KEY = "decision:{}"


def add_decision(workspace: Workspace, decision: Decision) -> None:
    """Add the statement of a decision to the session that was active last, else to one
    named for the day, if the user agreed to record sessions. Raises: Locked,
    StorageError.
    """
    if not is_agreed(workspace.paths.root):
        return
    fact = Statement(
        kind="decision",
        speaker="tool",
        text=decision_line(decision)[:LONGEST],
        turn=1,
        timestamp=decision.timestamp,
        files=decision.affects,
        key=_KEY.format(decision.id),
    )
    StatementFiles(workspace.paths).add_fact(_active_session(workspace), fact)


def remove_decision(workspace: Workspace, identity: str) -> None:
    """Remove the statement of a decision that is no longer in force. Raises: Locked,
    StorageError.
    """
    StatementFiles(workspace.paths).remove_fact(_KEY.format(identity))


def _active_session(workspace: Workspace) -> str:
    alive = HostSessionFiles(workspace.paths).alive()
    if not alive:
        return f"{DAY_SESSION}{local_now().date().isoformat()}"
    return main_name(alive[-1]).removesuffix(".json")
