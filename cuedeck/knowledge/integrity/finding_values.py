"""Findings of the integrity check: severities, kinds, and the commands that resolve
them.
"""

from __future__ import annotations

import shlex
from typing import NamedTuple

ERROR = "error"
"""Two records of protected categories contradict each other, or supersession has a
circle.
"""
WARNING = "warning"
INFO = "info"
SEVERITIES = (ERROR, WARNING, INFO)
"""Most severe first."""

CONTRADICTION = "contradiction"
SUPERSEDED = "superseded"
"""A supersession with an unknown id or in a circle."""
DUPLICATE = "duplicate"
"""An id of two different records."""
STALE = "stale"
UNDATED = "undated"

LONGEST = 60
"""Characters of a subject or an id that a message quotes."""


class Finding(NamedTuple):
    """One problem in the records."""

    record: str
    """Id of the record; of two records, the newer one."""
    other: str
    """Id of the older record, or empty."""
    kind: str
    severity: str
    message: str
    """One line without the text of a record; it may quote a short subject, but none of
    a secret record.
    """
    command: str
    """The command that resolves it."""


def supersede(older: str, newer: str) -> str:
    """Return the command that supersedes a record by another."""
    return f"cuedeck memory supersede {shlex.quote(older)} --by {shlex.quote(newer)}"


def say_again(identity: str) -> str:
    """Return the command that sets the text of a record in every file."""
    return f'cuedeck memory edit {shlex.quote(identity)} --text "…"'


def set_free(identity: str) -> str:
    """Return the command that removes the supersession links of a record."""
    return f"cuedeck memory edit {shlex.quote(identity)} --supersedes none"


def confirm(identity: str) -> str:
    """Return the command that confirms a record."""
    return f"cuedeck memory confirm {shlex.quote(identity)}"


def forget(identity: str) -> str:
    """Return the command that removes a record for good."""
    return f"cuedeck memory forget {shlex.quote(identity)}"


def shown(identity: str) -> str:
    """Return an id for a message: shortened, without control characters."""
    return "".join(char if char.isprintable() else "?" for char in identity[:LONGEST])
