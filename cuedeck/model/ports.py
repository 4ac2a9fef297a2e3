"""What pure code needs from the world, as small protocols that `store` implements and tests fake."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from cuedeck.model.chunk import Words
from cuedeck.model.commit import Commit
from cuedeck.model.file import File, Root, Secret

Progress = Callable[[int, int], None]
"""Told how much is done, of how much."""


class Count(Protocol):
    """Tokens of a text in one named encoding (`encode_ordinary`: no special tokens)."""

    @property
    def encoding(self) -> str: ...

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        ...

    def cut(self, text: str, limit: int) -> str:
        """Return the longest usable prefix of `text` with at most `limit` tokens."""
        ...


class Lookup(Protocol):
    """Read access to the parsed workspace, by path and by name."""

    def file(self, path: str) -> File | None:
        """Return the file at exactly this workspace-relative path."""
        ...

    def hash(self, path: str) -> str:
        """Return the sha256 (hex) of the file's bytes; the file must be known."""
        ...

    def named(self, key: str) -> Sequence[str]:
        """Return the sorted paths whose stem, file name, title or alias folds to `key` (`name_key`)."""
        ...

    def folder(self, path: str) -> Sequence[str]:
        """Return the sorted paths of all files below a folder; empty when it is none."""
        ...

    def similar(self, path: str) -> Sequence[str]:
        """Return up to five known paths that look most like `path`, nearest first."""
        ...

    def entries(self, kind: str, start: str = "") -> Sequence[str]:
        """Return the ids a ledger holds that begin so: of a `decision`, an `attempt`, a `session` or a `record`."""
        ...

    def holds_secret(self, text: str) -> bool:
        """Tell whether a text holds a secret: what is made of it is not told, as no mask would know it again."""
        ...


class Texts(Protocol):
    """The text of files as the index knows them, newlines as \\n."""

    def text(self, path: str) -> str:
        """Return the decoded text of a known, non-binary file."""
        ...

    def secrets(self, path: str) -> Sequence[Secret]:
        """Return where its text holds secrets, in order."""
        ...


class Corpus(Protocol):
    """The words of all files that may be looked for, and the history that made them."""

    def postings(self, term: str) -> Mapping[str, int]:
        """Return how often each file has a term, by path."""
        ...

    def spread(self, term: str) -> int:
        """Return how many files have a term."""
        ...

    def lengths(self) -> Mapping[str, int]:
        """Return the number of words of every file, by path."""
        ...

    def names(self) -> Mapping[str, int]:
        """Return the number of words in the names of definitions of every file, by path."""
        ...

    def words(self, path: str) -> Words | None:
        """Return the words of a file; None for one that is never looked for."""
        ...

    def sums(self, path: str) -> Sequence[int]:
        """Return the `line_sum` of each line of a file."""
        ...

    def roots(self) -> Sequence[tuple[str, Root]]:
        """Return what project files say about imports, with their paths, in order."""
        ...

    def commits(self) -> Sequence[Commit]:
        """Return the commits that led to HEAD, newest first; none outside a repository."""
        ...
