"""Checks of ledgers and sessions: faults of entries of every kind, assumptions, session
files, hook events, workflows.
"""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext, check, failure, note, warning
from cuedeck.graph.resolve_ref import resolve_citation
from cuedeck.ledger.entry_source import LogSource, log_kinds
from cuedeck.ledger.kinds.assumption_kind import LOG
from cuedeck.ledger.sessions.hook_queue import HookQueue
from cuedeck.ledger.sessions.workflow_files import load_workflow, workflow_names
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import counted, quoted
from cuedeck.model.paths import ASSUMPTIONS, OPEN_SESSION, SESSIONS, WORKFLOWS
from cuedeck.model.scene_values import Unresolved
from cuedeck.work.assumptions.check_assumptions import diagnostics, failing


@check("ledgers", "each line of a ledger is a valid entry")
def check_ledgers(context: CheckContext) -> Iterator[Diagnostic]:
    for name in (*(kind.log for kind in log_kinds()), LOG):
        yield from context.workspace.ledger.read_log(name).faults


@check("decisions", "no two accepted decisions contradict each other")
def check_entries(context: CheckContext) -> Iterator[Diagnostic]:
    workspace = context.workspace
    for kind in log_kinds():
        entries = workspace.ledger.entries(kind)
        yield from kind.check(entries, LogSource(kind, workspace).first_rows())
        known = {each.id for each in entries}
        for row in workspace.ledger.read_log(kind.log).entries:
            if row.id not in known:
                message = f"entry `{row.id}` has no {kind.name} text"
                hint = "add a text, or delete the line"
                path = kind.path_of(row)
                yield warning(path, "bad-entry", message, hint, row.line)


@check("cited", "the targets of decisions and attempts exist")
def check_cited(context: CheckContext) -> Iterator[Diagnostic]:
    for kind in log_kinds():
        for entry in kind.in_force(context.workspace.ledger.entries(kind)):
            for address in kind.cited(entry):
                found = resolve_citation(address, context.index, suggest=True)
                if isinstance(found, Unresolved):
                    message = f"{kind.name} `{entry.id}` refers to `{address}`, which does not exist"
                    hint = kind.advice
                    if found.suggestion:
                        hint = f"did you mean `{found.suggestion}`? {hint}"
                    yield warning(kind.path, "dead-cite", message, hint)


@check("assumptions", "all assumptions hold")
def check_assumptions(context: CheckContext) -> Iterator[Diagnostic]:
    workspace = context.workspace
    for diagnostic in diagnostics(workspace):
        if diagnostic.code != "bad-entry":
            yield diagnostic
    for assumption, verdict, message in failing(workspace):
        path = verdict.path if verdict.line else ASSUMPTIONS
        hint = f"handle it, then `cuedeck assumption resolve {quoted(assumption.id)}`, or correct {ASSUMPTIONS}"
        line = verdict.line or assumption.line
        yield warning(path, "assumption", message, hint, line)


@check("sessions", "each session can be read")
def check_sessions(context: CheckContext) -> Iterator[Diagnostic]:
    yield from _check_hook_events(context.paths.root)
    files = context.workspace.sessions
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
        yield warning(OPEN_SESSION, "no-session", message, hint, 1)
    if len(open_ids) < 2:
        return
    for identity in open_ids:
        if identity != pointed:
            message = f"session `{identity}` is open at the same time as `{pointed or open_ids[-1]}`"
            hint = f"run `cuedeck session close`, then `cuedeck resume {quoted(identity)}` and close it"
            yield note(f"{SESSIONS}/{identity}.json", "open-session", message, hint)


def _check_hook_events(root: str) -> Iterator[Diagnostic]:
    queue = HookQueue(root)
    for path in queue.aside():
        name = path.rsplit(".", 3)[0]
        yield warning(
            path,
            "event-aside",
            "a hook event that could not be processed",
            f"`mv {path} {name}.0.json` retries it; the file may contain secrets",
        )
    foreign = queue.foreign()
    if foreign:
        number = counted(len(foreign), "file")
        message = f"{number} among the queued hook events ignored: not written by this user in this workspace"
        hint = f"read it, then delete it: rm -r {quoted(foreign[0])}"
        yield warning(foreign[0], "foreign-event", message, hint)


@check("workflows", "each workflow is valid")
def check_workflows(context: CheckContext) -> Iterator[Diagnostic]:
    for name in workflow_names(context.paths):
        try:
            load_workflow(context.paths, name)
        except CueDeckError as error:
            path = f"{WORKFLOWS}/{name}.toml"
            rest = error.problem, error.hint, error.line
            yield failure(path, "bad-workflow", *rest)
