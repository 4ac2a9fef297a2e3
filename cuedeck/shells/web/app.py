"""The application of the page: pages, operations as JSON or form, and the stream of
changes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from jinja2 import ChainableUndefined, Environment, PackageLoader
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from cuedeck import __version__
from cuedeck.engine.live.engine import Engine, open_engine
from cuedeck.engine.mask_answers import emitted, error_report
from cuedeck.model.errors import CueDeckError, Invalid, WorkspaceMissing
from cuedeck.model.ports import Json, JsonView
from cuedeck.shells.web.asking import READS, Asking, arguments_of, operation_of
from cuedeck.shells.web.markdown_html import html_of
from cuedeck.shells.web.views import PAGES, Page, picture

if TYPE_CHECKING:
    from starlette.requests import Request

    from cuedeck.engine.live.change import Change
    from cuedeck.engine.live.live_workspace import LiveWorkspace

Found = TypeVar("Found")

_LARGEST = 4 * 1024 * 1024
"""Bytes of the largest form: a memory file that is edited as text."""
_SEEN = "seen."
"""Prefix of a field as the person saw it before they changed it."""
_ALIVE_SECONDS = 15.0
"""Time after which an idle stream sends a comment, which reveals a lost browser."""
_STATUS = {1001: 404, 1006: 409, 1007: 409, 1011: 404}
"""Status of an answer by the code of its error; others are 400."""
_TEMPLATES = {1011: "init.html"}
"""Page of an error by its code."""


class Site:
    """The pages of one workspace and the browsers that follow its changes."""

    def __init__(
        self, start: str, environ: Mapping[str, str], *, read_only: bool
    ) -> None:
        self._start = start
        self._environ = environ
        self._read_only = read_only
        self._engine: Engine | None = None
        self._streams: set[_Stream] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opening = asyncio.Lock()
        self._changes = 0
        self.key: Callable[[], str] = str
        """Returns the value of the header that allows a write."""
        self._templates = Environment(
            loader=PackageLoader("cuedeck.shells.web"),
            autoescape=True,
            undefined=ChainableUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters["markdown"] = html_of

    def application(self) -> Starlette:
        """Return the ASGI application without its access checks."""
        pages = [Route(path, self._page(page)) for path, page in PAGES.items()]
        static = str(files("cuedeck.shells.web") / "static")
        return Starlette(
            routes=[
                *pages,
                Route("/scene.md", self._scene_text),
                Route("/graph.json", self._picture),
                Route("/events", self._events),
                Route("/do/{name:path}", self._do, methods=["POST"]),
                Mount("/static", StaticFiles(directory=static)),
            ],
            exception_handlers={Exception: self._fail},
        )

    def open(self) -> None:
        """Open the workspace, if there is one."""
        if self._engine is not None:
            self._engine.close(3.0)
            self._engine = None
        try:
            engine = open_engine(self._start, self._environ, writes=not self._read_only)
        except WorkspaceMissing:
            return
        engine.subscribe(self._announce, lambda: bool(self._streams))
        engine.start()
        self._engine = engine

    def close(self) -> bool:
        """Close the workspace and the streams; return whether it ended in time."""
        for stream in tuple(self._streams):
            stream.end()
        return self._engine is None or self._engine.close(3.0)

    async def _call(self, act: Callable[[Asking], Found]) -> Found:
        """Run a function in the thread of the engine. Raises: WorkspaceMissing."""
        async with self._opening:
            if self._engine is None or self._engine.ended:
                await run_in_threadpool(self.open)
        if self._engine is None:
            raise WorkspaceMissing(
                f"no folder .cuedeck/ in {self._start} or above it",
                hint="run `cuedeck init` in the folder of your project",
            )

        def found(workspace: LiveWorkspace) -> Found:
            workspace.refresh()
            return act(Asking(workspace))

        answer = self._engine.call(lambda workspace: emitted(found, workspace))
        return await asyncio.wrap_future(answer)

    # --- pages

    def _page(self, page: Page) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            query = dict(request.query_params)
            changes = self._changes
            values: JsonView
            template, status = page.template, 200
            try:
                values = await self._call(lambda ask: page.view(ask, query))
            except CueDeckError as error:
                values = {"error": error_report(error)}
                template = _TEMPLATES.get(error.code, "error.html")
                status = _STATUS.get(error.code, 400)
            values = {**values, "changes": changes}
            return await self._html(request, template, page, values, status)

        return answer

    async def _html(
        self,
        request: Request,
        template: str,
        page: Page,
        values: JsonView,
        status: int = 200,
    ) -> Response:
        common = {
            "title": page.title,
            "about": page.about,
            "pages": {path: each for path, each in PAGES.items() if each.in_menu},
            "path": request.url.path,
            "root": self._start.rstrip("/").rpartition("/")[2],
            "key": self.key(),
            "read_only": self._read_only,
            "version": __version__,
            "is_part": "hx-request" in request.headers
            and request.headers.get("hx-target") != "main",
        }
        text = await run_in_threadpool(
            self._templates.get_template(template).render, {**common, **values}
        )
        return HTMLResponse(text, status)

    async def _fail(self, request: Request, error: Exception) -> Response:
        """Answer after an internal error, which the log of the server describes."""
        message = f"internal error: {type(error).__name__}"
        hint = "the terminal with `cuedeck web` shows where; please report it"
        values = {"error": {"message": message, "hint": hint}}
        page = PAGES.get(request.url.path, PAGES["/"])
        return await self._html(request, "error.html", page, values, 500)

    async def _scene_text(self, request: Request) -> Response:
        page = PAGES["/"]
        try:
            values = await self._call(lambda ask: page.view(ask, {}))
        except CueDeckError as error:
            return _failed(error)
        return Response(values["raw"], media_type="text/markdown; charset=utf-8")

    async def _picture(self, request: Request) -> Response:
        query = dict(request.query_params)
        try:
            return JSONResponse(await self._call(lambda ask: picture(ask, query)))
        except CueDeckError as error:
            return _failed(error)

    # --- operations

    async def _do(self, request: Request) -> Response:
        """Run an operation with JSON or a form; a form gets a notice as HTML."""
        name = request.path_params["name"].replace("/", " ")
        length = request.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > _LARGEST:
            return Response("the request is too large", 413)
        try:
            if request.headers.get("content-type", "").startswith("application/json"):
                given = await request.json()
                if not isinstance(given, dict):
                    raise Invalid("the body is no JSON object", hint="send an object")
            else:
                form = await request.form()
                given = {each: _single(form.getlist(each)) for each in form}
        except (ValueError, RecursionError):
            return _failed(
                Invalid("the body cannot be read", hint="send JSON or a form")
            )
        except CueDeckError as error:
            return _failed(error)
        answer = await self._run(name, given)
        if "hx-request" not in request.headers:
            return answer
        found = json.loads(bytes(answer.body))
        html = await self._html(
            request,
            "notice.html",
            PAGES["/"],
            {"name": name, "found": found, "given": given},
            answer.status_code,
        )
        if answer.status_code < 400 and not given.get("dry_run"):
            html.headers["HX-Trigger"] = "changed"
        return html

    async def _run(self, name: str, values: JsonView) -> JSONResponse:
        given: Json = {}
        seen: Json = {}
        for key, value in values.items():
            field = key.removeprefix(_SEEN)
            (given if field == key else seen)[field] = value
        try:
            if self._read_only and name not in READS:
                hint = "start `cuedeck web` without --read-only"
                raise Invalid("this server only reads", hint=hint)
            if name == "init" and self._engine is None:
                return JSONResponse(await run_in_threadpool(self._initialise))
            operation = operation_of(name)
            arguments = arguments_of(operation, given)

            def act(ask: Asking) -> Json:
                ask.check_seen(name, arguments, seen)
                return ask.run(operation, arguments)

            found = await self._call(act)
        except CueDeckError as error:
            return _failed(error)
        return JSONResponse(found)

    def _initialise(self) -> Json:
        from cuedeck.shells.call import Call

        call = Call(self._start)
        answer = operation_of("init").answer(call, {})
        call.close()
        self.open()
        return {} if isinstance(answer, int) else dict(answer.value)

    # --- changes

    def _announce(self, change: Change) -> None:
        """Tell the browsers; called in the thread of the engine."""
        self._changes += 1
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._tell, change.kind or "files")

    def _tell(self, kind: str) -> None:
        for stream in self._streams:
            stream.add(kind)

    async def _events(self, request: Request) -> Response:
        self._loop = asyncio.get_running_loop()
        stream = _Stream()
        self._streams.add(stream)

        async def rows() -> AsyncIterator[str]:
            try:
                yield f"retry: 1000\nevent: open\ndata: {self._changes}\n\n"
                while kinds := await stream.next():
                    for kind in kinds:
                        row = f"event: {kind}\ndata: {self._changes}\n\n"
                        yield row if kind else ":\n\n"
            finally:
                self._streams.discard(stream)

        return StreamingResponse(rows(), media_type="text/event-stream")


class _Stream:
    """The changes that one browser has not received yet, each kind once."""

    def __init__(self) -> None:
        self._kinds: dict[str, None] = {}
        self._is_filled = asyncio.Event()
        self._has_ended = False

    def add(self, kind: str) -> None:
        self._kinds[kind] = None
        self._is_filled.set()

    def end(self) -> None:
        self._has_ended = True
        self._is_filled.set()

    async def next(self) -> tuple[str, ...]:
        """Return the next kinds; an empty text to show that the stream is alive, and
        nothing at its end.
        """
        try:
            await asyncio.wait_for(self._is_filled.wait(), _ALIVE_SECONDS)
        except TimeoutError:
            return ("",)
        kinds = () if self._has_ended else tuple(self._kinds)
        self._kinds.clear()
        self._is_filled.clear()
        return kinds


def _single(values: Any) -> Any:
    return values[0] if len(values) == 1 else list(values)


def _failed(error: CueDeckError) -> JSONResponse:
    return JSONResponse({"error": error_report(error)}, _STATUS.get(error.code, 400))
