"""Results of tool calls: masked, as text and structured content; a failure has a code and a hint."""

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
    """Return the result of `act` on a workspace with secrets masked; errors are masked, too.

    Raises: any error of `act`.
    """
    from cuedeck.app.error_report import error_report
    from cuedeck.app.mask_answers import mask_answer

    project.begun = None  # drop the mask of an earlier call that failed
    try:
        return mask_answer(act(project), project)
    except CueDeckError as error:  # outside the workspace its secret patterns are unknown
        said = error_report(error, project)
        error.message, error.hint, error.candidates = said["message"], said["hint"], tuple(said["candidates"])
        raise


def succeed(answer: Mapping[str, Any] | ResultPage) -> CallToolResult:
    """Return the result of a call: a page as text, everything else as JSON."""
    from mcp_types import CallToolResult, ContentBlock, TextContent

    if isinstance(answer, ResultPage):
        content: list[ContentBlock] = [TextContent(text=replace_surrogates(answer.text))]
        if answer.info:
            content.append(TextContent(text=dump(answer.info)))
        return CallToolResult(content=content)
    text = dump(answer)
    return CallToolResult(content=[TextContent(text=text)], structured_content=json.loads(text))


def fail(error: CueDeckError) -> CallToolResult:
    """Return an error as a result, with its hint and candidates; secrets masked."""
    from mcp_types import CallToolResult, TextContent

    text = dump(fit({"error": error_content(error)}, 0))
    return CallToolResult(content=[TextContent(text=text)], structured_content=json.loads(text), is_error=True)


def error_content(error: CueDeckError) -> dict[str, Any]:
    """Return an error as masked JSON; its hint names tools instead of commands."""
    from cuedeck.app.error_report import error_report

    said = error_report(error)
    return {**said, "hint": for_clients(said["hint"])}


def dump(value: object) -> str:
    """Return a value as compact JSON without lone surrogates."""
    return replace_surrogates(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
