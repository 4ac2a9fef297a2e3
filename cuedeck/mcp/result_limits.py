"""Size limits of results: hosts truncate longer ones or move them to a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.connection import connection_of

if TYPE_CHECKING:
    from cuedeck.mcp.connection import Context
    from cuedeck.model.ports import Count

MOST_CHARACTERS = 38_000
"""Maximum characters of one result; the lowest limit of a common host that shows the whole text is 40,000."""
MOST_TOKENS = 8_000
"""Maximum tokens of one text, unless the client asks for more; one common host truncates at 10,000."""
LARGEST_CHARACTERS = 200_000
"""Maximum characters of one result for a client that reads the limit from the list of tools."""
LIMIT_KEY = "anthropic/maxResultSizeChars"
"""Meta key for that limit in the list of tools."""
INFO_CHARACTERS = 2_000
"""Characters reserved for the metadata of a text."""
_READS_LIMIT = ("claude-code",)
"""Names of clients that read the limit from the list of tools."""
_CURSORS = (("total", "next"), ("total_count", "next_cursor"))
"""Keys of a page: total number of items, and cursor of the next page."""
_LONGEST_TEXT = 4_000
_MOST_ITEMS = 400
"""Initial limits of a text and of a list in a result that is too long; halved until it fits."""


def room_of(context: Context) -> int:
    """Return the maximum characters of a result for this client when it asks for a long one."""
    params = connection_of(context).client_params
    name = params.client_info.name if params is not None else ""
    return LARGEST_CHARACTERS if name in _READS_LIMIT else MOST_CHARACTERS


def cut_page(text: str, start: int, count: Count, room: int = MOST_CHARACTERS) -> str:
    """Return the part of a text from `start` that fits into one result, ending at a line end if possible."""
    part = text[start : start + room - INFO_CHARACTERS]
    # A token has at least one character, so short texts need no count.
    if len(part) > MOST_TOKENS and count.count(part) > MOST_TOKENS:
        part = count.cut(part, MOST_TOKENS)
    if start + len(part) == len(text):
        return part
    end = part.rfind("\n") + 1
    return part[:end] if end else part


def fit(answer: Mapping[str, Any], start: int, room: int = MOST_CHARACTERS) -> Mapping[str, Any]:
    """Return an answer that has at most `room` characters as JSON.

    A page of a list loses its last items, and `next` becomes the index of the first of them; `start` is the index of
    the first item on the page. Anything else that is too long is shortened, and `cut` is set.
    """
    if _size(answer) <= room:
        return answer
    answer = _without_last_items(answer, start, room)
    longest, most = _LONGEST_TEXT, _MOST_ITEMS
    shortened: Any = answer
    while _size(shortened) > room and longest > 1:
        shortened = {**_shortened(answer, longest, most), "cut": True}
        longest, most = longest // 2, max(1, most // 2)
    return shortened  # type: ignore[no-any-return]


def _without_last_items(answer: Mapping[str, Any], start: int, room: int) -> Mapping[str, Any]:
    """Return a page without the items that do not fit; at least one stays."""
    cursor = next((own for total, own in _CURSORS if total in answer), "")
    name = next((key for key, value in answer.items() if isinstance(value, list)), "")
    if not cursor or not name:
        return answer
    free = room - _size({**answer, name: [], cursor: str(start + len(answer[name]))})
    kept = 0
    for item in answer[name]:
        free -= _size(item) + 1
        if free < 0 and kept:
            break
        kept += 1
    if kept == len(answer[name]):
        return answer
    more = {"has_more": True} if "has_more" in answer else {}
    return {**answer, name: answer[name][:kept], cursor: str(start + kept), **more}


def _shortened(value: Any, longest: int, most: int) -> Any:
    """Return a value with texts of at most `longest` characters and collections of at most `most` items."""
    if isinstance(value, str) and len(value) > longest:
        return f"{value[:longest]}…"
    if isinstance(value, Mapping):
        return {key: _shortened(each, longest, most) for key, each in list(value.items())[: max(most, 40)]}
    if isinstance(value, list | tuple):
        return [_shortened(each, longest, most) for each in value[:most]]
    return value


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str))
