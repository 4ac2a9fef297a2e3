"""What a ref points at: `docs/auth.md#Login`, `[[Auth|alias]]`, `src/auth.py#Login.verify`, `#L10-L40`.

A ref resolves to one target or to a miss that says why; it is never guessed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache

from cuedeck.graph.anchor import find_anchor, near_anchor
from cuedeck.model.address import join_anchor, name_key, split_anchor
from cuedeck.model.errors import Ambiguous, NotFound
from cuedeck.model.node import File, Link
from cuedeck.model.ports import Lookup
from cuedeck.model.scene import Target, Unresolved

CARDS = ".cuedeck/cards/"
_HOME = ".cuedeck/"
_DOCS = "docs/"
LEDGERS = ("decision:", "record:", "experience:", "session:", "attempt:")
"""How the address of a ledger's entry begins; the word before the colon is the kind of its target."""

_WRITTEN = re.compile(r"!?\[\[(?P<wiki>[^\[\]|]+)(?:\|[^\[\]]*)?\]\]|@ref\[(?P<ref>[^\[\]]+)\]|@doc/(?P<doc>.+)")
_RUNNING = ("wiki", "mention")
"""Forms that stand in running text, where a word is a name before it is a folder."""
_SHORTEST_PREFIX = 3
"""Characters of a card id that running text must give: `[[a]]` is a slip rather than a card."""
_MOST_HASHES = 4
"""Signs `#` that a file name is believed to hold."""


def resolve(link: Link, source: str, lookup: Lookup, *, suggest: bool = True) -> Target | Unresolved:
    """Return the target of a link that stands in the file `source`, or why there is none.

    Without `suggest` a miss names nothing that comes near; comparing names is what costs time.
    """
    return _resolve(link.ref, link.form, source, link.line, lookup, suggest)


def resolve_address(text: str, lookup: Lookup) -> Target:
    """Return what a person means by an address on the command line.

    Accepts everything a ref may be, also in the brackets it is written in.
    Raises: NotFound with the nearest matches, Ambiguous with the candidates.
    """
    written = _WRITTEN.fullmatch(text.strip())
    ref = text if written is None else written["wiki"] or written["ref"] or written["doc"]
    form = "mention" if written is not None and written["doc"] else "address"
    found = _resolve(ref.strip(), form, "", 0, lookup, True)
    if isinstance(found, Target):
        return found
    if found.reason == "ambiguous":
        raise Ambiguous(f"`{text}` fits several things", hint="name one of them", candidates=found.candidates)
    hint = f"did you mean `{found.suggestion}`?" if found.suggestion else "`cuedeck open` lists what there is"
    if found.reason == "outside":
        raise NotFound(f"`{text}` leads out of the workspace", hint="only files of the workspace can be read")
    if found.reason == "anchor" and not found.suggestion:
        path, anchor = split_anchor(ref)
        file = _whole(path, form, lookup)
        hint = _parts_hint(file) if file else hint
        raise NotFound(f"`{path}` has no `#{anchor}`", hint=hint)
    raise NotFound(f"nothing is called `{text}`", hint=hint, candidates=found.candidates)


def _whole(path: str, form: str, lookup: Lookup) -> File | None:
    found = _resolve(path, form, "", 0, lookup, False)
    return lookup.file(found.path) if isinstance(found, Target) else None


def _parts_hint(file: File) -> str:
    """Say what a file has that an anchor could name."""
    names = [f"#{section.slug}" for section in file.sections] + [f"#{symbol.name}" for symbol in file.symbols]
    some = f"; it has {', '.join(names[:6])}{' …' if len(names) > 6 else ''}" if names else ""
    return f"its lines are #L1-L{max(file.lines, 1)}{some}"


def _resolve(ref: str, form: str, source: str, line: int, lookup: Lookup, suggest: bool) -> Target | Unresolved:
    def miss(reason: str, candidates: Sequence[str] = (), suggestion: str = "") -> Unresolved:
        best = suggestion or (candidates[0] if candidates and reason != "ambiguous" else "")
        return Unresolved(ref, source, line, form, reason, best, tuple(candidates))

    if ref.startswith(LEDGERS):
        entries = _entries(ref, lookup)
        if len(entries) == 1:
            return Target(entries[0], entries[0], ref.partition(":")[0], 1, 1, True)
        return miss("ambiguous" if entries else "missing", entries)
    path, anchor = _split(ref, form, source, lookup)
    found = _find_path(path, form, source, lookup) if path else [source] if source else "missing"
    if isinstance(found, str):
        similar = lookup.similar(path.removeprefix("card:")) if suggest and path else ()
        return miss(found, [join_anchor(near, anchor) for near in similar])
    if len(found) > 1:
        return miss("ambiguous", [join_anchor(each, anchor) for each in found])
    file = lookup.file(found[0])
    if file is None:
        folder = Target(f"{found[0]}/", found[0] + "/", "folder", 1, 1, True)
        return miss("anchor", suggestion=folder.address) if anchor else folder
    if not anchor:
        return Target(file.path, file.path, file.kind, 1, max(file.lines, 1), True)
    places = find_anchor(file, anchor)
    if len(places) == 1:
        start, end, name = places[0]
        return Target(f"{file.path}#{name}", file.path, file.kind, start, end, False)
    if places:
        return miss("ambiguous", [f"{file.path}#{place.name}" for place in places])
    near = near_anchor(file, anchor) if suggest else ""
    return miss("anchor", suggestion=f"{file.path}#{near}" if near else "")


def _entries(ref: str, lookup: Lookup) -> Sequence[str]:
    """Return the addresses of the entries whose id begins as `ref` does; one whose id it is goes alone."""
    kind, _, wanted = ref.strip().partition(":")
    known = lookup.entries(kind, wanted) if wanted else ()
    found = [wanted] if wanted in known else known
    return [f"{kind}:{each}" for each in found]


def _split(ref: str, form: str, source: str, lookup: Lookup) -> tuple[str, str]:
    """Return path and anchor; a path is empty when this file is meant, and may hold `#` when such a file exists."""
    if ref.startswith("#") and form != "address":
        return "", ref[1:].strip()
    pieces = ref.split("#", _MOST_HASHES)
    for end in range(len(pieces), 1, -1):
        path = "#".join(pieces[:end])
        if _find_file(_candidates(path, form, source), lookup):
            return path, "#".join(pieces[end:]).strip()
    path, anchor = split_anchor(ref)
    return path.strip(), anchor.strip()


def _find_path(path: str, form: str, source: str, lookup: Lookup) -> Sequence[str] | str:
    """Return the matching paths, or the reason why there are none."""
    if path.startswith("card:"):
        name = path.removeprefix("card:").strip()
        named = [found for found in _named(name, lookup) if found.startswith(CARDS)]
        return _cards(name, lookup) or named or "missing"
    candidates = _candidates(path, form, source)
    if not path.endswith("/"):
        file = _find_file(candidates, lookup)
        if file:
            return [file]
    if form in _RUNNING and "/" not in path:
        found = _named(path, lookup) or _find_folder(candidates, lookup)
    else:
        found = _find_folder(candidates, lookup) or ([] if form == "markdown" else _named(path, lookup))
    if not found and form != "markdown" and _may_be_id(path, form):
        found = _cards(path, lookup)
    return found or ("outside" if None in candidates else "missing")


def _may_be_id(path: str, form: str) -> bool:
    return "/" not in path and not path.endswith(".md") and (form not in _RUNNING or len(path) >= _SHORTEST_PREFIX)


@lru_cache(8_192)
def _candidates(path: str, form: str, source: str) -> Sequence[str | None]:
    """Return workspace-relative paths to try, in order; None stands for one outside the workspace."""
    folder = posixpath.dirname(source) + "/"
    places: tuple[str, ...] = ("", _HOME, folder)
    if path.startswith("/"):
        places = ("",)
    elif path.startswith(("./", "../")) or path in (".", ".."):
        places = ("",) if form in ("address", "pinned") else (folder,)
    elif form == "markdown":
        places = (folder, "", _HOME)
    elif form == "mention":
        # `@doc/auth` leaves the suffix out and means the docs; `@ref[README.md]` is a path as written.
        written = posixpath.splitext(path)[1] or path.startswith((_DOCS, _HOME))
        places = ("", _HOME, _DOCS, _HOME + _DOCS, folder) if written else (_DOCS, _HOME + _DOCS, "", _HOME)
    elif form == "wiki" and "/" not in path:
        places = ("", _HOME)
    tried = [posixpath.normpath(place.lstrip("/") + path.lstrip("/")) for place in dict.fromkeys(places)]
    return tuple(None if whole == ".." or whole.startswith("../") else whole for whole in tried)


def _find_file(candidates: Sequence[str | None], lookup: Lookup) -> str:
    """Return the first candidate that is a file as written, or without its `.md`; empty when none is."""
    spelled = (each for candidate in candidates if candidate for each in (candidate, candidate + ".md"))
    return next((path for path in spelled if lookup.file(path) is not None), "")


def _find_folder(candidates: Sequence[str | None], lookup: Lookup) -> Sequence[str]:
    return [candidate for candidate in candidates if candidate and lookup.folder(candidate)][:1]


def _named(path: str, lookup: Lookup) -> Sequence[str]:
    """Return the paths a wiki name fits: by stem, file name, title or alias; a folder before it narrows it.

    A name as it is spelled goes before one that differs in case, blanks or hyphens.
    """
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
    """Return the cards whose id begins with `prefix`; one whose id it is goes alone."""
    cards = [
        path for path in lookup.folder(CARDS.rstrip("/")) if path.endswith(".md") and "/" not in path[len(CARDS) :]
    ]
    exact = [path for path in cards if _stem(path) == prefix]
    return exact or [path for path in cards if prefix and _stem(path).startswith(prefix)]


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]
