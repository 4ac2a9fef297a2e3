"""Progress notifications while a call reads the files of the workspace."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import anyio

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace
    from cuedeck.app.server.workspace_worker import Worker
    from cuedeck.mcp.connection import Context

Answer = TypeVar("Answer")


async def ask_with_progress(worker: Worker, act: Callable[[LiveWorkspace], Answer], context: Context) -> Answer:
    """Run a call and report its progress to the client; the reported count only increases."""
    loop = asyncio.get_running_loop()
    send, receive = anyio.create_memory_object_stream[tuple[int, int]](16)

    def offer(done: int, total: int) -> None:
        with contextlib.suppress(anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
            send.send_nowait((done, total))

    def report(done: int, total: int) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(offer, done, total)

    async def tell() -> None:
        last = -1
        async for done, total in receive:
            if done > last:
                last = done
                await context.session.report_progress(done, total, f"{done:,} of {total:,} files")

    answer = asyncio.wrap_future(worker.ask(act, report))
    try:
        with send, receive:
            async with anyio.create_task_group() as group:
                group.start_soon(tell)
                await asyncio.wait([answer])  # its exception is re-raised below, not inside the task group
                group.cancel_scope.cancel()
    finally:
        answer.cancel()
    return await answer
