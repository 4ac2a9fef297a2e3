"""Assumption checks against the files of a workspace; each kind of check is a row of
`CHECKS`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from cuedeck.model.assumption import Assumption, Check, Verdict
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.parse.config_values import env_names, is_env
from cuedeck.parse.linear_patterns import compile_pattern, searchable
from cuedeck.parse.manifests import (
    Dependency,
    by_nearness,
    find_dependency,
    split_constraint,
)
from cuedeck.text.plain_text import fold_case

if TYPE_CHECKING:
    from cuedeck.work.assumptions.check_sources import Sources

LARGEST_SEARCHED = 2_000_000
"""Maximum characters of a text for regular expressions and for parsing configuration.
"""
LONGEST_LINE = 10_000
"""Maximum characters of a line that a regular expression is applied to."""


_MOST_PLACES = 3


def judge(assumption: Assumption, sources: Sources) -> Verdict:
    """Check one assumption. An assumption without a check holds, with empty evidence.

    A regular expression is applied line by line, to the first 10,000 characters of
    each, in texts of at most 2 MB, in time linear in the text.
    """
    check = assumption.check
    if check is None:
        return Verdict(holds=True, evidence="", fault="")
    try:
        return CHECKS[check.kind](check, sources)
    except (Invalid, Ambiguous) as error:
        listed = ""
        if error.candidates:
            listed = f": {', '.join(error.candidates)}"
        return Verdict(holds=False, evidence="", fault=f"{error.message}{listed}")


def _found(holds: bool, what: str, path: str, line: int) -> Verdict:
    """Return the verdict about something on a line; `line` is 0 if unknown."""
    where = f"{path}:{line}" if line else path
    return Verdict(holds, f"Found {_quoted(what)} ({where})", "", path, line)


def _not_found(holds: bool, what: str, path: str, place: str = "") -> Verdict:
    """Return the verdict about something that is not in a place."""
    within = f" in {place}" if place else ""
    return Verdict(holds, f"Not found: {_quoted(what)}{within}", "", path)


def _quoted(text: str) -> str:
    """Return text as inline code on one line."""
    words = " ".join(text.split())
    return f"`` {words} ``" if "`" in words else f"`{words}`"


def _file_exists(check: Check, sources: Sources) -> Verdict:
    path = check.word("path")
    if sources.exists(path):
        return Verdict(True, f"Found {_quoted(path)}", "", path)
    return _not_found(False, path, path)


def _file_absent(check: Check, sources: Sources) -> Verdict:
    found = _file_exists(check, sources)
    if found.holds:
        return found._replace(holds=False)
    return _not_found(True, check.word("path"), "")


def _contains(check: Check, sources: Sources) -> Verdict:
    path = check.word("path")
    if is_env(path):
        raise Invalid(f"texts of `{path}` are not read; check a name of it with config")
    text = sources.read(path)
    if text is None:
        return _not_found(False, path, path)
    wanted = check.word("text") or check.word("regex")
    found = _search(check, text, path)
    if found is None:
        return _not_found(False, wanted, path, path)
    words, line = found
    if not check.word("text"):
        words = sources.shown(path, line, words)
    return _found(True, words, path, line)


def _not_contains(check: Check, sources: Sources) -> Verdict:
    found = _contains(check, sources)
    if not found.holds and not sources.exists(found.path):
        raise Invalid(f"`{found.path}` does not exist")
    return found._replace(holds=not found.holds)


def _dependency(check: Check, sources: Sources) -> Verdict:
    """Look a dependency up in the project files nearest to the workspace root that name
    it.

    Files further down, such as those of examples and tests, count only where no nearer
    file names the dependency. Of files at one depth the first that names versions
    decides.
    """
    name, wanted = split_constraint(check.word("name"))
    path = check.word("path")
    paths = [path] if path else sources.manifests()
    broken: list[Invalid] = []
    for group in by_nearness(paths):
        first: Verdict | None = None
        for each in group:
            text = sources.read(each)
            if text is None:
                return _not_found(False, each, each)
            try:
                found = find_dependency(each, text, name, wanted)
            except Invalid as error:
                broken.append(error)
                continue
            if found is None:
                continue
            dependency, fits = found
            if not wanted:
                return _found(True, dependency.name, each, dependency.line)
            answer = _found_version(fits, dependency, wanted, each)
            if dependency.versions:
                return answer
            first = first or answer
        if first is not None:
            return first
    if broken:
        raise broken[0]
    place = ", ".join(paths) or "the project files (there are none)"
    if len(paths) > _MOST_PLACES:
        place = f"any of {len(paths):,} project files"
    return _not_found(False, check.word("name"), path, place)


def _found_version(
    fits: bool, dependency: Dependency, wanted: str, path: str
) -> Verdict:
    """Return the verdict that compares the assumed version of a dependency with the one
    a project file allows.
    """
    where = f"{path}:{dependency.line}" if dependency.line else path
    found = _quoted(dependency.versions) if dependency.versions else "no version"
    assumed = _quoted(f"{dependency.name} {wanted}")
    evidence = f"Assumed {assumed}; found {found} ({where})"
    return Verdict(fits, evidence, "", path, dependency.line)


def _config(check: Check, sources: Sources) -> Verdict:
    from cuedeck.parse.config_values import find_value, same_value, shown_value

    path, key = check.word("path"), check.word("key")
    if is_env(path) and "equals" in check.values:
        raise Invalid(
            f"values of `{path}` are not read; a check can only test that `{key}` is set"
        )
    text = sources.read(path)
    if text is None:
        return _not_found(False, path, path)
    if is_env(path):
        line = env_names(text).get(key, 0)
        if line:
            return _found(True, key, path, line)
        return _not_found(False, key, path, path)
    if len(text) > LARGEST_SEARCHED:
        raise Invalid(f"`{path}` is larger than 2 MB")
    found = find_value(path, text, key)
    if found is None:
        return _not_found(False, key, path, path)
    if "equals" not in check.values:
        return _found(True, key, path, found.line)
    is_same = same_value(check.values["equals"], found.value)
    evidence = sources.shown(path, found.line, f"{key} = {shown_value(found.value)}")
    return _found(is_same, evidence, path, found.line)


def _doc_says(check: Check, sources: Sources) -> Verdict:
    address = check.word("address")
    try:
        passage = sources.passage(address)
    except NotFound:
        return _not_found(False, address, "")
    if is_env(passage.path):
        raise Invalid(
            f"texts of `{passage.path}` are not read; check a name of it with config"
        )
    line = _line_of(passage.text, check.word("text"))
    if not line:
        return _not_found(False, check.word("text"), passage.path, address)
    return _found(True, check.word("text"), passage.path, passage.first + line - 1)


CHECKS: Mapping[str, Callable[[Check, Sources], Verdict]] = {
    "file_exists": _file_exists,
    "file_absent": _file_absent,
    "contains": _contains,
    "not_contains": _not_contains,
    "dependency": _dependency,
    "config": _config,
    "doc_says": _doc_says,
}


def _search(check: Check, text: str, path: str) -> tuple[str, int] | None:
    """Return the match and its line: the first of its lines that is not empty.

    Raises: Invalid if the text is too large for a regular expression, which is searched
    line by line; long lines are truncated.
    """
    wanted = check.word("text").replace("\r\n", "\n")
    if wanted:
        at = text.find(wanted)
        lead = len(wanted) - len(wanted.lstrip("\n"))
        return (wanted, text.count("\n", 0, at + lead) + 1) if at >= 0 else None
    if len(text) > LARGEST_SEARCHED:
        raise Invalid(f"`{path}` is larger than 2 MB")
    pattern = compile_pattern(check.word("regex"))
    for number, line in enumerate(searchable(text).split("\n"), 1):
        if found := pattern.search(line[:LONGEST_LINE]):
            return found[0] or line, number
    return None


def _line_of(text: str, wanted: str) -> int:
    """Return the line where a text starts, ignoring case and whitespace; 0 if it does
    not occur.
    """
    starts: list[int] = []
    numbers: list[int] = []
    pieces: list[str] = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        if words := fold_case(line):
            starts.append(at)
            numbers.append(number)
            pieces.append(words)
            at += len(words) + 1
    found = " ".join(pieces).find(fold_case(wanted))
    if found >= 0 and numbers:
        return numbers[bisect_right(starts, found) - 1]
    return 0
