"""Pagination of long lists. A cursor is the number of items on the pages before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuedeck.mcp.tool_arguments import Field
from cuedeck.model.errors import Invalid

CURSOR = Field("cursor", about="`next` of the answer before")


def limit(default: int, most: int) -> Field:
    """Return the argument for the number of items per page."""
    return Field("limit", "number", default=default, least=1, most=most, also=("top_k", "topK", "top", "max_results"))


def offset(cursor: str) -> int:
    """Return the index of the first item of a page. Raises: Invalid for a malformed cursor."""
    if not cursor:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 12:
        raise Invalid("unknown cursor", hint="leave it out to begin anew")
    return int(cursor)


def following(start: int, given: int, total: int) -> dict[str, str]:
    """Return the cursor of the next page, if there is one."""
    return {"next": str(start + given)} if given and start + given < total else {}


def page(name: str, items: Sequence[Any], cursor: str, size: int) -> dict[str, Any]:
    """Return one page of a list under `name`, with the total and the next cursor."""
    start = offset(cursor)
    shown = list(items[start : start + size])
    return {name: shown, "total": len(items), **following(start, len(shown), len(items))}
