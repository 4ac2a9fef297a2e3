"""Read access to the assumptions of a workspace and their validity. Nothing here
writes.

The index must be up to date. A file that changes during a check raises `Stale`, so
callers use `workspace.settled`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.ledger.assumptions.assumption_state import UNKNOWN, is_open
from cuedeck.ledger.kinds.assumption_kind import LOG, read_assumptions, read_states
from cuedeck.model.address import split_anchor
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.paths import ASSUMPTIONS
from cuedeck.work.assumptions.evaluate_checks import Judged, judge_all

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def failing(workspace: Workspace) -> Sequence[Judged]:
    """Return the failing assumptions without a resolution, in file order."""
    failed = [each for each in _judge_file(workspace) if each.verdict.fails]
    if not failed:
        return ()

    states = read_states(workspace)
    return [
        each
        for each in failed
        if is_open(states.get(each.assumption.id, UNKNOWN).status, each.verdict)
    ]


def _judge_file(workspace: Workspace) -> Sequence[Judged]:
    """Return the results of all checks; empty if the file does not exist."""
    found = read_assumptions(workspace.paths)
    if not found:
        return ()
    return judge_all(workspace, found.items)


def diagnostics(workspace: Workspace) -> Sequence[Diagnostic]:
    """Return masked diagnostics of the file, of checks that could not be run, and of
    the ledger.
    """
    found = read_assumptions(workspace.paths)
    if found is None:
        return ()
    judged = judge_all(workspace, found.items)
    return shown_faults(
        workspace,
        [*found.faults, *broken(judged), *workspace.ledger.read(LOG).faults],
    )


def faults_of(workspace: Workspace) -> Sequence[Diagnostic]:
    """Return masked diagnostics of the file itself; empty if it does not exist."""
    found = read_assumptions(workspace.paths)
    if not found:
        return ()
    return shown_faults(workspace, found.faults)


def unindexed_paths(workspace: Workspace) -> frozenset[str]:
    """Return the paths that checks name and the index does not contain: ignored or
    missing files.
    """
    found = read_assumptions(workspace.paths)
    checks = [each.check for each in found.items if each.check] if found else []
    if not checks:
        return frozenset()

    paths = (
        check.word("path") or split_anchor(check.word("address"))[0] for check in checks
    )
    return frozenset(
        path for path in paths if path and workspace.index.file(path) is None
    )


def state_of(workspace: Workspace) -> str:
    """Return the fingerprint of the check inputs outside index, file and ledger: files
    that are ignored or missing.

    Equal texts mean equal inputs. Without assumptions it costs one attempt to open
    their file.
    """
    paths = sorted(unindexed_paths(workspace))
    if not paths:
        return ""
    from cuedeck.store.files.named_files import NamedFiles

    files = NamedFiles(workspace.paths.root, workspace.index, workspace.texts)
    return repr([files.state(path) for path in paths])


def shown_faults(
    workspace: Workspace, faults: Sequence[Diagnostic]
) -> Sequence[Diagnostic]:
    """Return diagnostics sorted and masked."""
    if not faults:
        return ()
    plain = workspace.mask().plain
    masked = [
        fault._replace(message=plain(fault.message), hint=plain(fault.hint))
        for fault in faults
    ]
    return sorted(masked)


def broken(judged: Sequence[Judged]) -> Sequence[Diagnostic]:
    """Return diagnostics of the checks that could not be run."""
    found = []
    for assumption, verdict, _ in judged:
        if verdict.fault:
            message = f"`{assumption.id}`: {verdict.fault}"
            line = assumption.line
            found.append(
                Diagnostic(
                    path=ASSUMPTIONS,
                    line=line,
                    level="error",
                    code="broken-check",
                    message=message,
                    hint="correct its check",
                )
            )
    return found
