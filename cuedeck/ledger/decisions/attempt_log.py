"""Parsing of the log of failed attempts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cuedeck.ledger.ledger_fields import proof_of, text_of, texts_of
from cuedeck.ledger.ledger_state import fold
from cuedeck.model.attempt import Attempt
from cuedeck.model.ledger_entry import LedgerEntry


def read_attempts(entries: Iterable[LedgerEntry]) -> tuple[Attempt, ...]:
    """Return the attempts of a log, oldest first; entries without `tried` are
    skipped.
    """
    found = (_attempt(fields) for fields in fold(entries).values())
    return tuple(each for each in found if each.tried)


def _attempt(fields: Mapping[str, Any]) -> Attempt:
    error = fields.get("error")
    if not isinstance(error, str):
        error = ""
    return Attempt(
        id=str(fields["id"]),
        timestamp=str(fields["timestamp"]),
        on=texts_of(fields, "on"),
        tried=text_of(fields, "tried"),
        failed=text_of(fields, "failed"),
        error=error,
        card=text_of(fields, "card"),
        session=text_of(fields, "session"),
        commit=text_of(fields, "commit"),
        proof=proof_of(fields),
    )
