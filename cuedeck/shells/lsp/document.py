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
    """An open document, or a text of the workspace with the positions of the client. A
    shallow copy is not changed by later edits.
    """

    def __init__(
        self,
        uri: str,
        text: str,
        version: int | None,
        encoding: Any,
    ) -> None:
        codec = PositionCodec(encoding)
        super().__init__(
            uri,
            text,
            version,
            position_codec=codec,
        )
        self._codec, self._width = _CODECS.get(str(encoding), _UTF_16)

    @cached_property
    def starts(self) -> list[int]:
        """Offset of each line, in characters."""
        return [0, *(each.end() for each in NEWLINE.finditer(self.source))]

    @property
    def data(self) -> bytes:
        """The bytes of a file with this text."""
        return self.source.encode("utf-8", "surrogatepass")

    def apply_change(self, change: Any) -> None:
        """Replace a range, or the whole text."""
        text = change.text
        span = getattr(change, "range", None)
        if span is not None:
            start = self.offset(span.start.line, span.start.character)
            end = self.offset(span.end.line, span.end.character)
            text = self.source[:start] + text + self.source[max(start, end) :]
        self.__dict__.pop("starts", None)
        self._source = text

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 0, without its newline; empty for a
        line that does not exist.
        """
        if not 0 <= number < len(self.starts):
            return ""
        start, end, *_ = *self.starts[number : number + 2], len(self.source)
        return self.source[start:end].rstrip("\r\n")

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position of the client; the nearest one for a position
        outside the text.
        """
        if line >= len(self.starts):
            return len(self.source)
        units = self.line(line).encode(self._codec, "surrogatepass")
        size = max(0, character) * self._width
        before = units[:size].decode(self._codec, "ignore")
        return self.starts[line] + len(before)

    def position(self, offset: int) -> Json:
        """Return the position of an offset as the client counts it."""
        line = bisect_right(self.starts, offset) - 1
        before = self.source[self.starts[line] : offset].rstrip("\r\n")
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
        end = self.starts[number] + len(text)
        return self.range(end - len(text.lstrip()), end)
