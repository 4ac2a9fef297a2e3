"""Source files and derived edges (imports, tests, mentions, co-changes) of the
workspace graph.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.derived_edges import (
    Mention,
    choose_near,
    cochange_arrows,
    code_arrows,
    document_arrows,
)
from cuedeck.graph.imports import Resolver
from cuedeck.model.diagram import Arrow
from cuedeck.model.errors import StorageError
from cuedeck.model.file import File
from cuedeck.parse.languages import import_strategy
from cuedeck.parse.markdown import read_code_spans

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Texts
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus
    from cuedeck.store.index.texts import WorkspaceTexts

Extent = Literal["near", "all", "none"]
"""Which sources are added: neighbours of the drawn nodes, all sources with an edge, or
none (only refs).
"""


class CodeNodes(NamedTuple):
    """Nodes and edges that source code adds to the drawing."""

    files: tuple[File, ...] = ()
    """Added sources, in order of path."""
    arrows: tuple[Arrow, ...] = ()
    left_out: int = 0
    """Number of neighbouring sources that were left out."""


Pair = tuple[str, str]
"""Source and target of an edge of any type."""


def find_code(
    workspace: Workspace,
    sources: Sequence[File],
    drawn: Mapping[str, File],
    refs: Collection[Arrow],
    extent: Extent,
) -> CodeNodes:
    """Return the sources to add to a drawing of the files `drawn` and the edges `refs`,
    and the derived edges.

    `sources` are all sources. Generated, vendored and hidden files are not added.
    """
    if extent == "none" or not sources:
        return CodeNodes()
    corpus = workspace.corpus.lengths().keys() | drawn.keys()
    candidates = {file.path: file for file in sources if file.path in corpus}
    connected = {(arrow.source, arrow.target) for arrow in refs}
    arrows = _derive_edges(
        workspace.corpus, workspace.index, workspace.texts, candidates, drawn, connected
    )
    left_out = 0
    if extent == "near":
        neighbours = choose_near(drawn, arrows)
        added = set(neighbours.paths)
        left_out = neighbours.left_out
    else:
        added = {arrow.source for arrow in arrows}
        added.update(arrow.target for arrow in arrows)
    shown = added | drawn.keys()
    kept = []
    for arrow in arrows:
        if arrow.source in shown and arrow.target in shown:
            kept.append(arrow)
            connected.add((arrow.source, arrow.target))
    kept += _cochange_edges(workspace, candidates, drawn, shown, connected)
    new_paths = sorted(added - drawn.keys())
    files = [candidates[path] for path in new_paths]
    return CodeNodes(tuple(files), tuple(kept), left_out)


def _derive_edges(
    corpus: WorkspaceCorpus,
    index: Index,
    texts: WorkspaceTexts,
    sources: Mapping[str, File],
    drawn: Mapping[str, File],
    connected: Collection[Pair],
) -> Sequence[Arrow]:
    """Return import and test edges of all sources, and mentions in docs for pairs that
    no ref connects.
    """
    resolver = Resolver(index.paths(), corpus.roots(), import_strategy)
    arrows = code_arrows(
        sources.values(), sources.keys(), resolver, Pairs(list(sources))
    )
    mentions: list[Mention] = []
    for file in drawn.values():
        if file.kind == "doc" and file.path in corpus.lengths():
            mentions += _read_mentions(file, texts)
    if not mentions:
        return arrows
    mentioning = document_arrows(mentions, sources.values())
    return arrows + [
        arrow for arrow in mentioning if (arrow.source, arrow.target) not in connected
    ]


def _read_mentions(doc: File, texts: Texts) -> list[Mention]:
    try:
        lines = texts.text(doc.path).split("\n")
    except StorageError:
        return []  # the file has just changed; the rest of the drawing is still correct
    body = "\n".join(lines[doc.body - 1 :])
    return [
        Mention(doc.path, line, text) for line, text in read_code_spans(body, doc.body)
    ]


def _cochange_edges(
    workspace: Workspace,
    sources: Mapping[str, File],
    drawn: Mapping[str, File],
    shown: Collection[str],
    connected: Collection[Pair],
) -> list[Arrow]:
    """Return co-change edges between the shown sources and docs.

    Cards and changelogs are excluded, because they change with everything.
    """
    in_corpus = workspace.corpus.lengths().keys() & shown
    files = set()
    for path in in_corpus:
        if path in sources or drawn[path].kind == "doc":
            files.add(path)
    if files.isdisjoint(sources):
        return []
    return cochange_arrows(
        workspace.history.commits(), files, sources.keys(), connected
    )
