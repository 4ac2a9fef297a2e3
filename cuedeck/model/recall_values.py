"""Values of recall that cross packages: a unit of searchable text and its number, and
the hits of a recalled text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.model.ports import Json

LONG_MEMORY = "long-memory"
KINDS = (
    "record",
    "log",
    LONG_MEMORY,
    "user",
    "decision",
    "attempt",
    "assumption",
    "experience",
    "statement",
    "card",
    "doc",
    "cortex",
    "extra",
)
"""Kinds of units. `log` is prose of MEMORY.md, a daily log or the archive; `cortex` is
a message, a memory or a resource; `extra` is Markdown outside the workspace.
"""


REFERENCES = ("card", "doc", "extra")
"""Kinds of units that nobody asked to remember."""
REMEMBERED = tuple(kind for kind in KINDS if kind not in REFERENCES)


class Unit(NamedTuple):
    """The smallest text that recall finds: a record, a ledger entry, a paragraph, a
    list item or a heading.
    """

    kind: str
    start: int
    """First line, 1-based."""
    end: int
    """Last line, inclusive."""
    text: str
    title: str = ""
    """The headings above the unit, joined with ` > `; its words are searched, too."""
    id: str = ""
    """Id of a record or ledger entry, or name of the file of a message without its
    suffix; empty for prose.
    """
    date: str = ""
    """A time in UTC, `2026-11-23T10:00:00.000Z`, or a local day, `2026-11-23`; empty if
    the unit has no date.
    """
    speaker: str = ""
    """Name before a colon at the start of the text: `Maria` of `Maria: I agree`; the
    author of a message.
    """
    session: str = ""
    category: str = ""
    """Category of a record, role of a message, kind of a memory; else empty."""
    is_evergreen: bool = False
    """Whether the age of a record does not matter; that of some kinds never does."""


UNIT_BITS = 32
"""Bits of the number of a unit that count the units of its file; the bits above are the
number of the file.
"""


class UnitRow(NamedTuple):
    """The columns of a unit in the index that ranking needs."""

    number: int
    kind: str
    id: str
    date: str
    speaker: str
    session: str
    category: str
    is_evergreen: bool
    is_question: bool
    """Whether the text is a question."""
    key: bytes
    """Hash of the stems of its text, without those of its title."""
    path: str
    """Path of its file."""
    stems: Sequence[str]
    """Stems of the headings above it and of its text, the name of the speaker
    included.
    """


def first_number(file: int) -> int:
    """Return the number of the first unit of a file."""
    return file << UNIT_BITS


RECORD = "record:"
"""Prefix of the address of a record."""
STRONG_SCORE = 0.6
"""Score from which a hit counts as the answer to its query: the best hit, or a second
one that is nearly as good.

Weaker hits are counted, but they do not make a text a candidate for promotion: every
answer ends with hits that only share a word with the query.
"""


class RecallHit(NamedTuple):
    """One text in one answer of a recall. It contains no words of text or query."""

    address: str
    """`record:<id>`, or the path and lines of a passage."""
    path: str
    """Workspace-relative path of the file, or `extra:<name>/…`."""
    line: int
    """First line of the text when it was recalled; later edits may move it."""
    text_key: str
    """Hash of the text, from `recall_hits.text_key`."""
    query_key: str
    """Hash of the words of the query, from `count_recalls.query_key`."""
    score: float
    """From 0 to 1: 1 for the best hit of an answer, less for later ones."""
    date: str
    """Day of the recall, as `2026-11-22`."""


@dataclass(frozen=True, slots=True)
class RecallTotal:
    """All hits of one text."""

    hits: tuple[RecallHit, ...]
    """At least one, in the order of the log. A hit is strong from `STRONG_SCORE`."""

    @property
    def last(self) -> RecallHit:
        """The newest hit, which has the present place of the text."""
        return self.hits[-1]

    @property
    def strong(self) -> tuple[RecallHit, ...]:
        """The strong hits."""
        return tuple(hit for hit in self.hits if hit.score >= STRONG_SCORE)

    @property
    def key(self) -> str:
        """Identity of the text: the address of a record, which stays if its text is
        edited, else the hash of the text, because edits above move a passage.
        """
        return self.last.address if self.is_record else self.last.text_key

    @property
    def is_record(self) -> bool:
        """Whether the text is a record."""
        return self.last.address.startswith(RECORD)

    @property
    def record_id(self) -> str:
        """Id of the record; empty for a passage."""
        return self.last.address.removeprefix(RECORD) if self.is_record else ""


LONGEST_SNIPPET = 500
"""Maximum length of a snippet in characters."""


class Hit(NamedTuple):
    """One search result; the JSON keys equal the field names."""

    address: str
    """Address that `read_address` accepts."""
    path: str
    kind: str
    """`card`, `doc`, `source`, `binary`, `folder`, `section`, `symbol`, `record`, or
    another kind of ledger entry.
    """
    title: str
    lines: tuple[int, int]
    """First and last line, 1-based and inclusive."""
    score: float
    """Relevance, comparable only within one result list."""
    why: str
    snippet: str

    def as_json(self) -> Json:
        """Return the JSON value of the hit."""
        return {**self._asdict(), "lines": list(self.lines)}


def answer_of(query: str, hits: Sequence[Hit], total: int) -> Json:
    """Return the JSON value of a search result."""
    return {"query": query, "hits": [hit.as_json() for hit in hits], "total": total}


def cut(text: str, around: int = 0, longest: int = LONGEST_SNIPPET) -> str:
    """Return a text on one line, shortened to `longest` characters that include
    position `around`.
    """
    if len(text) > longest:
        start = max(0, min(around - longest // 4, len(text) - longest))
        end = start + longest
        before = "…" if start else ""
        after = "…" if end < len(text) else ""
        text = f"{before}{text[start:end].strip()}{after}"
    return " ".join(text.split())
