"""`read`: what is behind an address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.mcp.field import Field
from cuedeck.mcp.tool import Arguments, Page, Tool
from cuedeck.model.errors import NotFound

if TYPE_CHECKING:
    from cuedeck.app.serving.followed import FollowedProject

_SCENE = "SCENE.md"
"""No file of the work; but briefs and rules name it."""
MOST_CHARACTERS = 80_000
"""Of one answer; hosts cut what is longer."""


def read_page(project: FollowedProject, address: str) -> Page:
    """Return what is behind an address; of a long text its beginning, and the address of the rest.

    Raises: NotFound with the nearest matches, Ambiguous with the candidates.
    """
    from cuedeck.app.read import read_address

    try:
        answer = read_address(project, address)
    except NotFound as error:
        if address.strip().endswith(_SCENE):
            raise NotFound(error.message, hint="`scene` gives what is in it") from error
        raise
    text = answer.pop("text")
    if len(text) <= MOST_CHARACTERS:
        return Page(text, answer)
    end = text.rfind("\n", 0, MOST_CHARACTERS) + 1
    shown = text[: end or MOST_CHARACTERS]
    return Page(shown, {**answer, "cut": len(text) - len(shown), **_rest(answer, shown if end else "")})


def _rest(answer: dict[str, Any], shown: str) -> dict[str, str]:
    """Return the address of what was cut off; none where lines do not tell it."""
    if not shown or answer["kind"] not in ("card", "doc", "source"):
        return {}
    start, end = answer["lines"]
    return {"rest": f"{answer['path']}#L{start + shown.count(chr(10))}-L{end}"}


def _read(project: FollowedProject, given: Arguments) -> Page:
    return read_page(project, given["address"])


READ = Tool(
    name="read",
    title="Read an address",
    about="Text of a card, doc, section, source file, symbol, line range, folder or ledger entry: `docs/auth.md`, "
    "`docs/auth.md#LoginFlow`, `src/auth.py#Login.verify`, `src/auth.py#L10-L40`, `decision:ID`, a card's id. "
    "A miss names the nearest. Secrets are masked.",
    fields=(Field("address", required=True, also=("path", "uri", "ref", "id")),),
    run=_read,
)
