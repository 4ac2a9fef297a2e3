"""Check that an edited memory file still hides the secrets that were hidden in it.

Many secrets are recognised by the text around them, such as `password:`. If a reader
changes that text, a restored secret would be visible to every later reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.knowledge.memory.memory_file_text import TOKEN, Find, ShownText, show_text
from cuedeck.model.errors import Invalid


class _HiddenSpan(NamedTuple):
    """A part of a line of a file that a placeholder hides; the end is excluded."""

    start: int
    end: int
    token: str


def check_restored_secrets(
    shown: ShownText, masked: Sequence[str], text: str, find: Find
) -> None:
    """Raise Invalid if a reader of the new text would see a secret that a placeholder
    of the old file hides.

    `masked` are the lines of the new text with these placeholders.
    """
    with_secrets: dict[int, list[_HiddenSpan]] = {}
    hidden_lines: dict[int, str] = {}
    for at, line in enumerate(masked):
        spans = list(_hidden_spans(shown, line))
        if any(shown.concealed[span.token].is_line for span in spans):
            hidden_lines[at + 1] = "record"
        elif spans:
            with_secrets[at] = spans
    if not with_secrets:
        return
    again = show_text(text, hidden_lines, find)
    for at, spans in with_secrets.items():
        hidden_again = list(_hidden_spans(again, again.lines[at]))
        for span in spans:
            if not _is_hidden(span, hidden_again):
                raise Invalid.on(
                    at + 1,
                    f"the secret hidden by `{span.token}` is not recognised in the "
                    "new text, and would be visible",
                    "keep the words and quotes around the placeholder, or omit the "
                    "placeholder",
                )


def _hidden_spans(shown: ShownText, line: str) -> Iterator[_HiddenSpan]:
    """Yield the hidden parts of the line that a masked line shows, in order."""
    start = end = 0
    for found in TOKEN.finditer(line):
        start += found.start() - end
        end = found.end()
        token = found[0]
        size = len(shown.filled(token))
        if token in shown.concealed:
            yield _HiddenSpan(start, start + size, token)
        start += size


def _is_hidden(span: _HiddenSpan, hidden: Iterable[_HiddenSpan]) -> bool:
    """Return whether some parts of a line, in order, contain all of another part."""
    at = span.start
    for each in hidden:
        if each.start <= at:
            at = max(at, each.end)
    return at >= span.end
