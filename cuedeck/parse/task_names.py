"""Text of a task: its title, and the files and definitions that it names without the
marks of a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_WORD = re.compile(r"[^\s`'\"<>()\[\]{},;|“”‘’«»]+(?:\(\))?")
_POSITION = re.compile(r":\d+(?::\d+)?$")
"""Line and column after a path, as in the output of compilers."""
_PATH = re.compile(r"[^#]*/[^#]+(?:#.+)?|[^#/]+\.\w+(?:#.+)?|[^#/]+#.+")
"""A path with a folder, a file name with a suffix, or either with an anchor."""
_QUALIFIED = re.compile(r"[^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)+(?:\(\))?")
"""A definition with the name of its class or module."""
_SINGLE = re.compile(r"(?=.*[A-Z_])[^\W\d]\w+(?:\(\))?")
"""A single name; one without capital letters and underscores may be an ordinary word or
a built-in function.
"""
_ENDING = ".:!?…*"
"""Punctuation and emphasis after a name."""


class TaskName(NamedTuple):
    """A word of a task that looks like the address of a file or like the name of a
    definition, or like both.
    """

    text: str
    line: int
    is_path: bool
    is_definition: bool


def read_task_names(text: str) -> Iterator[TaskName]:
    """Yield the names in the text of a task, in its order; whether each exists is for
    the caller to find out.

    Web and mail addresses are left out. A single name counts with `()` or as inline
    code, unless it may be an ordinary word.
    """
    for number, line in enumerate(text.split("\n"), 1):
        for found in _WORD.finditer(line):
            word = found[0].strip("*").rstrip(_ENDING)
            word = _POSITION.sub("", word).removeprefix("./")
            if "://" in word or "@" in word:
                continue
            start, end = found.span()
            is_code = line[start - 1 : start] == "`" == line[end : end + 1]
            is_path = _PATH.fullmatch(word) is not None
            is_marked = is_code or word.endswith("()")
            is_definition = bool(
                _QUALIFIED.fullmatch(word) or (is_marked and _SINGLE.fullmatch(word))
            )
            if is_path or is_definition:
                yield TaskName(word, number, is_path, is_definition)


def task_title(text: str) -> str:
    """Return the first line of a task that is not blank, without the marks of a
    heading.
    """
    return text.strip().partition("\n")[0].strip("# ")
