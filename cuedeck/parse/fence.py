"""Quoting of untrusted text: code fences, numbered lines, inline code and quotation
marks.

A numbered line is `42│text`: the number in the file, `│`, and the text. One `⋮` line
between two passages states how many lines are left out there; nothing else marks an
omission. Between two signatures that are shown alone, no mark is needed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.formatting import shorten

if TYPE_CHECKING:
    from cuedeck.model.scene_values import Shown, Span

GUTTER = "│"
LONGEST_LINE = 200
"""Maximum characters of a line of a related source; minified code has longer ones."""

_FORMATS = {
    "css": "css",
    "html": "html",
    "ipynb": "markdown",
    "json": "json",
    "jsx": "jsx",
    "kt": "kotlin",
    "markdown": "markdown",
    "md": "markdown",
    "sql": "sql",
    "swift": "swift",
    "toml": "toml",
    "xml": "xml",
    "yaml": "yaml",
    "yml": "yaml",
}
"""Info strings of formats that are no language of `parse.languages`, or have another
name there, by suffix.
"""
_BLANK = (
    r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e"
    r"\u2060-\u206f\ufeff\U000e0000-\U000e007f]+"
)
"""Whitespace, control characters, bidirectional marks, and invisible characters, which
can hide text from a reader.
"""
_TAG = r"<(?=[A-Za-z/!?])(?!secret:[a-z0-9-]+(?::\d+)?>)"
"""The start of an HTML tag, except for secret placeholders."""
_IMAGE = r"!(?=\[)"
"""The start of a Markdown image, which a viewer would load."""
_UNSEEN = r"[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef]"
"""Invisible characters and marks of direction, which a reader of the page cannot see.
"""
_SURROGATE = r"[\ud800-\udfff]"
"""A YAML title can contain a lone surrogate, a file cannot."""


def fence(text: str, language: str = "") -> str:
    """Enclose `text` in a fence longer than any run of backticks inside it, followed by
    a blank line.
    """
    text = escape_unseen(text)
    marks = "`" * max(3, _longest_run(text) + 1)
    ending = "" if text.endswith("\n") or not text else "\n"
    return f"{marks}{language}\n{text}{ending}{marks}\n\n"


def escape_unseen(text: str) -> str:
    r"""Return file text with invisible characters as escapes, such as `\u200b`."""
    if text.isascii():
        return text
    return re.sub(_UNSEEN, _escape, text)


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\U{number:08x}" if number > 0xFFFF else f"\\u{number:04x}"


def language_of(path: str) -> str:
    """Return the info string for a file, by its suffix; empty when unknown."""
    if "." not in path:
        return ""
    suffix = path.rsplit(".", 1)[-1].lower()
    if suffix in _FORMATS:
        return _FORMATS[suffix]
    # Hooks quote lines of records, which have no language.
    from cuedeck.parse.languages import language_of_suffix

    language = language_of_suffix(f".{suffix}")
    return language.name if language is not None else ""


def code(line: str) -> str:
    """Return a line as inline code, with enough backticks and padding if it contains
    backticks.
    """
    marks = "`" * (_longest_run(line) + 1)
    return f"{marks} {line} {marks}" if len(marks) > 1 else f"`{line}`"


def fold(text: str, most: int) -> str:
    """Replace whitespace and control characters by spaces and cut to `most` characters;
    `…` marks the cut.
    """
    if text.isascii() and text.isprintable():
        # Most texts need none of the patterns, which take long to compile.
        return shorten(" ".join(text.split()), most)
    text = re.sub(_SURROGATE, "\ufffd", text)
    return shorten(re.sub(_BLANK, " ", text).strip(), most)


def named(name: str, most: int = 200) -> str:
    """Return a name, for example of a file, as inline code on one line, cut to `most`
    characters.
    """
    return code(fold(name, most))


def single_line(text: str, most: int) -> str:
    """Return a folded text with backticks replaced by apostrophes."""
    return fold(text, most).replace("`", "'")


def escaped(text: str, most: int) -> str:
    """Return text for a heading: on one line, with its tags, images and backticks made
    harmless.
    """
    line = single_line(text, most)
    if "![" in line:
        line = re.sub(_IMAGE, "! ", line)
    return re.sub(_TAG, "‹", line) if "<" in line else line


def quoted(text: str, most: int) -> str:
    """Return text of a ledger, title or record as quoted data: on one line, between “
    and ”.

    The text cannot end the quotation, and its tags, images, backticks and line ends
    have no effect on the page.
    """
    inner = escaped(text, most).replace("“", '"').replace("”", '"')
    return f"“{inner}”"


def _longest_run(text: str) -> int:
    if "`" not in text:
        return 0
    return max(len(run) for run in re.findall("`+", text))


class NumberedLine(NamedTuple):
    """A line of a file, masked and without its newline."""

    number: int
    text: str
    covered: int = 0
    """Number of further lines of the file that a secret in this line covers."""


def numbered(line: NumberedLine, most: int = 0) -> str:
    """Return a line with its number, its text cut to `most` characters; 0 for no
    limit.
    """
    text = escape_unseen(line.text)
    if most and len(text) > most:
        text = shorten(text, most)
    return f"{line.number}{GUTTER}{text}"


def gap(lines: int) -> str:
    """Return the mark for left-out lines."""
    return "⋮ 1 line" if lines == 1 else f"⋮ {lines} lines"


def gap_of(count: int, kind: str, names: Collection[str] = ()) -> str:
    """Return the mark for left-out entries of one kind, for example definitions, with
    the given names of them.
    """
    mark = f"⋮ {count} {kind}" if count == 1 else f"⋮ {count} {kind}s"
    return f"{mark}: {', '.join(names)}" if names else mark


def number_lines(
    passages: Iterable[Sequence[NumberedLine]],
    most: int = 0,
    signatures: Collection[int] = (),
) -> list[str]:
    """Return the numbered lines of some passages, in order, with a mark between
    passages that do not touch.

    A passage that is one line of `signatures` represents its definition, so that no
    mark is between two of them. Before other lines, which may belong to a later
    definition, there is one.
    """
    rows: list[str] = []
    last = 0
    was_signature = False
    for passage in passages:
        if not passage:
            continue
        is_signature = len(passage) == 1 and passage[0].number in signatures
        left_out = passage[0].number - last - 1
        if rows and left_out > 0 and not (is_signature and was_signature):
            rows.append(gap(left_out))
        rows += [numbered(line, most) for line in passage]
        was_signature = is_signature
        last = passage[-1].number + passage[-1].covered
    return rows


def passages_of(shown: Shown) -> Sequence[Span]:
    """Return the line ranges of a file that a visit shows as text; the rows of an
    outline are not counted.
    """
    if shown.visit.text or shown.visit.kind in ("folder", "binary"):
        return ()
    if shown.view == "full":
        return shown.visit.spans
    if shown.visit.tier == "related" or shown.view == "section":
        return shown.visit.parts
    return ()
