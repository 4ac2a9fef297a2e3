"""Quoting of untrusted text: code fences, inline code and quotation marks."""

from __future__ import annotations

import re

from cuedeck.model.display import shorten
from cuedeck.parse.languages import language_of_suffix

_FORMATS = {
    "css": "css",
    "html": "html",
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
"""Info strings of formats that are no language of `parse.languages`, or have another name there, by suffix."""
_BLANK = re.compile(
    r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]+"
)
"""Whitespace, control characters, bidirectional marks, and invisible characters, which can hide text from a reader."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])(?!secret:[a-z0-9-]+(?::\d+)?>)")
"""The start of an HTML tag, except for secret placeholders."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")  # a YAML title can contain a lone surrogate, a file cannot


def fence(text: str, language: str = "") -> str:
    """Enclose `text` in a fence longer than any run of backticks inside it, followed by a blank line."""
    marks = "`" * max(3, _longest_run(text) + 1)
    ending = "" if text.endswith("\n") or not text else "\n"
    return f"{marks}{language}\n{text}{ending}{marks}\n\n"


def language_of(path: str) -> str:
    """Return the info string for a file, by its suffix; empty when unknown."""
    if "." not in path:
        return ""
    suffix = path.rsplit(".", 1)[-1].lower()
    if suffix in _FORMATS:
        return _FORMATS[suffix]
    language = language_of_suffix(f".{suffix}")
    return language.name if language is not None else ""


def code(line: str) -> str:
    """Return a line as inline code, with enough backticks and padding if it contains backticks."""
    marks = "`" * (_longest_run(line) + 1)
    return f"{marks} {line} {marks}" if len(marks) > 1 else f"`{line}`"


def fold(text: str, most: int) -> str:
    """Replace whitespace and control characters by spaces and cut to `most` characters; `…` marks the cut."""
    return shorten(_BLANK.sub(" ", _SURROGATE.sub("\ufffd", text)).strip(), most)


def named(name: str, most: int = 200) -> str:
    """Return a name, for example of a file, as inline code on one line, cut to `most` characters."""
    return code(fold(name, most))


def single_line(text: str, most: int) -> str:
    """Return a folded text with backticks replaced by apostrophes."""
    return fold(text, most).replace("`", "'")


def escaped(text: str, most: int) -> str:
    """Return text for a heading: on one line, with its tags and backticks made harmless."""
    return _TAG.sub("‹", single_line(text, most))


def quoted(text: str, most: int) -> str:
    """Return text of a ledger, title or record as quoted data: on one line, between “ and ”.

    The text cannot end the quotation, and its tags, backticks and line ends have no effect on the page.
    """
    inner = escaped(text, most).replace("“", '"').replace("”", '"')
    return f"“{inner}”"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
