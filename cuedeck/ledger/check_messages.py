"""Results of assumption checks, with the evidence in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.formatting import shorten

if TYPE_CHECKING:
    from cuedeck.parse.manifests import Dependency

_LONGEST_SHOWN = 80
_MOST_PLACES = 3


class Answer(NamedTuple):
    """The result of a check."""

    holds: bool
    evidence: str
    path: str = ""
    """The file that the evidence refers to; empty if it does not refer to a single
    file.
    """
    line: int = 0
    """0 when unknown."""


def path_found(path: str) -> Answer:
    """Return the answer for a path that exists, as the check requires."""
    return Answer(True, f"Found {_quoted(path)}", path)


def found_at(holds: bool, what: str, path: str, line: int) -> Answer:
    """Return the answer for something found on a line; `line` is 0 if unknown."""
    where = f"{path}:{line}" if line else path
    return Answer(holds, f"Found {_quoted(what)} ({where})", path, line)


def found_version(
    holds: bool, dependency: Dependency, wanted: str, path: str
) -> Answer:
    """Return the answer that compares the assumed version of a dependency with the one
    a project file allows.
    """
    where = f"{path}:{dependency.line}" if dependency.line else path
    assumed = _quoted(f"{dependency.name} {wanted}")
    found = "no version"
    if dependency.versions:
        found = _quoted(dependency.versions)
    return Answer(
        holds, f"Assumed {assumed}; found {found} ({where})", path, dependency.line
    )


def absent_as_required(what: str, path: str = "") -> Answer:
    """Return the answer for something absent, as the check requires."""
    place = f" in {path}" if path else ""
    return Answer(True, f"Not found: {_quoted(what)}{place}", path)


def path_missing(path: str) -> Answer:
    """Return the answer for a checked path or address that no longer exists."""
    return Answer(False, f"Not found: {_quoted(path)}", path)


def target_missing(what: str, place: str, path: str | None = None) -> Answer:
    """Return the answer for something no longer found in `place`; pass `path` if
    `place` is not a path.
    """
    message = f"Not found: {_quoted(what)} in {place}"
    if path is None:
        path = place
    return Answer(False, message, path)


def project_files(paths: Sequence[str]) -> str:
    """Return a list of project files for a message, or their number if there are more
    than three.
    """
    if len(paths) > _MOST_PLACES:
        return f"any of {len(paths):,} project files"
    return ", ".join(paths) or "the project files (there are none)"


def cut(text: str) -> str:
    """Return file text on one line, shortened for display; mask secrets first, or a
    part of one could remain.
    """
    return shorten(" ".join(text.split()), _LONGEST_SHOWN)


def _quoted(text: str) -> str:
    """Return text as inline code on one line."""
    words = " ".join(text.split())
    if "`" in words:
        return f"`` {words} ``"
    return f"`{words}`"
