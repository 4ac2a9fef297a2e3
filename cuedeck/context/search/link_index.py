"""The links, names and tags of all files in memory, to find within milliseconds which
links lead to a file and which files contain a name.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.graph.resolve_ref import resolve
from cuedeck.ledger.name_resolution import base_key
from cuedeck.model.address import name_key, split_anchor
from cuedeck.model.file import Link
from cuedeck.model.scene_values import Target

if TYPE_CHECKING:
    from cuedeck.model.file import File
    from cuedeck.store.index import Index

_KINDS = ("card", "doc", "source")


class LinkTo(NamedTuple):
    """A link that leads to a file or to a part of it."""

    path: str
    """Path of the file that contains the link."""
    link: Link
    target: Target


class LinkIndex:
    """The links of each file, found by the names of their targets. A name that fits is
    resolved when it is asked for, so that a new file needs no second look at all links.
    """

    def __init__(self) -> None:
        self._generation = ""
        self._hashes: dict[str, str] = {}
        self._links: dict[str, tuple[Link, ...]] = {}
        self._by_key: dict[str, set[tuple[str, int]]] = {}
        """Path and number of each link that a name fits."""
        self._names: dict[str, str] = {}
        self._tags: dict[str, tuple[str, ...]] = {}

    def follow(self, index: Index) -> None:
        """Read the files that changed since the last call."""
        generation = index.meta("generation")
        if self._hashes and generation == self._generation:
            return
        self._generation = generation
        known: dict[str, str] = {}
        for kind in _KINDS:
            known.update(index.hashes_of_kind(kind))
        for path in self._hashes.keys() - known.keys():
            self._forget(path)
        with index.as_stored():
            if not self._hashes:
                for file in index.files():
                    self._add(file)
            else:
                for path, digest in known.items():
                    if self._hashes.get(path) != digest:
                        self._forget(path)
                        self._add(index.file(path))
        self._hashes = known

    def links_to(self, index: Index, path: str) -> list[LinkTo]:
        """Return the links to a file, with its own, in order of path and position."""
        found = []
        for source, link in self._candidates(index, path):
            target = resolve(link, source, index, suggest=False)
            if isinstance(target, Target) and target.path == path:
                found.append(LinkTo(source, link, target))
        return found

    def _candidates(self, index: Index, path: str) -> Iterator[tuple[str, Link]]:
        """Yield the links whose names fit, and all of the file itself and of the text
        of an editor, in order of path and position.
        """
        places: set[tuple[str, int]] = set()
        for key in _names_of(path, index.file(path)):
            places.update(self._by_key.get(key, ()))
        edited = index.virtual.file if index.virtual is not None else None
        whole = {path: self._links.get(path, ())}
        if edited is not None:
            whole[edited.path] = edited.links
        rows = []
        for source, at in places:
            if source not in whole:
                rows.append((source, at, self._links[source][at]))
        for source, links in whole.items():
            rows += [(source, at, link) for at, link in enumerate(links)]
        rows.sort()
        for source, _, link in rows:
            yield source, link

    def named(self, words: Sequence[str]) -> list[str]:
        """Return the paths of the files with a path, title, heading or definition that
        contain folded words, sorted.
        """
        found = []
        for path, names in self._names.items():
            if all(word in names for word in words):
                found.append(path)
        return sorted(found)

    def tags(self) -> Sequence[str]:
        """Return the tags of all cards and docs, the most frequent first."""
        counts: dict[str, int] = {}
        for tags in self._tags.values():
            for tag in tags:
                counts[tag] = counts.get(tag, 0) + 1
        found = sorted(counts)
        found.sort(key=counts.__getitem__, reverse=True)
        return found

    def _add(self, file: File | None) -> None:
        if file is None:
            return
        if file.links:
            self._links[file.path] = file.links
        for at, link in enumerate(file.links):
            for key in _keys_of(link):
                self._by_key.setdefault(key, set()).add((file.path, at))
        names = [file.path, file.title, *file.aliases]
        names += [section.title for section in file.sections]
        names += [symbol.name for symbol in file.symbols]
        self._names[file.path] = "\n".join(names).casefold()
        if file.tags:
            self._tags[file.path] = file.tags

    def _forget(self, path: str) -> None:
        self._tags.pop(path, None)
        self._names.pop(path, None)
        for at, link in enumerate(self._links.pop(path, ())):
            for key in _keys_of(link):
                self._by_key[key].discard((path, at))


def _keys_of(link: Link) -> Iterator[str]:
    """Yield the names by which a link is found: the last step of its path, and for a
    title with a slash the whole text.
    """
    ref = link.ref.removeprefix("card:")
    path, _, _ = ref.partition("::")
    path, _, _ = path.partition("?")
    yield base_key(path)
    name, _ = split_anchor(path)
    yield name_key(name)


def _names_of(path: str, file: File | None) -> Iterator[str]:
    """Yield the names by which links may lead to a file: for a card each prefix of its
    id.
    """
    yield base_key(path)
    stem, _ = posixpath.splitext(path)
    yield base_key(stem)
    if file is None:
        return
    for name in filter(None, (file.title, *file.aliases)):
        yield name_key(name)
        yield base_key(name)
    if file.kind == "card":
        stem = posixpath.basename(path).removesuffix(".md")
        for end in range(1, len(stem) + 1):
            yield name_key(stem[:end])
