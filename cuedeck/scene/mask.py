"""Masking: every secret of a file is replaced in place before any of its text leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cuedeck.model.node import Secret
from cuedeck.model.ports import Texts
from cuedeck.model.scene import Span

Find = Callable[[str], Sequence[Secret]]


class Mask:
    """Masked access to the texts of one output.

    The same value carries the same number everywhere in it: `<secret:aws-key:1>`. Numbers go by first
    use, so they belong to one output and say nothing about another.
    """

    def __init__(self, texts: Texts, find: Find) -> None:
        self._texts = texts
        self._find = find
        self._numbers: dict[tuple[str, str], int] = {}
        self._counts: dict[str, int] = {}

    def lines(self, path: str, spans: Sequence[Span]) -> list[str]:
        """Return the masked text of each span; a secret that a span cuts is masked whole."""
        text = self._texts.text(path)
        secrets = self._texts.secrets(path)
        starts = _line_starts(text)
        return [
            self._between(text, secrets, starts[first - 1], _offset(starts, last, len(text))) for first, last in spans
        ]

    def plain(self, text: str) -> str:
        """Return `text` masked; for words that are no slice of a file."""
        return self._between(text, self._find(text), 0, len(text))

    def _between(self, text: str, secrets: Sequence[Secret], start: int, end: int) -> str:
        if not secrets:
            return text[start:end]
        pieces: list[str] = []
        at = start
        for secret in secrets:
            if secret.end <= at or secret.start >= end:
                continue
            pieces.append(text[at : max(at, secret.start)])
            pieces.append(self._placeholder(secret.kind, text[secret.start : secret.end]))
            at = secret.end
        pieces.append(text[at:end])
        return "".join(pieces)

    def _placeholder(self, kind: str, value: str) -> str:
        if (kind, value) not in self._numbers:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._numbers[kind, value] = self._counts[kind]
        return f"<secret:{kind}:{self._numbers[kind, value]}>"


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _offset(starts: Sequence[int], line: int, length: int) -> int:
    return starts[line] if line < len(starts) else length
