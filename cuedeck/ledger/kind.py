"""A kind of entry: its file, its fields, its line of text, its edges and its checks.

A new kind is one module in `kinds` and one row in the table `entry_node.ENTRY_KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Generic, Protocol, TypeVar

from cuedeck.ledger.codecs import with_entries, without_entries
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.entry_node import LedgerEntry, Retired
from cuedeck.model.errors import Invalid, TooLong
from cuedeck.model.paths import EXCHANGE, HOME, ledger_path
from cuedeck.model.ports import Json, JsonView
from cuedeck.text.plain_text import plain_line, string_of
from cuedeck.text.timestamps import moment_of


def text_of(fields: JsonView, name: str) -> str:
    """Return a string field; empty if it is not a string."""
    return string_of(fields.get(name)).strip()


def texts_of(fields: JsonView, name: str) -> tuple[str, ...]:
    """Return a list of strings without empty ones and repeats; a single string is a
    list of one.
    """
    value = fields.get(name)
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return ()
    texts = [item.strip() for item in value if isinstance(item, str)]
    return tuple(dict.fromkeys(filter(None, texts)))


def hashes_of(fields: JsonView, name: str) -> dict[str, str]:
    """Return a table of strings; other values are omitted."""
    value = fields.get(name)
    if not isinstance(value, dict):
        return {}
    found: dict[str, str] = {}
    for key, item in value.items():
        if isinstance(item, str) and item:
            found[key] = item
    return found


def fold(entries: Iterable[LedgerEntry]) -> Mapping[str, JsonView]:
    """Return the merged fields of every id; a later entry overrides the fields it
    contains.

    Order: by the time of the first entry of an id. Entries with equal times are ordered
    by their digests, so that the result of merging two git branches does not depend on
    which side comes first.
    """
    found: dict[str, Json] = {}
    for entry in sorted(entries, key=_when):
        first = {"id": entry.id, "timestamp": entry.timestamp}
        fields = found.setdefault(entry.id, first)
        fields |= {key: value for key, value in entry.value.items() if key not in first}
        fields["changed"] = entry.timestamp
    return found


def _when(entry: LedgerEntry) -> tuple[bool, float, str]:
    moment = moment_of(entry.timestamp)
    seconds = moment.timestamp() if moment else 0.0
    return moment is not None, seconds, entry.digest


_READERS: Mapping[str, Callable[[JsonView, str], Any]] = {
    "str": text_of,
    "tuple[str, ...]": texts_of,
    "Mapping[str, str]": hashes_of,
}
"""Reader of a field of a log line, by the type of the field."""
_MASKED_PART = 50
"""How many times the length of a tail is masked before the text is cut to it."""


@dataclass(frozen=True, slots=True)
class Field:
    """Rules of one field that the user gives."""

    needed: str = ""
    """Error message if the field is empty; empty for an optional field."""
    is_line: bool = False
    """Whether its text is written on one line."""
    longest: int = 0
    """Maximal number of characters; 0 for any number."""
    tail: int = 0
    """Number of characters that are stored, from the end; 0 for all."""
    always: bool = False
    """Whether the field is written even if it is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """The state of an entry after all lines of its log are applied."""

    id: str
    timestamp: str
    """Time of its first line."""
    card: str = ""
    session: str = ""
    commit: str = ""
    """HEAD when its addresses were proved; empty outside a repository."""
    proof: Mapping[str, str] = field(default_factory=dict)
    """sha256 (hex) of the content of each address at that time."""
    author: str = ""
    """Author of an entry of another copy."""


class Identified(Protocol):
    """A value with an id."""

    @property
    def id(self) -> str: ...


Value = TypeVar("Value", bound=Identified)


class Kind(Generic[Value]):
    """A kind of entry in a file of lines: append-only and committed, or private and
    rewritten by `Ledger.replace`. Subclasses override what differs.
    """

    name: str
    """Prefix of addresses; the plural names the log."""
    value: type[Any]
    fields: Mapping[str, Field]
    """Fields that the user gives, in the order of a line."""
    text_field: str
    """Field of the text; without it, a line is not an entry."""
    cites: str
    """Field of the addresses, which is also the kind of their edges."""
    shown: tuple[str, ...]
    """Fields of the JSON after the id; the timestamp comes first if it is not named."""
    example: str
    """Command that adds an entry."""
    advice: str
    """What to do about an entry whose address does not exist any more."""

    @property
    def log(self) -> str:
        """Name of the log, and of lists of its entries."""
        return f"{self.name}s"

    @property
    def file(self) -> str:
        """Name of the log in the folder of its ledger."""
        return f"{self.log}.jsonl"

    @property
    def path(self) -> str:
        """Workspace-relative path of the log of the workspace."""
        return ledger_path(self.log)

    def path_of(self, entry: LedgerEntry) -> str:
        """Return the workspace-relative path of the file with an entry."""
        return f"{HOME}/{EXCHANGE}/{self.file}" if entry.is_foreign else self.path

    def files(self, ledger: Any) -> Iterable[str]:
        """Return the names of all files that contain entries; `file` is the last."""
        return (self.file,)

    def format(self, value: Value) -> str:
        """Return the line of an entry of a private kind, without its newline."""
        raise NotImplementedError

    def replaced(
        self, text: str, ids: Collection[str], lines: Mapping[str, str]
    ) -> str:
        """Return a file with lines in place of entries, by id, and without the other
        entries in `ids`.
        """
        return with_entries(text, ids, lines)

    def without(
        self, text: str, ids: Collection[str], named: Collection[str] = ()
    ) -> str:
        """Return a file without entries, and without damaged lines that contain one of
        their ids or of the ids `named`.
        """
        return without_entries(text, ids, named)

    def read(self, entries: Iterable[LedgerEntry]) -> tuple[Value, ...]:
        """Return the entries of a log, oldest first, regardless of the order of its
        lines; those without a text are skipped.
        """
        values = map(self.make, fold(entries).values())
        return tuple(each for each in values if getattr(each, self.text_field))

    def make(self, row: JsonView) -> Value:
        """Return the entry with the folded fields `row`."""
        values: Json = {}
        for each in fields(self.value):
            values[each.name] = _READERS[str(each.type)](row, each.name)
        for name, rule in self.fields.items():
            if rule.tail:
                values[name] = string_of(row.get(name))
        made: Value = self.value(**values)
        return made

    def require(self, given: JsonView) -> None:
        """Raise Invalid if a needed field is empty, TooLong for a longer text than
        allowed.
        """
        for name, rule in self.fields.items():
            text = given.get(name, "")
            if rule.needed and not (text.strip() if isinstance(text, str) else text):
                raise Invalid(rule.needed, hint=self.example)
            if rule.longest and len(text) > rule.longest:
                raise TooLong(
                    f"the {name} of a {self.name} must have at most"
                    f" {rule.longest:,} characters, got {len(text):,}",
                    hint="shorten it, or put it in a doc and name its path",
                )

    def unmasked(self, given: JsonView) -> Json:
        """Return the given values with the part of each text that is to be masked."""
        found = {}
        for name, value in given.items():
            tail = self.fields[name].tail if name in self.fields else 0
            found[name] = value[-tail * _MASKED_PART :] if tail else value
        return found

    def clean(self, given: JsonView) -> Json:
        """Return masked values as they are written, in the order of a line."""
        return {
            name: _clean(given.get(name, ""), rule)
            for name, rule in self.fields.items()
        }

    def in_force(self, values: Sequence[Value]) -> Sequence[Value]:
        """Return the entries that scenes and recall show."""
        return values

    def line(self, value: Value) -> str:
        """Return an entry as one line of text."""
        raise NotImplementedError

    def reminder(self, value: Value) -> str:
        """Return the line of an entry in lists and scenes."""
        return self.line(value)

    def recalled(self, value: Value) -> Sequence[str]:
        """Return the texts in which recall finds an entry."""
        return [self.line(value)]

    def cited(self, value: Value) -> Sequence[str]:
        """Return the addresses that an entry cites."""
        found: Sequence[str] = getattr(value, self.cites)
        return found

    def affects(self, value: Value, values: Sequence[Value]) -> Iterator[str]:
        """Yield the addresses to which an entry has edges."""
        yield from self.cited(value)

    def retired(self, value: Value, values: Sequence[Value]) -> Retired | None:
        """Return why links do not lead to an entry; None if they do."""
        return None

    def check(
        self, values: Sequence[Value], rows: Mapping[str, LedgerEntry]
    ) -> Iterator[Diagnostic]:
        """Yield the faults of the entries; `rows` are their first lines by id."""
        return iter(())

    def row(self, value: Value) -> Json:
        """Return the JSON of an entry. An empty optional text is null."""
        row: Json = {"id": value.id}
        optional = {each.name for each in fields(self.value) if each.default == ""}
        is_in_order = "timestamp" in self.shown
        for name in self.shown if is_in_order else ("timestamp", *self.shown):
            found = getattr(value, name)
            if isinstance(found, tuple):
                row[name] = list(found)
            elif found or name not in optional:
                row[name] = found
            else:
                row[name] = None
        if author := getattr(value, "author", ""):
            row["author"] = author
        return row


def _clean(value: Any, rule: Field) -> Any:
    if not isinstance(value, str):
        return [text for text in map(plain_line, value) if text]
    text = plain_line(value) if rule.is_line else value.strip()
    return value[-rule.tail :] if rule.tail else text
