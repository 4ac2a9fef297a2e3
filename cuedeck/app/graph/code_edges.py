"""The code in a picture of the workspace: files next to what is drawn, and the edges nobody wrote."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.derived import Mention, choose_near, cochange_arrows, code_arrows, document_arrows
from cuedeck.graph.imports import Resolver
from cuedeck.model.diagram import Arrow
from cuedeck.model.errors import StorageError
from cuedeck.model.file import File
from cuedeck.parse.languages import import_strategy
from cuedeck.parse.markdown import read_code_spans

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

Extent = Literal["near", "all", "none"]
"""Which code is drawn: what stands next to the rest, everything that an edge joins, or only what refs lead to."""


class Code(NamedTuple):
    """What code adds to a picture."""

    files: tuple[File, ...]
    """Sources that join it, by path."""
    arrows: tuple[Arrow, ...]
    left_out: int
    """Sources that stand as near and found no room."""


NO_CODE = Code((), (), 0)


def find_code(
    project: Workspace, every: Sequence[File], drawn: Mapping[str, File], refs: Collection[Arrow], extent: Extent
) -> Code:
    """Return what of `every` source belongs to a picture of some files and the refs between them.

    Generated, vendored and hidden files do not join.
    """
    if extent == "none" or not every:
        return NO_CODE
    known = project.corpus.lengths().keys() | drawn.keys()
    sources = {file.path: file for file in every if file.path in known}
    joined = {(arrow.source, arrow.target) for arrow in refs}
    arrows = _derived(project, sources, drawn, joined)
    left_out = 0
    if extent == "near":
        near = choose_near(drawn, arrows)
        joining, left_out = set(near.paths), near.left_out
    else:
        joining = {end for arrow in arrows for end in arrow[:2]}
    shown = joining | drawn.keys()
    kept = [arrow for arrow in arrows if arrow.source in shown and arrow.target in shown]
    kept += _together(project, sources, drawn, shown, joined | {(arrow.source, arrow.target) for arrow in kept})
    files = tuple(sources[path] for path in sorted(joining - drawn.keys()))
    return Code(files, tuple(kept), left_out)


def _derived(
    project: Workspace, sources: Mapping[str, File], drawn: Mapping[str, File], joined: Collection[tuple[str, str]]
) -> Sequence[Arrow]:
    """Return imports and tests of all sources, and what docs write of them, as far as no ref says so already."""
    resolver = Resolver(project.index.paths(), project.corpus.roots(), import_strategy)
    found = code_arrows(sources.values(), sources.keys(), resolver, Pairs(list(sources)))
    docs = [file for file in drawn.values() if file.kind == "doc" and file.path in project.corpus.lengths()]
    mentions = [mention for file in docs for mention in _mentions(project, file)]
    written = document_arrows(mentions, sources.values()) if mentions else []
    return found + [arrow for arrow in written if (arrow.source, arrow.target) not in joined]


def _mentions(project: Workspace, file: File) -> list[Mention]:
    try:
        lines = project.texts.text(file.path).split("\n")
    except StorageError:
        return []  # it changed a moment ago; the picture of what is left is still true
    body = "\n".join(lines[file.body - 1 :])
    return [Mention(file.path, line, text) for line, text in read_code_spans(body, file.body)]


def _together(
    project: Workspace,
    sources: Mapping[str, File],
    drawn: Mapping[str, File],
    shown: Collection[str],
    joined: Collection[tuple[str, str]],
) -> list[Arrow]:
    """Return what changed together among what is shown, without cards and change logs: they change with everything."""
    known = project.corpus.lengths()
    files = {path for path in shown if path in known and (path in sources or drawn[path].kind == "doc")}
    return cochange_arrows(project.history.commits(), files, sources.keys(), joined) if files & sources.keys() else []
