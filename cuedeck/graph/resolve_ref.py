"""Resolution of refs: `docs/auth.md#Login`, `[[Auth|alias]]`, `src/auth.py#Login.verify`, `#L10-L40`.

A ref resolves to one target or to an `Unresolved` with the reason; the target is never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cuedeck.graph.anchors import Place, find_anchor, near_anchor, section_name
from cuedeck.graph.file_lookup import candidates_of, find_file, find_named, find_paths
from cuedeck.model.address import join_anchor
from cuedeck.model.file import UNREADABLE, File, Link
from cuedeck.model.ports import Lookup
from cuedeck.model.scene_values import Target, Unresolved

LEDGERS = ("decision:", "record:", "experience:", "session:", "attempt:")
"""Address prefixes of ledger entries; the word before the colon is the kind of the target."""

_MOST_HASHES = 4
"""Maximum number of `#` characters that may belong to a file name."""


def resolve(link: Link, source: str, lookup: Lookup, *, suggest: bool = True) -> Target | Unresolved:
    """Return the target of a link in the file `source`, or the reason why there is none.

    Without `suggest`, no similar names are searched, because comparing names is the expensive part.
    """
    ref, form = link.ref, link.form

    def miss(reason: str, candidates: Sequence[str] = ()) -> Unresolved:
        best = candidates[0] if candidates and reason not in ("ambiguous", UNREADABLE) else ""
        return Unresolved(ref, source, link.line, form, reason, best, tuple(candidates))

    if ref.startswith(LEDGERS):
        entries = _entries(ref, lookup)
        if len(entries) == 1:
            return Target(entries[0], entries[0], ref.partition(":")[0], 1, 1, True)
        return miss("ambiguous" if entries else "missing", entries)
    path, anchor = split_ref(ref, form, source, lookup)
    found = find_paths(path, form, source, lookup) if path else [source] if source else "missing"
    if isinstance(found, str):
        similar = lookup.similar(path.removeprefix("card:")) if suggest and path else ()
        return miss(found, [join_anchor(near, anchor if _has(near, anchor, lookup) else "") for near in similar])
    if len(found) > 1:
        return miss("ambiguous", [join_anchor(each, anchor) for each in found])
    file = lookup.file(found[0])
    # Without `source` the address is cited by a ledger or requested: it resolves, and the reader reports the fault.
    if source and file is not None and file.fault:
        return miss(UNREADABLE, found)
    return _in_file(found[0], anchor, lookup, miss, suggest)


def _in_file(
    path: str, anchor: str, lookup: Lookup, miss: Callable[..., Unresolved], suggest: bool
) -> Target | Unresolved:
    file = lookup.file(path)
    if file is None:
        folder = Target(f"{path}/", path + "/", "folder", 1, 1, True)
        return miss("anchor", [folder.address]) if anchor else folder
    if not anchor:
        return Target(file.path, file.path, file.kind, 1, max(file.lines, 1), True)
    places = find_anchor(file, anchor)
    if len(places) == 1:
        start, end, name = places[0]
        return Target(f"{file.path}#{name}", file.path, file.kind, start, end, False)
    reason = "ambiguous" if places else "anchor"
    if suggest and not places:
        places = find_anchor(file, near_anchor(file, anchor))
    return miss(reason, [f"{file.path}#{_told(place, file, lookup)}" for place in places])


def _told(place: Place, file: File, lookup: Lookup) -> str:
    slugged = next((section for section in file.sections if section.slug == place.name), None)
    return section_name(slugged, lookup) if slugged else place.name


def _has(path: str, anchor: str, lookup: Lookup) -> bool:
    file = lookup.file(path)
    return file is not None and len(find_anchor(file, anchor)) == 1


def _entries(ref: str, lookup: Lookup) -> Sequence[str]:
    """Return the addresses of the entries whose id begins with that of `ref`; an exact match is returned alone."""
    kind, _, wanted = ref.strip().partition(":")
    known = lookup.entries(kind, wanted) if wanted else ()
    found = [wanted] if wanted in known else known
    return [f"{kind}:{each}" for each in found]


def split_ref(ref: str, form: str, source: str, lookup: Lookup) -> tuple[str, str]:
    """Return path and anchor of a ref; the path is empty if the ref points into `source` itself.

    A path or name may contain `#` if such a file exists: paths take precedence over names, longer ones over shorter
    ones.
    """
    if ref.startswith("#") and form != "address":
        return "", ref[1:].strip()
    pieces = ref.split("#", _MOST_HASHES)
    ends = range(len(pieces), 0, -1)
    *holding, plain = splits = [("#".join(pieces[:end]).strip(), "#".join(pieces[end:]).strip()) for end in ends]
    if holding:
        files = (each for each in splits if each[0] and find_file(candidates_of(each[0], form, source), lookup))
        named = (each for each in holding if form != "markdown" and find_named(each[0], lookup))
        return next(files, None) or next(named, plain)
    return plain
