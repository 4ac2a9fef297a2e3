"""Notifications about changed resources."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import anyio

from cuedeck.engine.live.change import Change, error_event
from cuedeck.shells.mcp.subscriptions import Subscriptions


class Line:
    """A connection that runs a function at each message."""

    def __init__(self, then: Callable[[], Any]) -> None:
        self.exit_stack = AsyncExitStack()
        self.received: list[str] = []
        self._then = then

    async def notify(self, method: str, params: dict[str, Any]) -> None:
        self.received.append(params["data"])
        await self._then()


def test_other_clients_are_notified_of_an_error_when_one_disconnects() -> None:
    """The one that left was looked for, and the telling ended with a KeyError."""

    async def act() -> None:
        answer = Subscriptions()
        leaving, last = Line(anyio.sleep_forever), Line(anyio.lowlevel.checkpoint)
        first = Line(leaving.exit_stack.aclose)
        for line in (first, leaving, last):
            answer.set_level(line, "error")  # type: ignore[arg-type]
        await answer.announce(Change(error_event("the disk is full")))
        assert [line.received for line in (first, leaving, last)] == [
            ["the disk is full"],
            [],
            ["the disk is full"],
        ]

    anyio.run(act)
