"""Creation and supersession of decisions; promotion of a captured statement into one,
of which only its words, files and date are taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.citations import WorkspaceDoors, hash_now, head_now
from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.statements.decision_statements import (
    add_decision,
    remove_decisions,
)
from cuedeck.ledger.entry_source import pick_entry
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kinds.decision_kind import (
    DECISION,
    SUPERSEDED,
    Decision,
    conflicts,
    require_accepted,
)
from cuedeck.ledger.statement_files import StatementFiles
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.formatting import quoted
from cuedeck.text.plain_text import plain_line
from cuedeck.text.timestamps import format_moment, moment_of
from cuedeck.work.sessions.scene_context import sync_session

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.entry_node import LedgerEntry
    from cuedeck.model.ports import Json, JsonView
    from cuedeck.store.workspace_paths import WorkspacePaths


STATEMENT = "statement:"
_KINDS = ("decision", "choice", "rule")
_HEAD = re.compile(
    r"^(?:decision|decided|decisión|décision|entscheidung|решение|рішення):\s+", re.I
)
_REASON = re.compile(
    r"(?:,\s*|\s+)(?:because|porque|parce que|weil|потому что|тому що)\s+(?=\S)", re.I
)


def read_promoted(paths: WorkspacePaths, address: str) -> NewDecision:
    """Return a decision with the text, reason, files and date of a statement.

    Raises: NotFound, Ambiguous; Invalid for a statement of another kind; StorageError.
    """
    files = StatementFiles(paths)
    hint = "cuedeck recall --kind statement TEXT"
    identity = pick(address, files.ids(), "statement", hint)
    _, row = files.find(identity)
    kind = row.value.get("kind")
    if kind not in _KINDS:
        raise Invalid(
            f"{STATEMENT}{identity} is of kind `{kind}`, not a decision, choice or rule",
            hint='record it in your own words: `cuedeck decide "TEXT" --because "REASON"`',
        )
    text = _HEAD.sub("", str(row.value["text"]))
    choice, *reason = _REASON.split(text, maxsplit=1)
    named = row.value.get("files")
    moment = moment_of(row.timestamp)
    return NewDecision(
        choice if reason else text,
        because="".join(reason),
        affects=tuple(map(str, named)) if isinstance(named, list) else (),
        date=format_moment(moment) if moment else "",
    )


class NewDecision(NamedTuple):
    """Values of a new decision as the user gives them."""

    text: str
    because: str = ""
    alternatives: tuple[str, ...] = ()
    file: str | None = None
    affects: tuple[str, ...] = ()
    impact: tuple[str, ...] = ()
    subject: str = ""
    card: str = ""
    supersedes: str | None = None
    status: str = "accepted"
    date: str = ""
    """Time of the decision; empty for now."""
    statement: str = ""
    """Address of a captured statement, whose values replace those that are missing."""


def decide(workspace: Workspace, wanted: NewDecision) -> Json:
    """Append a decision to the ledger; return its JSON, with warnings about unresolved
    addresses and conflicts.

    Raises: Invalid for an empty text or if the decision to supersede is not in force,
    UsageError for a rejected decision that supersedes another, NotFound and Ambiguous
    for a card, an address or a decision. Nothing is written then.
    """
    if wanted.statement:
        found = read_promoted(workspace.paths, wanted.statement)
        affects = wanted.affects
        if wanted.file is None:
            affects = affects or found.affects
        wanted = wanted._replace(
            text=wanted.text or found.text,
            because=wanted.because or found.because,
            affects=affects,
            date=wanted.date or found.date,
        )
    if wanted.supersedes is not None and wanted.status != "accepted":
        raise UsageError(
            "a rejected decision cannot supersede another",
            hint="omit --supersedes or --status",
        )
    date = _checked_date(wanted.date)
    cites = wanted.affects
    if wanted.file is not None:
        cites = (wanted.file, *wanted.affects)

    def settle(entries: Sequence[LedgerEntry], row: JsonView) -> dict[str, str]:
        return {
            "timestamp": date or row["timestamp"],
            "file": "" if wanted.file is None else row["affects"][0],
            "status": wanted.status,
            "supersedes": _superseded(wanted.supersedes, entries),
        }

    given = {
        "decision": wanted.text,
        "subject": wanted.subject,
        "rationale": wanted.because,
        "alternatives": wanted.alternatives,
        "impact": wanted.impact,
    }
    doors = WorkspaceDoors(workspace)
    added = workspace.ledger.add(
        DECISION,
        given,
        doors,
        cites=cites,
        card=wanted.card,
        settle=settle,
    )
    sync_session(workspace)
    decisions = workspace.ledger.entries(DECISION)
    decision = pick_entry(added.id, "decision", decisions)
    warnings = [*added.warnings, *_conflict_warnings(decisions, decision.id)]
    if not wanted.statement:
        warnings += add_decision(workspace.paths, decision)
    if decision.supersedes:
        warnings += remove_decisions(workspace.paths, [decision.supersedes])
    return _answer(decision, warnings)


def _checked_date(text: str) -> str:
    """Return a date as a timestamp; empty for none. Raises: Invalid."""
    if not text:
        return ""
    moment = moment_of(text)
    if moment is None or moment > datetime.now(UTC):
        raise Invalid(
            f"date must be a day or time in the past, got `{text}`",
            hint="write it like 2026-05-03 or 2026-05-03T12:00:00Z",
        )
    return format_moment(moment)


def _conflict_warnings(decisions: Sequence[Decision], identity: str) -> Iterator[str]:
    for one, other in conflicts(decisions):
        if identity in (one.id, other.id):
            old = one if other.id == identity else other
            hint = (
                f"cuedeck decision supersede {quoted(old.id)} --by {quoted(identity)}"
            )
            yield f"warning: `{old.id}` has the same subject: {old.decision} ({hint})"


def _superseded(text: str | None, entries: Sequence[LedgerEntry]) -> str:
    """Return the id of the decision to supersede. Raises: Invalid if it is not in
    force, NotFound, Ambiguous.
    """
    if text is None:
        return ""
    decisions = DECISION.read(entries)
    old = pick_entry(text, "decision", decisions)
    require_accepted(old, decisions)
    return old.id


def _answer(decision: Decision, warnings: Sequence[str]) -> Json:
    row = DECISION.row(decision)
    names = "decision subject affects card session status supersedes"
    shown = {name: row[name] for name in names.split()}
    line = DECISION.reminder(decision)
    return {"id": decision.id, "warnings": warnings, **shown, "line": line}


def supersede(
    workspace: Workspace, text: str, by: str | None = None, because: str = ""
) -> Json:
    """Mark a decision as superseded, by another decision in force or without a
    successor.

    Raises: NotFound, Ambiguous; Invalid if either is not in force or both are the same.
    Nothing is written then.
    """
    reason = mask_given(plain_line(because), workspace)

    def make(entries: Sequence[LedgerEntry], now: str) -> list[dict[str, object]]:
        decisions = DECISION.read(entries)
        old = pick_entry(text, "decision", decisions)
        require_accepted(old, decisions)
        change: Json = {"id": old.id, "timestamp": now, "status": SUPERSEDED}
        because_field = {"because": reason} if reason else {}
        if by is None:
            return [{**change, **because_field}]
        new = pick_entry(by, "decision", decisions)
        if new.id == old.id:
            raise Invalid(
                f"decision `{old.id}` cannot supersede itself",
                hint="give another id with --by",
            )
        # A superseded decision cannot supersede another one. This prevents cycles.
        require_accepted(new, decisions)
        rows: list[dict[str, object]] = [
            {**change, "superseded_by": new.id, **because_field}
        ]
        if not new.supersedes:
            # The field keeps the first decision that it superseded. For others,
            # `superseded_by` is sufficient.
            rows.append({"id": new.id, "timestamp": now, "supersedes": old.id})
        return rows

    row = workspace.ledger.append(DECISION.log, make)[0]
    sync_session(workspace)
    return {
        "id": row["id"],
        "warnings": remove_decisions(workspace.paths, [str(row["id"])]),
        "status": SUPERSEDED,
        "superseded_by": row.get("superseded_by"),
    }


def confirm(workspace: Workspace, text: str) -> Json:
    """Confirm that a decision is still right. Its cited addresses count as fresh from
    now on.

    Raises: NotFound, Ambiguous; Invalid for a superseded decision.
    """
    workspace.refresh()
    chosen = pick_entry(text, "decision", workspace.ledger.entries(DECISION))
    hashes = {address: hash_now(workspace, address) for address in chosen.affects}
    resolved = {address: digest for address, digest in hashes.items() if digest}
    head = head_now(workspace.paths.root)

    def make(entries: Sequence[LedgerEntry], now: str) -> list[dict[str, object]]:
        decisions = DECISION.read(entries)
        decision = pick_entry(chosen.id, "decision", decisions)
        if decision.status == SUPERSEDED:
            require_accepted(decision, decisions)
        # Unresolved addresses keep their old hash, so that they are still reported as
        # missing.
        proof = {**decision.proof, **resolved}
        commit = {"commit": head} if head or decision.commit else {}
        return [{"id": decision.id, "timestamp": now, **commit, "proof": proof}]

    workspace.ledger.append(DECISION.log, make)
    sync_session(workspace)
    gone = hashes.keys() - resolved
    warnings = [f"warning: `{each}` has no target any more" for each in sorted(gone)]
    return {
        "id": chosen.id,
        "warnings": warnings,
        "affects": list(chosen.affects),
        "commit": head or None,
    }
