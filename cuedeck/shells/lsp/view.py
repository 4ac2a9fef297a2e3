"""A document and its workspace in the thread of the engine, where the index returns
the text of the editor in place of the file on disk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.link_index import LinkIndex, LinkTo
from cuedeck.engine.active_card import active_path
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.errors import Stale, StorageError
from cuedeck.model.file import File, VirtualFile
from cuedeck.model.ports import Json
from cuedeck.parse.notebook import decode_file
from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.ref_spans import DEPENDS_ON, RefSpan, find_ref_spans
from cuedeck.shells.lsp.document import Document

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.model.scene_values import Target, Unresolved
    from cuedeck.shells.lsp.editor_workspaces import EditorWorkspaces

_KEPT = 8
"""Parsed texts of open documents that are cached."""


class ParsedTexts(dict[str, VirtualFile]):
    """Parsed texts of open documents, by path and hash of the text; one for each
    workspace.
    """

    def parse(self, path: str, data: bytes) -> VirtualFile:
        """Return a text as a file that exists in memory only."""
        digest = hashlib.sha256(data).hexdigest()
        key = f"{digest} {path}"
        if key not in self:
            if len(self) >= _KEPT:
                del self[next(iter(self))]
            decoded = decode_file(path, data)
            parsed = parse_file(path, data, decoded)
            self[key] = VirtualFile(parsed, decoded.text, digest)
        return self[key]


class View:
    """An open document of a workspace, or one that only has a path."""

    def __init__(
        self,
        workspace: LiveWorkspace,
        places: EditorWorkspaces,
        path: str,
        document: Document,
        capability: Callable[[str], Any],
    ) -> None:
        self.capability = capability
        """Returns what the client announced under a name; None if nothing."""
        self.workspace = workspace
        self.index = workspace.index
        self.path = path
        self.document = document
        self._places = places

    @property
    def file(self) -> File | None:
        """The parsed document; None if scenes do not read it."""
        return self.index.file(self.path)

    def offset(self, position: Any) -> int:
        """Return the offset of a position of the client."""
        return self.document.offset(position.line, position.character)

    @property
    def is_active(self) -> bool:
        """Whether the document is the active card."""
        return active_path(self.index, self.workspace.paths) == self.path

    @property
    def links(self) -> LinkIndex:
        """The links of all files."""
        followed_links(self.workspace)
        return self.workspace.cached(LinkIndex)

    def links_to(self, path: str) -> list[LinkTo]:
        """Return the links that lead to a file."""
        return self.links.links_to(self.index, path)

    @cached_property
    def spans(self) -> Sequence[RefSpan]:
        """The positions of the refs of the document."""
        return self.spans_of(self.path, self.document)

    def span_at(self, offset: int) -> RefSpan | None:
        """Return the ref at an offset."""
        for span in self.spans:
            if span.touches(offset, offset):
                return span
        return None

    def resolve(self, span: RefSpan, path: str = "") -> Target | Unresolved:
        """Return the target of a ref of the document, or of the file at `path`."""
        link = span.link
        if link.form == DEPENDS_ON:
            link = link._replace(ref=f"card:{link.ref}", form="refs")
        return resolve(
            link,
            path or self.path,
            self.index,
            suggest=True,
        )

    def spans_of(self, path: str, document: Document) -> Sequence[RefSpan]:
        """Return the positions of the refs of any file."""
        file = self.index.file(path)
        if file is None:
            return ()
        return tuple(find_ref_spans(document.text, document.starts, file))

    def document_of(self, path: str) -> Document:
        """Return the text of a file as the editor or the disk has it; empty if it
        cannot be read.
        """
        found = self._places.open_document(self.uri(path))
        if found is not None:
            return found
        try:
            text = self.workspace.texts.text(path)
        except (Stale, StorageError):
            text = ""
        encoding = self.document.position_codec.encoding
        return Document(
            self.uri(path),
            text,
            None,
            encoding,
        )

    def uri(self, path: str) -> str:
        """Return the URI of a path of the workspace."""
        return self._places.uri(self.workspace.paths.root, path)

    def place_of(self, target: Target) -> Json | None:
        """Return the place of a target as a location; None for a folder."""
        path, line = target.path, target.start
        if target.kind == "folder":
            return None
        if target.address == target.path and self.index.file(path) is None:
            entry = self.index.entry(target.address)
            if entry is None:
                return None
            path, line = entry.path, entry.line
        start = {
            "line": max(0, line - 1),
            "character": 0,
        }
        return {
            "uri": self.uri(path),
            "range": {
                "start": start,
                "end": start,
            },
        }


def followed_links(workspace: LiveWorkspace) -> None:
    """Bring the links of all files up to date, which takes seconds at first."""
    workspace.cached(LinkIndex).follow(workspace.index)


@contextmanager
def shown_text(
    workspace: LiveWorkspace, path: str, document: Document
) -> Iterator[None]:
    """Let the index return an open document instead of the file on disk, unless both
    are equal or the ignore rules hide the path.
    """
    index = workspace.index
    data = document.text.encode("utf-8", "surrogatepass")
    is_hidden = not index.hash(path) and workspace.tree.ignored(path)
    if is_hidden or hashlib.sha256(data).hexdigest() == index.hash(path):
        yield
        return
    index.virtual = workspace.cached(ParsedTexts).parse(path, data)
    try:
        yield
    finally:
        index.virtual = None
