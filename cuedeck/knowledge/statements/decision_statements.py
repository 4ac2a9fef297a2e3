"""Private statements of the decisions that a command or tool records: worktrees share
them, while each branch has a ledger of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cuedeck.ledger.kinds.decision_kind import DECISION
from cuedeck.ledger.sessions.agent_sessions import HostSessionFiles
from cuedeck.ledger.statement_files import DAY_SESSION, StatementFiles
from cuedeck.model.errors import CueDeckError
from cuedeck.model.hook_event import main_name
from cuedeck.model.statement import LONGEST, Statement
from cuedeck.store.capture_consent import is_agreed
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from cuedeck.ledger.kinds.decision_kind import Decision
    from cuedeck.store.workspace_paths import WorkspacePaths

_KIND = "decision"
_KEY = "decision:{}"


def add_decision(paths: WorkspacePaths, decision: Decision) -> list[str]:
    """Add the statement of a decision to the session that was active last, else to one
    named for the day, if the user agreed to record sessions. Return warnings: an error
    would make the caller record the decision again.
    """
    if not is_agreed(paths.root):
        return []
    fact = Statement(
        kind=_KIND,
        speaker="tool",
        text=DECISION.line(decision)[:LONGEST],
        turn=1,
        timestamp=decision.timestamp,
        files=decision.affects,
        key=_KEY.format(decision.id),
    )
    try:
        StatementFiles(paths).add_fact(_active_session(paths), fact)
    except CueDeckError as error:
        return [f"warning: other worktrees lack this decision: {error.message}"]
    return []


def remove_decisions(paths: WorkspacePaths, identities: Iterable[str]) -> list[str]:
    """Remove the statements of decisions that are no longer in force; return a warning
    if some are left, for the next session start.
    """
    left = list(identities)
    try:
        StatementFiles(paths).remove_facts(map(_KEY.format, left))
    except CueDeckError as error:
        listed = ", ".join(f"decision `{each}`" for each in left)
        what = f"the next session start removes {listed} from briefs"
        return [f"warning: {what}: {error.message}"]
    return []


def _active_session(paths: WorkspacePaths) -> str:
    alive = HostSessionFiles(paths).alive()
    if not alive:
        return f"{DAY_SESSION}{local_now().date().isoformat()}"
    return main_name(alive[-1]).removesuffix(".json")
