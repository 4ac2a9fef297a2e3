"""The text of a memory file as a reader sees it.

A reader sees a placeholder in place of each secret, and one placeholder line in place
of each hidden record, so that line numbers are those of the file. A placeholder hides
one value of one version of the file; `restored_memory_text` replaces it by the value.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.model.secret import Secret
from cuedeck.model.secret_placeholder import PLACEHOLDER

Find = Callable[[str], Sequence[Secret]]

TOKEN = re.compile(rf"{PLACEHOLDER}(?:[^\s<>]*>)?")
"""A placeholder, or the beginning of a damaged one."""
ROUNDS = 4
"""Maximum number of searches; masked text is searched again until it has no secret."""
BOM = "\ufeff"


class Concealed(NamedTuple):
    """The text that a placeholder hides."""

    value: str
    is_record: bool
    """Whether the text is in a record, where quotes and backslashes are escaped."""
    is_line: bool = False
    """Whether the text is a whole line."""


@dataclass(frozen=True, slots=True)
class ShownText:
    """A memory file with its masked lines."""

    raw: tuple[str, ...]
    """The lines of the file, split at `\\n`; the last one is empty if the file ends
    with a newline.
    """
    lines: tuple[str, ...]
    """The masked lines, one for each line of the file, without carriage returns."""
    concealed: Mapping[str, Concealed]
    """The hidden text of each placeholder."""
    literals: frozenset[str]
    """Placeholders that are text of the file itself and hide nothing."""

    @property
    def count(self) -> int:
        """Number of lines."""
        return len(self.raw) - (not self.raw[-1])

    @property
    def has_unreadable_bytes(self) -> bool:
        """True if the file is not valid UTF-8."""
        return any(
            readable(line) != line  # a lone surrogate is an unreadable byte
            for line in self.raw
        )

    def text(self, start: int, end: int) -> str:
        """Return the masked text of some lines, counted from 1, both included."""
        first = start - 1
        shown = self.lines[first:end]
        text = "\n".join(shown)
        has_newline = 0 < end < len(self.lines)
        return f"{text}\n" if has_newline else text

    def filled(self, line: str) -> str:
        """Return a masked line with the values of its placeholders."""
        # A value found by a later search may contain a placeholder of an earlier one.
        for _ in range(ROUNDS):
            filled = TOKEN.sub(lambda found: self._value(found[0]), line)
            if filled == line:
                break
            line = filled
        return line

    def _value(self, token: str) -> str:
        concealed = self.concealed.get(token)
        return token if concealed is None else concealed.value


class _Placeholders:
    """Numbers the placeholders of a file."""

    def __init__(self, literals: frozenset[str]) -> None:
        self.concealed: dict[str, Concealed] = {}
        self._literals = literals
        self._tokens: dict[tuple[str, Concealed], str] = {}
        self._numbers: Counter[str] = Counter()

    def token_for(self, kind: str, concealed: Concealed) -> str:
        """Return the placeholder of a text, the same for the same text."""
        key = (kind, concealed)
        token = self._tokens.get(key, "")
        while not token or token in self._literals:
            number = self._numbers[kind] + 1
            self._numbers[kind] = number
            token = f"{PLACEHOLDER}{kind}:{number}>"
        self._tokens[key] = token
        self.concealed[token] = concealed
        return token


def show_text(text: str, hidden: Mapping[int, str], find: Find) -> ShownText:
    """Return the masked text of a memory file.

    `hidden` are the lines that are not shown, counted from 1, each with the kind of its
    placeholder.
    """
    raw = text.split("\n")
    literals = frozenset(TOKEN.findall(text))
    placeholders = _Placeholders(literals)
    lines = [line.rstrip("\r") for line in raw]
    lines[0] = lines[0].removeprefix(BOM)
    for number, kind in hidden.items():
        at = number - 1
        whole = Concealed(raw[at], is_record=True, is_line=True)
        token = placeholders.token_for(kind, whole)
        lines[at] = f"- {token}"
    for _ in range(ROUNDS):
        found = secrets_by_line(lines, find)
        if not found:
            break
        for at, secrets in found.items():
            line = lines[at]
            lines[at] = _masked_line(line, secrets, placeholders)
    return ShownText(
        raw=tuple(raw),
        lines=tuple(map(readable, lines)),
        concealed=placeholders.concealed,
        literals=literals,
    )


def readable(line: str) -> str:
    """Return a line with `U+FFFD` for bytes that are not UTF-8."""
    return line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def secrets_by_line(lines: Sequence[str], find: Find) -> dict[int, list[Secret]]:
    """Return the secrets in some lines by the index of the line, with offsets in it.

    A secret of several lines is divided at the line ends.
    """
    text = "\n".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found: dict[int, list[Secret]] = {}
    for secret in find(text):
        at = bisect_right(starts, secret.start) - 1
        start = secret.start - starts[at]
        value = text[secret.start : secret.end]
        for part in value.split("\n"):
            if part:
                end = start + len(part)
                own = Secret(start, end, secret.kind)
                found.setdefault(at, []).append(own)
            at += 1
            start = 0
    return found


def _masked_line(
    line: str, secrets: Iterable[Secret], placeholders: _Placeholders
) -> str:
    """Return a line with a placeholder in place of each secret."""
    is_record = is_record_line(line)
    pieces: list[str] = []
    at = 0
    for secret in secrets:
        start = max(at, secret.start)
        value = line[start : secret.end]
        if not value:
            continue
        concealed = Concealed(value, is_record)
        token = placeholders.token_for(secret.kind, concealed)
        pieces.append(line[at:start])
        pieces.append(token)
        at = secret.end
    pieces.append(line[at:])
    return "".join(pieces)


def is_record_line(line: str) -> bool:
    return line.lstrip().startswith("- {")
