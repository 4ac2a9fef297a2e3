"""YAML reader: composed nodes, plain values with the line of every key, and
explanations of errors. Scalars stay strings as written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml  # type: ignore[import-untyped,unused-ignore]

from cuedeck.model.ports import Json

TOO_DEEP = "front matter is nested too deeply"
TOO_DEEP_HINT = "front matter needs no more than a few levels"
MOST_NESTED = 60
"""Maximum nesting at which keys and their lines are recorded: the path of each key is
stored.
"""
_MOST_NODES = 100_000
_OPENED = (
    "while scanning a quoted",
    "while scanning a simple key",
    "while parsing a flow",
)
_PAIR = re.compile(r":(?:\s|$)|^\s*(?:$|-|#)")
_VALUE = r"(?:^|:\s|-\s)\s*"
_HINTS = (
    (r"\t", "indent with blanks; YAML allows no tabs"),
    (
        rf"{_VALUE}([@`%*&!|>])",
        "put the value in quotes; a plain value cannot begin with {0}",
    ),
    (r":\s.*:(?:\s|$)", "put the value in quotes, because it contains `: `"),
    (rf"{_VALUE}([\[{{])", "close the bracket, or put the value in quotes"),
    (
        rf"{_VALUE}([\"'])",
        "close the quote, with nothing after it; use the other kind of quote inside",
    ),
    (r"^\s*-(?:\s|$)", "indent the list below its key"),
    (r"^[^:]*$", "write `key: value`, or indent the line below its key"),
    (r"^[^:]*:\S", "put a blank after the colon"),
    ("", "put the value in quotes, or check the indentation"),
)
"""Pattern of a row that is not valid, and what to do; the first match counts."""
# Line breaks in YAML, but not in the line count of a file.
_BREAKS = re.compile("[\x85\u2028\u2029]")

Keys = tuple[str, ...]
"""The path of a key."""

_Base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class _Loader(_Base):  # type: ignore[misc]
    def resolve(self, *_: object) -> str:
        """Return no tag: tags are unused, and resolving them costs as much as the rest
        of the loading.
        """
        return ""

    def descend_resolver(self, *_: object) -> None:
        """Note no path of a node, because there are no tags."""

    ascend_resolver = descend_resolver


def compose(text: str) -> Any:
    """Return the root node of a document, None if it is empty. Raises: YAMLError, and
    RecursionError without libyaml.
    """
    return yaml.compose(text, Loader=_Loader)


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
        row = text.count("\n", 0, bad.start()) if bad else 0
        return row, "front matter contains a control character", "remove the character"
    # An unclosed bracket or quote is reported at the end of the text; the row to
    # correct is the one that opens it.
    mark = error.problem_mark or error.context_mark
    if error.context_mark and (error.context or "").startswith(_OPENED):
        mark = error.context_mark
    rows = text.split("\n")
    row = 0
    if mark is not None:
        row = min(row_of(mark, odd_breaks(text)), len(rows) - 1)
    problem = error.problem or "it cannot be read"
    if "nesting depth" in problem:
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
        match = re.search(pattern, row)
        if match:
            return hint.format(*match.groups())
    return ""


def read_yaml(text: str) -> tuple[Sequence[Any], Mapping[Keys, int]]:
    """Return the documents of a file, and the line of the first occurrence of each key
    path.

    Raises: ValueError for invalid YAML or too many values.
    """
    reading = _Reading()
    try:
        nodes = yaml.compose_all(text, Loader=_Loader)
        return [reading.value(node, ()) for node in nodes], reading.lines
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", "") or "it cannot be read"
        mark = getattr(error, "problem_mark", None)
        if mark is not None:
            problem = f"{problem} (line {mark.line + 1})"
        raise ValueError(problem) from None


class _Reading:
    """Conversion of YAML nodes to values, limited in size: nested aliases make a small
    text expand exponentially.
    """

    def __init__(self) -> None:
        self.lines: dict[Keys, int] = {}
        self._left = _MOST_NODES

    def value(self, node: Any, path: Keys) -> Any:
        """Return the plain value of a node. Raises: ValueError above 100,000 nodes."""
        self._left -= 1
        if self._left < 0:
            raise ValueError("too many values")
        if node is None:
            return ""
        if node.id == "scalar":
            return node.value
        if node.id == "sequence":
            items = enumerate(node.value)
            return [self.value(each, (*path, str(at))) for at, each in items]
        found: Json = {}
        bases: list[Any] = []
        for key, each in node.value:
            if key.id != "scalar":
                continue
            if key.value == "<<":
                bases += each.value if each.id == "sequence" else [each]
                continue
            key_path = (*path, key.value)
            if len(key_path) <= MOST_NESTED:
                self.lines.setdefault(key_path, key.start_mark.line + 1)
            found[key.value] = self.value(each, key_path)
        for base in bases:
            if base.id == "mapping":
                found = {**self.value(base, path), **found}
        return found
