"""Conversion of errors to JSON-RPC errors, for requests whose results cannot contain one."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING, TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from cuedeck.mcp.connection import is_modern
from cuedeck.mcp.tool_result import error_content
from cuedeck.mcp.workspace_choice import RootsNeeded
from cuedeck.model.errors import CueDeckError, NotFound

if TYPE_CHECKING:
    from cuedeck.mcp.connection import Context

NOT_FOUND = -32002
"""Error code of a missing resource; the modern revision uses the code for invalid parameters instead."""

Answer = TypeVar("Answer")


def to_protocol(error: CueDeckError, context: Context, *, missing: int = types.INVALID_PARAMS) -> MCPError:
    """Return an error as a protocol error, with our code, hint and candidates as its data."""
    said = error_content(error)
    code = missing if isinstance(error, NotFound) and not is_modern(context) else types.INVALID_PARAMS
    hint = f"; {said['hint']}" if said["hint"] else ""
    return MCPError(code, f"{said['message']}{hint}", said)


async def answered(
    asking: Awaitable[Answer], context: Context, *, missing: int = types.INVALID_PARAMS
) -> Answer | types.InputRequiredResult:
    """Return the result, or the request for roots that must come first. Raises: MCPError for every failure."""
    try:
        return await settled(asking, context, missing=missing)
    except RootsNeeded as needed:
        return needed.result


async def settled(asking: Awaitable[Answer], context: Context, *, missing: int = types.INVALID_PARAMS) -> Answer:
    """Return the result. Raises: RootsNeeded; MCPError for every failure."""
    try:
        return await asking
    except CueDeckError as error:
        raise to_protocol(error, context, missing=missing) from error
    except (MCPError, RootsNeeded):
        raise
    except Exception as error:
        logging.getLogger(__name__).exception("%s failed", context.method)
        raise MCPError(types.INTERNAL_ERROR, f"internal error: {type(error).__name__}") from error


def check_first_page(params: types.PaginatedRequestParams | None) -> None:
    """Raise MCPError if a cursor is given for a list that has only one page."""
    if params is not None and params.cursor:
        raise MCPError(types.INVALID_PARAMS, "unknown cursor")
