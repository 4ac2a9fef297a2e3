"""The client of the SDK, asked from tests that are no coroutines: in this process, and over both transports."""

from __future__ import annotations

import json
import os
import queue
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from desk import Desk, child_environ, session_folder
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import (
    CallToolResult,
    EmptyResult,
    SubscribeRequest,
    SubscribeRequestParams,
    UnsubscribeRequest,
    UnsubscribeRequestParams,
)

from cuedeck.mcp.server import Service
from cuedeck.mcp.server_definition import Start

PATIENCE_SECONDS = 30.0
COMMAND = (
    "import cuedeck.cli.cli_main as shell; "
    "shell.COMMANDS.setdefault('mcp', 'cuedeck.cli.mcp_command:mcp'); shell.main()"
)
"""Runs the command line, whether the command is in its table yet or not."""


def open_shop(factory: pytest.TempPathFactory) -> Desk:
    """Return a workspace with a card and a doc, for the tests of a module that share a server."""
    desk = Desk(Path(os.path.realpath(factory.mktemp("shop"))), child_environ(session_folder(factory)))
    fill_shop(desk)
    return desk


def fill_shop(desk: Desk) -> None:
    """Write a card and a doc."""
    desk.card("2a9f1x", "title: Fix login", "status: active", "refs: [docs/auth.md]")
    desk.write("docs/auth.md", "# Auth\n\ntext\n")


class Talk:
    """A connected client."""

    def __init__(self, portal: BlockingPortal, client: Client, heard: queue.Queue[Any]) -> None:
        self.portal = portal
        self.client = client
        self.heard = heard
        """Messages the server sent on its own."""

    def do(self, act: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Return what a method of the client gives, in bounded time."""

        async def bounded() -> Any:
            with anyio.fail_after(PATIENCE_SECONDS):
                return await act(*arguments, **named)

        return self.portal.call(bounded)

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool."""
        return self.do(self.client.call_tool, tool, arguments)

    def ok(self, tool: str, **arguments: Any) -> Any:
        """Call a tool that must succeed; return its structure, or else its text."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result
        return result.content[0].text if result.structured_content is None else result.structured_content

    def fails(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """Call a tool that must fail; return the error it tells."""
        result = self.call(tool, **arguments)
        assert result.is_error, result
        assert json.loads(result.content[0].text) == result.structured_content
        error: Mapping[str, Any] = result.structured_content["error"]
        return error

    def together(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> list[CallToolResult]:
        """Make calls at the same time; return their results in order."""
        found: dict[int, CallToolResult] = {}

        async def one(at: int, tool: str, arguments: Mapping[str, Any]) -> None:
            found[at] = await self.client.call_tool(tool, dict(arguments))

        async def all_of_them() -> None:
            async with anyio.create_task_group() as group:
                for at, (tool, arguments) in enumerate(calls):
                    group.start_soon(one, at, tool, arguments)

        self.do(all_of_them)
        return [found[at] for at in range(len(calls))]

    def subscribe(self, uri: str) -> None:
        """Ask to be told of changes; the client warns that this is going to be done otherwise."""
        request = SubscribeRequest(params=SubscribeRequestParams(uri=uri))
        self.do(self.client.session.send_request, request, EmptyResult)

    def unsubscribe(self, uri: str) -> None:
        """Ask to be told no longer."""
        request = UnsubscribeRequest(params=UnsubscribeRequestParams(uri=uri))
        self.do(self.client.session.send_request, request, EmptyResult)

    def updated(self) -> str:
        """Return the address of the next resource that is told to have changed."""
        while True:
            message = self.heard.get(timeout=PATIENCE_SECONDS)
            if getattr(message, "method", "") == "notifications/resources/updated":
                return str(message.params.uri)


@contextmanager
def talking(open_client: Callable[[Any], Any]) -> Iterator[Talk]:
    """Connect a client that `open_client` makes of the function that hears messages."""
    heard: queue.Queue[Any] = queue.Queue()

    async def hear(message: Any) -> None:
        heard.put(getattr(message, "root", message))

    with start_blocking_portal() as portal:
        failure: BaseException | None = None
        with portal.wrap_async_context_manager(open_client(hear)) as client:
            try:
                yield Talk(portal, client, heard)
            except BaseException as error:  # noqa: BLE001 - raised below; the client would wrap it into groups
                failure = error
        if failure is not None:
            raise failure


@contextmanager
def in_process(
    folder: Path, *, mode: str = "legacy", read_only: bool = False, compat: bool = False, **options: Any
) -> Iterator[Talk]:
    """Talk to a server in this process."""

    @asynccontextmanager
    async def opened(hear: Any) -> AsyncIterator[Client]:
        service = Service(Start(str(folder), {}, read_only, compat), asks_roots=True)
        try:
            async with Client(service.build(), mode=mode, message_handler=hear, **options) as client:
                yield client
        finally:
            service.workspaces.close(PATIENCE_SECONDS)

    with talking(opened) as talk:
        yield talk


@contextmanager
def over_stdio(
    folder: Path, environ: Mapping[str, str], *arguments: str, mode: str = "auto", **options: Any
) -> Iterator[Talk]:
    """Talk to a server that the client starts."""
    parameters = StdioServerParameters(
        command=sys.executable, args=["-c", COMMAND, "mcp", *arguments], env=dict(environ), cwd=str(folder)
    )

    def opened(hear: Any) -> Client:
        return Client(stdio_client(parameters), mode=mode, message_handler=hear, **options)

    with talking(opened) as talk:
        yield talk


@contextmanager
def over_http(url: str, *, mode: str = "auto", **options: Any) -> Iterator[Talk]:
    """Talk to a server that runs."""
    with talking(lambda hear: Client(url, mode=mode, message_handler=hear, **options)) as talk:
        yield talk
