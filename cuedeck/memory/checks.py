"""Checking assumptions against the texts of a workspace. Every kind of check is a row."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from cuedeck.model.assumption import Assumption, Check, Verdict
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.parse.env import env_names, is_env

LARGEST_SEARCHED = 2_000_000
"""Characters of a text above which no regular expression is tried, and no configuration read."""
LONGEST_LINE = 10_000
"""Characters of a line that a regular expression sees."""
_LONGEST_SHOWN = 80
_MOST_PLACES = 3


class Passage(NamedTuple):
    """The text behind an address."""

    path: str
    first: int
    """Line on which it begins."""
    text: str


class Sources(Protocol):
    """What checks see of a workspace. Each method raises Invalid for what lies outside or cannot be read."""

    def exists(self, path: str) -> bool:
        """Tell whether there is a file or a folder."""
        ...

    def text(self, path: str) -> str | None:
        """Return the text of a file, newlines as \\n; None when there is none."""
        ...

    def manifests(self) -> Sequence[str]:
        """Return the sorted paths of the project files that name dependencies."""
        ...

    def passage(self, address: str) -> Passage:
        """Return what an address stands for. Raises: NotFound, Ambiguous."""
        ...


class _Answer(NamedTuple):
    holds: bool
    evidence: str
    where: str = ""


def judge(assumption: Assumption, sources: Sources) -> Verdict:
    """Check one assumption. One without a check holds; nothing was found for it.

    A regular expression is tried line by line, on the first 10,000 characters of each, in texts of at most
    2 MB. That bounds what it sees, not the time a hostile one may take: the file belongs to the project.
    """
    check = assumption.check
    if check is None:
        return Verdict(assumption.id, True, "", "", "")
    try:
        answer = CHECKS[check.kind](check, sources)
    except (Invalid, Ambiguous) as error:
        listed = f": {', '.join(error.candidates)}" if error.candidates else ""
        return Verdict(assumption.id, False, "", "", f"{error.message}{listed}")
    return Verdict(assumption.id, answer.holds, answer.evidence, answer.where, "")


def _file_exists(check: Check, sources: Sources) -> _Answer:
    path = check.word("path")
    return _there(path) if sources.exists(path) else _gone(path)


def _file_absent(check: Check, sources: Sources) -> _Answer:
    path = check.word("path")
    return _there(path)._replace(holds=False) if sources.exists(path) else _Answer(True, f"Not found: {_quoted(path)}")


def _contains(check: Check, sources: Sources) -> _Answer:
    path = check.word("path")
    text = _searchable(path, sources)
    if text is None:
        return _gone(path)
    found = _search(check, text, path)
    return _found(True, found[0], path, found[1]) if found else _lost(_wanted(check), path)


def _not_contains(check: Check, sources: Sources) -> _Answer:
    path = check.word("path")
    text = _searchable(path, sources)
    if text is None:
        raise Invalid(f"`{path}` is not there")
    found = _search(check, text, path)
    if found is None:
        return _Answer(True, f"Not found: {_quoted(_wanted(check))} in {path}", path)
    return _found(False, found[0], path, found[1])


def _dependency(check: Check, sources: Sources) -> _Answer:
    from cuedeck.parse.manifests import find_dependency

    name, path = check.word("name"), check.word("path")
    texts = {each: sources.text(each) for each in ([path] if path else sources.manifests())}
    broken: list[Invalid] = []
    for each, text in texts.items():
        if text is None:
            return _gone(each)
        try:
            found = find_dependency(each, text, name)
        except Invalid as error:
            broken.append(error)
            continue
        if found is not None:
            return _found(True, found.name, each, found.line)
    if broken:
        raise broken[0]
    return _lost(name, _listed(tuple(texts)), path)


def _config(check: Check, sources: Sources) -> _Answer:
    from cuedeck.parse.config_values import find_value, same_value, shown_value

    path, key = check.word("path"), check.word("key")
    if is_env(path) and "equals" in check.values:
        raise Invalid(f"values of `{path}` are not read: only that `{key}` is set can be checked")
    text = sources.text(path)
    if text is None:
        return _gone(path)
    if is_env(path):
        line = env_names(text).get(key, 0)
        return _found(True, key, path, line) if line else _lost(key, path)
    if len(text) > LARGEST_SEARCHED:
        raise Invalid(f"`{path}` is larger than 2 MB")
    found = find_value(path, text, key)
    if found is None:
        return _lost(key, path)
    if "equals" not in check.values:
        return _found(True, key, path, found.line)
    return _found(
        same_value(check.values["equals"], found.value), f"{key} = {shown_value(found.value)}", path, found.line
    )


def _doc_says(check: Check, sources: Sources) -> _Answer:
    address = check.word("address")
    try:
        passage = sources.passage(address)
    except NotFound:
        return _gone(address)._replace(where="")
    if is_env(passage.path):
        raise Invalid(f"texts of `{passage.path}` are not read; check a name of it with config")
    line = _line_saying(passage.text, check.word("text"))
    if not line:
        return _lost(check.word("text"), address, passage.path)
    return _found(True, check.word("text"), passage.path, passage.first + line - 1)


CHECKS: Mapping[str, Callable[[Check, Sources], _Answer]] = {
    "file_exists": _file_exists,
    "file_absent": _file_absent,
    "contains": _contains,
    "not_contains": _not_contains,
    "dependency": _dependency,
    "config": _config,
    "doc_says": _doc_says,
}


def _searchable(path: str, sources: Sources) -> str | None:
    if is_env(path):
        raise Invalid(f"texts of `{path}` are not read; check a name of it with config")
    return sources.text(path)


def _search(check: Check, text: str, path: str) -> tuple[str, int] | None:
    """Return what was found and its line."""
    if wanted := check.word("text").replace("\r\n", "\n"):
        at = text.find(wanted)
        return (wanted, text.count("\n", 0, at) + 1) if at >= 0 else None
    if len(text) > LARGEST_SEARCHED:
        raise Invalid(f"`{path}` is larger than 2 MB")
    pattern = re.compile(check.word("regex"))
    for number, line in enumerate(text.split("\n"), 1):
        if found := pattern.search(line, 0, LONGEST_LINE):
            return found[0] or line, number
    return None


def _line_saying(text: str, wanted: str) -> int:
    """Return the line from which on a text says something, whatever its case and blanks; 0 when it does not."""
    starts: list[int] = []
    numbers: list[int] = []
    pieces: list[str] = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        if words := _folded(line):
            starts.append(at)
            numbers.append(number)
            pieces.append(words)
            at += len(words) + 1
    found = " ".join(pieces).find(_folded(wanted))
    return numbers[bisect_right(starts, found) - 1] if found >= 0 and numbers else 0


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _wanted(check: Check) -> str:
    return check.word("text") or check.word("regex")


def _there(path: str) -> _Answer:
    return _Answer(True, f"Found {_quoted(path)}", path)


def _found(holds: bool, what: str, path: str, line: int) -> _Answer:
    where = f"{path}:{line}" if line else path
    return _Answer(holds, f"Found {_quoted(what)} ({where})", where)


def _gone(path: str) -> _Answer:
    return _Answer(False, f"No longer found: {_quoted(path)}", path)


def _lost(what: str, place: str, where: str | None = None) -> _Answer:
    return _Answer(False, f"No longer found: {_quoted(what)} in {place}", place if where is None else where)


def _listed(paths: Sequence[str]) -> str:
    if len(paths) > _MOST_PLACES:
        return f"any of {len(paths):,} project files"
    return ", ".join(paths) or "the project files (there are none)"


def _quoted(text: str) -> str:
    """Return text as inline code on one line."""
    words = " ".join(text.split())
    cut = words if len(words) <= _LONGEST_SHOWN else words[: _LONGEST_SHOWN - 1] + "…"
    return f"`` {cut} ``" if "`" in cut else f"`{cut}`"
