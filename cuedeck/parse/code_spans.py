"""Inline code of a Markdown text, with its lines."""

from __future__ import annotations

from cuedeck.parse.commonmark import PARSER
from cuedeck.parse.lines import LineTable


def read_code_spans(body: str, first: int = 1) -> list[tuple[int, str]]:
    """Return line and text of each stretch of inline code; `first` is the line `body` begins on in its file.

    What stands in fences is none. Order: of the text.
    """
    if "`" not in body:
        return []
    table = LineTable(body.encode(), first)
    found: list[tuple[int, str]] = []
    for event, span in PARSER.events_with_range(body):
        if isinstance(event, dict) and "Code" in event:
            found.append((table.line(span["start"]), event["Code"]))
    return found
