"""The place of a secret in a text, and the random values that are known to be secrets.

A value is recognised at its name, for example, and may be copied to a place where no
rule recognises it. The index stores a mark of each such value: keyed hashes, from which
nobody can read the value. A copy is found by the longest run of letters and digits of
the value, and is certain by the hash of the whole value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from cuedeck.model.errors import Invalid

_RUN = "[A-Za-z0-9]+"
_MOST_SHAPES = 8
"""Maximum number of values with the same run, so that the search stays linear."""
_MOST_WORDS = 50_000
"""Maximum number of words whose hashes are cached."""
_RUN_BYTES, _VALUE_BYTES = 4, 16


class Secret(NamedTuple):
    """A range of text to mask: half-open character offsets and a kebab-case kind."""

    start: int
    end: int
    kind: str


class ValueMark(NamedTuple):
    """The mark of a random value; sorted marks are the same whatever their source."""

    digest: bytes
    """Keyed hash of the value."""
    kind: str
    length: int
    run: bytes
    """Keyed hash of its longest run of letters and digits, too short to test guesses.
    """
    run_start: int
    run_length: int


class KnownValues:
    """The marks of values, and the search for copies of these values."""

    def __init__(self, key: bytes = b"", marks: Iterable[ValueMark] = ()) -> None:
        self._key = key
        self.marks = tuple(sorted(set(marks)))
        self._kinds: dict[bytes, str] = {}
        self._shapes: dict[bytes, list[tuple[int, int]]] = {}
        """The start of the run in a value and the length of the value, by the run."""
        self._words: dict[str, Sequence[tuple[int, int]]] = {}
        for mark in self.marks:
            if mark.digest in self._kinds:
                continue
            shapes = self._shapes.setdefault(mark.run, [])
            shape = (mark.run_start, mark.length)
            if shape not in shapes:
                if len(shapes) == _MOST_SHAPES:
                    continue
                shapes.append(shape)
            self._kinds[mark.digest] = mark.kind

    def __bool__(self) -> bool:
        return bool(self.marks)

    def without(self, marks: Iterable[ValueMark]) -> KnownValues:
        """Return the values without some of them."""
        return KnownValues(self._key, set(self.marks).difference(marks))

    @cached_property
    def digest(self) -> str:
        """Keyed hash of all marks; empty without marks."""
        if not self.marks:
            return ""
        return self._hash(repr(self.marks), 8).hex()

    def mark(self, value: str, kind: str) -> ValueMark:
        """Return the mark of a value that contains letters and digits."""
        runs = re.finditer(_RUN, value)
        run = max(runs, key=lambda each: len(each[0]))
        return ValueMark(
            self._hash(value, _VALUE_BYTES),
            kind,
            len(value),
            self._hash(run[0], _RUN_BYTES),
            run.start(),
            len(run[0]),
        )

    def find(self, text: str) -> Iterator[Secret]:
        """Yield the copies of the values in a text."""
        if not self.marks:
            return
        for found in self._runs.finditer(text):
            start = found.start()
            yield from self._at(text, start, found[0])
            # The escape of a line end or tab in source code.
            if text[start - 1 : start] == "\\":
                yield from self._at(text, start + 1, found[0][1:])

    def _at(self, text: str, start: int, word: str) -> Iterator[Secret]:
        """Yield the copies whose longest run is `word`."""
        for before, length in self._shapes_of(word):
            begin = start - before
            end = begin + length
            if begin < 0 or end > len(text):
                continue
            kind = self._kinds.get(self._hash(text[begin:end], _VALUE_BYTES))
            if kind is not None:
                yield Secret(begin, end, kind)

    def _shapes_of(self, word: str) -> Sequence[tuple[int, int]]:
        if len(word) not in self._lengths:
            return ()
        shapes = self._words.get(word)
        if shapes is None:
            if len(self._words) >= _MOST_WORDS:
                self._words.clear()
            run = self._hash(word, _RUN_BYTES)
            shapes = self._words[word] = self._shapes.get(run, ())
        return shapes

    @cached_property
    def _lengths(self) -> frozenset[int]:
        return frozenset(mark.run_length for mark in self.marks)

    @cached_property
    def _runs(self) -> re.Pattern[str]:
        # Possessive: a run that is too short is not tried again in parts.
        return re.compile(f"[A-Za-z0-9]{{{min(self._lengths)},}}+")

    def _hash(self, text: str, size: int) -> bytes:
        # `hashlib` would load OpenSSL.
        from _blake2 import blake2b

        data = text.encode("utf-8", "surrogatepass")
        return blake2b(data, key=self._key, digest_size=size).digest()


PLACEHOLDER = "<secret:"
"""Prefix of every placeholder."""
TOKEN = re.compile(rf"{PLACEHOLDER}(?:[^\s<>]*>)?")
"""A placeholder, or the beginning of a damaged one."""
_WHOLE = re.compile(rf"({PLACEHOLDER}[^\n]*?):\d+>")


def replace_secrets(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text with each secret replaced by a placeholder without a number; line
    numbers do not change.
    """
    pieces = []
    at = 0
    for secret in secrets:
        lines = text.count("\n", secret.start, secret.end)
        pieces.append(text[at : secret.start])
        pieces.append(f"{PLACEHOLDER}{secret.kind}>")
        pieces.append("\n" * lines)
        at = secret.end
    pieces.append(text[at:])
    return "".join(pieces)


def without_placeholders(masked: str) -> str:
    """Return a masked text without its placeholders."""
    return _WHOLE.sub("", masked)


def check_placeholders(new: str, old: str) -> None:
    """Raise Invalid if an edited text has a placeholder that the old one lacks: the
    secret in its place would be lost.
    """
    for token in TOKEN.findall(new):
        if token not in old:
            raise Invalid(
                f"the text has `{token}` in place of a secret of the file",
                hint="leave it out, or edit the file itself",
            )


def unnumbered(masked: str) -> str:
    """Return a masked text without placeholder numbers, fit to store and compare.

    Numbers are valid in one output only.
    """
    if PLACEHOLDER in masked:
        return _WHOLE.sub(r"\1>", masked)
    return masked


class Word(str):
    """Key of a mapping that contains user text, such as a path, and is therefore masked
    like a value.
    """

    __slots__ = ()


def as_words(value: Any) -> Any:
    """Return user data with every key as a `Word`, so that keys are masked."""
    if isinstance(value, dict):
        return {Word(key): as_words(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_words(item) for item in value]
    return value
