"""Text of a document as the editor has it, and its positions in the units of the
client.

The classes of pygls split lines at form feeds and other characters that no editor
counts, and move positions behind the end of the last line.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import Any

from pygls.workspace import PositionCodec, TextDocument

from cuedeck.model.ports import Json
from cuedeck.text.text_offsets import NEWLINE

_CODECS = {
    "utf-8": ("utf-8", 1),
    "utf-32": ("utf-32-le", 4),
}
_UTF_16 = ("utf-16-le", 2)


class Document(TextDocument):
    """An open document, or a text of the workspace with the positions of the client."""

    def __init__(self, uri: str, text: str, version: int | None, encoding: Any) -> None:
        super().__init__(
            uri,
            text,
            version,
            position_codec=PositionCodec(encoding),
        )
        self._codec, self._width = _CODECS.get(str(encoding), _UTF_16)
        self._encoding = encoding
        self.text = text

    @property
    def source(self) -> str:
        """The whole text, with newlines as in the editor."""
        return self.text

    @cached_property
    def starts(self) -> list[int]:
        """Offset of each line, in characters."""
        return [0, *(each.end() for each in NEWLINE.finditer(self.text))]

    def copy(self) -> Document:
        """Return a document that later changes of this one do not change."""
        copied = Document(
            self.uri,
            self.text,
            self.version,
            self._encoding,
        )
        copied.starts = self.starts
        return copied

    def apply_change(self, change: Any) -> None:
        """Replace a range, or the whole text."""
        span = getattr(change, "range", None)
        if span is None:
            self.text = change.text
        else:
            start = self.offset(span.start.line, span.start.character)
            end = self.offset(span.end.line, span.end.character)
            rest = self.text[max(start, end) :]
            self.text = self.text[:start] + change.text + rest
        self.__dict__.pop("starts", None)

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 0, without its newline; empty for a
        line that does not exist.
        """
        if not 0 <= number < len(self.starts):
            return ""
        start = self.starts[number]
        end = len(self.text)
        if number + 1 < len(self.starts):
            end = self.starts[number + 1]
        return self.text[start:end].rstrip("\r\n")

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position of the client; the nearest one for a position
        outside the text.
        """
        if line >= len(self.starts):
            return len(self.text)
        units = self.line(line).encode(self._codec, "surrogatepass")
        size = max(0, character) * self._width
        before = units[:size].decode(self._codec, "ignore")
        return self.starts[line] + len(before)

    def position(self, offset: int) -> Json:
        """Return the position of an offset as the client counts it."""
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        before = self.text[start:offset].rstrip("\r\n")
        units = before.encode(self._codec, "surrogatepass")
        return {
            "line": line,
            "character": len(units) // self._width,
        }

    def range(self, start: int, end: int) -> Json:
        """Return the range between two offsets."""
        return {
            "start": self.position(start),
            "end": self.position(end),
        }

    def line_range(self, line: int) -> Json:
        """Return the range of a line of the file, counted from 1, without its indent;
        that of the first line for 0.
        """
        number = min(max(line - 1, 0), len(self.starts) - 1)
        text = self.line(number)
        start = self.starts[number]
        indent = len(text) - len(text.lstrip())
        return self.range(start + indent, start + len(text))
