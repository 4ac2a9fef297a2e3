"""Documentation edges: inline code in a doc that names exactly one source file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cuedeck.graph.code_names import fits, read_steps
from cuedeck.graph.counterparts import is_test
from cuedeck.graph.imports.path_tree import Tree
from cuedeck.model.diagram import Arrow
from cuedeck.model.file import File

_PATH = re.compile(r"(?:\./)?((?:[\w.@-]+/)*[\w.@-]+\.\w+)")


class Mention(NamedTuple):
    """Inline code in a doc."""

    path: str
    line: int
    text: str


def document_arrows(mentions: Sequence[Mention], files: Iterable[File]) -> list[Arrow]:
    """Return an arrow from each doc to each source it mentions, with the first line of the mention; tests are excluded.

    A mention is a path, or the name of a definition that exists in only one file: `Login.verify`, `verify_token()`.

    Order: that of the mentions.
    """
    sources = [file for file in files if not is_test(file.path)]
    tree = Tree([file.path for file in sources])
    wanted = {mention.text: read_steps(mention.text) for mention in mentions}
    places = _definitions({parts[-1] for parts in wanted.values() if parts}, sources)
    arrows: dict[tuple[str, str], Arrow] = {}
    for path, line, text in mentions:
        found = _by_path(text, tree) or _by_name(wanted[text], places)
        if found:
            arrows.setdefault((path, found), Arrow(path, found, "documents", line))
    return list(arrows.values())


def _by_path(text: str, tree: Tree) -> str:
    match = _PATH.fullmatch(text.strip())
    if match is None:
        return ""
    return match[1] if match[1] in tree.known else tree.only(match[1])


def _definitions(names: set[str], files: Iterable[File]) -> dict[str, list[tuple[str, str]]]:
    """Return the definitions of the given names: path and qualified name, by last part of the name."""
    places: dict[str, list[tuple[str, str]]] = {}
    for file in files if names else ():
        for symbol in file.symbols:
            last = symbol.name.rpartition(".")[2]
            if last in names:
                places.setdefault(last, []).append((file.path, symbol.name))
    return places


def _by_name(parts: Sequence[str], places: dict[str, list[tuple[str, str]]]) -> str:
    """Return the only file with a matching definition; empty if there is none or more than one."""
    found = {path for path, name in places.get(parts[-1], ()) if fits(parts, path, name)} if parts else set()
    return found.pop() if len(found) == 1 else ""
