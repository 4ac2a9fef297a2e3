"""Mentions of a file of the workspace in a sentence."""

from __future__ import annotations

import re

_WORD = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*/?")
_GENERIC = frozenset(
    ["index", "main", "mod", "lib", "init", "__init__", "readme", "config", "settings"]
)
"""Names of files that most projects have several of: these need their folder."""
_LEAST_LETTERS = 5
"""Letters of the shortest name that counts without its ending."""


def names_file(sentence: str, path: str) -> bool:
    """Return whether a sentence contains a path, or the end of it from a name on."""
    return any(_is_end(word.rstrip("./"), path) for word in _WORD.findall(sentence))


def names_place(sentence: str, path: str) -> bool:
    """Return whether a sentence names a file, one of its folders with at least two
    parts, or the file without its ending: “the railway config” for `railway.json`.
    """
    folders = path.split("/")[:-1]
    above = {"/".join(folders[:end]) for end in range(2, len(folders) + 1)}
    stem = _stem(path)
    is_own = len(stem) >= _LEAST_LETTERS and stem not in _GENERIC
    for word in _WORD.findall(sentence):
        plain = word.rstrip("./")
        if plain in above or (word.endswith("/") and plain in folders):
            return True
        if _is_end(plain, path) or (is_own and plain.lower() == stem):
            return True
    return False


def _is_end(word: str, path: str) -> bool:
    if word == path:
        return True
    if not path.endswith(f"/{word}") or "." not in word:
        return False
    return "/" in word or _stem(word) not in _GENERIC


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower()
