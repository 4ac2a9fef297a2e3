"""Text of a file: decoding, detection of binary content, lookup of lines by offset,
checksums of equal lines, conflict markers of git.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import Literal, NamedTuple
from zlib import crc32

from cuedeck.model.errors import Invalid

Newline = Literal["lf", "crlf", "cr", "mixed"]
Problem = Literal["", "binary", "blank-run"]

CONFLICT = "git conflict markers: the merge of this file is not finished"
CONFLICT_HINT = (
    "keep the lines of one side, and remove the lines <<<<<<<, ======= and >>>>>>>"
)
_MARKERS = re.compile(
    r"^<{7}(?: .*)?\n(?:.*\n)*?={7}\n(?:.*\n)*?>{7}(?: .*)?$", re.MULTILINE
)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
SNIFFED_BYTES = 8_192
MAX_BLANK_RUN = 100_000

# UTF-32 comes before UTF-16, because the little-endian mark of UTF-32 begins with that
# of UTF-16.
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_ENCODINGS = ("utf-8", "cp1252", "latin-1")
_BLANKS = re.compile(r"\s+")
BLANKS = " \t\n\r\v\f"
"""Characters stripped from both ends of a line; the same set for text and bytes."""
_BLANK_BYTES = BLANKS.encode()
LEAST = 6
"""Minimum length in characters of a line with a checksum; shorter lines are mostly
brackets.
"""


class Cell(NamedTuple):
    """The lines of a notebook's text that are the source of one cell; none if `end` is
    before `start`.
    """

    start: int
    end: int
    language: str
    """The language of its code; empty for text."""


class Decoded(NamedTuple):
    """The decoded text of a file and its original encoding."""

    text: str
    """The text with newlines as \\n and without byte order mark; empty for a binary
    file.
    """
    lines: int
    encoding: str
    """Python's name of the codec, for example `utf-8`; empty for a binary file."""
    newline: Newline
    bom: bool
    problem: Problem
    """The reason why the file is not text; empty for text."""
    cells: tuple[Cell, ...] = ()
    """The cells of a notebook, whose text this is."""
    fault: str = ""
    """The reason why a notebook is shown as it is stored."""

    @property
    def binary(self) -> bool:
        """Whether the file must be treated as binary."""
        return bool(self.problem)


def decode(data: bytes) -> Decoded:
    """Decode `data`. Never raises: content that is not text is reported in `problem`.

    A NUL in the first 8 kB means binary unless a byte order mark names UTF-16 or
    UTF-32. A run of more than 100,000 blanks means binary too, because token counters
    need quadratic time for it.
    """
    text, encoding, bom = _text(data)
    if not encoding:
        return Decoded(
            text="", lines=0, encoding="", newline="lf", bom=bom, problem="binary"
        )
    newline: Newline = "lf"
    if "\r" in text:
        newline = _newline(text)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _has_blank_run(text):
        return Decoded(
            text="", lines=0, encoding="", newline=newline, bom=bom, problem="blank-run"
        )
    return Decoded(
        text=text,
        lines=count_lines(text),
        encoding=encoding,
        newline=newline,
        bom=bom,
        problem="",
    )


def decode_with_nuls(data: bytes) -> Decoded:
    """Decode `data` as `decode` does, but read UTF-8 text with a few NULs as text, each
    NUL as U+FFFD.

    More than a quarter of NULs means binary: UTF-16 without a byte order mark, or a
    file of zeros.
    """
    decoded = decode(data)
    nuls = data.count(b"\0")
    if not decoded.binary or not 0 < nuls * 4 <= len(data):
        return decoded
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return decoded
    return decode(text.replace("\0", "\ufffd").encode())


def count_lines(text: str) -> int:
    """Return the number of lines; a last line without a newline counts."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def _text(data: bytes) -> tuple[str, str, bool]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            if encoding != "utf-8":
                return (
                    data[len(mark) :].decode(encoding, errors="replace"),
                    encoding,
                    True,
                )
            text, encoding = _guess(data[len(mark) :])
            return text, encoding, True
    return *_guess(data), False


def _guess(data: bytes) -> tuple[str, str]:
    if b"\0" in data[:SNIFFED_BYTES]:
        return "", ""
    for encoding in _ENCODINGS:
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return "", ""


def _newline(text: str) -> Newline:
    both = text.count("\r\n")
    counts: dict[Newline, int] = {
        "crlf": both,
        "cr": text.count("\r") - both,
        "lf": text.count("\n") - both,
    }
    used: list[Newline] = [name for name, count in counts.items() if count]
    if len(used) != 1:
        return "mixed"
    return used[0]


def _has_blank_run(text: str) -> bool:
    # A run of more than two chunks contains at least one whole aligned chunk. A few
    # isspace calls, each of which stops at the first letter, therefore rule out most
    # texts.
    size = MAX_BLANK_RUN // 2
    starts = range(0, len(text), size)
    has_blank_chunk = any(text[start : start + size].isspace() for start in starts)
    if not has_blank_chunk:
        return False
    runs = _BLANKS.finditer(text)
    return any(len(run.group()) > MAX_BLANK_RUN for run in runs)


BOM = "\ufeff"


def decode_exactly(data: bytes) -> str:
    """Decode UTF-8 without loss: the byte order mark and newlines stay as they are.

    Raises: Invalid for a file that is not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Invalid.on(
            line, "the file is not UTF-8 text", "save it as UTF-8"
        ) from error


def line_sum(line: str) -> int:
    """Return the CRC-32 of a line without surrounding whitespace; 0 for a line shorter
    than `LEAST`.
    """
    line = line.strip(BLANKS)
    if len(line) < LEAST:
        return 0
    return crc32(line.encode("utf-8", "replace"))


def line_sums(text: str) -> array[int]:
    """Return the `line_sum` of each line. A trailing newline does not start another
    line.
    """
    lines = text.removesuffix("\n")
    if not text.isascii():
        return array("I", map(line_sum, lines.split("\n")))
    if not text:
        return array("I")
    # Fast path: encodes the text once and avoids a function call per line.
    rows = [row.strip(_BLANK_BYTES) for row in lines.encode().split(b"\n")]
    return array("I", [crc32(row) if len(row) >= LEAST else 0 for row in rows])


class LineTable:
    """Index of the line starts of a UTF-8 text, searched by bisection; `first` is the
    number of its first line.
    """

    __slots__ = ("data", "first", "starts")

    def __init__(self, data: bytes, first: int = 1) -> None:
        self.data = data
        self.first = first
        lengths = [len(line) + 1 for line in data.split(b"\n")]
        self.starts = [0, *accumulate(lengths)]

    @property
    def last(self) -> int:
        """The number of the last line; a trailing newline does not start another
        line.
        """
        return self.line(max(len(self.data) - 1, 0))

    def line(self, offset: int) -> int:
        """Return the number of the line that contains the byte at `offset`."""
        return bisect_right(self.starts, offset) + self.first - 1

    def last_line(self, start: int, end: int) -> int:
        """Return the number of the line of the last non-blank byte in `start:end`."""
        data = self.data
        while end > start + 1 and data[end - 1] in b" \t\n":
            end -= 1
        return self.line(max(end - 1, start))

    def offset(self, line: int) -> int:
        """Return the offset of the first byte of a line."""
        return self.starts[line - self.first]


def conflict_line(text: str, *, fences: bool = False) -> int:
    """Return the 1-based line of the first conflict of a text; 0 if there is none.

    With `fences`, markers in a code fence of Markdown are an example.
    """
    if "<<<<<<<" not in text:
        return 0
    text = text.replace("\r\n", "\n")
    for match in _MARKERS.finditer(text):
        before = text[: match.start()]
        if fences and len(_FENCE.findall(before)) % 2:
            continue
        return before.count("\n") + 1
    return 0
