"""Source files and derived edges (imports, tests, mentions, co-changes) of the workspace graph."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.derived_edges import Mention, cochange_arrows, code_arrows, document_arrows
from cuedeck.graph.draw.neighbours import choose_near
from cuedeck.graph.imports import Resolver
from cuedeck.model.diagram import Arrow
from cuedeck.model.errors import StorageError
from cuedeck.model.file import File
from cuedeck.parse.languages import import_strategy
from cuedeck.parse.markdown import read_code_spans

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

Extent = Literal["near", "all", "none"]
"""Which sources are added: neighbours of the drawn nodes, all sources with an edge, or none (only refs)."""


class Code(NamedTuple):
    """Nodes and edges that source code adds to the drawing."""

    files: tuple[File, ...]
    """Added sources, in order of path."""
    arrows: tuple[Arrow, ...]
    left_out: int
    """Number of neighbouring sources that were left out."""


NO_CODE = Code((), (), 0)


def find_code(
    workspace: Workspace, every: Sequence[File], drawn: Mapping[str, File], refs: Collection[Arrow], extent: Extent
) -> Code:
    """Return the sources to add to a drawing of the files `drawn` and the edges `refs`, and the derived edges.

    `every` are all sources. Generated, vendored and hidden files are not added.
    """
    if extent == "none" or not every:
        return NO_CODE
    known = workspace.corpus.lengths().keys() | drawn.keys()
    sources = {file.path: file for file in every if file.path in known}
    joined = {(arrow.source, arrow.target) for arrow in refs}
    arrows = _derived(workspace, sources, drawn, joined)
    left_out = 0
    if extent == "near":
        near = choose_near(drawn, arrows)
        joining, left_out = set(near.paths), near.left_out
    else:
        joining = {end for arrow in arrows for end in arrow[:2]}
    shown = joining | drawn.keys()
    kept = [arrow for arrow in arrows if arrow.source in shown and arrow.target in shown]
    kept += _together(workspace, sources, drawn, shown, joined | {(arrow.source, arrow.target) for arrow in kept})
    files = tuple(sources[path] for path in sorted(joining - drawn.keys()))
    return Code(files, tuple(kept), left_out)


def _derived(
    workspace: Workspace, sources: Mapping[str, File], drawn: Mapping[str, File], joined: Collection[tuple[str, str]]
) -> Sequence[Arrow]:
    """Return import and test edges of all sources, and mentions in docs for pairs that no ref connects."""
    resolver = Resolver(workspace.index.paths(), workspace.corpus.roots(), import_strategy)
    found = code_arrows(sources.values(), sources.keys(), resolver, Pairs(list(sources)))
    docs = [file for file in drawn.values() if file.kind == "doc" and file.path in workspace.corpus.lengths()]
    mentions = [mention for file in docs for mention in _mentions(workspace, file)]
    written = document_arrows(mentions, sources.values()) if mentions else []
    return found + [arrow for arrow in written if (arrow.source, arrow.target) not in joined]


def _mentions(workspace: Workspace, file: File) -> list[Mention]:
    try:
        lines = workspace.texts.text(file.path).split("\n")
    except StorageError:
        return []  # the file has just changed; the rest of the drawing is still correct
    body = "\n".join(lines[file.body - 1 :])
    return [Mention(file.path, line, text) for line, text in read_code_spans(body, file.body)]


def _together(
    workspace: Workspace,
    sources: Mapping[str, File],
    drawn: Mapping[str, File],
    shown: Collection[str],
    joined: Collection[tuple[str, str]],
) -> list[Arrow]:
    """Return co-change edges between the shown sources and docs.

    Cards and changelogs are excluded, because they change with everything.
    """
    known = workspace.corpus.lengths()
    files = {path for path in shown if path in known and (path in sources or drawn[path].kind == "doc")}
    return cochange_arrows(workspace.history.commits(), files, sources.keys(), joined) if files & sources.keys() else []
