"""The text of a memory file as a reader sees it, and a text that a reader has edited.

A reader sees a placeholder in place of each secret, and one placeholder line in place
of each hidden record, so that line numbers are those of the file. A written text is a
patch of lines: a line that was not changed is restored as it is in the file, byte by
byte, and a changed line must not have a placeholder.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.model.secret import PLACEHOLDER, TOKEN, Secret

Find = Callable[[str], Sequence[Secret]]

_BOM = "\ufeff"
_UNREADABLE = "\ufffd"


@dataclass(frozen=True, slots=True)
class ShownText:
    """A memory file with its masked lines."""

    raw: tuple[str, ...]
    """The lines of the file, split at `\\n`; the last one is empty if the file ends
    with a newline.
    """
    lines: tuple[str, ...]
    """The masked lines, one for each line of the file, without carriage returns."""
    hidden: int
    """Number of lines that are not shown at all."""
    literals: frozenset[str]
    """Placeholders that are text of the file itself and hide nothing."""

    @property
    def count(self) -> int:
        """Number of lines."""
        return len(self.raw) - (not self.raw[-1])

    def text(self, start: int, end: int) -> str:
        """Return the masked text of some lines, counted from 1, both included."""
        first = start - 1
        text = "\n".join(self.lines[first:end])
        has_newline = 0 < end < len(self.lines)
        return f"{text}\n" if has_newline else text


class Restored(NamedTuple):
    """A text to write to the file."""

    text: str
    masked: int
    """Number of new secrets that were masked."""


def show_text(text: str, hidden: Mapping[int, str], find: Find) -> ShownText:
    """Return the masked text of a memory file.

    `hidden` are the lines that are not shown, counted from 1, each with the kind of its
    placeholder.
    """
    raw = text.split("\n")
    literals = frozenset(TOKEN.findall(text))
    tokens: dict[tuple[str, str], str] = {}
    numbers: Counter[str] = Counter()

    def token_for(kind: str, value: str) -> str:
        while tokens.get((kind, value), "") in ("", *literals):
            numbers[kind] += 1
            tokens[kind, value] = f"{PLACEHOLDER}{kind}:{numbers[kind]}>"
        return tokens[kind, value]

    lines = [line.rstrip("\r") for line in raw]
    lines[0] = lines[0].removeprefix(_BOM)
    for number, kind in hidden.items():
        lines[number - 1] = f"- {token_for(kind, raw[number - 1])}"
    for at, secrets in _secrets_by_line(lines, find).items():
        lines[at] = _with_placeholders(lines[at], secrets, token_for)
    shown = tuple(map(_readable, lines))
    return ShownText(tuple(raw), shown, len(hidden), literals)


def restore_text(shown: ShownText, given: str, find: Find) -> Restored:
    """Return the text of a file for a masked text that a reader has edited.

    New secrets are masked. Raises: Invalid with the line of a changed or repeated
    placeholder, and of a secret that would be visible in the new text.
    """
    given = given.removeprefix(_BOM)
    if not given.endswith("\n"):
        given += "\n"
    lines = [line.rstrip("\r") for line in given.split("\n")]
    with_return = sum(line.endswith("\r") for line in shown.raw)
    ending = "\r" if 2 * with_return > shown.count else ""
    originals: dict[str, list[str]] = {}
    for line, raw in zip(shown.lines, shown.raw, strict=True):
        originals.setdefault(line, []).append(raw)
    for raw in shown.raw:  # a reader of the file itself writes its lines unmasked
        originals.setdefault(raw.rstrip("\r"), [raw])
    secrets = _secrets_by_line(lines, find)
    restored: list[str] = []
    unchanged: dict[int, str] = {}
    count = 0
    for at, line in enumerate(lines):
        left = originals.get(line)
        if left:
            is_plain = left[0].rstrip("\r") == line
            # Only a line that hides nothing may be repeated.
            original = left[0] if is_plain and len(left) == 1 else left.pop(0)
            restored.append(original)
            if not is_plain:
                unchanged[at] = line
            continue
        _check_changed(shown, line, at + 1)
        new = secrets.get(at, ())
        count += len(new)
        masked = _with_placeholders(line, new, lambda kind, _: f"{PLACEHOLDER}{kind}>")
        restored.append(masked + ending)
    restored[-1] = ""  # after the last newline
    text = "\n".join(restored)
    _check_hidden(unchanged, text, find)
    if shown.raw[0].startswith(_BOM) and not text.startswith(_BOM):
        text = _BOM + text
    return Restored(text, count)


def _check_changed(shown: ShownText, line: str, number: int) -> None:
    for token in TOKEN.findall(line):
        if token not in shown.literals:
            raise Invalid.on(
                number,
                f"the line has `{token}`, and is not a line of the file or is repeated",
                "leave the line as `cuedeck memory read` prints it, or edit the file "
                "itself",
            )
    has_unreadable = any(_readable(raw) != raw for raw in shown.raw)
    if _UNREADABLE in line and has_unreadable:
        raise Invalid.on(
            number,
            "the line has a `\N{REPLACEMENT CHARACTER}` in place of bytes that are not "
            "UTF-8",
            "leave the line unchanged, or edit the file itself",
        )


def _check_hidden(unchanged: Mapping[int, str], text: str, find: Find) -> None:
    """Raise Invalid if a secret of an unchanged line would be visible: many secrets are
    recognised by the lines above them.
    """
    again = show_text(text, {}, find).lines if unchanged else ()
    for at, line in unchanged.items():
        is_line = line.startswith(f"- {PLACEHOLDER}")
        if not is_line and _unnumbered(again[at]) != _unnumbered(line):
            raise Invalid.on(
                at + 1,
                "a secret of the line is not recognised in the new text, and would be "
                "visible",
                "keep the lines around it",
            )


def _unnumbered(line: str) -> str:
    return TOKEN.sub(PLACEHOLDER, line)


def _readable(line: str) -> str:
    """Return a line with `U+FFFD` for bytes that are not UTF-8."""
    return line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _secrets_by_line(lines: Sequence[str], find: Find) -> dict[int, list[Secret]]:
    """Return the secrets in some lines by the index of the line, with offsets in it.

    A secret of several lines is divided at the line ends.
    """
    text = "\n".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found: dict[int, list[Secret]] = {}
    for secret in find(text):
        at = bisect_right(starts, secret.start) - 1
        start = secret.start - starts[at]
        value = text[secret.start : secret.end]
        for part in value.split("\n"):
            if part:
                end = start + len(part)
                found.setdefault(at, []).append(Secret(start, end, secret.kind))
            at += 1
            start = 0
    return found


def _with_placeholders(
    line: str, secrets: Iterable[Secret], token_for: Callable[[str, str], str]
) -> str:
    """Return a line with a placeholder in place of each secret."""
    pieces: list[str] = []
    at = 0
    for secret in secrets:
        start = max(at, secret.start)
        value = line[start : secret.end]
        if value:
            pieces += (line[at:start], token_for(secret.kind, value))
            at = secret.end
    return "".join((*pieces, line[at:]))
