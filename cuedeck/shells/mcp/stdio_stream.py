"""Newline-delimited JSON messages over stdin and stdout.

The original descriptors are duplicated: while the server runs, prints go to stderr and
other readers of stdin get end of file. Reading and writing use daemon threads, so a
blocked stream cannot prevent exit.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from types import TracebackType

LONGEST_LINE = 32 * 1024 * 1024
"""Maximum bytes of one message."""
TOO_LONG = b"too long\n"
"""Placeholder for a line that is too long. A received line contains no newline, so none
equals it.
"""
_READ_BYTES = 65_536
_AHEAD = 256
"""Maximum number of lines read ahead."""


def request_id(value: object) -> str | int | None:
    """Return the id of a request; None if it is invalid, which includes text that
    cannot be sent back as UTF-8.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return None
    return value


class StdioStream:
    """The standard streams of the process."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._input = os.dup(0)
        self._output = os.dup(1)
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        self._outbox: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]] | None] = (
            queue.SimpleQueue()
        )
        self.broken = asyncio.Event()
        """Set when the output has been closed by its reader."""

    def __enter__(self) -> StdioStream:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        for act in (self._read, self._write):
            threading.Thread(target=act, name="stdio", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._outbox.put(None)

    async def receive(self) -> bytes | None:
        """Return the next non-blank line without its newline, or `TOO_LONG`; None at
        the end of the input.
        """
        line = await self._inbox.get()
        self._room.release()
        return line

    async def send(self, line: bytes) -> None:
        """Write a line; return when the system accepted it, or when the output is
        closed.
        """
        if self.broken.is_set():
            return
        done: asyncio.Future[None] = self._loop.create_future()
        self._outbox.put((line + b"\n", done))
        await done

    # --- in the threads

    def _read(self) -> None:
        kept: list[bytes] = []
        size, too_long = 0, False
        while data := self._read_some():
            *ends, rest = data.split(b"\n")
            for end in ends:
                line = TOO_LONG if too_long else b"".join([*kept, end])
                self._give(line)
                kept, size, too_long = [], 0, False
            kept.append(rest)
            size += len(rest)
            if size > LONGEST_LINE:
                kept, too_long = [], True
        if size and not too_long:
            self._give(b"".join(kept))
        self._give(None)

    def _read_some(self) -> bytes:
        try:
            return os.read(self._input, _READ_BYTES)
        except OSError:
            return b""

    def _give(self, line: bytes | None) -> None:
        if line is not None and not line.strip():
            return
        self._room.acquire()
        self._call(self._inbox.put_nowait, line)

    def _write(self) -> None:
        while (job := self._outbox.get()) is not None:
            data, done = job
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._output, view) :]
            except OSError:
                self._call(self.broken.set)
            self._call(_settle, done)

    def _call(self, act: object, *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(act, *arguments)  # type: ignore[arg-type]
        except RuntimeError:
            return  # the loop has ended


def _settle(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)
