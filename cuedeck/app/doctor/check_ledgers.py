"""Checks of ledgers and sessions: decisions, attempts, assumptions, session files, hook events, workflows."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.assumptions.load_assumptions import diagnostics, failing
from cuedeck.app.decisions.decision_repository import decisions_of
from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.display import counted, quoted
from cuedeck.model.errors import CueDeckError
from cuedeck.model.file import Diagnostic, Link
from cuedeck.model.paths import ASSUMPTIONS, OPEN_SESSION, SESSIONS, WORKFLOWS, ledger_path
from cuedeck.model.scene_values import Unresolved
from cuedeck.records.attempt_log import read_attempts
from cuedeck.records.decision_log import accepted_decisions, conflicts, in_circle, rival_successors
from cuedeck.store.ledgers.hook_queue import HookQueue
from cuedeck.store.ledgers.workflow_files import load_workflow, workflow_names

_NAMES = ("decisions", "attempts", "assumptions")


def check_ledgers(view: CheckContext) -> Iterator[Diagnostic]:
    """Find malformed lines in ledgers."""
    for name in _NAMES:
        yield from view.workspace.ledgers.read(name).faults


def check_decisions(view: CheckContext) -> Iterator[Diagnostic]:
    """Find contradictory decisions, cycles of superseded decisions, and entries without a text."""
    path = ledger_path("decisions")
    entries, decisions = view.workspace.ledgers.read("decisions").entries, decisions_of(view.workspace)
    lines = {entry.id: entry.line for entry in reversed(entries)}
    said = [
        *((one, other, f"are both accepted for “{other.subject}” on one place") for one, other in conflicts(decisions)),
        *((one, other, f"both take the place of `{one.supersedes}`") for one, other in rival_successors(decisions)),
    ]
    for one, other, what in said:
        hint = f"cuedeck decision supersede {quoted(one.id)} --by {quoted(other.id)}"
        message = f"decisions `{one.id}` and `{other.id}` {what}"
        yield Diagnostic(path, lines.get(other.id, 0), "error", "contradiction", message, hint)
    for each in decisions:
        if in_circle(each, decisions):
            message = (
                f"`{each.id}` is part of a cycle of superseded decisions, so that none is in force: {each.decision}"
            )
            hint = "record the decision in force with `cuedeck decide TEXT`"
            yield Diagnostic(path, lines.get(each.id, 0), "error", "circle", message, hint)
    known = {each.id for each in decisions}
    for entry in entries:
        if entry.id not in known:
            message, hint = f"entry `{entry.id}` has no text of a decision", "give it one, or take the line out"
            yield Diagnostic(path, entry.line, "warning", "bad-entry", message, hint)


def check_cited(view: CheckContext) -> Iterator[Diagnostic]:
    """Find decisions and attempts that cite an address that no longer exists."""
    decisions = [(each.id, "decision", each.affects) for each in accepted_decisions(decisions_of(view.workspace))]
    attempts = view.workspace.ledgers.derive("attempts", read_attempts)
    cited = [*decisions, *((each.id, "attempt", each.on) for each in attempts)]
    for identity, kind, addresses in cited:
        for address in addresses:
            found = resolve(Link(address, 0, "address", "", False), "", view.index)
            if isinstance(found, Unresolved):
                near = f"did you mean `{found.suggestion}`? " if found.suggestion else ""
                message = f"{kind} `{identity}` is about `{address}`, which does not exist"
                after = "supersede it with one that names" if kind == "decision" else "note another one on"
                hint = f"{near}{after} the new place"
                yield Diagnostic(ledger_path(f"{kind}s"), 0, "warning", "dead-cite", message, hint)


def check_assumptions(view: CheckContext) -> Iterator[Diagnostic]:
    """Find failing assumptions, and assumptions that cannot be checked."""
    workspace = view.workspace
    yield from (each for each in diagnostics(workspace) if each.code != "bad-entry")
    for each in failing(workspace):
        found = each.verdict
        path, number = (found.path, found.line) if found.line else (ASSUMPTIONS, each.assumption.line)
        hint = f"act on it, then `cuedeck assumption resolve {quoted(each.assumption.id)}`, or correct {ASSUMPTIONS}"
        yield Diagnostic(path, number, "warning", "assumption", each.message, hint)


def check_sessions(view: CheckContext) -> Iterator[Diagnostic]:
    """Find unreadable session files, several open sessions, and hook events that could not be processed."""
    yield from _events_aside(view.workspace.paths.root)
    files = view.workspace.sessions
    for path in files.aside():
        hint = "its backup replaced it; delete the file if you do not need it"
        yield Diagnostic(path, 0, "info", "set-aside", "an unreadable session file", hint)
    opened = []
    pointed = files.pointed()
    for identity in files.ids():
        found = files.load(identity)
        yield from found.faults
        session = found.session
        if session is not None and session.status == "open" and (session.receipt or identity == pointed):
            opened.append(identity)
    if pointed and pointed not in opened:
        hint = "`cuedeck resume` resumes the last session, `cuedeck session start` starts one"
        yield Diagnostic(
            OPEN_SESSION, 1, "warning", "no-session", f"it names `{pointed}`, which is not an open session", hint
        )
    for identity in opened:
        if len(opened) > 1 and identity != pointed:
            message = f"session `{identity}` is open at the same time as `{pointed or opened[-1]}`"
            hint = f"run `cuedeck session close`, then `cuedeck resume {quoted(identity)}` and close it"
            yield Diagnostic(f"{SESSIONS}/{identity}.json", 0, "info", "open-session", message, hint)


def _events_aside(root: str) -> Iterator[Diagnostic]:
    queue = HookQueue(root)
    for path in queue.aside():
        again = f"{path.rsplit('.', 3)[0]}.0.json"
        hint = f"`mv {path} {again}` tries it again; it may hold secrets"
        yield Diagnostic(path, 0, "warning", "event-aside", "a hook event that could not be processed", hint)
    foreign = queue.foreign()
    if foreign:
        message = f"{counted(len(foreign), 'file')} in the place of hook events not written by this user here: ignored"
        hint = f"read it, then delete it: rm -r {quoted(foreign[0])}"
        yield Diagnostic(foreign[0], 0, "warning", "foreign-event", message, hint)


def check_workflows(view: CheckContext) -> Iterator[Diagnostic]:
    """Find workflows that cannot be used."""
    for name in workflow_names(view.paths):
        try:
            load_workflow(view.paths, name)
        except CueDeckError as error:
            yield Diagnostic(f"{WORKFLOWS}/{name}.toml", error.line, "error", "bad-workflow", error.problem, error.hint)
