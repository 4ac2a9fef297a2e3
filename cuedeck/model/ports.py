"""What pure code needs from the world, as small protocols that `store` implements and tests fake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cuedeck.model.node import File, Secret


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


class Texts(Protocol):
    """The text of files as the index knows them, newlines as \\n."""

    def text(self, path: str) -> str:
        """Return the decoded text of a known, non-binary file."""
        ...

    def secrets(self, path: str) -> Sequence[Secret]:
        """Return where its text holds secrets, in order."""
        ...
