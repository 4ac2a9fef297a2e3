"""Promotion of a captured statement into a decision of the committed ledger.

Only its words, its files and its date are taken: neither its address nor its session,
which are private.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.statements.statement_files import StatementFiles
from cuedeck.model.errors import Invalid
from cuedeck.text.timestamps import format_moment, moment_of

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

STATEMENT = "statement:"
_KINDS = ("decision", "choice", "rule")
_HEAD = re.compile(
    r"^(?:decision|decided|decisión|décision|entscheidung|решение|рішення):\s+", re.I
)
_REASON = re.compile(
    r"(?:,\s*|\s+)(?:because|porque|parce que|weil|потому что|тому що)\s+(?=\S)", re.I
)


class Promoted(NamedTuple):
    """The values of a decision in a statement."""

    text: str
    because: str
    affects: tuple[str, ...]
    date: str


def read_promoted(paths: WorkspacePaths, address: str) -> Promoted:
    """Return text, reason, files and date of a statement.

    Raises: NotFound, Ambiguous; Invalid for a statement of another kind; StorageError.
    """
    files = StatementFiles(paths)
    identity = pick(
        address, files.ids(), "statement", "cuedeck recall --kind statement TEXT"
    )
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
    return Promoted(
        choice if reason else text,
        "".join(reason),
        tuple(map(str, named)) if isinstance(named, list) else (),
        format_moment(moment) if moment else "",
    )
