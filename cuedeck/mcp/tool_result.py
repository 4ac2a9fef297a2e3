"""What a call gives back: masked, as text and as structure; a failure with its code and what to do next."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from cuedeck.mcp.error_hints import for_clients
from cuedeck.mcp.result_limits import fit
from cuedeck.mcp.tool_base import ResultPage
from cuedeck.model.display import replace_surrogates
from cuedeck.model.errors import CueDeckError

if TYPE_CHECKING:
    from mcp_types import CallToolResult

    from cuedeck.app.server.live_workspace import LiveWorkspace

Answer = TypeVar("Answer")


def masked(act: Callable[[LiveWorkspace], Answer], project: LiveWorkspace) -> Answer:
    """Return what `act` makes of a workspace without what is secret there, be it an answer or an error.

    Raises: whatever `act` raises.
    """
    from cuedeck.app.error_report import error_report
    from cuedeck.app.mask_answers import mask_answer

    project.begun = None  # of an answer that ended in an error
    try:
        return mask_answer(act(project), project)
    except CueDeckError as error:  # behind the workspace, nobody knows its rules any more
        said = error_report(error, project)
        error.message, error.hint, error.candidates = said["message"], said["hint"], tuple(said["candidates"])
        raise


def succeed(answer: Mapping[str, Any] | ResultPage) -> CallToolResult:
    """Return the result of a call: a page as it is, everything else as JSON."""
    from mcp_types import CallToolResult, ContentBlock, TextContent

    if isinstance(answer, ResultPage):
        content: list[ContentBlock] = [TextContent(text=replace_surrogates(answer.text))]
        if answer.info:
            content.append(TextContent(text=dump(answer.info)))
        return CallToolResult(content=content)
    text = dump(answer)
    return CallToolResult(content=[TextContent(text=text)], structured_content=json.loads(text))


def fail(error: CueDeckError) -> CallToolResult:
    """Return what went wrong, what to do next, and what may have been meant; secrets masked."""
    from mcp_types import CallToolResult, TextContent

    text = dump(fit({"error": error_content(error)}, 0))
    return CallToolResult(content=[TextContent(text=text)], structured_content=json.loads(text), is_error=True)


def error_content(error: CueDeckError) -> dict[str, Any]:
    """Return an error as JSON, masked, its hint in the words of a client."""
    from cuedeck.app.error_report import error_report

    said = error_report(error)
    return {**said, "hint": for_clients(said["hint"])}


def dump(value: object) -> str:
    """Return a value as JSON without blanks, in characters that can be sent."""
    return replace_surrogates(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
