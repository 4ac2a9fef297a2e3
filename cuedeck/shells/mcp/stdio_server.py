"""MCP over stdin and stdout, for the one client that started the process.

The first requests are answered before the SDK is loaded. Loading it takes most of the
time from the start of the process to the first response, and a client waits for the
list of tools before its first request to a model. `initialize`, `tools/list` and `ping`
do not need the SDK. All other requests, and unusual forms of these, are left to it. The
SDK also receives the `initialize` request, because it stores the client's capabilities;
its response to that one is dropped.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cuedeck import __version__
from cuedeck.engine.server.server_setup import end_commands, log_to_stderr
from cuedeck.shells.mcp.server_definition import (
    CAPABILITIES,
    INSTRUCTIONS,
    NAME,
    TITLE,
    Start,
    listed_tools,
)
from cuedeck.shells.mcp.stdio_stream import StdioStream, request_id

if TYPE_CHECKING:
    from cuedeck.shells.mcp.server import Service

VERSIONS = ("2025-06-18", "2025-11-25")
"""Protocol revisions with identical responses; earlier ones have fewer fields, later
ones no `initialize`.
"""
_INITIALIZED = "notifications/initialized"
_LONGEST_LINE = 100_000
"""Bytes; requests of a connecting client are shorter."""
_PARENT_CHECK_SECONDS = 1.0
"""Interval between checks whether the parent process is alive."""
_CLOSE_SECONDS = 3.0
_STDERR = 2
"""Descriptor of the last standard stream."""
_ENDING = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGINT", "SIGHUP")
    if hasattr(signal, name)
)


def serve_stdio(start: Start) -> int:
    """Serve until stdin ends, the parent dies, or the process is asked to end; return
    the exit code.
    """
    _open_missing_streams()
    log_to_stderr()
    return asyncio.run(_serve(start))


def _open_missing_streams() -> None:
    """Open the null device in place of closed standard streams, whose numbers the event
    loop would get otherwise.
    """
    number = os.open(os.devnull, os.O_RDWR)
    while number <= _STDERR:
        number = os.open(os.devnull, os.O_RDWR)
    os.close(number)


async def _serve(start: Start) -> int:
    code = 0
    with StdioStream() as stream:
        opening = asyncio.create_task(_open(start))
        serving = asyncio.create_task(_answer(stream, start, opening))

        def end(with_code: int = 0) -> None:
            nonlocal code
            code = with_code
            serving.cancel()

        _on_signals(end)
        watching = [
            asyncio.create_task(_watch_parent(end)),
            asyncio.create_task(_watch_output(stream, end)),
        ]
        await asyncio.wait([serving])
        for task in watching:
            task.cancel()
        service = await opening
        if not serving.cancelled():
            serving.result()
        if not service.workspaces.close(_CLOSE_SECONDS):
            # An interrupted scan is repeated by the next process, so do not wait for
            # it.
            end_commands()
            os._exit(code)
    return code


async def _open(start: Start) -> Service:
    """Load the SDK while the first lines are answered, then open the workspace."""
    message_exchange = await asyncio.to_thread(_load)
    service: Service = message_exchange.open_service(start)
    return service


def _load() -> ModuleType:
    """Import the module that answers calls, and with it the SDK."""
    from cuedeck.shells.mcp import message_exchange

    return message_exchange


async def _answer(
    stream: StdioStream, start: Start, opening: asyncio.Task[Service]
) -> None:
    """Serve until the input ends and every request is answered."""
    early = EarlyAnswers(start)
    while (line := await stream.receive()) is not None:
        answer = early.answer(line)
        if answer is None:
            break
        if answer:
            await stream.send(answer)
    if line is None:
        return
    service = await asyncio.shield(opening)
    from cuedeck.shells.mcp.message_exchange import Exchange

    await Exchange(stream, [*early.lines, line], early.answered).run(service)


async def _watch_parent(end: Callable[[], None]) -> None:
    """End when the parent dies: stdin does not end if another process holds a copy of
    the pipe.
    """
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(_PARENT_CHECK_SECONDS)
    end()


async def _watch_output(stream: StdioStream, end: Callable[[], None]) -> None:
    await stream.broken.wait()
    end()


def _on_signals(end: Callable[[int], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        code = 130 if number == signal.SIGINT else 0
        try:
            loop.add_signal_handler(number, end, code)
        except NotImplementedError:  # Windows
            signal.signal(
                number, lambda *_, code=code: loop.call_soon_threadsafe(end, code)
            )


class EarlyAnswers:
    """Answers lines until one arrives that requires the SDK."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self.lines: list[bytes] = []
        """Lines that the SDK must also receive, in order."""
        self.answered: Any = None
        """Id of the answered `initialize` request; None before it."""

    def answer(self, line: bytes) -> bytes | None:
        """Return the response to a line, empty for a notification; None if the SDK must
        answer.
        """
        message = _parse(line)
        method = message.get("method")
        if method == "initialize" and self.answered is None:
            result = _greet(message)
        elif (
            method == _INITIALIZED and self.answered is not None and "id" not in message
        ):
            self.lines.append(line)
            return b""
        else:
            result = None
            if self.answered is not None:
                result = self._result(message)
        identity = request_id(message.get("id"))
        if result is None or identity is None:
            return None
        if method == "initialize":
            self.lines.append(line)
            self.answered = identity
        answer = {"jsonrpc": "2.0", "id": identity, "result": result}
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()

    def _result(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Return the result of a request without arguments; None for any other."""
        if message.get("params", {}).keys() - {"_meta"}:
            return None
        if message.get("method") == "tools/list":
            return {"tools": [tool.described() for tool in listed_tools(self._start)]}
        if message.get("method") == "ping":
            return {}
        return None


def _parse(line: bytes) -> dict[str, Any]:
    """Return the message of a line; empty if it is unusual."""
    try:
        # A byte order mark is invalid.
        message = json.loads(line.decode()) if len(line) <= _LONGEST_LINE else None
    except (ValueError, RecursionError):
        return {}
    if not isinstance(message, dict) or message.keys() - {
        "jsonrpc",
        "id",
        "method",
        "params",
    }:
        return {}
    if message.get("jsonrpc") != "2.0" or not isinstance(
        message.get("params", {}), dict
    ):
        return {}
    return message


def _greet(message: dict[str, Any]) -> dict[str, Any] | None:
    """Return the result of an `initialize` request; None if it is unusual."""
    params = message.get("params", {})
    version, capabilities, client = (
        params.get(key) for key in ("protocolVersion", "capabilities", "clientInfo")
    )
    if (
        version not in VERSIONS
        or not isinstance(capabilities, dict)
        or not isinstance(client, dict)
    ):
        return None
    if not all(isinstance(each, dict) for each in capabilities.values()):
        return None
    if not all(isinstance(client.get(key), str) for key in ("name", "version")):
        return None
    server = {"name": NAME, "title": TITLE, "version": __version__}
    return {
        "protocolVersion": version,
        "capabilities": CAPABILITIES,
        "serverInfo": server,
        "instructions": INSTRUCTIONS,
    }
