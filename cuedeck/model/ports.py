"""Protocols for the access of pure code to the outside world; `store` implements them
and tests fake them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from cuedeck.model.commit import Commit
from cuedeck.model.entry_node import EntryNode, Retired
from cuedeck.model.file import File, Root, Words
from cuedeck.model.secret import Secret

Progress = Callable[[int, int], None]
"""Callback that receives the amount done and the total."""

Json = dict[str, Any]
"""An object of JSON, such as an answer or a row."""

JsonView = Mapping[str, Any]
"""An object of JSON that is only read."""


class Count(Protocol):
    """Token counter for one named encoding (`encode_ordinary`: no special tokens)."""

    @property
    def encoding(self) -> str: ...

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        ...

    def cut(self, text: str, limit: int) -> str:
        """Return the longest usable prefix of `text` with at most `limit` tokens."""
        ...


class EntryLookup(Protocol):
    """Read access to the ledgers."""

    def entries(self, kind: str, start: str = "") -> Sequence[str]:
        """Return the ids of a ledger that start with `start`; `kind` is one of
        `ENTRY_KINDS`.

        For the cortex tree, `start` is a whole id or a path, and only the canonical id
        of this place is returned.
        """
        ...

    def similar_entries(self, address: str) -> Sequence[str]:
        """Return the addresses most like a missing one, nearest first; only places of
        the cortex tree are compared.
        """
        ...

    def entry(self, address: str) -> EntryNode | None:
        """Return the ledger entry at exactly this address; None if it no longer
        exists.
        """
        ...

    def retired(self, address: str) -> Retired | None:
        """Return why links do not lead to a known ledger entry; None if they do, and
        for any other address.
        """
        ...


class Lookup(EntryLookup, Protocol):
    """Read access to the parsed workspace by path and by name."""

    def file(self, path: str) -> File | None:
        """Return the file at exactly this workspace-relative path."""
        ...

    def hash(self, path: str) -> str:
        """Return the sha256 (hex) of the file's bytes; the file must be known."""
        ...

    def named(self, key: str) -> Sequence[str]:
        """Return the sorted paths whose stem, file name, title or alias folds to `key`
        (`name_key`).
        """
        ...

    def folder(self, path: str) -> Sequence[str]:
        """Return the sorted paths of all files below a folder; empty if there is no
        such folder.
        """
        ...

    def similar(self, path: str) -> Sequence[str]:
        """Return up to five known paths that look most like `path`, nearest first."""
        ...

    def holds_secret(self, text: str) -> bool:
        """Return whether a text contains a secret.

        A value derived from such a text, for example a slug, must not be shown, because
        masking would not recognise it.
        """
        ...


class Texts(Protocol):
    """The text of files as indexed, with newlines as \\n."""

    def text(self, path: str) -> str:
        """Return the decoded text of a known, non-binary file."""
        ...

    def secrets(self, path: str) -> Sequence[Secret]:
        """Return the ranges of secrets in the text, in order."""
        ...


class Corpus(Protocol):
    """Term statistics of all searchable files, and the commit history."""

    def postings(self, term: str) -> Mapping[str, int]:
        """Return the number of occurrences of a term in each file, by path."""
        ...

    def spread(self, term: str) -> int:
        """Return the number of files that contain a term."""
        ...

    def lengths(self) -> Mapping[str, int]:
        """Return the number of words of every file, by path."""
        ...

    def names(self) -> Mapping[str, int]:
        """Return the number of words in the definition names of every file, by path."""
        ...

    def words(self, path: str) -> Words | None:
        """Return the words of a file; None if the file is excluded from search."""
        ...

    def sums(self, path: str) -> Sequence[int]:
        """Return the `line_sum` of each line of a file."""
        ...

    def roots(self) -> Sequence[tuple[str, Root]]:
        """Return the import mappings of project files with the paths of these files, in
        order.
        """
        ...

    def commits(self) -> Sequence[Commit]:
        """Return the commits that led to HEAD, newest first; empty outside a
        repository.
        """
        ...
