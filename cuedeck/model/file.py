"""What a file of the workspace is, once it has been read: values without behaviour.

The small row types are NamedTuples because the index stores them as plain lists and reads them by the
thousand; the file itself is a frozen dataclass. Lines are 1-based and ranges inclusive everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["card", "doc", "source", "binary"]
Level = Literal["error", "warning", "info"]

STATUSES = ("todo", "active", "blocked", "done", "archived")
CLOSED = ("done", "archived")
"""Statuses of cards on which nobody works any more."""
UNREADABLE = "unreadable"
"""Code of what is said of a file that the system does not let us read, and why a ref does not lead to it."""
PRIORITIES = ("critical", "high", "medium", "low")


class Diagnostic(NamedTuple):
    """Something a person should mend in a file; never an exception, never in the way of other files."""

    path: str
    line: int
    """1-based; 0 when the whole file is meant."""
    level: Level
    code: str
    """A stable kebab-case word, for example `bad-yaml`."""
    message: str
    hint: str


class Section(NamedTuple):
    """A part of a doc: from its heading to the line before the next heading of the same or a higher level."""

    title: str
    """Heading text without markup."""
    slug: str
    """GitHub slug, numbered `-1`, `-2` … for repeats."""
    level: int
    start: int
    end: int
    parent: int
    """Index of the enclosing section in the same file, or -1."""


class Block(NamedTuple):
    """A paragraph, list item or other block that carries a `^id`."""

    id: str
    start: int
    end: int


class Symbol(NamedTuple):
    """A definition in a source file."""

    name: str
    """Qualified inside the file: `Login.verify`."""
    kind: str
    """`class`, `function`, `method`, `type`, `constant`."""
    start: int
    """First line, decorators and attributes included."""
    end: int
    signature: str
    """The definition's head on one line, whole also when it is written over several."""
    head: int
    """Line on which the head begins, behind decorators and doc comment."""
    doc: str
    """First paragraph of its doc comment on one line; empty when there is none."""
    sum: str
    """Hash of its text: 16 hexadecimal digits."""


class Import(NamedTuple):
    """What a source file takes from elsewhere; where that is, `graph.imports` decides."""

    spec: str
    """As written: `.models`, `./url`, `crate::book`, `github.com/spf13/cobra/doc`."""
    names: tuple[str, ...]
    """Names taken from it as they are called there, `*` for all of them; empty when it is taken as a whole."""
    line: int
    exported: bool
    """True when the names are handed on: `export … from`, `pub use`, imports of an `__init__.py`."""


class ImportStrategy(NamedTuple):
    """How the imports of a language are resolved to files."""

    name: str
    """A key of `STRATEGIES` in `graph.imports.import_resolver`."""
    suffixes: tuple[str, ...] = ()
    """Suffixes, with their dots, of files that an import may name: for the strategies for classes and namespaces."""


class Root(NamedTuple):
    """Where imports that begin with a prefix are looked for, as a project file says."""

    prefix: str
    """`github.com/spf13/cobra`, `@/*`, `mdbook_core`, or empty for every name."""
    target: str
    """Workspace-relative path of a file or folder, `*` standing for what the `*` of the prefix matched."""


class Link(NamedTuple):
    """A ref as a person wrote it; what it points at is decided by `graph.resolve`."""

    ref: str
    """Target text without alias and brackets, percent escapes undone: `docs/x.md#H`."""
    line: int
    form: str
    """`refs` (front matter), `wiki`, `markdown`, `mention` (`@doc/…`, `@ref[…]`, `cuedeck: refs`).

    What nobody wrote into a file is `pinned` (in the settings) or `address` (asked for, or cited by a ledger).
    """
    view: str
    """`full` when the author asks for the whole text, else empty."""
    pin: bool
    """True when the author pins the target: planned before everything but the root."""


class Secret(NamedTuple):
    """A stretch of text that must not leave: half-open character offsets and a kebab-case kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Card:
    """The task fields of a card file, scalars as written."""

    id: str
    title: str
    status: str
    priority: str
    tags: tuple[str, ...]
    assignee: str
    depends_on: tuple[str, ...]
    created: str
    updated: str
    budget: str
    """Tokens in digits, enough for a scene, or empty."""
    broken: bool
    """True when the front matter could not be read; the other fields are then what could be guessed."""


@dataclass(frozen=True, slots=True)
class File:
    """One parsed file: everything the graph needs to know of it, without its text."""

    path: str
    """Workspace-relative POSIX path."""
    kind: Kind
    size: int
    """Bytes."""
    lines: int
    """Number of lines of the text; 0 for a binary file."""
    title: str
    """Front-matter title, else first heading, else empty."""
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    body: int
    """First line after the front matter; 1 when there is none."""
    links: tuple[Link, ...]
    """Front-matter refs in their order, then links of the text in line order."""
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    symbols: tuple[Symbol, ...]
    imports: tuple[Import, ...]
    roots: tuple[Root, ...]
    card: Card | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def fault(self) -> str:
        """Why its content cannot be had; empty for a file that was read."""
        return next((each.message for each in self.diagnostics if each.code == UNREADABLE), "")
