"""MCP over stdin and stdout, for the one client that started the process."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from cuedeck.mcp.early_answers import EarlyAnswers
from cuedeck.mcp.stdio_stream import StdioStream

if TYPE_CHECKING:
    from cuedeck.mcp.server import Service
    from cuedeck.mcp.start_options import Start

_LOOK_SECONDS = 1.0
"""Interval between checks whether the parent process is alive."""
_CLOSE_SECONDS = 3.0
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))


def serve_stdio(start: Start) -> int:
    """Serve until stdin ends, the parent dies, or the process is asked to end; return the exit code."""
    return asyncio.run(_serve(start))


async def _serve(start: Start) -> int:
    code = 0
    with StdioStream() as wire:
        opening = asyncio.create_task(_open(start))
        serving = asyncio.create_task(_answer(wire, start, opening))

        def end(with_code: int = 0) -> None:
            nonlocal code
            code = with_code
            serving.cancel()

        _on_signals(end)
        watching = [asyncio.create_task(_watch_parent(end)), asyncio.create_task(_watch_wire(wire, end))]
        await asyncio.wait([serving])
        for task in watching:
            task.cancel()
        service = await opening
        if not serving.cancelled():
            serving.result()
        if not service.workspaces.close(_CLOSE_SECONDS):
            os._exit(code)  # an interrupted scan is repeated by the next process, so do not wait for it
    return code


async def _open(start: Start) -> Service:
    """Load the SDK while the first lines are answered, then open the workspace."""
    message_exchange = await asyncio.to_thread(_load)
    service: Service = message_exchange.open_service(start)
    return service


def _load() -> ModuleType:
    """Import the module that answers calls, and with it the SDK."""
    from cuedeck.mcp import message_exchange

    return message_exchange


async def _answer(wire: StdioStream, start: Start, opening: asyncio.Task[Service]) -> None:
    """Serve until the input ends and every request is answered."""
    early = EarlyAnswers(start)
    while (line := await wire.receive()) is not None:
        answer = early.answer(line)
        if answer is None:
            break
        if answer:
            await wire.send(answer)
    if line is None:
        return
    service = await asyncio.shield(opening)
    from cuedeck.mcp.message_exchange import Exchange

    await Exchange(wire, [*early.lines, line], early.answered).run(service)


async def _watch_parent(end: Callable[[], None]) -> None:
    """End when the parent dies: stdin does not end if another process holds a copy of the pipe."""
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(_LOOK_SECONDS)
    end()


async def _watch_wire(wire: StdioStream, end: Callable[[], None]) -> None:
    await wire.broken.wait()
    end()


def _on_signals(end: Callable[[int], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        code = 130 if number == signal.SIGINT else 0
        try:
            loop.add_signal_handler(number, end, code)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_, code=code: loop.call_soon_threadsafe(end, code))
