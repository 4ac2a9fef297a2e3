"""Synchronous client of the MCP SDK for tests: in this process, over stdio and over
HTTP.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from anyio.from_thread import BlockingPortal, start_blocking_portal
from command_server import ForkedProcess
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.message import SessionMessage
from mcp_types import (
    CallToolResult,
    EmptyResult,
    SubscribeRequest,
    SubscribeRequestParams,
    UnsubscribeRequest,
    UnsubscribeRequestParams,
    jsonrpc_message_adapter,
)
from sandbox import Sandbox, child_environ, session_folder

from cuedeck.shells.mcp.server import Service
from cuedeck.shells.mcp.server_definition import Start

TIMEOUT_SECONDS = 30.0


def open_shop(factory: pytest.TempPathFactory) -> Sandbox:
    """Return a workspace with a card and a doc, for the tests of a module that share a
    server.
    """
    sandbox = Sandbox(
        Path(os.path.realpath(factory.mktemp("shop"))),
        child_environ(session_folder(factory)),
    )
    fill_shop(sandbox)
    return sandbox


def fill_shop(sandbox: Sandbox) -> None:
    """Write a card and a doc."""
    sandbox.card("2a9f1x", "title: Fix login", "status: active", "refs: [docs/auth.md]")
    sandbox.write("docs/auth.md", "# Auth\n\ntext\n")


_MORE = re.compile(r'… and (\d+) more; cursor "(\d+)"')


class McpClient:
    """A connected client."""

    def __init__(
        self, portal: BlockingPortal, client: Client, messages: queue.Queue[Any]
    ) -> None:
        self.portal = portal
        self.sdk = client
        self.messages = messages
        """Notifications of the server."""

    def do(self, act: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Return the result of a coroutine function, with a time limit."""

        async def bounded() -> Any:
            with anyio.fail_after(TIMEOUT_SECONDS):
                return await act(*arguments, **named)

        return self.portal.call(bounded)

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool."""
        return self.do(self.sdk.call_tool, tool, arguments)

    def ok(self, tool: str, **arguments: Any) -> Any:
        """Call a tool that must succeed; return its structured content, else its
        text.
        """
        result = self.call(tool, **arguments)
        assert not result.is_error, result
        return (
            result.content[0].text
            if result.structured_content is None
            else result.structured_content
        )

    def recall(self, tool: str = "recall", **arguments: Any) -> dict[str, Any]:
        """Search the memory; return the hits that the text of the answer lists."""
        answer: dict[str, Any] = {"hits": [], "notes": [], "left_out": 0}
        for line in self.ok(tool, **arguments).splitlines():
            if line.startswith("note: "):
                answer["notes"].append(line.removeprefix("note: "))
            elif more := _MORE.fullmatch(line):
                answer["left_out"], answer["next"] = int(more[1]), more[2]
            elif line.startswith("  score "):
                answer["hits"][-1]["why"] = line
            elif not line.startswith("nothing matches "):
                place, _, snippet = line.partition(": ")
                hit = {"place": place, "snippet": snippet}
                words = place.split()
                hit["address"] = words[-1] if ":" in words[-1] else words[0]
                answer["hits"].append(hit)
        answer["total"] = len(answer["hits"]) + answer["left_out"]
        return answer

    def fails(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """Call a tool that must fail; return its error."""
        result = self.call(tool, **arguments)
        assert result.is_error, result
        assert json.loads(result.content[0].text) == result.structured_content
        error: Mapping[str, Any] = result.structured_content["error"]
        return error

    def subscribe(self, uri: str) -> None:
        """Subscribe to a resource. A direct request avoids the deprecation warning of
        the method of the client.
        """
        request = SubscribeRequest(params=SubscribeRequestParams(uri=uri))
        self.do(self.sdk.session.send_request, request, EmptyResult)

    def unsubscribe(self, uri: str) -> None:
        """Unsubscribe from a resource."""
        request = UnsubscribeRequest(params=UnsubscribeRequestParams(uri=uri))
        self.do(self.sdk.session.send_request, request, EmptyResult)

    def updated(self) -> str:
        """Return the address of the next resource that a notification reports as
        changed.
        """
        while True:
            message = self.messages.get(timeout=TIMEOUT_SECONDS)
            if getattr(message, "method", "") == "notifications/resources/updated":
                return str(message.params.uri)


@contextmanager
def connect(open_client: Callable[[Any], Any]) -> Iterator[McpClient]:
    """Connect the client that `open_client` creates with a message handler."""
    messages: queue.Queue[Any] = queue.Queue()

    async def handle(message: Any) -> None:
        messages.put(getattr(message, "root", message))

    with start_blocking_portal() as portal:
        failure: BaseException | None = None
        with portal.wrap_async_context_manager(open_client(handle)) as client:
            try:
                yield McpClient(portal, client, messages)
            except BaseException as error:  # noqa: BLE001 - raised below; the client would wrap it into groups
                failure = error
        if failure is not None:
            raise failure


@contextmanager
def connect_in_process(
    folder: Path,
    *,
    mode: str = "legacy",
    read_only: bool = False,
    compat: bool = False,
    **options: Any,
) -> Iterator[McpClient]:
    """Connect to a server in this process."""

    @asynccontextmanager
    async def opened(handle: Any) -> AsyncIterator[Client]:
        service = Service(Start(str(folder), {}, read_only, compat), asks_roots=True)
        try:
            async with Client(
                service.build(), mode=mode, message_handler=handle, **options
            ) as client:
                yield client
        finally:
            service.workspaces.close(TIMEOUT_SECONDS)

    with connect(opened) as client:
        yield client


@contextmanager
def connect_over_stdio(
    sandbox: Sandbox,
    *arguments: str,
    mode: str = "auto",
    environ: Mapping[str, str] | None = None,
    **options: Any,
) -> Iterator[McpClient]:
    """Start a server in a forked process and connect to it over stdio."""

    def opened(handle: Any) -> Client:
        process = sandbox.start(
            "mcp",
            *arguments,
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            environ=environ or {},
        )
        streams = open_streams(process)
        return Client(streams, mode=mode, message_handler=handle, **options)

    with connect(opened) as client:
        yield client


@asynccontextmanager
async def open_streams(process: ForkedProcess) -> AsyncIterator[tuple[Any, Any]]:
    """Yield the streams of messages from and to a server; at the end, close its input
    and wait for its exit.
    """
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None and stdout is not None
    received, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, sent = anyio.create_memory_object_stream[SessionMessage]()

    async def read() -> None:
        async with received:
            while line := await to_thread.run_sync(stdout.readline):
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                with contextlib.suppress(anyio.BrokenResourceError):
                    await received.send(SessionMessage(message))

    async def write() -> None:
        async with sent:
            async for each in sent:
                text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                stdin.write(text.encode() + b"\n")
                stdin.flush()
        stdin.close()

    def end() -> None:
        try:
            process.wait(TIMEOUT_SECONDS)
        finally:
            process.kill()

    async with anyio.create_task_group() as group:
        group.start_soon(read)
        group.start_soon(write)
        try:
            yield incoming, outgoing
        finally:
            with anyio.CancelScope(shield=True):
                incoming.close()
                outgoing.close()
                await to_thread.run_sync(end)
    stdout.close()


@contextmanager
def connect_to_interpreter(
    folder: Path, environ: Mapping[str, str], mode: str
) -> Iterator[McpClient]:
    """Let the SDK start a server in a new interpreter and connect to it over stdio."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "cuedeck", "mcp"],
        env=dict(environ),
        cwd=str(folder),
    )

    def opened(handle: Any) -> Client:
        return Client(stdio_client(parameters), mode=mode, message_handler=handle)

    with connect(opened) as client:
        yield client


@contextmanager
def connect_over_http(
    url: str, *, mode: str = "auto", **options: Any
) -> Iterator[McpClient]:
    """Connect to a running server over HTTP."""
    with connect(
        lambda handle: Client(url, mode=mode, message_handler=handle, **options)
    ) as client:
        yield client
