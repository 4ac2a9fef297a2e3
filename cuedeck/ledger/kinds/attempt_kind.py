"""Kind of the failed attempts: the action, the places it concerned and the failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuedeck.ledger.kind import Field, Kind, LogEntry
from cuedeck.ledger.kinds.decision_kind import by_author, joined, sentence
from cuedeck.text.plain_text import with_full_stop

MOST_ERROR = 4_000
"""Maximal number of characters stored of an error, from its end."""
_NEEDED = "an attempt needs --tried and --failed"


_FIELDS = {
    "on": Field(needed="an attempt needs --on"),
    "tried": Field(needed=_NEEDED),
    "failed": Field(needed=_NEEDED),
    "error": Field(tail=MOST_ERROR),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt(LogEntry):
    """One failed attempt."""

    on: tuple[str, ...]
    """Addresses."""
    tried: str
    failed: str
    error: str = ""
    """The end of the command output, verbatim except that secrets are masked."""


class AttemptKind(Kind[Attempt]):
    """Failed attempts, in attempts.jsonl."""

    name = "attempt"
    value = Attempt
    cites = "on"
    fields = _FIELDS
    shown = ("on", "tried", "failed", "error", "card", "session", "commit")
    text_field = "tried"
    example = 'cuedeck attempt add --on src/auth.py --tried "WHAT" --failed "HOW"'
    advice = "record another attempt that names the new address"

    def line(self, value: Attempt) -> str:
        """Return ``Tried on `src/auth.py`: X. It failed: Y.``"""
        start = f"Tried{by_author(value)}"
        if value.on:
            start += f" on {joined([f'`{each}`' for each in value.on])}"
        tried = with_full_stop(sentence(value.tried))
        failed = with_full_stop(sentence(value.failed))
        return f"{start}: {tried} It failed: {failed}"

    def recalled(self, value: Attempt) -> Sequence[str]:
        return f"{value.tried}{by_author(value)}", value.failed, value.error


ATTEMPT = AttemptKind()
