"""The tree of one commit: paths, texts and parsed files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from benchmarks.scenes.repository import Blob, Repository
from cuedeck.model.file import File
from cuedeck.parse.parse_file import parse_file

_LARGEST = 1_000_000
"""Bytes of a file that is read."""


class Library:
    """Parsed files by path and content, for all commits of one repository."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._parsed: dict[tuple[str, str], File] = {}

    def parsed(self, blob: Blob, text: str) -> File:
        """Return the parsed file."""
        key = (blob.path, blob.sha)
        if key not in self._parsed:
            self._parsed[key] = parse_file(blob.path, text.encode())
        return self._parsed[key]


class Snapshot:
    """The input of a system: the tree of a commit and the history up to it."""

    def __init__(self, library: Library, commit: str) -> None:
        self.commit = commit
        self._library = library
        self._blobs = {blob.path: blob for blob in library.repository.blobs(commit)}

    @property
    def paths(self) -> Sequence[str]:
        """Return all regular files. Order: by path."""
        return list(self._blobs)

    @cached_property
    def texts(self) -> dict[str, str]:
        """Return the text of every file that is neither binary nor larger than a
        megabyte. Order: by path.
        """
        read = self._library.repository.text
        return {
            path: text
            for path, blob in self._blobs.items()
            if blob.size <= _LARGEST and (text := read(blob.sha)) is not None
        }

    def sha(self, path: str) -> str:
        """Return the hash of a file's content."""
        return self._blobs[path].sha

    def file(self, path: str) -> File:
        """Return the parsed file; only for paths with a text."""
        return self._library.parsed(self._blobs[path], self.texts[path])

    @cached_property
    def touched(self) -> list[Sequence[str]]:
        """Return the files changed by each commit of the history. Order: newest
        first.
        """
        return self._library.repository.touched(self.commit)
