"""MCP resources: the scene, the open session, cards and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.mcp import resource_uri as addresses
from cuedeck.mcp.paging import following, offset
from cuedeck.mcp.tool_result import dump
from cuedeck.model.display import replace_surrogates
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.model.paths import CARDS, DOCS

if TYPE_CHECKING:
    from mcp_types import ReadResourceResult, Resource, ResourceTemplate

    from cuedeck.app.server.live_workspace import LiveWorkspace
    from cuedeck.app.workspace import Workspace

_LONGEST_RESOURCE = 320_000
"""Maximum characters of a resource, because resources have no pages."""
SIZE = 100
"""Resources per page."""
MARKDOWN = "text/markdown"
_SHOWN = 200


def templates() -> list[ResourceTemplate]:
    """Return the URI templates of cards and files."""
    from mcp_types import ResourceTemplate

    return [
        ResourceTemplate(name="card", title="A card", uri_template=addresses.CARD_TEMPLATE, mime_type=MARKDOWN),
        ResourceTemplate(
            name="doc",
            title="A file, or a part of one",
            description="Path in the workspace, with `#heading`, `#symbol` or `#L10-L40` (the sign escaped as %23).",
            uri_template=addresses.DOC_TEMPLATE,
        ),
    ]


def list_resources(project: LiveWorkspace, cursor: str) -> tuple[list[dict[str, Any]], str]:
    """Return a page of resources and the cursor of the next: scene, session, cards, Markdown files.

    Raises: Invalid for a cursor beyond the end.
    """
    project.refresh()
    cards = dict.fromkeys(path for path in project.index.folder(CARDS) if path.endswith(".md"))
    docs = [path for path in project.index.paths() if path.endswith(".md") and path not in cards]
    docs.sort(key=lambda path: not path.startswith(DOCS))
    start = offset(cursor)
    known: Sequence[tuple[str, str]] = [("scene", ""), ("session", ""), *(("card", path) for path in cards)]
    known = [*known, *(("doc", path) for path in docs)]
    if start > len(known):
        raise Invalid("unknown cursor", hint="leave it out to begin anew")
    page = known[start : start + SIZE]
    rows = [_row(project, kind, path) for kind, path in page]
    return rows, following(start, len(page), len(known)).get("next", "")


def _row(project: Workspace, kind: str, path: str) -> dict[str, Any]:
    """Return the list entry of a resource."""
    if kind == "scene":
        about = "Context of the active card within its token budget; changes with every save."
        return {"uri": addresses.SCENE, "name": "scene", "title": "SCENE.md", "description": about, "mime": MARKDOWN}
    if kind == "session":
        return {"uri": addresses.SESSION, "name": "session", "title": "Open session", "mime": "application/json"}
    file = project.index.file(path)
    title = (file.card.title if file.card else file.title) if file is not None else ""
    if kind == "card":
        name = path.rpartition("/")[2].removesuffix(".md")
        return {"uri": addresses.card_uri(replace_surrogates(name)), "name": name, "title": title, "mime": MARKDOWN}
    return {"uri": addresses.doc_uri(replace_surrogates(path)), "name": path, "title": title, "mime": MARKDOWN}


def to_resource(row: dict[str, Any]) -> Resource:
    """Return a list entry as an SDK resource."""
    from mcp_types import Resource

    uri, name, title, about = (replace_surrogates(row.get(key, "")) for key in ("uri", "name", "title", "description"))
    return Resource(uri=uri, name=name, title=title or None, description=about or None, mime_type=row["mime"])


def read_resource(project: LiveWorkspace, uri: str) -> tuple[str, str]:
    """Return the text of a resource and its MIME type.

    Raises: NotFound for an unknown URI, and any error of reading it.
    """
    named = addresses.parse_uri(uri)
    if named is None:
        raise no_resource(uri)
    if named.kind == "scene":
        return scene_text(project), MARKDOWN
    if named.kind == "session":
        return _session(project), "application/json"
    return _file(project, named)


def no_resource(uri: str) -> NotFound:
    """Return the error for an unknown URI."""
    return NotFound(f"there is no resource `{uri[:_SHOWN]}`", hint=f"{addresses.SCENE} is one")


def scene_text(project: LiveWorkspace) -> str:
    """Return the scene; without an active card, a text that lists the open cards."""
    from cuedeck.app.scene.no_active_card import make_or_idle

    return make_or_idle(project).text


def _session(project: LiveWorkspace) -> str:
    from cuedeck.app.sessions.list_sessions import read_status
    from cuedeck.app.sessions.open_session import NoOpenSession

    try:
        return dump(read_status(project))
    except NoOpenSession:
        return dump({"session": None})


def _file(project: LiveWorkspace, named: addresses.Resource) -> tuple[str, str]:
    from cuedeck.app.cards.active_card import find_card
    from cuedeck.app.search.read_address import read_address

    project.refresh()
    address = find_card(project, named.name).path if named.kind == "card" else named.name
    found = read_address(project, address)
    if len(found["text"]) > _LONGEST_RESOURCE:
        raise Invalid(f"{found['address']} is too long for a resource", hint="`read` gives it in parts")
    return found["text"], MARKDOWN if found["path"].endswith(".md") else "text/plain"


def to_result(uri: str, text: str, mime: str) -> ReadResourceResult:
    """Return a text as an SDK result."""
    from mcp_types import ReadResourceResult, TextResourceContents

    return ReadResourceResult(contents=[TextResourceContents(uri=uri, text=replace_surrogates(text), mime_type=mime)])
