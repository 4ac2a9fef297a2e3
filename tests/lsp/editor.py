"""An editor that starts the language server as a process, for tests."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

from cuedeck.shells.lsp.document import Document

PATIENCE_SECONDS = 20.0


def capable() -> types.ClientCapabilities:
    """Return the capabilities of a new editor that has every feature."""
    found = client_capabilities("neovim@v0.11")
    assert found.text_document is not None
    assert found.workspace is not None
    found.text_document.document_link = types.DocumentLinkClientCapabilities()
    found.workspace.workspace_edit = types.WorkspaceEditClientCapabilities(
        document_changes=True,
        resource_operations=[
            types.ResourceOperationKind.Create,
            types.ResourceOperationKind.Rename,
        ],
    )
    found.workspace.file_operations = types.FileOperationClientCapabilities(
        will_rename=True
    )
    return found


class Editor:
    """A client of one server, with the documents that it has open."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root
        self.versions: dict[str, int] = {}
        self.initialised: Any = None

    def in_folder(self, root: Path) -> Editor:
        """Return an editor of another folder with the same server."""
        made = Editor(self.client, root)
        made.initialised = self.initialised
        return made

    def uri(self, path: str) -> str:
        return from_fs_path(str(self.root / path)) or ""

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def open(self, path: str, text: str | None = None) -> str:
        """Open a document with the text of the file, or with an unsaved one."""
        shown = self.text(path) if text is None else text
        item = types.TextDocumentItem(self.uri(path), "markdown", 1, shown)
        self.versions[path] = 1
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return shown

    def change(self, path: str, *changes: Any) -> None:
        """Send changes; a text replaces the whole document."""
        self.versions[path] += 1
        identity = types.VersionedTextDocumentIdentifier(
            self.versions[path], self.uri(path)
        )
        whole = types.TextDocumentContentChangeWholeDocument
        rows = [whole(each) if isinstance(each, str) else each for each in changes]
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(identity, rows)
        )

    def save(self, path: str, text: str) -> None:
        """Write a file as an editor does, and report it."""
        (self.root / path).write_text(text, "utf-8")
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(
                types.TextDocumentIdentifier(self.uri(path))
            )
        )

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """Send a request about a document."""
        kind = types.METHOD_TO_TYPES[method][2]
        identity = types.TextDocumentIdentifier(self.uri(path))
        params = kind(text_document=identity, **more)
        return await self.send(method, params)

    async def send(self, method: str, params: Any) -> Any:
        answer = self.client.protocol.send_request_async(method, params)
        return await asyncio.wait_for(answer, PATIENCE_SECONDS)

    async def at(
        self, method: str, path: str, text: str, needle: str, **more: Any
    ) -> Any:
        """Send a request about the place of a text in a document, after its first
        character.
        """
        document = Document("", text, None, self.encoding)
        position = types.Position(**document.position(text.index(needle) + 1))
        return await self.ask(method, path, position=position, **more)

    @property
    def encoding(self) -> str:
        return str(self.initialised.capabilities.position_encoding or "utf-16")

    async def complete(self, path: str, text: str) -> list[types.CompletionItem]:
        """Return the candidates at `▮` in an unsaved text."""
        before = text.partition("▮")[0]
        shown = text.replace("▮", "")
        if path in self.versions:
            self.change(path, shown)
        else:
            self.open(path, shown)
        document = Document("", shown, None, self.encoding)
        position = types.Position(**document.position(len(before)))
        found = await self.ask(types.TEXT_DOCUMENT_COMPLETION, path, position=position)
        return list(found.items)

    async def pushed(
        self, path: str, wanted: Callable[[list[types.Diagnostic]], bool]
    ) -> list[types.Diagnostic]:
        """Wait for pushed diagnostics."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                found = self.client.diagnostics.get(self.uri(path))
                if found is not None and wanted(list(found)):
                    return list(found)
                await self.client.wait_for_notification(
                    types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
                )

    def apply(self, edit: types.WorkspaceEdit) -> None:
        """Apply edits to the files on disk, as an editor does."""
        for each in edit.document_changes or ():
            if isinstance(each, types.TextDocumentEdit):
                place = Path(to_fs_path(each.text_document.uri) or "")
                text = place.read_bytes().decode() if place.exists() else ""
                place.write_bytes(self._edited(text, each.edits).encode())
            elif isinstance(each, types.RenameFile):
                old, new = map(to_fs_path, (each.old_uri, each.new_uri))
                Path(new or "").parent.mkdir(exist_ok=True)
                Path(old or "").rename(new or "")
            elif isinstance(each, types.CreateFile):
                Path(to_fs_path(each.uri) or "").touch()

    def _edited(self, text: str, edits: Any) -> str:
        document = Document("", text, None, self.encoding)
        spans = []
        for each in edits:
            start, end = each.range.start, each.range.end
            first = document.offset(start.line, start.character)
            last = document.offset(end.line, end.character)
            spans.append((first, last, each.new_text))
        for first, last, new in sorted(spans, reverse=True):
            text = text[:first] + new + text[last:]
        return text

    def path_of(self, uri: str) -> str:
        """Return the path in the workspace that a URI names."""
        place = Path(to_fs_path(unquote(uri)) or "")
        return place.relative_to(self.root).as_posix()

    async def end(self) -> None:
        await asyncio.wait_for(self.client.shutdown_session(), PATIENCE_SECONDS)


@asynccontextmanager
async def editing(
    root: Path,
    environ: Mapping[str, str],
    client: str | types.ClientCapabilities | None = None,
    folders: tuple[Path, ...] = (),
    answers: Mapping[str, Any] = MappingProxyType({}),
) -> AsyncIterator[Editor]:
    """Start a server and an editor for a folder, and end both. `answers` are the
    answers of the editor by the method of a request.
    """
    made = make_test_lsp_client()
    for method, answer in answers.items():
        made.feature(method)(lambda params, answer=answer: answer)
    command = [sys.executable, "-m", "cuedeck", "lsp"]
    await made.start_io(*command, env=dict(environ), cwd=str(root))
    editor = Editor(made, root)
    announced = client or capable()
    if isinstance(announced, str):
        announced = client_capabilities(announced)
    uri = from_fs_path(str(root)) or ""
    opened = [
        types.WorkspaceFolder(from_fs_path(str(each)) or "", each.name)
        for each in folders or (root,)
    ]
    params = types.InitializeParams(announced, root_uri=uri, workspace_folders=opened)
    editor.initialised = await made.initialize_session(params)
    try:
        yield editor
    finally:
        if made._server is not None and made._server.returncode is None:
            await editor.end()
        await made.stop()
