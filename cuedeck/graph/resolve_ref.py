"""Resolution of refs: `docs/auth.md#Login`, `[[Auth|alias]]`,
`src/auth.py#Login.verify`, `#L10-L40`.

A ref resolves to one target or to an `Unresolved` with the reason; the target is never
guessed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from unicodedata import normalize

from cuedeck.graph.anchors import (
    Place,
    find_anchor,
    has_anchors,
    near_anchor,
    section_name,
)
from cuedeck.model.address import join_anchor, name_key, nfc
from cuedeck.model.diagnostic import UNREADABLE
from cuedeck.model.entry_node import CORTEX_KIND, is_entry_address
from cuedeck.model.file import File, Link
from cuedeck.model.paths import CARDS, CORTEX, HOME, is_notebook
from cuedeck.model.ports import Lookup
from cuedeck.model.scene_values import Target, Unresolved

_MOST_HASHES = 4
"""Maximum number of `#` characters that may belong to a file name."""

_HOME = f"{HOME}/"
_DOCS = "docs/"
_CARD = "card:"
_RUNNING = ("wiki", "mention")
"""Forms used in running text, where a word is looked up as a name before it is looked
up as a folder.
"""
_SHORTEST_PREFIX = 3
"""Minimum characters of a card id in running text."""

Candidates = Sequence[str | None]
"""Workspace-relative paths to try, in order; None is a path outside the workspace."""


def resolve_citation(
    address: str, lookup: Lookup, *, suggest: bool = False
) -> Target | Unresolved:
    """Return the target of an address that no file contains, such as one that a ledger
    cites; see `resolve`.
    """
    link = Link(ref=address, line=0, form="address", view="", pin=False)
    return resolve(link, "", lookup, suggest=suggest)


def resolve(
    link: Link, source: str, lookup: Lookup, *, suggest: bool = True
) -> Target | Unresolved:
    """Return the target of a link in the file `source`, or the reason why there is
    none.

    Without `suggest`, no similar names are searched, because comparing names is the
    expensive part.
    """
    if is_entry_address(link.ref):
        return _resolve_entry(link, link.ref, source, lookup, suggest=suggest)
    path, anchor = split_ref(link.ref, link.form, source, lookup)
    found: Sequence[str] | str = [source] if source else "missing"
    if path:
        found = find_paths(path, link.form, source, lookup)
    if isinstance(found, str):
        in_cortex = _cortex_ref(path, link.form, source)
        if in_cortex:
            ref = join_anchor(in_cortex, anchor)
            return _resolve_entry(link, ref, source, lookup, suggest=suggest)
        similar = _similar(path, anchor, lookup) if suggest and path else ()
        return _unresolved(link, source, found, similar)
    if len(found) > 1:
        candidates = [join_anchor(each, anchor) for each in found]
        return _unresolved(link, source, "ambiguous", candidates)
    file = lookup.file(found[0])
    if file is None:
        folder = f"{found[0]}/"
        if anchor:
            return _unresolved(link, source, "anchor", [folder])
        return Target(folder, folder, "folder", 1, 1, True)
    # Without `source` the address is cited by a ledger or requested: it resolves, and
    # the reader reports the fault.
    if source and any(each.code == UNREADABLE for each in file.diagnostics):
        return _unresolved(link, source, UNREADABLE, found)
    return _resolve_part(link, anchor, source, lookup, file, suggest=suggest)


def _resolve_part(
    link: Link, anchor: str, source: str, lookup: Lookup, file: File, *, suggest: bool
) -> Target | Unresolved:
    if not anchor:
        return whole_file(file)
    places = find_anchor(file, anchor)
    if len(places) == 1:
        start, end, name = places[0]
        return Target(f"{file.path}#{name}", file.path, file.kind, start, end, False)
    if places:
        return _unresolved(link, source, "ambiguous", _addresses(places, file, lookup))
    is_top = link.form == "markdown" and anchor.casefold() == "top"
    if is_top or not has_anchors(file):
        return whole_file(file)
    near = find_anchor(file, near_anchor(file, anchor)) if suggest else ()
    return _unresolved(link, source, "anchor", _addresses(near, file, lookup))


def whole_file(file: File) -> Target:
    """Return the target of a ref to a file without an anchor."""
    return Target(file.path, file.path, file.kind, 1, max(file.lines, 1), True)


def _unresolved(
    link: Link, source: str, reason: str, candidates: Sequence[str] = ()
) -> Unresolved:
    suggestion = ""
    if candidates and reason not in ("ambiguous", UNREADABLE):
        suggestion = candidates[0]
    place = link.ref, source, link.line, link.form
    return Unresolved(*place, reason, suggestion, tuple(candidates))


def _similar(path: str, anchor: str, lookup: Lookup) -> Sequence[str]:
    """Return the addresses of files with a similar path."""
    addresses = []
    for near in lookup.similar(path.removeprefix("card:")):
        file = lookup.file(near)
        has_anchor = file is not None and len(find_anchor(file, anchor)) == 1
        addresses.append(join_anchor(near, anchor if has_anchor else ""))
    return addresses


def _addresses(places: Sequence[Place], file: File, lookup: Lookup) -> Sequence[str]:
    shown = {place.name: place.name for place in places}
    for section in reversed(file.sections):
        if section.slug in shown:
            shown[section.slug] = section_name(section, lookup)
    return [f"{file.path}#{shown[place.name]}" for place in places]


def _cortex_ref(path: str, form: str, source: str) -> str:
    """Return the ref of a path that leads into the cortex tree."""
    if not path:
        return ""
    for candidate in candidates_of(path, form, source):
        if candidate and candidate.startswith(f"{CORTEX}/"):
            return f"{CORTEX_KIND}:{candidate}"
    return ""


def _resolve_entry(
    link: Link, ref: str, source: str, lookup: Lookup, *, suggest: bool
) -> Target | Unresolved:
    """Return the ledger entry whose id begins with that of `ref`."""
    kind, _, wanted = ref.strip().partition(":")
    known = lookup.entries(kind, wanted) if wanted else ()
    ids = [wanted] if wanted in known else known
    entries = [f"{kind}:{each}" for each in ids]
    if len(entries) == 1:
        retired = lookup.retired(entries[0]) if source else None
        if retired is not None:
            successor = [retired.successor] if retired.successor else ()
            return _unresolved(link, source, retired.reason, successor)
        address = entries[0]
        return Target(address, address, address.partition(":")[0], 1, 1, True)
    if entries:
        return _unresolved(link, source, "ambiguous", entries)
    near = lookup.similar_entries(ref.strip()) if suggest else ()
    return _unresolved(link, source, "missing", near)


def split_ref(ref: str, form: str, source: str, lookup: Lookup) -> tuple[str, str]:
    """Return path and anchor of a ref; the path is empty if the ref points into
    `source` itself.

    A path or name may contain `#` if such a file exists: paths take precedence over
    names, longer ones over shorter ones. A definition may follow `::`, as test runners
    print it. The query and the text fragment of a Markdown destination are dropped
    unless a file has this name.
    """

    def exists(path: str) -> bool:
        return bool(find_file(candidates_of(path, form, source), lookup))

    if form == "markdown":
        ref = ref.partition(":~:")[0]
    if ref.startswith("#") and form != "address":
        return "", ref[1:].strip()
    path, anchor = _split_hash(ref, form, exists, lookup)
    if not anchor and "::" in path:
        file, _, definition = path.partition("::")
        if exists(file):
            return file, definition.partition("[")[0]
        return path, ""
    if form == "markdown" and "?" in path and not exists(path):
        path = path.partition("?")[0].strip()
    return path, anchor


def _split_hash(
    ref: str, form: str, exists: Callable[[str], bool], lookup: Lookup
) -> tuple[str, str]:
    *longer, plain = splits = list(_splits(ref))
    if not longer:
        return plain
    known = [split for split in splits if split[0] and exists(split[0])]
    if not known and form != "markdown":
        known = [split for split in longer if find_named(split[0], lookup)]
    return known[0] if known else plain


def _splits(ref: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to split a ref at one of its first `#` into path and anchor,
    longest path first.
    """
    pieces = ref.split("#", _MOST_HASHES)
    for end in range(len(pieces), 0, -1):
        path = "#".join(pieces[:end])
        anchor = "#".join(pieces[end:])
        yield path.strip(), anchor.strip()


# --- files by written path, by name, or by the prefix of a card id


def find_paths(
    path: str, form: str, source: str, lookup: Lookup
) -> Sequence[str] | str:
    """Return the matching paths, or the reason why there are none."""
    if path.startswith(_CARD):
        prefix = path.removeprefix(_CARD).strip()
        return _cards(prefix, lookup) or find_named(path, lookup, source) or "missing"
    candidates = candidates_of(path, form, source)
    file = "" if path.endswith("/") else find_file(candidates, lookup)
    if file:
        return [file]
    found = next(filter(None, _ways(path, form, source, candidates, lookup)), ())
    return found or ("outside" if None in candidates else "missing")


def _ways(
    path: str, form: str, source: str, candidates: Candidates, lookup: Lookup
) -> Iterator[Sequence[str]]:
    """Yield the folder, the files of this name and the cards with this prefix, in the
    order of the form.
    """
    is_word = "/" not in path
    is_running = form in _RUNNING
    if is_word and is_running:
        yield find_named(path, lookup, source)
    yield list(islice(filter(lookup.folder, filter(None, candidates)), 1))
    if form == "markdown":
        return
    yield find_named(path, lookup, source)
    is_long = not is_running or len(path) >= _SHORTEST_PREFIX
    if is_word and is_long and not path.endswith(".md"):
        yield _cards(path, lookup)


@lru_cache(8_192)
def candidates_of(path: str, form: str, source: str) -> Candidates:
    """Return the workspace-relative paths to try, in order, each in every Unicode
    form.
    """
    folder = posixpath.dirname(source) + "/"
    candidates: dict[str | None, None] = {}
    for start in _starts(path, form, folder):
        whole = posixpath.normpath(start.lstrip("/") + path.lstrip("/"))
        if whole == ".." or whole.startswith("../"):
            candidates[None] = None
            continue
        candidates[whole] = None
        candidates[normalize("NFC", whole)] = None
        candidates[normalize("NFD", whole)] = None
    return tuple(candidates)


def _starts(path: str, form: str, folder: str) -> tuple[str, ...]:
    """Return the folders in which a path written in a file of `folder` is looked up, in
    order.
    """
    if path.startswith("/"):
        return ("",)
    if path.startswith(("./", "../")) or path in (".", ".."):
        if form in ("address", "pinned"):
            return ("",)
        # No card is near code: a card refers to `.` and `./src` from the workspace.
        if form == "refs" and folder == f"{CARDS}/" and not path.startswith(".."):
            return ("", folder)
        return (folder,)
    if form == "markdown":
        return (folder, "", _HOME)
    if form == "mention":
        # `@doc/auth` omits the suffix and refers to a docs folder; `@ref[README.md]` is
        # a path as written.
        is_path = posixpath.splitext(path)[1] or path.startswith((_DOCS, _HOME))
        if is_path:
            return ("", _HOME, _DOCS, _HOME + _DOCS, folder)
        return (_DOCS, _HOME + _DOCS, "", _HOME)
    if form == "wiki" and "/" not in path:
        return ("", _HOME)
    return ("", _HOME, folder)


def find_file(candidates: Candidates, lookup: Lookup) -> str:
    """Return the first candidate that exists as written or with `.md` appended."""
    for candidate in filter(None, candidates):
        for path in (candidate, f"{candidate}.md"):
            if lookup.file(path) is not None:
                return path
    return ""


def find_named(path: str, lookup: Lookup, source: str = "") -> Sequence[str]:
    """Return the paths that match a wiki name by file name, else by title, else by
    alias; a leading folder narrows the search.

    After `card:` only cards match. Of several matches, those in the folder nearest to
    `source` are returned, then those with the exact spelling.
    """
    if path.startswith(_CARD):
        name = path.removeprefix(_CARD).strip()
        named = find_named(name, lookup, source)
        return [found for found in named if found.startswith(f"{CARDS}/")]
    folder, _, last = path.rpartition("/")
    named = lookup.named(name_key(last))
    if folder:
        ending = nfc("/" + folder.strip("/").casefold())
        inside = set(lookup.named(name_key(path)))
        for each in named:
            if nfc(f"/{posixpath.dirname(each)}".casefold()).endswith(ending):
                inside.add(each)
        named = sorted(inside)
    if len(named) < 2:
        return named
    keys = {name_key(path), name_key(last)}
    by_file = []
    by_title = []
    for each in named:
        file = lookup.file(each)
        if not keys.isdisjoint(map(name_key, _file_names(each))):
            by_file.append(each)
        elif file is not None and name_key(file.title) in keys:
            by_title.append(each)
    best = by_file or by_title or named
    near = _nearest(best, source)
    exact = [each for each in near if not {path, last}.isdisjoint(_file_names(each))]
    return exact or near


def _nearest(paths: Sequence[str], source: str) -> Sequence[str]:
    """Return the paths that have the most leading folders in common with `source`."""
    steps = source.split("/")[:-1]
    shared = {}
    for each in paths:
        shared[each] = len(posixpath.commonprefix([each.split("/")[:-1], steps]))
    most = max(shared.values())
    return [each for each in paths if shared[each] == most]


def _file_names(path: str) -> Sequence[str]:
    """Return the name of a file with and without its suffix; the stem of a notebook is
    that of the Markdown file paired with it.
    """
    name = posixpath.basename(path)
    return (name,) if is_notebook(path) else (name, posixpath.splitext(name)[0])


def _cards(prefix: str, lookup: Lookup) -> Sequence[str]:
    """Return the cards whose id begins with `prefix`."""
    if not prefix or "/" in prefix:
        return []
    start = f"{CARDS}/{prefix}"
    if lookup.file(f"{start}.md") is not None:
        return [f"{start}.md"]
    found = []
    for path in lookup.folder(CARDS):
        if path.startswith(start) and path.endswith(".md"):
            found.append(path)
    return [path for path in found if posixpath.dirname(path) == CARDS]
