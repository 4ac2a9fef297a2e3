"""A document and its workspace in the thread of the engine, where the index returns
the text of the editor in place of the file on disk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.link_index import LinkIndex
from cuedeck.engine.active_card import active_id, active_path
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.errors import Stale, StorageError
from cuedeck.model.file import File, Link, VirtualFile
from cuedeck.model.paths import ACTIVE
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Target
from cuedeck.parse.notebook import decode_file
from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.ref_spans import DEPENDS_ON, RefSpan, find_ref_spans
from cuedeck.shells.lsp.document import Document

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.model.scene_values import Unresolved
    from cuedeck.shells.lsp.editor_workspaces import EditorWorkspaces

_KEPT = 8
"""Parsed texts of open documents that are cached."""


@lru_cache(_KEPT)
def _parsed(path: str, data: bytes) -> VirtualFile:
    """Return a text as a file that exists in memory only."""
    decoded = decode_file(path, data)
    digest = hashlib.sha256(data).hexdigest()
    return VirtualFile(parse_file(path, data, decoded), decoded.text, digest)


class View:
    """A document of a workspace, as the editor has it or as it is on disk."""

    def __init__(
        self,
        workspace: LiveWorkspace,
        places: EditorWorkspaces,
        path: str,
        document: Document | None,
    ) -> None:
        self.workspace = workspace
        self.index = workspace.index
        self.path = path
        self.places = places
        self._documents = {path: document} if document else {}

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Let the index return an open document instead of the file on disk, unless
        both are equal or the ignore rules hide the path.
        """
        opened = self._documents.get(self.path)
        digest = self.index.hash(self.path)
        is_hidden = not digest and self.workspace.tree.ignored(self.path)
        if opened is not None and not is_hidden:
            file = _parsed(self.path, opened.data)
            if file.hash != digest:
                self.index.virtual = file
        try:
            yield
        finally:
            self.index.virtual = None

    @cached_property
    def document(self) -> Document:
        """The text of the document."""
        return self.document_of(self.path)

    @property
    def file(self) -> File | None:
        """The parsed document; None if scenes do not read it."""
        return self.index.file(self.path)

    def capability(self, name: str) -> Any:
        """Return what the client announced under a name; None if nothing."""
        return self.places.editor.capability(name)

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
        return followed_links(self.workspace)

    @cached_property
    def spans(self) -> Sequence[RefSpan]:
        """The positions of the refs of the document."""
        return self.spans_of(self.path)

    def spans_of(self, path: str) -> Sequence[RefSpan]:
        """Return the positions of the refs of any file."""
        file = self.index.file(path)
        if file is None:
            return ()
        document = self.document_of(path)
        if document.version is not None:
            file = _parsed(path, document.data).file
        return tuple(find_ref_spans(document.source, document.starts, file))

    def span_at(self, offset: int) -> RefSpan | None:
        """Return the ref at an offset."""
        for span in self.spans:
            if span.touches(offset, offset):
                return span
        return None

    def resolve(self, link: Link, path: str = "") -> Target | Unresolved:
        """Return the target of a link of the document, or of the file at `path`."""
        if link.form == DEPENDS_ON:
            link = link._replace(ref=f"card:{link.ref}", form="refs")
        return resolve(
            link,
            path or self.path,
            self.index,
            suggest=True,
        )

    def target_at(self, offset: int) -> Target | None:
        """Return the target of the ref at an offset; None without one."""
        span = self.span_at(offset)
        found = self.resolve(span.link) if span is not None else None
        return found if isinstance(found, Target) else None

    def document_of(self, path: str) -> Document:
        """Return the text of a file as the editor or the disk has it; empty if it
        cannot be read.
        """
        if path not in self._documents:
            editor = self.places.editor
            found = editor.document(self.uri(path))
            if found is None:
                text = self._text(path)
                found = Document(
                    self.uri(path),
                    text,
                    None,
                    editor.encoding,
                )
            self._documents[path] = found
        return self._documents[path]

    def _text(self, path: str) -> str:
        if path == ACTIVE:
            return active_id(self.workspace.paths)
        try:
            return self.workspace.texts.text(path)
        except (Stale, StorageError):
            return ""

    def uri(self, path: str) -> str:
        """Return the URI of a path of the workspace."""
        return self.places.uri(self.workspace.paths.root, path)

    def location(self, path: str, line: int) -> Json:
        """Return the beginning of a line, counted from 1, as a location."""
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

    def place_of(self, target: Target | None) -> Json | None:
        """Return the place of a target as a location; None for a folder."""
        if target is None or target.kind == "folder":
            return None
        if target.address != target.path or self.index.file(target.path) is not None:
            return self.location(target.path, target.start)
        entry = self.index.entry(target.address)
        return self.location(entry.path, entry.line) if entry is not None else None


def followed_links(workspace: LiveWorkspace) -> LinkIndex:
    """Return the up-to-date links of all files, which takes seconds at first."""
    links = workspace.cached(LinkIndex)
    links.follow(workspace.index)
    return links


def title_line(file: File) -> int:
    """Return the line of the first heading of level 1; 0 without one."""
    titles = (each.start for each in file.sections if each.level == 1)
    return next(titles, 0)
