"""What a check found, or did not find, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.display import shorten

if TYPE_CHECKING:
    from cuedeck.parse.manifests import Dependency

_LONGEST_SHOWN = 80
_MOST_PLACES = 3


class Answer(NamedTuple):
    """What a check gave."""

    holds: bool
    evidence: str
    path: str = ""
    """Where that is, or should be; empty when it is no one place."""
    line: int = 0
    """0 when unknown."""


def there(path: str) -> Answer:
    """Say that a path is there, and that this is well."""
    return Answer(True, f"Found {_quoted(path)}", path)


def found_at(holds: bool, what: str, path: str, line: int) -> Answer:
    """Say that something was found on a line; 0 when the line is unknown."""
    where = f"{path}:{line}" if line else path
    return Answer(holds, f"Found {_quoted(what)} ({where})", path, line)


def found_version(holds: bool, dependency: Dependency, wanted: str, path: str) -> Answer:
    """Say which versions of a dependency were assumed, and which a project file allows."""
    where = f"{path}:{dependency.line}" if dependency.line else path
    assumed = _quoted(f"{dependency.name} {wanted}")
    found = _quoted(dependency.versions) if dependency.versions else "no version"
    return Answer(holds, f"Assumed {assumed}; found {found} ({where})", path, dependency.line)


def missing(what: str, path: str = "") -> Answer:
    """Say that what should not be there is not there."""
    return Answer(True, f"Not found: {_quoted(what)}" + (f" in {path}" if path else ""), path)


def gone(path: str) -> Answer:
    """Say that what was asked is no longer there to be asked."""
    return Answer(False, f"Not found: {_quoted(path)}", path)


def lost(what: str, place: str, path: str | None = None) -> Answer:
    """Say that something is no longer where it was; `path` is given when `place` is none."""
    return Answer(False, f"Not found: {_quoted(what)} in {place}", place if path is None else path)


def places(paths: Sequence[str]) -> str:
    """Name project files, or count them."""
    if len(paths) > _MOST_PLACES:
        return f"any of {len(paths):,} project files"
    return ", ".join(paths) or "the project files (there are none)"


def cut(text: str) -> str:
    """Return the words of a file as far as they are shown; cut what is masked already, or half a secret leaves."""
    return shorten(" ".join(text.split()), _LONGEST_SHOWN)


def _quoted(text: str) -> str:
    """Return text as inline code on one line."""
    words = " ".join(text.split())
    return f"`` {words} ``" if "`" in words else f"`{words}`"
