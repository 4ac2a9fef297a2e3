"""Normalised copies of text parts in which encoding or line breaks hide a secret from
the rules.

Terminal colours, percent-encoding, zero-width characters and line continuations may
split a secret or put a letter directly before it. The rules search the copy, and each
match is mapped back to the original text. Only the lines around such writing are
copied, so a text without it costs a few substring searches. So may a line end divide
a token of a known vendor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_BEFORE, _AFTER = 1_000, 10_000
"""Maximum number of characters copied before and after an edit."""
_JOINT = 20
"""Maximum number of characters between the end of a string and its continuation on the
next line.
"""
_QUOTES = ("'", '"')
_VALUE_SIGNS = "+/_-"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufe0e-\ufe0f\ufeff\ufff9-\ufffb"
)
# Strings, which `re` compiles at their first use. An invisible sign is a match of its
# own, because a search for a set is faster than for a run of it.
_PARAMETERS = r"[0-?]*[ -/]*[@-~]"
_COLOUR = (
    rf"\x1b\[{_PARAMETERS}|\x9b{_PARAMETERS}|\x1b\][^\x07\x1b\n]{{0,1000}}(?:\x07|\x1b\\)"
    r"|\x1b[@-Z^_]"
)
_PERCENT = r"%([2-7][0-9A-Fa-f])"
_CONTINUED = r"\r?\n(?<![\s\\\"'`]\\\n)(?<![\s\\\"'`]\\\r\n)[ \t]*"
"""The value directly precedes the backslash; after a blank, the next line is another
argument.
"""
_AFTER_BACKSLASH = rf"\\(?:{_CONTINUED}|(?:x1[bB]|033|e|u001[bB])\[[0-9;]*[A-Za-z])"
"""A line continuation, or an escaped terminal colour in source code or JSON."""
_OPENING = r"\n(?<=[\"'`\\+.&\r \t]\n)[ \t]*(?:[+.&][ \t]*)?[bfruBFRU]{0,2}([\"'`])(?=[^\s\"'`])"
_CLOSING = r"(?<=[^\s\"'`\\])([\"'`])[ \t]*(?:[\\+.&][ \t]*)?\r?\Z"
_JOINED = rf"{{0}} (?:[+.&] )?{{0}}(?=[\w{re.escape(_VALUE_SIGNS)}])"
_FOLDED = r":[ \t]+>[-+]?[ \t]*\r?\n(?P<body>(?:[ \t]+[^\s]+[ \t]*(?:\r?\n|$)){2,40})"
_GAP = r"[ \t]*\r?\n[ \t]+(?=\S)"


Edit = tuple[int, int, str]
"""The start and end of a span of the original, and its replacement in the copy."""


class NormalizedText(NamedTuple):
    """A normalised copy of a part of a text, with its mapping to the original."""

    text: str
    starts: Sequence[int]
    """The start of each character in the original, between those of the part and its
    end.
    """
    ends: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the span in the original, or None if the span contains no edit and
        does not border on one.
        """
        size = min(end + 1, len(self.text)) - max(start - 1, 0)
        if self.ends[end + 1] - self.starts[start] == size:
            return None
        return self.starts[start + 1], self.ends[end]


def normalized_texts(text: str) -> Iterator[NormalizedText]:
    """Yield a normalised copy of each part of a text that needs one."""
    group: list[Edit] = []
    low = high = 0
    for edit in _edits(text):
        start, end = _window(text, edit)
        if group and edit[0] > high:
            yield _copy(text, low, high, group)
            group = []
        if not group:
            low, high = start, end
        high = max(high, end)
        group.append(edit)
    if group:
        yield _copy(text, low, high, group)


def _window(text: str, edit: Edit) -> tuple[int, int]:
    """Return the span of the lines around an edit and the line before them, which may
    contain the name of a value.
    """
    start, end, _ = edit
    low = max(start - _BEFORE, 0)
    line = text.rfind("\n", low, start)
    if line > low:
        line = text.rfind("\n", low, line)
    high = min(end + _AFTER, len(text))
    following = text.find("\n", end, high)
    return max(line + 1, low), following + 1 if following >= 0 else high


def _copy(text: str, low: int, high: int, edits: Sequence[Edit]) -> NormalizedText:
    parts: list[str] = []
    starts = [low]
    ends = [low]
    at = low
    for start, end, new in (*edits, (high, high, "")):
        parts += (text[at:start], new)
        starts += range(at, start)
        ends += range(at + 1, start + 1)
        starts += [start] * len(new)
        ends += [end] * len(new)
        at = end
    return NormalizedText("".join(parts), [*starts, high], [*ends, high])


def _edits(text: str) -> list[Edit]:
    found: list[Edit] = []
    removed = []
    if "\x1b" in text or "\x9b" in text:
        removed.append(_COLOUR)
    if not text.isascii():
        removed.append(f"[{_INVISIBLE}]")
    if "\\" in text:
        removed.append(_AFTER_BACKSLASH)
    for pattern in removed:
        found += [(*match.span(), "") for match in re.finditer(pattern, text)]
    if "%" in text:
        for match in re.finditer(_PERCENT, text):
            found.append((*match.span(), chr(int(match[1], 16))))
    found += _joints(text)
    edits: list[Edit] = []
    for edit in sorted(found):
        if not edits or edit[0] >= edits[-1][1]:
            edits.append(edit)
    return edits


def _joints(text: str) -> Iterator[Edit]:
    """Yield what joins the strings of a concatenation, or the lines of folded YAML."""
    for opening in re.finditer(_OPENING, text) if "\n" in text else ():
        start = max(opening.start() - _JOINT, 0)
        closing = re.search(_CLOSING, text[start : opening.start()])
        if closing and closing[1] == opening[1]:
            yield start + closing.start(), opening.end(), ""
    for block in re.finditer(_FOLDED, text) if ": >" in text else ():
        for gap in re.compile(_GAP).finditer(text, *block.span("body")):
            yield *gap.span(), ""
    for quote in _QUOTES:
        for joint in re.finditer(_JOINED.format(quote), text) if quote in text else ():
            before = text[joint.start() - 1 : joint.start()]
            if before.isalnum() or before in _VALUE_SIGNS:
                yield *joint.span(), ""


_MOST_LINES = 40
_WRAPPED_LINE = 70
"""Characters of a line that was probably wrapped because it was full."""
_PART = re.compile(r"[\w./+=~%-]{4,400}")
_NEXT = re.compile(
    r"""
    (?P<gap>[ \t]?(?:\r?\n|\\r\\n|\\n)[ \t>]{0,8})
    (?P<part>[\w.+/=-][\w./+=~%-]{0,399})
    """,
    re.VERBOSE,
)
"""A line end, also an escaped one, and the first word of the next line."""
_WORD_END = re.compile(r"\S{1,40}\Z")
_RANDOM = re.compile(
    r"""
    (?=.{8})(?=\D*\d)
    (?:
        (?=(?:\D*\d){2})(?=.*[A-Za-z])
        | (?=.*[a-z])(?=.*[A-Z])
    )
    """,
    re.VERBOSE,
)
"""A digit with letters of both cases, or two digits with letters."""


def broken_tokens(
    text: str, prefixes: Sequence[str], pattern: re.Pattern[str]
) -> Iterator[NormalizedText]:
    """Yield a copy of each token of a known vendor that a line end may divide, with its
    parts joined: terminals wrap long lines.

    Only a part with the prefix of a vendor is joined with the next one, because any two
    words could be a token. A token that is whole at the end of a line, by the pattern
    of its vendor, goes on in the next line if the line is full and the next word looks
    random.
    """
    for prefix in prefixes:
        at = text.find(prefix)
        while at >= 0:
            parts = _parts(text, at, prefix)
            end = at + len(prefix)
            if parts:
                # Each part is read once, so that many prefixes take linear time.
                end = parts[-1].start("part")
                word = _WORD_END.search(text, max(at - 40, 0), at)
                start = word.start() if word else at
                joint = parts[0].start()
                line = text.rfind("\n", 0, joint) + 1
                is_full = joint - line >= _WRAPPED_LINE
                may_continue = is_full and _RANDOM.match(parts[0]["part"])
                if may_continue or not pattern.search(text[start:joint]):
                    edits = [(*part.span("gap"), "") for part in parts]
                    yield _copy(text, start, parts[-1].end(), edits)
            at = text.find(prefix, end)


def _parts(text: str, at: int, prefix: str) -> list[re.Match[str]]:
    """Return the further parts of the token that begins at a position.

    Only the second part may be a word that does not look random. A part that begins
    with the prefix is another token, except after the dot of a JWT.
    """
    found: list[re.Match[str]] = []
    before = _PART.match(text, at)
    while before is not None and len(found) < _MOST_LINES:
        following = _NEXT.match(text, before.end())
        if following is None:
            break
        part = following["part"]
        if part.startswith(prefix) and not before[0].endswith("."):
            break
        is_random = _RANDOM.match(part)
        if is_random or not found:
            found.append(following)
        if not is_random:
            break
        before = following
    return found
