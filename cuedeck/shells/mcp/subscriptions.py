"""Subscriptions of clients to resources, and notifications about changes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated, ServerEvent

from cuedeck.engine.server.server_setup import LOGGED
from cuedeck.model.paths import SESSIONS
from cuedeck.shells.mcp.resources import SCENE, SESSION, uris_of

if TYPE_CHECKING:
    from mcp.server.connection import Connection

    from cuedeck.engine.server.workspace_worker import Changes

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

Listener = Callable[[ServerEvent], None]


class Bus:
    """Distributes events to the streams of clients without sessions; implements
    `SubscriptionBus` of the SDK.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._listeners: dict[object, Listener] = {}
        self._changed = changed

    def __bool__(self) -> bool:
        return bool(self._listeners)

    async def publish(self, event: ServerEvent) -> None:
        """Send an event to every stream."""
        for listener in list(self._listeners.values()):
            listener(event)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a stream; return a function that removes it."""
        token = object()
        self._listeners[token] = listener
        self._changed()

        def unsubscribe() -> None:
            self._listeners.pop(token, None)
            self._changed()

        return unsubscribe


class Subscriptions:
    """Connections of clients with sessions, their subscriptions, and the bus of clients
    without sessions.
    """

    def __init__(self, watch_scene: Callable[[bool], None]) -> None:
        """Report through `watch_scene` whether any client subscribes to the scene."""
        self._watch_scene = watch_scene
        self._connections: dict[int, Connection] = {}
        self._uris: dict[int, set[str]] = {}
        self._levels: dict[int, str] = {}
        self.bus = Bus(self._update_watch)

    def add(self, connection: Connection, uri: str) -> bool:
        """Subscribe a connection to a resource; return False if it has too many
        subscriptions.
        """
        wanted = self._uris.setdefault(self._register(connection), set())
        if len(wanted) >= _MOST and uri not in wanted:
            return False
        wanted.add(uri)
        self._update_watch()
        return True

    def drop(self, connection: Connection, uri: str) -> None:
        """Remove a subscription."""
        self._uris.get(id(connection), set()).discard(uri)
        self._update_watch()

    def set_level(self, connection: Connection, level: str) -> None:
        """Set the minimum level of log messages for a connection."""
        self._levels[self._register(connection)] = level

    async def announce(self, changes: Changes) -> None:
        """Notify all subscribers of changes."""
        if changes.error:
            await self._report(changes.error)
            return
        changed = list(dict.fromkeys(_changed(changes)))
        for number, connection in list(self._connections.items()):
            for uri in changed:
                if uri in self._uris.get(number, ()):
                    await connection.send_resource_updated(uri)
            if changes.listing:
                await connection.send_resource_list_changed()
        if self.bus:
            for uri in changed:
                await self.bus.publish(ResourceUpdated(uri))
            if changes.listing:
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
        """Return the key of a connection, and register it until it ends."""
        number = id(connection)
        if number not in self._connections:
            self._connections[number] = connection
            connection.exit_stack.callback(self._remove, number)
        return number

    def _remove(self, number: int) -> None:
        for known in (self._connections, self._uris, self._levels):
            known.pop(number, None)
        self._update_watch()

    def _update_watch(self) -> None:
        self._watch_scene(
            bool(self.bus) or any(SCENE in uris for uris in self._uris.values())
        )


def _changed(changes: Changes) -> Iterator[str]:
    if changes.scene:
        yield SCENE
    yield from _of_paths(changes.paths)


def _of_paths(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        if path.startswith(f"{SESSIONS}/"):
            yield SESSION
        else:
            yield from uris_of(path)
