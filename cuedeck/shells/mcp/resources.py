"""MCP resources: URIs, lists and texts of the scene, the open session, cards and
files; subscriptions to them and notifications about changes.
"""

from __future__ import annotations

import logging
import posixpath
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

import mcp_types as types
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated

from cuedeck.context.scene.build_scene import make_or_idle
from cuedeck.engine.active_card import find_card
from cuedeck.engine.live.server_setup import LOGGED
from cuedeck.engine.open_session import NoOpenSession
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.paths import CARDS, DOCS, SESSIONS
from cuedeck.shells.mcp.tool_result import FIRST_PAGE, dump, following, offset

if TYPE_CHECKING:
    from mcp.server.connection import Connection

    from cuedeck.engine.live.change import Change
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.model.ports import Json
    from cuedeck.store.index import Index


SCHEME = "cuedeck://"
SCENE = f"{SCHEME}scene"
SESSION = f"{SCHEME}session/current"
CARD = f"{SCHEME}card/"
DOC = f"{SCHEME}doc/"
CARD_TEMPLATE = f"{CARD}{{id}}"
DOC_TEMPLATE = f"{DOC}{{+path}}"
_CARDS = f"{CARDS}/"
_LONGEST = 4_000


class ResourceName(NamedTuple):
    """A parsed resource URI."""

    kind: str
    """`scene`, `session`, `card` or `doc`."""
    name: str = ""
    """Id of a card or address of a doc."""


def parse_uri(uri: str) -> ResourceName | None:
    """Return the parsed URI; None if it is not a resource URI of this server."""
    if uri == SCENE:
        return ResourceName("scene")
    if uri == SESSION:
        return ResourceName("session")
    for kind, start in (("card", CARD), ("doc", DOC)):
        if uri.startswith(start) and len(start) < len(uri) <= _LONGEST:
            name = _decoded(uri[len(start) :])
            return ResourceName(kind, name) if name else None
    return None


def card_uri(identity: str) -> str:
    """Return the URI of a card."""
    return CARD + quote(identity, safe="")


def doc_uri(path: str) -> str:
    """Return the URI of a file."""
    return DOC + quote(path, safe="/")


def uris_of(path: str) -> Iterator[str]:
    """Yield the URIs of a file of the workspace."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return
    if path.startswith(_CARDS) and path.endswith(".md"):
        yield card_uri(posixpath.basename(path).removesuffix(".md"))
    yield doc_uri(path)


def _decoded(text: str) -> str:
    """Return a percent-decoded text; empty if it is invalid as a name."""
    try:
        found = unquote(text, errors="strict")
    except UnicodeDecodeError:
        return ""
    return "" if "\0" in found else found.strip()


_LONGEST_RESOURCE = 320_000
"""Maximum characters of a resource, because resources have no pages."""
SIZE = 100
"""Resources per page."""
MARKDOWN = "text/markdown"
_SHOWN = 200


_FIXED = {
    "scene": {
        "uri": SCENE,
        "name": "scene",
        "title": "SCENE.md",
        "description": "Context of the active card within its token budget; changes with every save.",
        "mime": MARKDOWN,
    },
    "session": {
        "uri": SESSION,
        "name": "session",
        "title": "Open session",
        "mime": "application/json",
    },
}
"""Resources that are always listed."""


def templates() -> list[types.ResourceTemplate]:
    """Return the URI templates of cards and files."""
    return [
        types.ResourceTemplate(
            name="card", title="A card", uri_template=CARD_TEMPLATE, mime_type=MARKDOWN
        ),
        types.ResourceTemplate(
            name="doc",
            title="A file or a part of it",
            description="Path in the workspace, with `#heading`, `#symbol` or `#L10-L40` (the sign escaped as %23).",
            uri_template=DOC_TEMPLATE,
        ),
    ]


def list_resources(workspace: LiveWorkspace, cursor: str) -> tuple[list[Json], str]:
    """Return a page of resources and the cursor of the next: scene, session, cards,
    Markdown files.

    Raises: Invalid for a cursor beyond the end.
    """
    workspace.refresh()
    cards = dict.fromkeys(
        path for path in workspace.index.folder(CARDS) if path.endswith(".md")
    )
    docs = [
        path
        for path in workspace.index.paths()
        if path.endswith(".md") and path not in cards
    ]
    docs.sort(key=lambda path: not path.startswith(DOCS))
    start = offset(cursor)
    known = [("scene", ""), ("session", "")]
    known += [("card", path) for path in cards]
    known += [("doc", path) for path in docs]
    if start > len(known):
        raise Invalid("unknown cursor", hint=FIRST_PAGE)
    page = known[start : start + SIZE]
    rows = [_row(workspace.index, kind, path) for kind, path in page]
    after = following(start, len(page), len(known))
    return rows, after.get("next", "")


def _row(index: Index, kind: str, path: str) -> Json:
    if kind in _FIXED:
        return _FIXED[kind]
    file = index.file(path)
    title = ""
    if file is not None:
        title = file.card.title if file.card else file.title
    name, uri = path, doc_uri(replace_surrogates(path))
    if kind == "card":
        name = posixpath.basename(path).removesuffix(".md")
        uri = card_uri(replace_surrogates(name))
    return {"uri": uri, "name": name, "title": title, "mime": MARKDOWN}


def to_resource(row: Json) -> types.Resource:
    """Return a list entry as an SDK resource."""

    def text(key: str) -> str:
        return replace_surrogates(row.get(key, ""))

    return types.Resource(
        uri=text("uri"),
        name=text("name"),
        title=text("title") or None,
        description=text("description") or None,
        mime_type=row["mime"],
    )


def read_resource(workspace: LiveWorkspace, uri: str) -> tuple[str, str]:
    """Return the text of a resource and its MIME type.

    Raises: NotFound for an unknown URI, and any error of reading it.
    """
    named = parse_uri(uri)
    if named is None:
        raise no_resource(uri)
    if named.kind == "scene":
        return make_or_idle(workspace).text, MARKDOWN
    if named.kind == "session":
        from cuedeck.work.sessions.list_sessions import read_status

        try:
            state = read_status(workspace)
        except NoOpenSession:
            state = {"session": None}
        return dump(state), "application/json"
    from cuedeck.context.search.read_address import read_address

    workspace.refresh()
    address = named.name
    if named.kind == "card":
        address = find_card(workspace.index, named.name).path
    found = read_address(workspace, address)
    if len(found["text"]) > _LONGEST_RESOURCE:
        raise Invalid(
            f"{found['address']} is too long for a resource",
            hint="`read` returns it in pages",
        )
    return found["text"], MARKDOWN if found["path"].endswith(".md") else "text/plain"


def no_resource(uri: str) -> NotFound:
    """Return the error for an unknown URI."""
    return NotFound(
        f"there is no resource `{uri[:_SHOWN]}`", hint=f"one of them is {SCENE}"
    )


def to_result(uri: str, text: str, mime: str) -> types.ReadResourceResult:
    """Return a text as an SDK result."""
    contents = types.TextResourceContents(
        uri=uri, text=replace_surrogates(text), mime_type=mime
    )
    return types.ReadResourceResult(contents=[contents])


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
        self.bus = Bus()

    def wants_scene(self) -> bool:
        """Return whether any client may subscribe to the scene. Callable from any
        thread.
        """
        return bool(self.bus) or any(
            SCENE in uris for uris in list(self._uris.values())
        )

    def add(self, connection: Connection, uri: str) -> None:
        """Subscribe a connection to a resource."""
        number = id(connection)
        if number not in self._connections:
            self._connections[number] = connection
            connection.exit_stack.callback(self._remove, number)
        self._uris.setdefault(number, set()).add(uri)

    def drop(self, connection: Connection, uri: str) -> None:
        """Remove a subscription."""
        self._uris.get(id(connection), set()).discard(uri)

    async def announce(self, change: Change) -> None:
        """Notify all subscribers of a change."""
        if change.kind == "error":
            logging.getLogger(__name__).error(change.event["message"], extra=LOGGED)
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

    def _remove(self, number: int) -> None:
        del self._connections[number], self._uris[number]


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
