"""Quoting: files in fences they cannot close, names between backticks, words of ledgers between “ and ”."""

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
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
"""White space, control characters, and marks that turn the direction of writing."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])(?!secret:[a-z0-9-]+(?::\d+)?>)")
"""The beginning of a tag, but for that of a placeholder."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")  # a title in YAML can hold half a character, a file cannot


def fence(text: str, language: str = "") -> str:
    """Put `text` into a fence longer than any run of backticks inside it; a blank line follows."""
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
    """Put a line between backticks, as it is: between more of them, and blanks, where it holds some itself."""
    marks = "`" * (_longest_run(line) + 1)
    return f"{marks} {line} {marks}" if len(marks) > 1 else f"`{line}`"


def fold(text: str, most: int) -> str:
    """Fold white space and control characters and cut to `most` characters, the cut shown by `…`."""
    return shorten(_BLANK.sub(" ", _SURROGATE.sub("\ufffd", text)).strip(), most)


def named(name: str, most: int = 200) -> str:
    """Put a name, of a file say, between backticks on one line, cut to `most` characters."""
    return code(fold(name, most))


def single_line(text: str, most: int) -> str:
    """Fold a text as `fold` does, and its backticks, too."""
    return fold(text, most).replace("`", "'")


def escaped(text: str, most: int) -> str:
    """Return words for a heading: on one line, none of their tags and backticks one of the page."""
    return _TAG.sub("‹", single_line(text, most))


def quoted(text: str, most: int) -> str:
    """Return words of a ledger, a title or a record as quoted data: on one line, between “ and ”.

    Nothing in them ends the quotation, and none of their tags, backticks or line ends is one of the page.
    """
    inner = escaped(text, most).replace("“", '"').replace("”", '"')
    return f"“{inner}”"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
