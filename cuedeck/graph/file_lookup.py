"""Lookup of files by written path, by name, or by the prefix of a card id."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, takewhile

from cuedeck.model.address import name_key
from cuedeck.model.file import File
from cuedeck.model.paths import CARDS, HOME
from cuedeck.model.ports import Lookup

_HOME = f"{HOME}/"
_DOCS = "docs/"
_CARD = "card:"
_RUNNING = ("wiki", "mention")
"""Forms used in running text, where a word is looked up as a name before it is looked up as a folder."""
_SHORTEST_PREFIX = 3
"""Minimum characters of a card id in running text; a shorter one such as `[[a]]` is more likely a typing error."""

Candidates = Sequence[str | None]
"""Workspace-relative paths to try, in order; None is a path outside the workspace."""


def find_paths(path: str, form: str, source: str, lookup: Lookup) -> Sequence[str] | str:
    """Return the matching paths, or the reason why there are none."""
    if path.startswith(_CARD):
        prefix = path.removeprefix(_CARD).strip()
        return _cards(prefix, lookup) or find_named(path, lookup) or "missing"
    candidates = candidates_of(path, form, source)
    if not path.endswith("/"):
        file = find_file(candidates, lookup)
        if file:
            return [file]
    found = _find_other(path, form, candidates, lookup)
    if found:
        return found
    return "outside" if None in candidates else "missing"


def _find_other(path: str, form: str, candidates: Candidates, lookup: Lookup) -> Sequence[str]:
    """Return the folder, the named files or the cards that a path refers to if it is not the path of a file."""
    if form == "markdown":
        return _find_folder(candidates, lookup)
    if form in _RUNNING and "/" not in path:
        found = find_named(path, lookup) or _find_folder(candidates, lookup)
    else:
        found = _find_folder(candidates, lookup) or find_named(path, lookup)
    if found or not _may_be_id(path, form):
        return found
    return _cards(path, lookup)


def _may_be_id(path: str, form: str) -> bool:
    if "/" in path or path.endswith(".md"):
        return False
    return form not in _RUNNING or len(path) >= _SHORTEST_PREFIX


@lru_cache(8_192)
def candidates_of(path: str, form: str, source: str) -> Candidates:
    """Return the workspace-relative paths to try, in order; None marks a path outside the workspace."""
    folder = posixpath.dirname(source) + "/"
    candidates: list[str | None] = []
    for start in dict.fromkeys(_starts(path, form, folder)):
        whole = posixpath.normpath(start.lstrip("/") + path.lstrip("/"))
        is_outside = whole == ".." or whole.startswith("../")
        candidates.append(None if is_outside else whole)
    return tuple(candidates)


def _starts(path: str, form: str, folder: str) -> tuple[str, ...]:
    """Return the folders in which a path written in a file of `folder` is looked up, in order."""
    if path.startswith("/"):
        return ("",)
    if path.startswith(("./", "../")) or path in (".", ".."):
        return ("",) if form in ("address", "pinned") else (folder,)
    if form == "markdown":
        return (folder, "", _HOME)
    if form == "mention":
        # `@doc/auth` omits the suffix and refers to a docs folder; `@ref[README.md]` is a path as written.
        is_path = posixpath.splitext(path)[1] or path.startswith((_DOCS, _HOME))
        if is_path:
            return ("", _HOME, _DOCS, _HOME + _DOCS, folder)
        return (_DOCS, _HOME + _DOCS, "", _HOME)
    if form == "wiki" and "/" not in path:
        return ("", _HOME)
    return ("", _HOME, folder)


def find_file(candidates: Candidates, lookup: Lookup) -> str:
    """Return the first candidate that exists as written or with `.md` appended; empty if none does."""
    for candidate in candidates:
        if not candidate:
            continue
        if lookup.file(candidate) is not None:
            return candidate
        if lookup.file(candidate + ".md") is not None:
            return candidate + ".md"
    return ""


def _find_folder(candidates: Candidates, lookup: Lookup) -> Sequence[str]:
    for candidate in candidates:
        if candidate and lookup.folder(candidate):
            return [candidate]
    return []


def find_named(path: str, lookup: Lookup) -> Sequence[str]:
    """Return the paths that match a wiki name by stem, file name, title or alias; a leading folder narrows the search.

    After `card:` only cards match. An exact spelling takes precedence over one that differs in case, whitespace or
    hyphens.
    """
    if path.startswith(_CARD):
        named = find_named(path.removeprefix(_CARD).strip(), lookup)
        return [found for found in named if found.startswith(f"{CARDS}/")]
    folder, _, last = path.rpartition("/")
    found = lookup.named(name_key(path))
    if folder and not found:
        ending = "/" + folder.strip("/").casefold()
        found = [each for each in lookup.named(name_key(last)) if _folder_key(each).endswith(ending)]
    if len(found) < 2:
        return found
    exact = [each for each in found if not {path, last}.isdisjoint(_names(lookup.file(each)))]
    return exact or found


def _folder_key(path: str) -> str:
    return ("/" + posixpath.dirname(path)).casefold()


def _names(file: File | None) -> Sequence[str]:
    if file is None:
        return ()
    base = posixpath.basename(file.path)
    if file.kind not in ("card", "doc"):
        return (base,)
    names = [base, _stem(base), file.title, *file.aliases]
    if file.card:
        names.append(file.card.id)
    return names


def _cards(prefix: str, lookup: Lookup) -> Sequence[str]:
    """Return the cards whose id begins with `prefix`; an exact match is returned alone."""
    if not prefix or "/" in prefix:
        return []
    start = f"{CARDS}/{prefix}"
    exact = f"{start}.md"
    if lookup.file(exact) is not None:
        return [exact]
    paths = lookup.folder(CARDS)
    begun = takewhile(lambda path: path.startswith(start), islice(paths, bisect_left(paths, start), None))
    return [path for path in begun if _is_card(path)]


def _is_card(path: str) -> bool:
    name = path[len(CARDS) + 1 :]
    return name.endswith(".md") and "/" not in name


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]
