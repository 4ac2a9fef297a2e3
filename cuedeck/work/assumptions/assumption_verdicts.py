"""Assumption checks against the files of a workspace; each kind of check is a row of
`CHECKS`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from cuedeck.ledger.check_messages import (
    Answer,
    absent_as_required,
    found_at,
    found_version,
    path_found,
    path_missing,
    project_files,
    target_missing,
)
from cuedeck.model.assumption import Assumption, Check, Verdict
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.parse.dotenv import env_names, is_env
from cuedeck.parse.linear_patterns import compile_pattern, searchable
from cuedeck.parse.manifests import by_nearness, find_dependency, split_constraint
from cuedeck.text.plain_text import fold_case

LARGEST_SEARCHED = 2_000_000
"""Maximum characters of a text for regular expressions and for parsing configuration.
"""
LONGEST_LINE = 10_000
"""Maximum characters of a line that a regular expression is applied to."""


class Passage(NamedTuple):
    """The text at an address."""

    path: str
    first: int
    """Number of its first line."""
    text: str


class Sources(Protocol):
    """Port: workspace access for checks. Each method raises Invalid for paths outside
    it or unreadable files.
    """

    def exists(self, path: str) -> bool:
        """Return whether a file or folder exists."""
        ...

    def text(self, path: str) -> str | None:
        r"""Return the text of a file with `\n` newlines; None if it does not exist."""
        ...

    def manifests(self) -> Sequence[str]:
        """Return the sorted paths of the project files that name dependencies."""
        ...

    def passage(self, address: str) -> Passage:
        """Return the passage at an address. Raises: NotFound, Ambiguous."""
        ...

    def shown(self, path: str, line: int, words: str) -> str:
        """Return words found on a line of a file for display: masked and shortened."""
        ...


def judge(assumption: Assumption, sources: Sources) -> Verdict:
    """Check one assumption. An assumption without a check holds, with empty evidence.

    A regular expression is applied line by line, to the first 10,000 characters of
    each, in texts of at most 2 MB, in time linear in the text.
    """
    check = assumption.check
    if check is None:
        return Verdict(holds=True, evidence="", fault="")
    try:
        answer = CHECKS[check.kind](check, sources)
    except (Invalid, Ambiguous) as error:
        listed = ""
        if error.candidates:
            listed = f": {', '.join(error.candidates)}"
        return Verdict(holds=False, evidence="", fault=f"{error.message}{listed}")
    return Verdict(
        holds=answer.holds,
        evidence=answer.evidence,
        fault="",
        path=answer.path,
        line=answer.line,
    )


def _file_exists(check: Check, sources: Sources) -> Answer:
    path = check.word("path")
    if sources.exists(path):
        return path_found(path)
    return path_missing(path)


def _file_absent(check: Check, sources: Sources) -> Answer:
    path = check.word("path")
    return (
        path_found(path)._replace(holds=False)
        if sources.exists(path)
        else absent_as_required(path)
    )


def _contains(check: Check, sources: Sources) -> Answer:
    path = check.word("path")
    text = _searchable(path, sources)
    if text is None:
        return path_missing(path)
    found = _search(check, text, path)
    if found is None:
        return target_missing(_wanted(check), path)
    return found_at(True, _shown(check, found, path, sources), path, found[1])


def _not_contains(check: Check, sources: Sources) -> Answer:
    path = check.word("path")
    text = _searchable(path, sources)
    if text is None:
        raise Invalid(f"`{path}` does not exist")
    found = _search(check, text, path)
    if found is None:
        return absent_as_required(_wanted(check), path)
    return found_at(False, _shown(check, found, path, sources), path, found[1])


def _dependency(check: Check, sources: Sources) -> Answer:
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
        first: Answer | None = None
        for each in group:
            text = sources.text(each)
            if text is None:
                return path_missing(each)
            try:
                found = find_dependency(each, text, name, wanted)
            except Invalid as error:
                broken.append(error)
                continue
            if found is None:
                continue
            dependency, fits = found
            if not wanted:
                return found_at(True, dependency.name, each, dependency.line)
            answer = found_version(fits, dependency, wanted, each)
            if dependency.versions:
                return answer
            first = first or answer
        if first is not None:
            return first
    if broken:
        raise broken[0]
    return target_missing(check.word("name"), project_files(tuple(paths)), path)


def _config(check: Check, sources: Sources) -> Answer:
    from cuedeck.parse.config_values import find_value, same_value, shown_value

    path, key = check.word("path"), check.word("key")
    if is_env(path) and "equals" in check.values:
        raise Invalid(
            f"values of `{path}` are not read; a check can only test that `{key}` is set"
        )
    text = sources.text(path)
    if text is None:
        return path_missing(path)
    if is_env(path):
        line = env_names(text).get(key, 0)
        if line:
            return found_at(True, key, path, line)
        return target_missing(key, path)
    if len(text) > LARGEST_SEARCHED:
        raise Invalid(f"`{path}` is larger than 2 MB")
    found = find_value(path, text, key)
    if found is None:
        return target_missing(key, path)
    if "equals" not in check.values:
        return found_at(True, key, path, found.line)
    is_same = same_value(check.values["equals"], found.value)
    evidence = sources.shown(path, found.line, f"{key} = {shown_value(found.value)}")
    return found_at(is_same, evidence, path, found.line)


def _doc_says(check: Check, sources: Sources) -> Answer:
    address = check.word("address")
    try:
        passage = sources.passage(address)
    except NotFound:
        return path_missing(address)._replace(path="")
    if is_env(passage.path):
        raise Invalid(
            f"texts of `{passage.path}` are not read; check a name of it with config"
        )
    line = _line_of(passage.text, check.word("text"))
    if not line:
        return target_missing(check.word("text"), address, passage.path)
    return found_at(True, check.word("text"), passage.path, passage.first + line - 1)


CHECKS: Mapping[str, Callable[[Check, Sources], Answer]] = {
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
    """Return the match and its line. Raises: Invalid if the text is too large for a
    regular expression.
    """
    wanted = check.word("text")
    if wanted:
        return _find_text(wanted, text)
    if len(text) > LARGEST_SEARCHED:
        raise Invalid(f"`{path}` is larger than 2 MB")
    return _find_regex(check.word("regex"), text)


def _shown(check: Check, found: tuple[str, int], path: str, sources: Sources) -> str:
    """Return the match for display: the searched text as given, or the masked match of
    an expression.
    """
    if check.word("text"):
        return found[0]
    return sources.shown(path, found[1], found[0])


def _wanted(check: Check) -> str:
    return check.word("text") or check.word("regex")


def _find_text(wanted: str, text: str) -> tuple[str, int] | None:
    """Return the searched text and the line on which it starts; it may span several
    lines.
    """
    wanted = wanted.replace("\r\n", "\n")
    at = text.find(wanted)
    lead = len(wanted) - len(wanted.lstrip("\n"))
    if at >= 0:
        return (wanted, text.count("\n", 0, at + lead) + 1)
    return None


def _find_regex(expression: str, text: str) -> tuple[str, int] | None:
    """Return the first match and its line, searching line by line; long lines are
    truncated.
    """
    pattern = compile_pattern(expression)
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
