"""Results of tool calls: size limits, pages, and JSON with masked secrets; a failure
has a code and a hint.

Hosts truncate results that are too long, or move them to a file. The functions that
need the SDK or the rules of secrets import them when called, because the list of tools
is answered before either is loaded.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cuedeck.model.errors import CueDeckError, Invalid
from cuedeck.model.formatting import replace_surrogates

if TYPE_CHECKING:
    from mcp_types import CallToolResult

    from cuedeck.model.ports import Count, Json, JsonView

MOST_CHARACTERS = 38_000
"""Maximum characters of one result; the lowest limit of a common host that shows the
whole text is 40,000.
"""
MOST_TOKENS = 8_000
"""Maximum tokens of one text, unless the client asks for more; one common host
truncates at 10,000.
"""
LARGEST_CHARACTERS = 200_000
"""Maximum characters of one result for a client that reads the limit from the list of
tools.
"""
INFO_CHARACTERS = 2_000
"""Characters reserved for the metadata of a text."""
_CURSORS = (("total", "next"), ("total_count", "next_cursor"))
"""Keys of a page: total number of items, and cursor of the next page."""
_LONGEST_TEXT = 4_000
_MOST_ITEMS = 400
"""Initial limits of a text and of a list in a result that is too long; halved until it
fits.
"""
FIRST_PAGE = "omit it to get the first page"
"""Hint for an invalid cursor."""
Answer = TypeVar("Answer")


class ResultPage(NamedTuple):
    """A text result with metadata."""

    text: str
    info: JsonView | None = None


def offset(cursor: str) -> int:
    """Return the index of the first item of a page. Raises: Invalid for a malformed
    cursor.
    """
    if not cursor:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 12:
        raise Invalid("unknown cursor", hint=FIRST_PAGE)
    return int(cursor)


def following(start: int, given: int, total: int) -> dict[str, str]:
    """Return the cursor of the next page, if there is one."""
    if given and start + given < total:
        return {"next": str(start + given)}
    return {}


def page(name: str, items: Sequence[Any], cursor: str, size: int) -> Json:
    """Return one page of a list under `name`, with the total and the next cursor."""
    start = offset(cursor)
    shown = list(items[start : start + size])
    after = following(start, len(shown), len(items))
    return {name: shown, "total": len(items), **after}


def cut_page(text: str, start: int, count: Count) -> str:
    """Return the part of a text from `start` that fits into one result, ending at a
    line end if possible.
    """
    return _cut(text, start, MOST_CHARACTERS - INFO_CHARACTERS, count)


def cut_json_page(text: str, start: int, count: Count) -> str:
    """Return the same for a text that is a value of JSON, where quotes, newlines and
    control characters take several characters.
    """
    room = MOST_CHARACTERS - INFO_CHARACTERS
    part = text[start : start + room]
    lengths = range(1, len(part) + 1)
    fitting = bisect_right(lengths, room, key=lambda length: _size(part[:length]))
    return _cut(text, start, fitting, count)


def _cut(text: str, start: int, most: int, count: Count) -> str:
    """Return at most `most` characters of a text from `start`, and at most
    `MOST_TOKENS` tokens.
    """
    part = text[start : start + most]
    # A token has at least one character, so short texts need no count.
    if len(part) > MOST_TOKENS and count.count(part) > MOST_TOKENS:
        part = count.cut(part, MOST_TOKENS)
    if start + len(part) == len(text):
        return part
    end = part.rfind("\n") + 1
    if end:
        return part[:end]
    return part


def fit(answer: JsonView, start: int, room: int = MOST_CHARACTERS) -> JsonView:
    """Return an answer that has at most `room` characters as JSON.

    A page of a list loses its last items, and `next` becomes the index of the first of
    them; `start` is the index of the first item on the page. Anything else that is too
    long is shortened, and `cut` is set.
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


def _without_last_items(answer: JsonView, start: int, room: int) -> JsonView:
    """Return a page without the items that do not fit; at least one stays."""
    cursor = next((own for total, own in _CURSORS if total in answer), "")
    name = next((key for key, value in answer.items() if isinstance(value, list)), "")
    if not cursor or not name:
        return answer
    rest = {**answer, name: [], cursor: str(start + len(answer[name]))}
    free = room - _size(rest)
    kept = 0
    for item in answer[name]:
        free -= _size(item) + 1
        if free < 0 and kept:
            break
        kept += 1
    if kept == len(answer[name]):
        return answer
    shortened = {**answer, name: answer[name][:kept], cursor: str(start + kept)}
    if "has_more" in answer:
        shortened["has_more"] = True
    return shortened


def _shortened(value: Any, longest: int, most: int) -> Any:
    """Return a value with texts of at most `longest` characters and collections of at
    most `most` items.
    """
    if isinstance(value, str) and len(value) > longest:
        return f"{value[:longest]}…"
    if isinstance(value, Mapping):
        return {
            key: _shortened(each, longest, most)
            for key, each in list(value.items())[: max(most, 40)]
        }
    if isinstance(value, list | tuple):
        return [_shortened(each, longest, most) for each in value[:most]]
    return value


def _size(value: object) -> int:
    return len(
        json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    )


def succeed(answer: JsonView | ResultPage) -> CallToolResult:
    """Return the result of a call: a page as text, everything else as JSON."""
    from mcp_types import CallToolResult, ContentBlock, TextContent

    if isinstance(answer, ResultPage):
        content: list[ContentBlock] = [
            TextContent(text=replace_surrogates(answer.text))
        ]
        if answer.info:
            content.append(TextContent(text=dump(answer.info)))
        return CallToolResult(content=content)
    text = dump(answer)
    return CallToolResult(
        content=[TextContent(text=text)], structured_content=json.loads(text)
    )


def fail(error: CueDeckError) -> CallToolResult:
    """Return an error as a result, with its hint and candidates; secrets masked."""
    from mcp_types import CallToolResult, TextContent

    text = dump(fit({"error": error_content(error)}, 0))
    return CallToolResult(
        content=[TextContent(text=text)],
        structured_content=json.loads(text),
        is_error=True,
    )


def error_content(error: CueDeckError) -> Json:
    """Return an error as masked JSON; its hint names tools instead of commands."""
    from cuedeck.engine.mask_answers import error_report

    report = error_report(error)
    return {**report, "hint": for_clients(report["hint"])}


def dump(value: object) -> str:
    """Return a value as compact JSON without lone surrogates."""
    return replace_surrogates(
        json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    )


_TOOLS = {
    "open": "`find`, or `cards` for the tasks,",
    "list": "`cards`",
    "card new": "`cards` with action `create`",
    "card activate": "`cards` with action `activate` and an id",
    "card done": "`cards` with action `done` and an id",
    "card show": "`read` with its id",
    "read": "`read`",
    "scene": "`scene`",
    "why": "`scene` with `explain`",
    "session start": "`session` with action `start`",
    "session close": "`session` with action `close`",
    "session note": "`session` with action `note`",
    "session status": "`session`",
    "session list": "`session`",
    "session show": "`read` with `session:ID`",
    "session checkpoint": "`session` with action `checkpoint`",
    "decision show": "`read` with `decision:ID`",
    "find": "`find`",
    "resume": "`session` with action `resume`",
    "progress": "`session` with action `progress`",
    "attempt add": "`session` with action `attempt`",
    "decide": "`decide`",
    "decision list": "`find`",
    "attempt list": "`find`",
    "assumption add": "`assume`",
    "assumption check": "`doctor`",
    "assumption list": "`doctor`",
    "memory add": "`remember`",
    "remember": "`remember`",
    "memory list": "`recall`",
    "memory read": "`read`",
    "memory write": "`memory.writeFile`",
    "memory forget": "`forget` with its id",
    "experience query": "`experiences`",
    "experience list": "`experiences`",
    "doctor": "`doctor`",
}
"""Tool for each command; commands without a tool are left unchanged."""
_NAMES = "|".join(sorted(_TOOLS, key=len, reverse=True))
_COMMAND = re.compile(
    rf"`cuedeck ({_NAMES})\b(?! --repair)[^`]*`|(?<!`)\bcuedeck ({_NAMES})\b(?! --repair)[^;`]*"
)


def for_clients(hint: str) -> str:
    """Return a hint with commands replaced by tools."""
    return _COMMAND.sub(lambda found: _TOOLS[found[1] or found[2]], hint)
