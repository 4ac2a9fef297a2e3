"""Assumptions of a workspace: their list, their checks, and changes of their status,
which are written to the ledger.

The index must be up to date. A file that changes during a check raises `Stale`, so
callers use `workspace.settled`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kinds.assumption_kind import (
    LOG,
    UNKNOWN,
    State,
    is_open,
    next_status,
    read_assumptions,
    read_states,
    sentence,
    states,
)
from cuedeck.model.address import split_anchor
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.paths import ASSUMPTIONS, ledger_path

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.assumption import Assumption, Verdict
    from cuedeck.model.entry_node import LedgerEntry
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths


class Evaluation(NamedTuple):
    """Results of a check run with the ledger state after it."""

    assumptions: tuple[Assumption, ...]
    """Requested assumptions, including those without a check, in file order."""
    judged: tuple[Judged, ...]
    """Requested assumptions that have a check, with their results."""
    states: Mapping[str, State]
    changed: tuple[str, ...]
    """Ids of the assumptions whose status has changed."""
    diagnostics: tuple[Diagnostic, ...]
    """Diagnostics of the file and of checks that could not be run."""

    def status(self, identity: str) -> str:
        """Return the status of an assumption."""
        return self.states.get(identity, UNKNOWN).status

    @property
    def failing(self) -> tuple[Judged, ...]:
        """Failing assumptions that are not resolved, in file order."""
        return tuple(_open(self.judged, self.states))


def _open(judged: Iterable[Judged], known: Mapping[str, State]) -> Iterable[Judged]:
    for each in judged:
        if is_open(known.get(each.assumption.id, UNKNOWN).status, each.verdict):
            yield each


def evaluate(workspace: Workspace, wanted: Sequence[str] = ()) -> Evaluation:
    """Check the assumptions, or those in `wanted`, and append each status change to the
    ledger. Without the file nothing is read or written.

    Raises: NotFound, Ambiguous for an id of `wanted`; Locked, StorageError.
    """
    found = read_assumptions(workspace.paths)
    chosen = found.items
    if wanted:
        ids = [item.id for item in found.items]
        picked = {pick(text, ids, "assumption") for text in wanted}
        chosen = tuple(item for item in found.items if item.id in picked)
    judged: Sequence[Judged] = ()
    known: Mapping[str, State] = {}
    if chosen:
        judged = workspace.settled(lambda: judge_all(workspace, chosen))
        known = read_states(workspace.ledger)
    faults = [*found.faults, *_broken(judged)]
    changed: tuple[str, ...] = ()
    if ledger_path(LOG) in workspace.ledger.unreadable:
        faults += workspace.ledger.read_log(LOG).faults
    elif _status_rows(judged, known, ""):

        def make(entries: Sequence[LedgerEntry], now: str) -> list[dict[str, object]]:
            return _status_rows(judged, states(entries), now)

        rows = workspace.ledger.append(LOG, make)
        changed = tuple(str(row["id"]) for row in rows)
        known = read_states(workspace.ledger)
    return Evaluation(
        chosen,
        tuple(judged),
        known,
        changed,
        tuple(sorted(faults)),
    )


def _status_rows(
    judged: Sequence[Judged], known: Mapping[str, State], now: str
) -> list[dict[str, object]]:
    """Return the new entries of the log, one for each status that changes."""
    rows: list[dict[str, object]] = []
    for assumption, verdict, _ in judged:
        before = known.get(assumption.id, UNKNOWN).status
        after = next_status(before, verdict)
        if after != before:
            rows.append(status_row(assumption.id, now, after, verdict.evidence))
    return rows


def status_row(
    identity: str, now: str, status: str, evidence: str
) -> dict[str, object]:
    """Return an entry of the log."""
    return {"id": identity, "timestamp": now, "status": status, "evidence": evidence}


def failing(workspace: Workspace) -> Sequence[Judged]:
    """Return the failing assumptions without a resolution, in file order; write
    nothing.
    """
    judged = judge_all(workspace, read_assumptions(workspace.paths).items)
    failed = [each for each in judged if each.verdict.fails]
    return list(_open(failed, read_states(workspace.ledger))) if failed else ()


def diagnostics(workspace: Workspace) -> Sequence[Diagnostic]:
    """Return diagnostics of the file, of checks that could not be run, and of
    the ledger.
    """
    found = read_assumptions(workspace.paths)
    broken = _broken(judge_all(workspace, found.items))
    faults = [*found.faults, *broken]
    if found.items or faults:
        faults += workspace.ledger.read_log(LOG).faults
    return sorted(faults)


def faults_of(paths: WorkspacePaths) -> Sequence[Diagnostic]:
    """Return diagnostics of the file itself."""
    return sorted(read_assumptions(paths).faults)


def unindexed_paths(paths: WorkspacePaths, index: Index) -> frozenset[str]:
    """Return the paths that checks name and the index does not contain: ignored or
    missing files.
    """
    found = set()
    for each in read_assumptions(paths).items:
        if each.check is not None:
            address = each.check.word("address")
            path = each.check.word("path") or split_anchor(address)[0]
            if path and index.file(path) is None:
                found.add(path)
    return frozenset(found)


def state_of(workspace: Workspace) -> str:
    """Return the fingerprint of the check inputs outside index, file and ledger: files
    that are ignored or missing. Equal texts mean equal inputs.
    """
    paths = sorted(unindexed_paths(workspace.paths, workspace.index))
    if not paths:
        return ""
    from cuedeck.store.files.named_files import NamedFiles

    files = NamedFiles(workspace.paths.root, workspace.index, workspace.texts)
    return repr([files.state(path) for path in paths])


def _broken(judged: Sequence[Judged]) -> Sequence[Diagnostic]:
    found = []
    for assumption, verdict, _ in judged:
        if verdict.fault:
            message = f"`{assumption.id}`: {verdict.fault}"
            line, hint = assumption.line, "correct its check"
            fault = Diagnostic(
                ASSUMPTIONS,
                line,
                "error",
                "broken-check",
                message,
                hint,
            )
            found.append(fault)
    return found


class Judged(NamedTuple):
    """Assumption with the result of its check."""

    assumption: Assumption
    verdict: Verdict
    """Result with masked secrets."""
    message: str
    """Sentence about a failing assumption, masked; empty for the others."""


def judge_all(
    workspace: Workspace, assumptions: Sequence[Assumption]
) -> Sequence[Judged]:
    """Run the checks of the assumptions that have one. Each file is read once. Raises:
    Stale.
    """
    checked = [each for each in assumptions if each.check is not None]
    if not checked:
        return ()
    from cuedeck.work.assumptions.assumption_verdicts import judge
    from cuedeck.work.assumptions.check_sources import Sources

    sources = Sources(workspace)
    mask = sources.mask
    found = []
    for assumption in checked:
        verdict = judge(assumption, sources)
        texts = [verdict.evidence, verdict.fault]
        texts.append(sentence(assumption, verdict) if verdict.fails else "")
        if verdict.path:  # secrets by their context in the file, too
            texts = [mask.words(text, verdict.path) if text else "" for text in texts]
        evidence, fault, message = map(mask.plain, texts)
        verdict = verdict._replace(evidence=evidence, fault=fault)
        found.append(Judged(assumption, verdict, message))
    return found
