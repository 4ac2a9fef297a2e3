"""Private statements of the decisions that a command or tool records: worktrees share
them, while each branch has a ledger of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cuedeck.ledger.kinds.decision_kind import DECISION, SUPERSEDED
from cuedeck.ledger.sessions.agent_sessions import HostSessionFiles
from cuedeck.ledger.statements.statement_files import DAY_SESSION, StatementFiles
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
        text=_text(decision),
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


def remove_decision(paths: WorkspacePaths, identity: str) -> list[str]:
    """Remove the statement of a decision that is no longer in force; return a warning
    if it is left, for `remove_replaced`.
    """
    try:
        StatementFiles(paths).remove_fact(_KEY.format(identity))
    except CueDeckError as error:
        what = f"the next session start removes decision `{identity}` from briefs"
        return [f"warning: {what}: {error.message}"]
    return []


def remove_replaced(paths: WorkspacePaths, decisions: Iterable[Decision]) -> list[str]:
    """Remove the statements of superseded decisions that were left; return warnings.
    Raises: StorageError.
    """
    replaced = [each for each in decisions if each.status == SUPERSEDED]
    if not replaced:
        return []
    left = StatementFiles(paths).texts_of_tools(_KIND)
    warnings = []
    for each in replaced:
        if _text(each) in left:
            warnings += remove_decision(paths, each.id)
    return warnings


def _text(decision: Decision) -> str:
    return DECISION.line(decision)[:LONGEST]


def _active_session(paths: WorkspacePaths) -> str:
    alive = HostSessionFiles(paths).alive()
    if not alive:
        return f"{DAY_SESSION}{local_now().date().isoformat()}"
    return main_name(alive[-1]).removesuffix(".json")
