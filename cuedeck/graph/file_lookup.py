"""Lookup of files by written path, by name, or by the prefix of a card id."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import lru_cache

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


def find_paths(path: str, form: str, source: str, lookup: Lookup) -> Sequence[str] | str:
    """Return the matching paths, or the reason why there are none."""
    if path.startswith(_CARD):
        return _cards(path.removeprefix(_CARD).strip(), lookup) or find_named(path, lookup) or "missing"
    candidates = candidates_of(path, form, source)
    if not path.endswith("/"):
        file = find_file(candidates, lookup)
        if file:
            return [file]
    if form in _RUNNING and "/" not in path:
        found = find_named(path, lookup) or _find_folder(candidates, lookup)
    else:
        found = _find_folder(candidates, lookup) or ([] if form == "markdown" else find_named(path, lookup))
    if not found and form != "markdown" and _may_be_id(path, form):
        found = _cards(path, lookup)
    return found or ("outside" if None in candidates else "missing")


def _may_be_id(path: str, form: str) -> bool:
    return "/" not in path and not path.endswith(".md") and (form not in _RUNNING or len(path) >= _SHORTEST_PREFIX)


@lru_cache(8_192)
def candidates_of(path: str, form: str, source: str) -> Sequence[str | None]:
    """Return the workspace-relative paths to try, in order; None marks a path outside the workspace."""
    folder = posixpath.dirname(source) + "/"
    places: tuple[str, ...] = ("", _HOME, folder)
    if path.startswith("/"):
        places = ("",)
    elif path.startswith(("./", "../")) or path in (".", ".."):
        places = ("",) if form in ("address", "pinned") else (folder,)
    elif form == "markdown":
        places = (folder, "", _HOME)
    elif form == "mention":
        # `@doc/auth` omits the suffix and refers to a docs folder; `@ref[README.md]` is a path as written.
        written = posixpath.splitext(path)[1] or path.startswith((_DOCS, _HOME))
        places = ("", _HOME, _DOCS, _HOME + _DOCS, folder) if written else (_DOCS, _HOME + _DOCS, "", _HOME)
    elif form == "wiki" and "/" not in path:
        places = ("", _HOME)
    tried = [posixpath.normpath(place.lstrip("/") + path.lstrip("/")) for place in dict.fromkeys(places)]
    return tuple(None if whole == ".." or whole.startswith("../") else whole for whole in tried)


def find_file(candidates: Sequence[str | None], lookup: Lookup) -> str:
    """Return the first candidate that exists as written or with `.md` appended; empty if none does."""
    spelled = (each for candidate in candidates if candidate for each in (candidate, candidate + ".md"))
    return next((path for path in spelled if lookup.file(path) is not None), "")


def _find_folder(candidates: Sequence[str | None], lookup: Lookup) -> Sequence[str]:
    return [candidate for candidate in candidates if candidate and lookup.folder(candidate)][:1]


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
        found = [
            each for each in lookup.named(name_key(last)) if ("/" + posixpath.dirname(each)).casefold().endswith(ending)
        ]
    if len(found) < 2:
        return found
    spelled = [each for each in found if not {path, last}.isdisjoint(_names(lookup.file(each)))]
    return spelled or found


def _names(file: File | None) -> Sequence[str]:
    if file is None:
        return ()
    base = posixpath.basename(file.path)
    if file.kind not in ("card", "doc"):
        return (base,)
    return (base, _stem(base), file.title, *file.aliases, *((file.card.id,) if file.card else ()))


def _cards(prefix: str, lookup: Lookup) -> Sequence[str]:
    """Return the cards whose id begins with `prefix`; an exact match is returned alone."""
    cards = [path for path in lookup.folder(CARDS) if path.endswith(".md") and "/" not in path[len(CARDS) + 1 :]]
    exact = [path for path in cards if _stem(path) == prefix]
    return exact or [path for path in cards if prefix and _stem(path).startswith(prefix)]


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]
