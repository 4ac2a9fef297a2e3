"""Checks of ledgers and sessions: decisions, attempts, assumptions, session files, hook
events, workflows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.doctor.check_context import CheckContext
from cuedeck.graph.resolve_ref import resolve
from cuedeck.ledger.decisions.attempt_log import read_attempts
from cuedeck.ledger.decisions.decision_log import (
    accepted_decisions,
    conflicts,
    in_circle,
    rival_successors,
)
from cuedeck.ledger.sessions.hook_queue import HookQueue
from cuedeck.ledger.sessions.workflow_files import load_workflow, workflow_names
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import CueDeckError
from cuedeck.model.file import Link
from cuedeck.model.formatting import counted, quoted
from cuedeck.model.paths import (
    ASSUMPTIONS,
    OPEN_SESSION,
    SESSIONS,
    WORKFLOWS,
    ledger_path,
)
from cuedeck.model.scene_values import Unresolved
from cuedeck.work.assumptions.load_assumptions import diagnostics, failing
from cuedeck.work.decisions.decision_repository import decisions_of

if TYPE_CHECKING:
    from cuedeck.model.decision import Decision
    from cuedeck.store.index import Index

_NAMES = ("decisions", "attempts", "assumptions")


def check_ledgers(context: CheckContext) -> Iterator[Diagnostic]:
    """Find malformed lines in ledgers."""
    for name in _NAMES:
        yield from context.workspace.ledgers.read(name).faults


def check_decisions(context: CheckContext) -> Iterator[Diagnostic]:
    """Find contradictory decisions, cycles of superseded decisions, and entries without
    a text.
    """
    path = ledger_path("decisions")
    entries = context.workspace.ledgers.read("decisions").entries
    decisions = decisions_of(context.workspace.ledgers)
    lines = {entry.id: entry.line for entry in reversed(entries)}
    for one, other, relation in _contradictions(decisions):
        message = f"decisions `{one.id}` and `{other.id}` {relation}"
        hint = f"cuedeck decision supersede {quoted(one.id)} --by {quoted(other.id)}"
        yield Diagnostic(
            path, lines.get(other.id, 0), "error", "contradiction", message, hint
        )
    for each in decisions:
        if in_circle(each, decisions):
            message = f"`{each.id}` is in a cycle of superseded decisions, so none of them is in force: {each.decision}"
            hint = "record the decision in force with `cuedeck decide TEXT`"
            yield Diagnostic(
                path, lines.get(each.id, 0), "error", "circle", message, hint
            )
    known = {each.id for each in decisions}
    for entry in entries:
        if entry.id not in known:
            message = f"entry `{entry.id}` has no decision text"
            yield Diagnostic(
                path,
                entry.line,
                "warning",
                "bad-entry",
                message,
                "add a text, or delete the line",
            )


def _contradictions(
    decisions: Sequence[Decision],
) -> Iterator[tuple[Decision, Decision, str]]:
    """Yield pairs of contradictory decisions, each with a description of the
    contradiction.
    """
    for one, other in conflicts(decisions):
        yield (
            one,
            other,
            f"are both accepted for the subject “{other.subject}” and the same address",
        )
    for one, other in rival_successors(decisions):
        yield one, other, f"both supersede `{one.supersedes}`"


def check_cited(context: CheckContext) -> Iterator[Diagnostic]:
    """Find decisions and attempts that cite an address that no longer exists."""
    index = context.index
    for decision in accepted_decisions(decisions_of(context.workspace.ledgers)):
        advice = "supersede it with a decision that names the new address"
        yield from _dead_citations(
            index, "decision", decision.id, decision.affects, advice
        )
    for attempt in context.workspace.ledgers.derive("attempts", read_attempts):
        advice = "record another attempt that names the new address"
        yield from _dead_citations(index, "attempt", attempt.id, attempt.on, advice)


def _dead_citations(
    index: Index, kind: str, identity: str, addresses: Sequence[str], advice: str
) -> Iterator[Diagnostic]:
    for address in addresses:
        found = resolve(
            Link(ref=address, line=0, form="address", view="", pin=False), "", index
        )
        if isinstance(found, Unresolved):
            message = f"{kind} `{identity}` refers to `{address}`, which does not exist"
            hint = (
                f"did you mean `{found.suggestion}`? {advice}"
                if found.suggestion
                else advice
            )
            yield Diagnostic(
                ledger_path(f"{kind}s"), 0, "warning", "dead-cite", message, hint
            )


def check_assumptions(context: CheckContext) -> Iterator[Diagnostic]:
    """Find failing assumptions, and assumptions that cannot be checked."""
    workspace = context.workspace
    for diagnostic in diagnostics(workspace):
        if diagnostic.code != "bad-entry":
            yield diagnostic
    for assumption, verdict, message in failing(workspace):
        path, line = ASSUMPTIONS, assumption.line
        if verdict.line:
            path, line = verdict.path, verdict.line
        hint = f"handle it, then `cuedeck assumption resolve {quoted(assumption.id)}`, or correct {ASSUMPTIONS}"
        yield Diagnostic(path, line, "warning", "assumption", message, hint)


def check_sessions(context: CheckContext) -> Iterator[Diagnostic]:
    """Find unreadable session files, several open sessions, and hook events that could
    not be processed.
    """
    yield from _check_hook_events(context.paths.root)
    files = context.workspace.sessions
    for path in files.aside():
        hint = "its backup replaced it; delete the file if you do not need it"
        yield Diagnostic(
            path, 0, "info", "set-aside", "an unreadable session file", hint
        )
    pointed = files.pointed()
    open_ids = []
    for identity in files.ids():
        loaded = files.load(identity)
        yield from loaded.faults
        session = loaded.session
        if session is None or session.status != "open":
            continue
        if session.receipt or identity == pointed:
            open_ids.append(identity)
    if pointed and pointed not in open_ids:
        message = f"it names `{pointed}`, which is not an open session"
        hint = "`cuedeck resume` resumes the last session, `cuedeck session start` starts one"
        yield Diagnostic(OPEN_SESSION, 1, "warning", "no-session", message, hint)
    if len(open_ids) < 2:
        return
    for identity in open_ids:
        if identity != pointed:
            message = f"session `{identity}` is open at the same time as `{pointed or open_ids[-1]}`"
            hint = f"run `cuedeck session close`, then `cuedeck resume {quoted(identity)}` and close it"
            yield Diagnostic(
                f"{SESSIONS}/{identity}.json", 0, "info", "open-session", message, hint
            )


def _check_hook_events(root: str) -> Iterator[Diagnostic]:
    queue = HookQueue(root)
    for path in queue.aside():
        name = path.rsplit(".", 3)[0]
        hint = f"`mv {path} {name}.0.json` retries it; the file may contain secrets"
        yield Diagnostic(
            path,
            0,
            "warning",
            "event-aside",
            "a hook event that could not be processed",
            hint,
        )
    foreign = queue.foreign()
    if foreign:
        number = counted(len(foreign), "file")
        message = f"{number} among the queued hook events ignored: not written by this user in this workspace"
        hint = f"read it, then delete it: rm -r {quoted(foreign[0])}"
        yield Diagnostic(foreign[0], 0, "warning", "foreign-event", message, hint)


def check_workflows(context: CheckContext) -> Iterator[Diagnostic]:
    """Find workflows that cannot be used."""
    for name in workflow_names(context.paths):
        try:
            load_workflow(context.paths, name)
        except CueDeckError as error:
            yield Diagnostic(
                f"{WORKFLOWS}/{name}.toml",
                error.line,
                "error",
                "bad-workflow",
                error.problem,
                error.hint,
            )
