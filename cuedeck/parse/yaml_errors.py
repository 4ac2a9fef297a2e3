"""Explanations of YAML errors: the row to correct, the problem and a hint."""

from __future__ import annotations

import re
from typing import Any

import yaml  # type: ignore[import-untyped,unused-ignore]

TOO_DEEP = "front matter is nested too deeply"
TOO_DEEP_HINT = "front matter needs no more than a few levels"
_OPENED = (
    "while scanning a quoted",
    "while scanning a simple key",
    "while parsing a flow",
)
_PAIR = re.compile(r":(?:\s|$)|^\s*(?:$|-|#)")
_HINTS = (
    (re.compile(r"\t"), "indent with blanks; YAML allows no tabs"),
    (
        re.compile(r"(?:^|:\s|-\s)\s*([@`%*&!|>])"),
        "put the value in quotes; a plain value cannot begin with {0}",
    ),
    (
        re.compile(r":\s.*:(?:\s|$)"),
        "put the value in quotes, because it contains `: `",
    ),
    (
        re.compile(r"(?:^|:\s|-\s)\s*([\[{])"),
        "close the bracket, or put the value in quotes",
    ),
    (
        re.compile(r"(?:^|:\s|-\s)\s*([\"'])"),
        "close the quote, with nothing after it; use the other kind of quote inside",
    ),
    (re.compile(r"^\s*-(?:\s|$)"), "indent the list below its key"),
    (re.compile(r"^[^:]*$"), "write `key: value`, or indent the line below its key"),
    (re.compile(r"^[^:]*:\S"), "put a blank after the colon"),
)
_HINT = "put the value in quotes, or check the indentation"


# Line breaks in YAML, but not in the line count of a file.
_BREAKS = re.compile("[\x85\u2028\u2029]")


def odd_breaks(text: str) -> str:
    """Return `text` if YAML counts its rows differently than the file does, else an
    empty string.
    """
    return text if _BREAKS.search(text) else ""


def row_of(mark: Any, odd: str) -> int:
    """Return the 0-based row of a YAML mark; `odd` is the result of `odd_breaks` for
    the text.
    """
    row: int = odd.count("\n", 0, mark.index) if odd else mark.line
    return row


def explain(error: yaml.YAMLError, text: str) -> tuple[int, str, str]:
    """Return (row, problem, hint) of a YAML error; the row is the 0-based row of `text`
    to correct.
    """
    if not isinstance(error, yaml.MarkedYAMLError):
        bad = yaml.reader.Reader.NON_PRINTABLE.search(text)
        row = 0
        if bad:
            row = text.count("\n", 0, bad.start())
        return row, "front matter contains a control character", "remove the character"
    # An unclosed bracket or quote is reported at the end of the text; the row to
    # correct is the one that opens it.
    mark = error.problem_mark or error.context_mark
    if error.context_mark and (error.context or "").startswith(_OPENED):
        mark = error.context_mark
    problem = error.problem or "it cannot be read"
    rows = text.split("\n")
    row = 0
    if mark is not None:
        row = min(row_of(mark, odd_breaks(text)), len(rows) - 1)
    if "nesting depth" in problem:  # the limit of libyaml from PyYAML 6.0.4 on
        return row, TOO_DEEP, TOO_DEEP_HINT
    while row and not rows[row].strip():
        row -= 1
    if row and "mapping values" in problem and not _PAIR.search(rows[row - 1]):
        # `a:b` parses as text that continues on the next line, so the parser reports
        # the correct line after it.
        row -= 1
    return row, f"front matter is not valid YAML: {problem}", _hint(rows[row])


def _hint(row: str) -> str:
    for pattern, hint in _HINTS:
        if match := pattern.search(row):
            return hint.format(*match.groups())
    return _HINT


_MAX_BRACKETS = 200
_MAX_INDENT = 400
_STEPS = re.compile(r"(?:[-?:][ \t]+){20}")


def may_be_deep(text: str) -> bool:
    """Return whether a text may be nested too deeply for the C loader.

    Before PyYAML 6.0.4 the C loader has no depth limit and crashes the process; the
    Python loader raises RecursionError.
    """
    if (
        text.count("[") + text.count("{") > _MAX_BRACKETS
        or "\n" + " " * _MAX_INDENT in text
    ):
        return True
    return _STEPS.search(text) is not None
