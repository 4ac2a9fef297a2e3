"""Resolution of refs: `docs/auth.md#Login`, `[[Auth|alias]]`,
`src/auth.py#Login.verify`, `#L10-L40`.

A ref resolves to one target or to an `Unresolved` with the reason; the target is never
guessed.
"""

from __future__ import annotations

import posixpath
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import islice, takewhile

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
    if not has_anchors(file) or _is_top(anchor, link.form):
        return whole_file(file)
    near = find_anchor(file, near_anchor(file, anchor)) if suggest else ()
    return _unresolved(link, source, "anchor", _addresses(near, file, lookup))


def _is_top(anchor: str, form: str) -> bool:
    """Return whether a fragment is the beginning of a page, as in HTML."""
    return form == "markdown" and anchor.casefold() == "top"


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
    return [f"{file.path}#{_shown_name(place, file, lookup)}" for place in places]


def _shown_name(place: Place, file: File, lookup: Lookup) -> str:
    for section in file.sections:
        if section.slug == place.name:
            return section_name(section, lookup)
    return place.name


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
        return entry_target(entries[0])
    if entries:
        return _unresolved(link, source, "ambiguous", entries)
    near = lookup.similar_entries(ref.strip()) if suggest else ()
    return _unresolved(link, source, "missing", near)


def entry_target(address: str) -> Target:
    """Return the target of a link to a ledger entry."""
    return Target(address, address, address.partition(":")[0], 1, 1, True)


def split_ref(ref: str, form: str, source: str, lookup: Lookup) -> tuple[str, str]:
    """Return path and anchor of a ref; the path is empty if the ref points into
    `source` itself.

    A path or name may contain `#` if such a file exists: paths take precedence over
    names, longer ones over shorter ones. A definition may follow `::`, as test runners
    print it. The query and the text fragment of a Markdown destination are dropped
    unless a file has this name.
    """
    if form == "markdown":
        ref = ref.partition(":~:")[0]
    if ref.startswith("#") and form != "address":
        return "", ref[1:].strip()
    path, anchor = _split_hash(ref, form, source, lookup)
    if not anchor and "::" in path:
        return _split_colons(path, form, source, lookup)
    if form != "markdown" or "?" not in path:
        return path, anchor
    if find_file(candidates_of(path, form, source), lookup):
        return path, anchor
    return path.partition("?")[0].strip(), anchor


def _split_colons(ref: str, form: str, source: str, lookup: Lookup) -> tuple[str, str]:
    path, _, definition = ref.partition("::")
    if not find_file(candidates_of(path, form, source), lookup):
        return ref, ""
    return path, definition.partition("[")[0]


def _split_hash(ref: str, form: str, source: str, lookup: Lookup) -> tuple[str, str]:
    *with_hash, plain = splits = list(_splits(ref))
    if not with_hash:
        return plain
    for path, anchor in splits:
        if path and find_file(candidates_of(path, form, source), lookup):
            return path, anchor
    if form == "markdown":
        return plain
    for path, anchor in with_hash:
        if find_named(path, lookup):
            return path, anchor
    return plain


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
    if not path.endswith("/"):
        file = find_file(candidates, lookup)
        if file:
            return [file]
    found = _find_other(path, form, source, candidates, lookup)
    if found:
        return found
    return "outside" if None in candidates else "missing"


def _find_other(
    path: str, form: str, source: str, candidates: Candidates, lookup: Lookup
) -> Sequence[str]:
    if form == "markdown":
        return _find_folder(candidates, lookup)
    if form in _RUNNING and "/" not in path:
        found = find_named(path, lookup, source) or _find_folder(candidates, lookup)
    else:
        found = _find_folder(candidates, lookup) or find_named(path, lookup, source)
    if found or not _may_be_id(path, form):
        return found
    return _cards(path, lookup)


def _may_be_id(path: str, form: str) -> bool:
    if "/" in path or path.endswith(".md"):
        return False
    return form not in _RUNNING or len(path) >= _SHORTEST_PREFIX


@lru_cache(8_192)
def candidates_of(path: str, form: str, source: str) -> Candidates:
    """Return the workspace-relative paths to try, in order."""
    folder = posixpath.dirname(source) + "/"
    candidates: list[str | None] = []
    for start in dict.fromkeys(_starts(path, form, folder)):
        joined = start.lstrip("/") + path.lstrip("/")
        whole = posixpath.normpath(joined)
        is_outside = whole == ".." or whole.startswith("../")
        candidates.append(None if is_outside else whole)
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
    for candidate in candidates:
        if not candidate:
            continue
        if lookup.file(candidate) is not None:
            return candidate
        document = f"{candidate}.md"
        if lookup.file(document) is not None:
            return document
        if not candidate.isascii():
            named = _in_another_form(candidate, lookup)
            if named:
                return named
    return ""


def _in_another_form(candidate: str, lookup: Lookup) -> str:
    """Return the first path that equals a candidate, with or without `.md`, in another
    Unicode form; empty if there is none.
    """
    composed = nfc(candidate)
    wanted = (composed, f"{composed}.md")
    for path in lookup.named(name_key(posixpath.basename(candidate))):
        if nfc(path) in wanted:
            return path
    return ""


def _find_folder(candidates: Candidates, lookup: Lookup) -> Sequence[str]:
    for candidate in filter(None, candidates):
        for form in _unicode_forms(candidate):
            if lookup.folder(form):
                return [form]
    return []


def _unicode_forms(path: str) -> Sequence[str]:
    if path.isascii():
        return (path,)
    decomposed = unicodedata.normalize("NFD", path)
    return tuple(dict.fromkeys((path, nfc(path), decomposed)))


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
    ending = "/" + nfc(folder.strip("/").casefold())
    named = lookup.named(name_key(last))
    if folder:
        named = [each for each in named if _folder_key(each).endswith(ending)]
        named = sorted({*named, *lookup.named(name_key(path))})
    if len(named) < 2:
        return named
    keys = (name_key(path), name_key(last))
    best = _by_file_name(named, keys) or _by_title(named, keys, lookup) or named
    near = _nearest(best, source)
    spellings = {path, last}
    exact = [
        each for each in near if not spellings.isdisjoint(_names(lookup.file(each)))
    ]
    return exact or near


def _by_file_name(paths: Sequence[str], keys: Sequence[str]) -> Sequence[str]:
    return [path for path in paths if not _name_keys(path).isdisjoint(keys)]


def _name_keys(path: str) -> Set[str]:
    base = posixpath.basename(path)
    if is_notebook(path):  # its stem is that of the Markdown file paired with it
        return {name_key(base)}
    return {name_key(base), name_key(_stem(base))}


def _by_title(
    paths: Sequence[str], keys: Sequence[str], lookup: Lookup
) -> Sequence[str]:
    found = []
    for path in paths:
        file = lookup.file(path)
        if file is not None and name_key(file.title) in keys:
            found.append(path)
    return found


def _nearest(paths: Sequence[str], source: str) -> Sequence[str]:
    """Return the paths that share the most leading folders with `source`."""
    folders = source.split("/")[:-1]
    shared = {path: _common(path.split("/")[:-1], folders) for path in paths}
    most = max(shared.values())
    return [path for path in paths if shared[path] == most]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of leading steps that two paths have in common."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _folder_key(path: str) -> str:
    folder = posixpath.dirname(path)
    return nfc(f"/{folder}".casefold())


def _names(file: File | None) -> Sequence[str]:
    if file is None:
        return ()
    base = posixpath.basename(file.path)
    names = [base]
    if file.kind in ("card", "doc"):
        names += [_stem(base), file.title, *file.aliases]
    return [nfc(name) for name in names]


def _cards(prefix: str, lookup: Lookup) -> Sequence[str]:
    """Return the cards whose id begins with `prefix`."""
    if not prefix or "/" in prefix:
        return []
    start = f"{CARDS}/{prefix}"
    exact = f"{start}.md"
    if lookup.file(exact) is not None:
        return [exact]
    paths = lookup.folder(CARDS)
    begun = takewhile(
        lambda path: path.startswith(start),
        islice(paths, bisect_left(paths, start), None),
    )
    return [path for path in begun if _is_card(path)]


def _is_card(path: str) -> bool:
    name = path[len(CARDS) + 1 :]
    return name.endswith(".md") and "/" not in name


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]
