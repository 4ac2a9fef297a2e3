"""What a ref points at: `docs/auth.md#Login`, `[[Auth|alias]]`, `src/auth.py#Login.verify`, `#L10-L40`.

A ref resolves to one target or to a miss that says why; it is never guessed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from cuedeck.graph.anchor import find_anchor
from cuedeck.model.address import join_anchor, name_key, split_anchor
from cuedeck.model.errors import Ambiguous, NotFound
from cuedeck.model.node import File, Link
from cuedeck.model.ports import Lookup
from cuedeck.model.scene import Target, Unresolved

CARDS = ".cuedeck/cards/"
_HOME = ".cuedeck/"
LEDGERS = ("decision:", "record:", "experience:", "session:", "attempt:")


def resolve(link: Link, source: str, lookup: Lookup) -> Target | Unresolved:
    """Return the target of a link that stands in the file `source`, or why there is none."""
    return _resolve(link.ref, link.form, source, link.line, lookup)


def resolve_address(text: str, lookup: Lookup) -> Target:
    """Return what a person means by an address on the command line.

    Accepts everything a ref may be, and unique prefixes of card ids.
    Raises: NotFound with the nearest matches, Ambiguous with the candidates.
    """
    found = _resolve(text.strip(), "address", "", 0, lookup)
    if isinstance(found, Target):
        return found
    if found.reason == "ambiguous":
        raise Ambiguous(f"`{text}` fits several things", hint="name one of them", candidates=found.candidates)
    hint = f"did you mean `{found.suggestion}`?" if found.suggestion else "`cuedeck open` lists what there is"
    if found.reason == "outside":
        raise NotFound(f"`{text}` leads out of the workspace", hint="only files of the workspace can be read")
    raise NotFound(f"nothing is called `{text}`", hint=hint, candidates=found.candidates)


def _resolve(ref: str, form: str, source: str, line: int, lookup: Lookup) -> Target | Unresolved:
    def miss(reason: str, candidates: Sequence[str] = (), suggestion: str = "") -> Unresolved:
        best = suggestion or (candidates[0] if candidates and reason != "ambiguous" else "")
        return Unresolved(ref, source, line, form, reason, best, tuple(candidates))

    path, anchor = split_anchor(ref)
    if anchor and lookup.file(ref) is not None:  # a file may have `#` in its name
        path, anchor = ref, ""
    if not path.strip():
        paths: Sequence[str] = (source,)
    elif path.startswith(LEDGERS):
        return miss("missing")
    else:
        found = _find_path(path.strip(), form, source, lookup)
        if isinstance(found, str):
            return miss(found, [join_anchor(near, anchor) for near in lookup.similar(path)])
        paths = found
    if len(paths) > 1:
        return miss("ambiguous", [join_anchor(each, anchor) for each in paths])
    file = lookup.file(paths[0])
    if file is None:
        return Target(f"{paths[0]}/", paths[0] + "/", "folder", 1, 1, True)
    if not anchor:
        return Target(file.path, file.path, file.kind, 1, max(file.lines, 1), True)
    spans = find_anchor(file, anchor)
    if len(spans) == 1:
        start, end, name = spans[0]
        return Target(f"{file.path}#{name}", file.path, file.kind, start, end, False)
    if spans:
        return miss("ambiguous", [f"{file.path}#{name}" for _, _, name in spans])
    return miss("anchor", suggestion=_near_anchor(file, anchor))


def _find_path(path: str, form: str, source: str, lookup: Lookup) -> Sequence[str] | str:
    """Return the matching paths, or the reason why there are none."""
    if path.startswith("card:"):
        return _card(path[5:], lookup) or "missing"
    outside = False
    for candidate in _candidates(path, form, source):
        if candidate is None:
            outside = True
            continue
        for spelled in (candidate, candidate + ".md"):
            if lookup.file(spelled) is not None:
                return (spelled,)
        if lookup.folder(candidate):
            return (candidate,)
    if form != "markdown":
        named = _named(path, lookup)
        if named:
            return named
        if form == "address":
            cards = _card(path, lookup)
            if cards:
                return cards
    return "outside" if outside else "missing"


def _candidates(path: str, form: str, source: str) -> Iterator[str | None]:
    """Yield workspace-relative paths to try, in order; None stands for one outside the workspace."""
    folder = posixpath.dirname(source)
    places: tuple[str, ...] = ("", _HOME, folder + "/")
    if path.startswith(("./", "../")):
        places = (folder + "/",) if form != "address" else ("",)
    elif path.startswith("/"):
        places = ("",)
    elif form == "markdown":
        places = (folder + "/", "", _HOME)
    elif form == "mention":
        places = ("docs/", _HOME + "docs/", "", _HOME)
    elif form == "wiki" and "/" not in path:
        places = ("", _HOME)
    for place in dict.fromkeys(places):
        whole = posixpath.normpath(place.lstrip("/") + path.lstrip("/"))
        yield None if whole == ".." or whole.startswith("../") else whole


def _named(path: str, lookup: Lookup) -> Sequence[str]:
    """Return the paths a wiki name fits: by stem, file name, title or alias; a folder before it narrows it."""
    exact = list(lookup.named(name_key(path)))
    if "/" in path and not exact:
        folder, _, last = path.rstrip("/").rpartition("/")
        exact = [
            found for found in lookup.named(name_key(last)) if posixpath.dirname("/" + found).endswith("/" + folder)
        ]
    if len(exact) > 1:
        spelled = [found for found in exact if path in (_stem(found), posixpath.basename(found))]
        return spelled if len(spelled) == 1 else exact
    return exact


def _card(prefix: str, lookup: Lookup) -> Sequence[str]:
    cards = [
        path for path in lookup.folder(CARDS.rstrip("/")) if path.endswith(".md") and "/" not in path[len(CARDS) :]
    ]
    exact = [path for path in cards if _stem(path) == prefix]
    return exact or [path for path in cards if prefix and _stem(path).startswith(prefix)]


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _near_anchor(file: File, anchor: str) -> str:
    import difflib

    names = [section.title for section in file.sections] + [symbol.name for symbol in file.symbols]
    names += [f"^{block.id}" for block in file.blocks]
    folded = {name_key(name): name for name in reversed(names)}
    near = difflib.get_close_matches(name_key(anchor), sorted(folded), 1, 0.5)
    return f"{file.path}#{folded[near[0]]}" if near else ""
