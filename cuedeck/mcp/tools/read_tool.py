"""The `read` tool: the text at an address, in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.mcp.paging import CURSOR, offset
from cuedeck.mcp.result_limits import LARGEST_CHARACTERS, LIMIT_KEY, cut_page
from cuedeck.mcp.tool_arguments import Field
from cuedeck.mcp.tool_base import SEARCHED, Arguments, ResultPage, Tool
from cuedeck.model.errors import Invalid, NotFound

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace

_SCENE = "SCENE.md"
"""Not part of the graph, but mentioned in briefs and rules."""
_LINED = ("card", "doc", "source")


def read_page(project: LiveWorkspace, address: str, cursor: str = "") -> ResultPage:
    """Return the text at an address; for a long text one page, the next cursor and the address of the rest.

    Raises: NotFound with the nearest matches, Ambiguous with the candidates, Invalid for a cursor beyond the end.
    """
    from cuedeck.app.search.read_address import read_address

    try:
        answer = read_address(project, address)
    except NotFound as error:
        if address.strip().endswith(_SCENE):
            raise NotFound(error.message, hint="`scene` gives what is in it") from error
        raise
    text = answer.pop("text")
    start = offset(cursor)
    if start > len(text):
        raise Invalid(f"`cursor` is behind the end of {answer['address']}", hint="leave it out to begin anew")
    shown = cut_page(text, start, project.counter())
    if start + len(shown) == len(text):
        return ResultPage(shown, answer)
    end = start + len(shown)
    return ResultPage(shown, {**answer, "cut": len(text) - end, "next": str(end), **_rest(answer, text[:end])})


def _rest(answer: dict[str, Any], shown: str) -> dict[str, str]:
    """Return the address of the remaining lines; empty if it cannot be given as lines."""
    if not shown.endswith("\n") or answer["kind"] not in _LINED:
        return {}
    start, end = answer["lines"]
    return {"rest": f"{answer['path']}#L{start + shown.count(chr(10))}-L{end}"}


def _read(project: LiveWorkspace, given: Arguments) -> ResultPage:
    return read_page(project, given["address"], given[CURSOR.name])


READ = Tool(
    name="read",
    title="Read an address",
    about="Read what the context of the task names: text of a card, doc, section, source file, symbol, line range, "
    "folder or ledger entry: `docs/auth.md`, `docs/auth.md#LoginFlow`, `src/auth.py#Login.verify`, "
    "`src/auth.py#L10-L40`, `decision:ID`, a card's id. A miss names the nearest. Secrets are masked.",
    fields=(Field("address", required=True, also=("path", "uri", "ref", "id")), CURSOR),
    run=_read,
    meta={LIMIT_KEY: LARGEST_CHARACTERS, SEARCHED: "context of the task"},
)
