"""Calls on the workspace of a client: the folder the server was started in, else one of
the client's roots.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
from mcp.shared.exceptions import MCPError
from mcp_types import InputRequiredResult, ListRootsRequest, ListRootsResult

from cuedeck.engine.live.change import Change
from cuedeck.engine.live.engine import Engine, open_engine
from cuedeck.model.errors import CueDeckError, WorkspaceMissing

if TYPE_CHECKING:
    from mcp.server.connection import Connection
    from mcp.server.context import ServerRequestContext
    from mcp_types import InputResponseRequestParams, Root

    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.model.ports import JsonView
    from cuedeck.shells.mcp.server_definition import Start

    Context = ServerRequestContext[Any, Any]

_ROOTS = "roots"
"""Key of the request for roots in a result, for clients without server requests."""
_PATIENCE_SECONDS = 5.0
"""Timeout for the client's answer."""

MODERN = "2026-07-28"
"""First protocol revision without sessions and without requests from the server."""

Answer = TypeVar("Answer")


def connection_of(context: Context) -> Connection:
    """Return the connection of a request; its `exit_stack` is closed when it ends."""
    # The SDK has no public attribute for it.
    connection: Connection = context.session._connection
    return connection


def is_modern(context: Context) -> bool:
    """Return whether the client uses a revision without sessions."""
    return context.protocol_version >= MODERN


class RootsNeeded(Exception):
    """The client must name its roots first; `result` is the request for them."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("roots needed")
        self.result = result


class Workspaces:
    """Finds the workspace on the first call and keeps it open."""

    def __init__(
        self,
        start: Start,
        report: Callable[[Change], None],
        wants_scene: Callable[[], bool],
        *,
        asks_roots: bool,
    ) -> None:
        """Report changes through `report`, in the event loop, those of the scene while
        `wants_scene` returns True; ask for roots only if the client started this
        process.
        """
        self._start = start
        self._report = report
        self._asks_roots = asks_roots
        self._wants_scene = wants_scene
        self._engine: Engine | None = None
        self._is_from_roots = False
        self._opening = anyio.Lock()

    async def ask(
        self,
        context: Context,
        params: InputResponseRequestParams | None,
        act: Callable[[LiveWorkspace], Answer],
        *,
        is_general: bool = False,
    ) -> Answer:
        """Return the masked result of `act` on the workspace.

        With `is_general`, the project folder is used where no workspace exists. Raises:
        WorkspaceMissing, RootsNeeded, and any error of `act`, masked.
        """

        def run(workspace: LiveWorkspace) -> Answer:
            workspace.is_server = True
            from cuedeck.engine.mask_answers import emitted

            return emitted(act, workspace)

        engine = await self._find(context, params, is_general=is_general)
        return await asyncio.wrap_future(engine.call(run))

    def open_early(self) -> None:
        """Start to read the workspace before the first call, if there is one in the
        start folder.
        """
        with contextlib.suppress(CueDeckError):
            self._open(self._start.folder)

    def forget_roots(self) -> None:
        """Close a workspace found by roots, because the roots changed."""
        if self._is_from_roots:
            self._close()

    def log(self, event: JsonView) -> None:
        """Add an event, whose secrets are masked, to the log of the workspace, if one
        is open. Callable from any thread.
        """
        if self._engine is not None:
            self._engine.log(event)

    def close(self, patience_seconds: float) -> bool:
        """Close the workspace; return whether its engine has ended."""
        return self._engine is None or self._engine.close(patience_seconds)

    # --- finding

    async def _find(
        self,
        context: Context,
        params: InputResponseRequestParams | None,
        *,
        is_general: bool,
    ) -> Engine:
        async with self._opening:
            if self._engine is not None and not self._engine.is_usable():
                self._close()
            if self._engine is None or not (
                is_general or self._engine.paths.is_initialised
            ):
                await self._open_any(context, params, is_general=is_general)
            assert self._engine is not None
            return self._engine

    async def _open_any(
        self,
        context: Context,
        params: InputResponseRequestParams | None,
        *,
        is_general: bool,
    ) -> None:
        """Open the workspace of the start folder, else of a root; with `is_general`,
        else a folder without one.

        Raises: WorkspaceMissing; an open folder without workspace stays open then.
        """
        start = [self._start.folder]
        if self._open_first(start, is_root=False):
            return
        folders = [
            _folder(str(root.uri)) for root in await self._roots(context, params)
        ]
        folders = [folder for folder in folders if folder and os.path.isdir(folder)]
        if self._open_first(folders, is_root=True):
            return
        # The roots are the project that the client has open; the start folder may be
        # any.
        if is_general and self._open_first(folders, is_root=True, is_plain=True):
            return
        if is_general and self._open_first(start, is_root=False, is_plain=True):
            return
        self._open(self._start.folder, is_plain=is_general)  # raises the error

    def _open_first(
        self, folders: Sequence[str], *, is_root: bool, is_plain: bool = False
    ) -> bool:
        """Open the first folder that can be opened; return whether there is one."""
        for folder in folders:
            with contextlib.suppress(WorkspaceMissing):
                self._open(folder, is_plain=is_plain)
                self._is_from_roots = is_root
                return True
        return False

    def _open(self, folder: str, *, is_plain: bool = False) -> None:
        writes = not self._start.read_only
        engine = open_engine(
            folder, self._start.environ, writes=writes, is_plain=is_plain
        )
        loop = asyncio.get_running_loop()

        def report(change: Change) -> None:
            if change.kind == "error":
                engine.log(change.event)
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._report, change)

        self._close()
        self._engine = engine
        engine.subscribe(report, self._wants_scene)
        engine.start()

    def _close(self) -> None:
        if self._engine is not None:
            engine, self._engine = self._engine, None
            engine.close(0)

    async def _roots(
        self, context: Context, params: InputResponseRequestParams | None
    ) -> Sequence[Root]:
        """Return the roots of the client; empty if it has none. Raises: RootsNeeded."""
        capabilities = context.session.client_capabilities
        if not self._asks_roots or capabilities is None or capabilities.roots is None:
            return ()
        if is_modern(context):
            if params is None:
                return ()
            answer = (params.input_responses or {}).get(_ROOTS)
            if isinstance(answer, ListRootsResult):
                return answer.roots
            raise RootsNeeded(
                InputRequiredResult(input_requests={_ROOTS: ListRootsRequest()})
            )
        try:
            request = ListRootsRequest()
            found = await connection_of(context).send_request(
                request, opts={"timeout": _PATIENCE_SECONDS}
            )
        except MCPError:
            return ()
        return found.roots


def _folder(uri: str) -> str:
    """Return the folder of a `file:` URL on this machine; empty for any other URL."""
    parts: Any = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    folder = url2pathname(parts.path)  # decodes percent escapes
    return "" if "\0" in folder else folder
