"""Workspaces of the documents that an editor has open: one engine for each, found from
the folder of the document.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from pygls.uris import from_fs_path, to_fs_path

from cuedeck.engine.live.engine import Engine, open_engine
from cuedeck.model.errors import CueDeckError

if TYPE_CHECKING:
    from cuedeck.engine.live.change import Change
    from cuedeck.shells.lsp.document import Document

_CLOSE_SECONDS = 3.0
_PATIENCE_SECONDS = 0.3
"""Time without requests before the scene is built, which takes longer than an answer.
"""


class Editor(Protocol):
    """What the server knows of its client. Callable from any thread."""

    @property
    def encoding(self) -> Any:
        """Encoding in whose units the client counts positions."""

    def capability(self, name: str, /) -> Any:
        """Return what the client announced under a name; None if nothing."""

    def document(self, uri: str, /) -> Document | None:
        """Return a copy of an open document; None for any other."""


class EditorWorkspaces:
    """Open engines, by the roots of their workspaces."""

    def __init__(
        self,
        environ: Mapping[str, str],
        report: Callable[[Change], None],
        editor: Editor,
    ) -> None:
        """Report changes, in the threads of the engines."""
        self._environ = environ
        self._report = report
        self.editor = editor
        self._engines: dict[str, Engine] = {}
        self._roots: dict[str, str] = {}
        """Root of the workspace of each folder that was asked for."""
        self._spellings: dict[str, str] = {}
        """Roots as the client spells them, which may contain symbolic links."""

    def open(self, folder: str) -> Engine | None:
        """Return the engine of the workspace at or above a folder; None without one."""
        engine = self._engines.get(self._roots.get(folder, ""))
        if engine is not None and engine.is_usable():
            return engine
        with suppress(CueDeckError):
            found = open_engine(
                folder, self._environ, writes=True, patience_seconds=_PATIENCE_SECONDS
            )
            root = self._roots[folder] = found.paths.root
            engine = self._engines.get(root)
            if engine is None or not engine.is_usable():
                self.close(root)
                engine = self._engines[root] = found
                engine.subscribe(self._report, lambda: False)
                engine.start()
            return engine
        return None

    def add_folder(self, uri: str) -> Engine | None:
        """Open the workspace of a folder of the editor; None without one."""
        folder = folder_of(uri)
        real = os.path.realpath(folder)
        engine = self.open(real) if folder else None
        if engine is not None:
            self._spellings[real] = folder
        return engine

    def remove_folder(self, uri: str) -> None:
        """Close the workspace of a folder that the editor no longer shows."""
        self.close(os.path.realpath(folder_of(uri)))

    def engines(self) -> list[Engine]:
        """Return the engines of all open workspaces."""
        return [each for each in self._engines.values() if each.is_usable()]

    def place(self, uri: str) -> tuple[Engine, str] | None:
        """Return the engine of the workspace of a document, and the path in it; None
        outside every workspace.
        """
        given = folder_of(uri)
        if not given:
            return None
        folder = os.path.dirname(os.path.realpath(given))
        engine = self.open(folder)
        if engine is None:
            return None
        return engine, path_in(engine.paths.root, uri)

    def uri(self, root: str, path: str) -> str:
        """Return the URI of a path in a workspace, as the client spells it."""
        spelling = self._spellings.get(root, root)
        return from_fs_path(os.path.join(spelling, *path.split("/"))) or ""

    def close(self, root: str) -> None:
        """Close a workspace, if it is open."""
        engine = self._engines.pop(root, None)
        if engine is not None:
            engine.close(_CLOSE_SECONDS)

    def close_all(self) -> None:
        """Close every workspace; SCENE.md gets the last changes."""
        for root in tuple(self._engines):
            self.close(root)


def folder_of(uri: str) -> str:
    """Return the absolute path of a `file:` URI; empty for any other."""
    path = to_fs_path(uri) or ""
    return path if os.path.isabs(path) and "\0" not in path else ""


def path_in(root: str, uri: str) -> str:
    """Return the path of a document in a workspace; empty if it is elsewhere."""
    given = folder_of(uri)
    path = os.path.relpath(os.path.realpath(given), root).replace(os.sep, "/")
    return "" if not given or path.startswith("../") else path
