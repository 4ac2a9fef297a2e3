"""Units of ledger entries: decisions, attempts, assumptions and experiences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.memory_units import utc_text
from cuedeck.ledger.decisions.attempt_log import read_attempts
from cuedeck.ledger.experiences.experience_repository import experiences_in
from cuedeck.model.decision import REJECTED, SUPERSEDED
from cuedeck.model.recall_values import Unit
from cuedeck.work.assumptions.load_assumptions import read_assumptions
from cuedeck.work.decisions.decision_repository import decisions_of

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def ledger_units(workspace: Workspace, name: str) -> list[Unit]:
    """Return the units of a ledger; entries without text, superseded, rejected or
    secret ones have none.
    """
    return [unit for unit in _READERS[name](workspace) if unit.text]


def _decisions(workspace: Workspace) -> Iterator[Unit]:
    lines = _first_lines(workspace, "decisions")
    for each in decisions_of(workspace.ledgers):
        if each.status in (SUPERSEDED, REJECTED):
            continue
        subject = "" if each.subject == each.decision else each.subject
        text = _sentences(
            subject,
            each.decision,
            each.rationale,
            *each.alternatives,
            *each.impact,
        )
        yield _entry(
            "decision",
            each.id,
            lines[each.id],
            text,
            each.timestamp,
        )


def _attempts(workspace: Workspace) -> Iterator[Unit]:
    lines = _first_lines(workspace, "attempts")
    for each in workspace.ledgers.derive("attempts", read_attempts):
        text = _sentences(each.tried, each.failed, each.error)
        yield _entry(
            "attempt",
            each.id,
            lines[each.id],
            text,
            each.timestamp,
        )


def _assumptions(workspace: Workspace) -> Iterator[Unit]:
    found = read_assumptions(workspace)
    for each in found.items if found else ():
        text = _sentences(each.text, each.impact)
        yield _entry("assumption", each.id, each.line or 1, text, "")


def _experiences(workspace: Workspace) -> Iterator[Unit]:
    for each in experiences_in(workspace):
        if not each.is_secret:
            unit = _entry(
                "experience",
                each.id,
                each.line,
                each.text,
                each.timestamp,
            )
            yield unit._replace(
                session=each.session,
                category=each.category,
            )


_READERS: Mapping[str, Callable[[Workspace], Iterable[Unit]]] = {
    "decisions": _decisions,
    "attempts": _attempts,
    "assumptions": _assumptions,
    "experiences": _experiences,
}


def _entry(kind: str, identity: str, line: int, text: str, timestamp: str) -> Unit:
    return Unit(
        kind,
        line,
        line,
        text,
        id=identity,
        date=utc_text(timestamp),
    )


def _sentences(*parts: str) -> str:
    return " — ".join(part.strip() for part in parts if part.strip())


def _first_lines(workspace: Workspace, ledger: str) -> dict[str, int]:
    """Return the line of the first entry of each id."""
    lines: dict[str, int] = {}
    for entry in workspace.ledgers.read(ledger).entries:
        lines.setdefault(entry.id, entry.line)
    return lines
