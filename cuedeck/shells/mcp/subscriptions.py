"""Subscriptions of clients to resources, and notifications about changes."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated

from cuedeck.engine.live.server_setup import LOGGED
from cuedeck.model.paths import SESSIONS
from cuedeck.shells.mcp.resources import SCENE, SESSION, uris_of

if TYPE_CHECKING:
    from mcp.server.connection import Connection

    from cuedeck.engine.live.change import Change

_MOST = 1_000
"""Maximum number of subscriptions of one connection."""
_LEVELS = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)
_ERROR = "error"


class Bus(InMemorySubscriptionBus):
    """Distributes events to the streams of clients without sessions."""

    def __bool__(self) -> bool:
        # The SDK has no public attribute for it.
        return bool(self._listeners)


class Subscriptions:
    """Connections of clients with sessions, their subscriptions, and the bus of clients
    without sessions.
    """

    def __init__(self) -> None:
        self._connections: dict[int, Connection] = {}
        self._uris: dict[int, set[str]] = {}
        self._levels: dict[int, str] = {}
        self.bus = Bus()

    def wants_scene(self) -> bool:
        """Return whether any client may subscribe to the scene. Callable from any
        thread.
        """
        return bool(self.bus) or any(
            SCENE in uris for uris in list(self._uris.values())
        )

    def add(self, connection: Connection, uri: str) -> bool:
        """Subscribe a connection to a resource; return False if it has too many
        subscriptions.
        """
        wanted = self._uris.setdefault(self._register(connection), set())
        if len(wanted) >= _MOST and uri not in wanted:
            return False
        wanted.add(uri)
        return True

    def drop(self, connection: Connection, uri: str) -> None:
        """Remove a subscription."""
        self._uris.get(id(connection), set()).discard(uri)

    def set_level(self, connection: Connection, level: str) -> None:
        """Set the minimum level of log messages for a connection."""
        self._levels[self._register(connection)] = level

    async def announce(self, change: Change) -> None:
        """Notify all subscribers of a change."""
        if change.kind == "error":
            await self._report(change.event["message"])
            return
        changed = list(dict.fromkeys(_changed(change)))
        for number, connection in list(self._connections.items()):
            for uri in changed:
                if uri in self._uris.get(number, ()):
                    await connection.send_resource_updated(uri)
            if change.listing:
                await connection.send_resource_list_changed()
        if self.bus:
            for uri in changed:
                await self.bus.publish(ResourceUpdated(uri))
            if change.listing:
                await self.bus.publish(ResourcesListChanged())

    async def _report(self, message: str) -> None:
        logging.getLogger(__name__).error(message, extra=LOGGED)
        for number, level in list(self._levels.items()):
            # It may disconnect while another one is notified.
            connection = self._connections.get(number)
            if connection is not None and _LEVELS.index(level) <= _LEVELS.index(_ERROR):
                params = {"level": _ERROR, "logger": "cuedeck", "data": message}
                await connection.notify("notifications/message", params)

    def _register(self, connection: Connection) -> int:
        number = id(connection)
        if number not in self._connections:
            self._connections[number] = connection
            connection.exit_stack.callback(self._remove, number)
        return number

    def _remove(self, number: int) -> None:
        for known in (self._connections, self._uris, self._levels):
            known.pop(number, None)


def _changed(change: Change) -> Iterator[str]:
    if change.kind == "scene":
        yield SCENE
    yield from _of_paths(change.paths)


def _of_paths(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        if path.startswith(f"{SESSIONS}/"):
            yield SESSION
        else:
            yield from uris_of(path)
