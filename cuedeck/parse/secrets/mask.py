"""Masking of secrets: every secret in a text is replaced by a placeholder before
output.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, count
from operator import add
from typing import TYPE_CHECKING

from cuedeck.model.secret import PLACEHOLDER, Secret
from cuedeck.parse.fence import NumberedLine

if TYPE_CHECKING:
    from cuedeck.model.ports import Texts
    from cuedeck.model.scene_values import Span

Find = Callable[[str], Sequence[Secret]]

_LONG_WORD = 12
"""Minimum characters of a single word of a secret that is masked by itself."""
_KEPT_TABLES = 32


class Mask:
    """Masked access to the texts of one output.

    The same value has the same number everywhere in the output: `<secret:aws-key:1>`.
    Numbers follow the order of first use, so they are valid in one output only.
    """

    def __init__(self, texts: Texts, find: Find) -> None:
        self._texts = texts
        self._find = find
        self._numbers: dict[tuple[str, str], int] = {}
        self._counts: dict[str, int] = {}
        self._starts: OrderedDict[str, list[int]] = OrderedDict()

    def lines(self, path: str, spans: Sequence[Span]) -> list[str]:
        """Return the masked text of each span; a secret cut by a span is masked
        completely.
        """
        text = self._texts.text(path)
        secrets = self._texts.secrets(path)
        starts = self._line_starts(path, text)
        return [
            self._between(
                text, secrets, starts[first - 1], _offset(starts, last, len(text))
            )
            for first, last in spans
        ]

    def numbered(self, path: str, spans: Sequence[Span]) -> list[list[NumberedLine]]:
        """Return the masked lines of each span with their numbers in the file.

        A secret that extends over several lines is on the first of them; the numbers of
        the others are absent.
        """
        text = self._texts.text(path)
        secrets = self._texts.secrets(path)
        starts = self._line_starts(path, text)
        found: list[list[NumberedLine]] = []
        for first, last in spans:
            end = _offset(starts, last, len(text))
            pieces = self._pieces(text, secrets, starts[first - 1], end)
            found.append(_number(pieces, first))
        return found

    def plain(self, text: str) -> str:
        """Return `text` masked; for text that is not a slice of a file."""
        return self._between(text, self._find(text), 0, len(text))

    def is_plain(self, text: str) -> bool:
        """Return whether `text` by itself contains no secret."""
        return not self._find(text)

    def hides(self, path: str) -> bool:
        """Return whether a file contains secrets."""
        return bool(self._texts.secrets(path))

    def words(self, text: str, path: str) -> str:
        """Return text derived from a file, such as a title, heading or ref, with
        secrets masked.

        A secret may be recognisable only in its context, so the secrets of the file are
        searched for as well.
        """
        secrets = self._texts.secrets(path)
        if secrets:
            source = self._texts.text(path)
            whole = {
                source[secret.start : secret.end]: secret.kind for secret in secrets
            }
            words = {word: value for value in whole for word in _revealing_parts(value)}
            longest = sorted(
                (word for word in words if word in text), key=len, reverse=True
            )
            if longest:
                found = re.compile("|".join(map(re.escape, longest)))
                text = found.sub(
                    lambda match: self._placeholder(
                        whole[words[match[0]]], words[match[0]]
                    ),
                    text,
                )
        return self.plain(text)

    def _between(
        self, text: str, secrets: Sequence[Secret], start: int, end: int
    ) -> str:
        return "".join(shown for shown, _ in self._pieces(text, secrets, start, end))

    def _pieces(
        self, text: str, secrets: Sequence[Secret], start: int, end: int
    ) -> list[tuple[str, int]]:
        """Return the masked pieces of a text, each with the number of line ends that it
        hides.
        """
        pieces: list[tuple[str, int]] = []
        at = start
        for secret in secrets[
            bisect_right(secrets, start, key=lambda secret: secret.end) :
        ]:
            if secret.start >= end:
                break
            pieces.append((text[at : max(at, secret.start)], 0))
            placeholder = self._placeholder(
                secret.kind, text[secret.start : secret.end]
            )
            # The line end after the last line of the text separates no lines.
            hidden = text.count("\n", max(at, secret.start), min(secret.end, end - 1))
            pieces.append((placeholder, hidden))
            at = secret.end
        pieces.append((text[at:end], 0))
        return pieces

    def _placeholder(self, kind: str, value: str) -> str:
        if (kind, value) not in self._numbers:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._numbers[kind, value] = self._counts[kind]
        return f"{PLACEHOLDER}{kind}:{self._numbers[kind, value]}>"

    def _line_starts(self, path: str, text: str) -> list[int]:
        if path not in self._starts:
            self._starts[path] = _line_starts(text)
            if len(self._starts) > _KEPT_TABLES:
                self._starts.popitem(last=False)
        return self._starts[path]


def _number(pieces: Sequence[tuple[str, int]], first: int) -> list[NumberedLine]:
    lines: list[NumberedLine] = []
    start = line = first
    row = ""
    for shown, hidden in pieces:
        head, *rest = shown.split("\n")
        row += head
        for following in rest:
            lines.append(NumberedLine(start, row, line - start))
            line += 1
            start, row = line, following
        line += hidden
    if row:
        lines.append(NumberedLine(start, row, line - start))
    return lines


def _revealing_parts(value: str) -> Iterator[str]:
    if value:
        yield value
    yield from (word for word in value.split() if len(word) >= _LONG_WORD)


def _line_starts(text: str) -> list[int]:
    """Return the offset of each line: the characters of the lines above it, and one
    newline for each of them.
    """
    above = accumulate(map(len, text.split("\n")[:-1]), initial=0)
    return list(map(add, above, count()))


def _offset(starts: Sequence[int], line: int, length: int) -> int:
    return starts[line] if line < len(starts) else length
