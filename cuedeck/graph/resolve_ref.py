"""Resolution of refs: `docs/auth.md#Login`, `[[Auth|alias]]`, `src/auth.py#Login.verify`, `#L10-L40`.

A ref resolves to one target or to an `Unresolved` with the reason; the target is never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.graph.anchors import Place, find_anchor, near_anchor, section_name
from cuedeck.graph.file_lookup import candidates_of, find_file, find_named, find_paths
from cuedeck.model.address import join_anchor
from cuedeck.model.entry_node import ENTRY_PREFIXES
from cuedeck.model.file import UNREADABLE, File, Link
from cuedeck.model.ports import Lookup
from cuedeck.model.scene_values import Target, Unresolved

_MOST_HASHES = 4
"""Maximum number of `#` characters that may belong to a file name."""


def resolve(link: Link, source: str, lookup: Lookup, *, suggest: bool = True) -> Target | Unresolved:
    """Return the target of a link in the file `source`, or the reason why there is none.

    Without `suggest`, no similar names are searched, because comparing names is the expensive part.
    """
    if link.ref.startswith(ENTRY_PREFIXES):
        return _resolve_entry(link, source, lookup)
    path, anchor = split_ref(link.ref, link.form, source, lookup)
    found = _find(path, link.form, source, lookup)
    if isinstance(found, str):
        similar = _similar(path, anchor, lookup) if suggest and path else ()
        return _unresolved(link, source, found, similar)
    if len(found) > 1:
        candidates = [join_anchor(each, anchor) for each in found]
        return _unresolved(link, source, "ambiguous", candidates)
    file = lookup.file(found[0])
    if file is None:
        return _resolve_folder(f"{found[0]}/", anchor, link, source)
    # Without `source` the address is cited by a ledger or requested: it resolves, and the reader reports the fault.
    if source and file.fault:
        return _unresolved(link, source, UNREADABLE, found)
    if not anchor:
        return whole_file(file)
    places = find_anchor(file, anchor)
    if len(places) == 1:
        start, end, name = places[0]
        return Target(f"{file.path}#{name}", file.path, file.kind, start, end, False)
    if places:
        return _unresolved(link, source, "ambiguous", _addresses(places, file, lookup))
    near = find_anchor(file, near_anchor(file, anchor)) if suggest else ()
    return _unresolved(link, source, "anchor", _addresses(near, file, lookup))


def whole_file(file: File) -> Target:
    """Return the target of a ref to a file without an anchor."""
    return Target(file.path, file.path, file.kind, 1, max(file.lines, 1), True)


def _resolve_folder(path: str, anchor: str, link: Link, source: str) -> Target | Unresolved:
    if anchor:
        return _unresolved(link, source, "anchor", [path])
    return Target(path, path, "folder", 1, 1, True)


def _unresolved(link: Link, source: str, reason: str, candidates: Sequence[str] = ()) -> Unresolved:
    suggestion = ""
    if candidates and reason not in ("ambiguous", UNREADABLE):
        suggestion = candidates[0]
    return Unresolved(link.ref, source, link.line, link.form, reason, suggestion, tuple(candidates))


def _find(path: str, form: str, source: str, lookup: Lookup) -> Sequence[str] | str:
    """Return the matching paths, or the reason why there are none; without a path, the file `source` itself."""
    if path:
        return find_paths(path, form, source, lookup)
    return [source] if source else "missing"


def _similar(path: str, anchor: str, lookup: Lookup) -> Sequence[str]:
    """Return the addresses of files with a similar path; the anchor is kept where it exists."""
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


def _resolve_entry(link: Link, source: str, lookup: Lookup) -> Target | Unresolved:
    """Return the ledger entry whose id begins with that of the link; an exact match takes precedence.

    A link in a file never leads to an entry that is superseded, rejected or secret; an address that is requested does.
    """
    kind, _, wanted = link.ref.strip().partition(":")
    known = lookup.entries(kind, wanted) if wanted else ()
    ids = [wanted] if wanted in known else known
    entries = [f"{kind}:{each}" for each in ids]
    if len(entries) == 1:
        retired = lookup.retired(entries[0]) if source else None
        if retired is not None:
            return _unresolved(link, source, retired.reason, [retired.successor] if retired.successor else ())
        return entry_target(entries[0])
    reason = "ambiguous" if entries else "missing"
    return _unresolved(link, source, reason, entries)


def entry_target(address: str) -> Target:
    """Return the target of a link to a ledger entry."""
    return Target(address, address, address.partition(":")[0], 1, 1, True)


def split_ref(ref: str, form: str, source: str, lookup: Lookup) -> tuple[str, str]:
    """Return path and anchor of a ref; the path is empty if the ref points into `source` itself.

    A path or name may contain `#` if such a file exists: paths take precedence over names, longer ones over shorter
    ones.
    """
    if ref.startswith("#") and form != "address":
        return "", ref[1:].strip()
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
    """Yield the ways to split a ref at one of its first `#` into path and anchor, longest path first."""
    pieces = ref.split("#", _MOST_HASHES)
    for end in range(len(pieces), 0, -1):
        path = "#".join(pieces[:end])
        anchor = "#".join(pieces[end:])
        yield path.strip(), anchor.strip()
