"""The language server: its features, the calls on the workspace of a document, and what
it sends by itself.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import unquote

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from cuedeck import __version__
from cuedeck.engine.live.server_setup import log_to_stderr
from cuedeck.engine.mask_answers import emitted
from cuedeck.model.errors import CueDeckError
from cuedeck.model.paths import CONFIG
from cuedeck.model.ports import Json
from cuedeck.shells.call import Call
from cuedeck.shells.lsp import actions
from cuedeck.shells.lsp.diagnostics import diagnose
from cuedeck.shells.lsp.document import Document
from cuedeck.shells.lsp.editor_workspaces import EditorWorkspaces, folder_of
from cuedeck.shells.lsp.features import CHANGES, FEATURES, Feature
from cuedeck.shells.lsp.view import View, followed_links
from cuedeck.shells.operation import OPERATIONS, load

if TYPE_CHECKING:
    from cuedeck.engine.live.change import Change
    from cuedeck.engine.live.engine import Engine
    from cuedeck.engine.live.live_workspace import LiveWorkspace

_QUIET_SECONDS = 0.2
"""Time without typing after which pushed diagnostics are renewed."""
_REQUEST_FAILED = -32803
_REFRESHED = {
    "workspace.diagnostics.refresh_support": types.WORKSPACE_DIAGNOSTIC_REFRESH,
    "workspace.code_lens.refresh_support": types.WORKSPACE_CODE_LENS_REFRESH,
    "workspace.inlay_hint.refresh_support": types.WORKSPACE_INLAY_HINT_REFRESH,
}
"""Requests after a change of files, by the capability that allows them."""

_CONVERTER = get_converter()


class Server(LanguageServer):
    """Answers an editor from the live workspaces of its documents."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__("cuedeck", __version__)
        self.places = EditorWorkspaces(environ, self._report, self)
        self.exit_code = 1
        """Exit code if the client ends without a shutdown."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        for method, act in _LIFE.items():
            self.feature(method)(partial(act, self))
        # Clients run the commands of lenses without announcing it.
        for name in actions.COMMANDS:
            self.command(name)(_command(self, name))

    # --- calls

    async def answer(self, method: str, params: Any) -> Any:
        """Return the masked answer to a request of the table of features. Raises:
        CueDeckError for a change.
        """
        feature = FEATURES[method]
        nothing = feature.nothing
        if getattr(params, "data", None) is not None:
            params = nothing = _CONVERTER.unstructure(params)
        found: list[Any] = []
        try:
            for uri in self._documents_of(params):
                found.append(await self.ask(uri, partial(_call, feature, params)))
        except CueDeckError:
            if method in CHANGES:
                raise
        if method == types.WORKSPACE_SYMBOL:
            return [each for rows in found for each in rows]
        return found[0] if found and found[0] is not None else nothing

    def _documents_of(self, params: Any) -> list[str]:
        """Return the document that a request is about; for one about all workspaces the
        settings of each.
        """
        if isinstance(params, dict):
            return [params["data"]["uri"]]
        if isinstance(params, types.RenameFilesParams):
            return [params.files[0].old_uri]
        if not isinstance(params, types.WorkspaceSymbolParams):
            return [params.text_document.uri]
        engines = self.places.engines()
        return [self.places.uri(each.paths.root, CONFIG) for each in engines]

    async def ask(self, uri: str, act: Callable[[View], Any]) -> Any:
        """Return the masked result of `act` on a document; None outside every
        workspace. Raises: CueDeckError, whose texts are masked.
        """
        place = self.places.place(uri)
        if place is None:
            return None
        engine, path = place
        document = self.document(uri)

        def run(workspace: LiveWorkspace) -> Any:
            view = View(
                workspace,
                self.places,
                path,
                document,
            )
            with view.shown():
                return act(view)

        return await self.run(engine, run)

    async def run(self, engine: Engine, act: Callable[[LiveWorkspace], Any]) -> Any:
        """Return the masked result of `act` in the thread of an engine. Raises:
        CueDeckError, whose texts are masked.
        """

        def answer(workspace: LiveWorkspace) -> Any:
            workspace.is_server = True
            workspace.refresh_for_recall()
            return act(workspace)

        return await asyncio.wrap_future(engine.call(partial(emitted, answer)))

    def document(self, uri: str, /) -> Document | None:
        """Return a copy of an open document, which later edits do not change. Callable
        from any thread.
        """
        found = self.workspace.text_documents.get(unquote(uri))
        return copy(found) if isinstance(found, Document) else None

    @property
    def encoding(self) -> Any:
        """Encoding in whose units the client counts positions."""
        return self.workspace.position_encoding

    # --- life

    def capability(self, name: str, /) -> Any:
        """Return what the client announced under a name; None if nothing."""
        return get_capability(self.client_capabilities, name)

    def initialise(self, params: types.InitializeParams) -> None:
        """Register the features that the client announces."""
        self._loop = asyncio.get_running_loop()
        for method, feature in FEATURES.items():
            if self.capability(feature.capability) is not None:
                answer = partial(_answer, partial(self.answer, method))
                self.feature(method, feature.options)(answer)

    def initialised(self, params: types.InitializedParams) -> None:
        """Open the workspaces of the folders."""
        folders = list(self.workspace.folders)
        if not folders and self.workspace.root_uri:
            folders = [self.workspace.root_uri]
        self.spawn(self._open_folders, folders)

    async def _open_folders(self, uris: list[str]) -> None:
        engines = [self.places.add_folder(uri) for uri in uris]
        for engine in filter(None, engines):
            await self._index(engine)
        if uris and not any(engines):
            await self._offer_init(uris[0])

    async def _index(self, engine: Engine) -> None:
        """Read a workspace, and show the progress where the client announced it."""
        token = f"index:{engine.paths.root}"
        has_progress = self.capability("window.work_done_progress")
        progress = self.work_done_progress
        if has_progress:
            await progress.create_async(token)
            title = "CueDeck: reading the workspace"
            progress.begin(token, types.WorkDoneProgressBegin(title))
        try:
            await self.run(engine, followed_links)
        except CueDeckError as error:
            logging.getLogger(__name__).warning("%s", error.message)
        finally:
            if has_progress:
                progress.end(token, types.WorkDoneProgressEnd())

    async def _offer_init(self, uri: str) -> None:
        """Offer a workspace for a folder without one, where the client can ask."""
        text = f"{folder_of(uri)} has no CueDeck workspace"
        kind = types.MessageType.Info
        if self.capability("window.show_message") is None:
            hint = f"{text}; `cuedeck init` creates one"
            self.window_show_message(types.ShowMessageParams(kind, hint))
            return
        create = types.MessageActionItem("Create it")
        params = types.ShowMessageRequestParams(kind, text, [create])
        chosen = await self.window_show_message_request_async(params)
        if chosen is not None and chosen.title == create.title:
            await self.run_command(actions.INIT, uri)

    async def run_command(self, name: str, uri: str) -> None:
        """Run a command of the table of operations. Raises: CueDeckError."""
        operation = actions.COMMANDS[name]
        load(operation)
        if name == actions.INIT:
            OPERATIONS[operation].answer(Call(folder_of(uri)), {})
            await self._open_folders([uri])
            return

        def run(view: View) -> None:
            call = Call()
            call.opened = view.workspace
            OPERATIONS[operation].answer(call, {"identity": view.path})

        await self.ask(uri, run)

    def change_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Open new folders, and close the workspaces of removed ones."""
        for each in params.event.removed:
            self.places.remove_folder(each.uri)
        self.spawn(self._open_folders, [each.uri for each in params.event.added])

    def open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Take over the text of a document."""
        item = params.text_document
        text = Document(
            item.uri,
            item.text,
            item.version,
            self.encoding,
        )
        self.workspace.text_documents[unquote(item.uri)] = text
        self.renew(params)

    def renew(self, params: Any) -> None:
        """Diagnose an opened, edited or saved document once the person pauses."""
        self._renew_soon(params.text_document.uri)

    def close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Remove the diagnostics of a closed document."""
        uri = params.text_document.uri
        self._stop_timer(uri)
        if self._pushes:
            self._publish(uri, [])

    def end(self, params: None) -> None:
        """Write the last changes before the client ends the process."""
        self.exit_code = 0
        self.places.close_all()

    # --- sent by the server

    @property
    def _pushes(self) -> bool:
        """Whether the client announced pushed diagnostics, and no pulled ones."""
        pulls = self.capability("text_document.diagnostic")
        pushes = self.capability("text_document.publish_diagnostics")
        return pulls is None and pushes is not None

    def _renew_soon(self, uri: str) -> None:
        self._stop_timer(uri)
        loop = asyncio.get_running_loop()
        renew = partial(self.spawn, self._diagnose)
        self._timers[uri] = loop.call_later(_QUIET_SECONDS, renew, uri)

    def _stop_timer(self, uri: str) -> None:
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()

    async def _diagnose(self, uri: str) -> None:
        found = None
        with suppress(CueDeckError):
            found = await self.ask(uri, diagnose)  # also reads a saved file
        if self._pushes and found is not None:
            self._publish(uri, found["items"])

    def _publish(self, uri: str, found: list[Json]) -> None:
        document = self.document(uri)
        version = document.version if document else None
        pushed = {
            "uri": uri,
            "diagnostics": found,
            "version": version,
        }
        params = _CONVERTER.structure(pushed, types.PublishDiagnosticsParams)
        self.text_document_publish_diagnostics(params)

    def _report(self, change: Change) -> None:
        """Renew what the editor shows; called in the thread of an engine."""
        loop = self._loop
        if loop is None or loop.is_closed() or change.kind == "ready":
            return
        loop.call_soon_threadsafe(self._refresh)

    def _refresh(self) -> None:
        for capability, method in _REFRESHED.items():
            if self.capability(capability):
                self.protocol.send_request(method)
        if self._pushes:
            for each in self.workspace.text_documents.values():
                self._renew_soon(each.uri)

    def spawn(self, act: Callable[..., Any], *given: Any) -> None:
        """Run a coroutine and hold it until its end."""
        task = asyncio.ensure_future(act(*given))
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logging.getLogger(__name__).error("failed", exc_info=task.exception())


def _call(feature: Feature, params: Any, view: View) -> Any:
    return feature.answer(view, params)


async def _answer(act: Callable[[Any], Awaitable[Any]], params: Any) -> Any:
    """Answer a request. Raises: JsonRpcException for an internal error."""
    try:
        return await act(params)
    except CueDeckError as error:
        hint = f"; {error.hint}" if error.hint else ""
        raise JsonRpcException(error.message + hint, _REQUEST_FAILED) from error
    except Exception as error:  # outermost frame: the server survives internal errors
        logging.getLogger(__name__).exception("failed")
        raise JsonRpcInternalError(f"internal error: {type(error).__name__}") from error


def _command(server: Server, name: str) -> Callable[[str], Awaitable[Any]]:
    async def run(uri: str) -> Any:
        return await _answer(partial(server.run_command, name), uri)

    return run


_LIFE: Mapping[str, Callable[..., None]] = {
    types.INITIALIZE: Server.initialise,
    types.INITIALIZED: Server.initialised,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: Server.change_folders,
    types.TEXT_DOCUMENT_DID_OPEN: Server.open,
    types.TEXT_DOCUMENT_DID_CHANGE: Server.renew,
    types.TEXT_DOCUMENT_DID_SAVE: Server.renew,
    types.TEXT_DOCUMENT_DID_CLOSE: Server.close,
    types.SHUTDOWN: Server.end,
}
"""Handlers of the life of the server and its documents."""


def serve_editor(environ: Mapping[str, str]) -> NoReturn:
    """Serve one editor on stdin and stdout until it ends; then exit."""
    log_to_stderr()
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = Server(environ)
    server.start_io()
    server.places.close_all()
    os._exit(server.exit_code)  # pygls has closed stdout
