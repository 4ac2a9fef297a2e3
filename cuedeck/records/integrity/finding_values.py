"""What the scan of the memory has to say."""

from __future__ import annotations

import shlex
from typing import NamedTuple

ERROR = "error"
"""Two records that are kept for good contradict each other, or the order of supersession is broken."""
WARNING = "warning"
INFO = "info"
SEVERITIES = (ERROR, WARNING, INFO)
"""From the gravest on."""

CONTRADICTION = "contradiction"
SUPERSEDED = "superseded"
"""A supersession that names nothing that is there, or that goes in a circle."""
DUPLICATE = "duplicate"
"""An id that two different records have."""
STALE = "stale"
UNDATED = "undated"

LONGEST = 60
"""Characters of a subject or an odd id that a message quotes."""


class Finding(NamedTuple):
    """One thing to settle."""

    record: str
    """Id of the record it is about; of two, the newer one."""
    other: str
    """Id of the older record, or empty."""
    kind: str
    severity: str
    message: str
    """One line without a record's text; a short subject may be quoted, never that of a secret record."""
    command: str
    """The whole command that settles it."""


def supersede(older: str, newer: str) -> str:
    """Return the command by which one record takes the place of another."""
    return f"cuedeck memory supersede {shlex.quote(older)} --by {shlex.quote(newer)}"


def say_again(identity: str) -> str:
    """Return the command that gives a record one text, wherever it stands."""
    return f'cuedeck memory edit {shlex.quote(identity)} --text "…"'


def set_free(identity: str) -> str:
    """Return the command after which a record supersedes nothing."""
    return f"cuedeck memory edit {shlex.quote(identity)} --supersedes none"


def confirm(identity: str) -> str:
    """Return the command that says that a record still holds."""
    return f"cuedeck memory confirm {shlex.quote(identity)}"


def forget(identity: str) -> str:
    """Return the command that removes a record for good."""
    return f"cuedeck memory forget {shlex.quote(identity)}"


def shown(identity: str) -> str:
    """Return an id as a message names it, on one line however odd it is."""
    short = identity[:LONGEST]
    return short if short.isprintable() else "".join(char if char.isprintable() else "?" for char in short)
