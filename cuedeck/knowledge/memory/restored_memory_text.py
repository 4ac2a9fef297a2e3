"""The text of a memory file that a reader has edited and writes back.

A line that was not changed is restored as it is in the file, byte by byte. In a changed
line, each placeholder is replaced by the value that it hides. A placeholder that hides
nothing is refused, because it would destroy the secret it once hid. A text that would
show a restored secret is refused, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cuedeck.knowledge.memory.check_restored_secrets import check_restored_secrets
from cuedeck.knowledge.memory.memory_file_text import (
    BOM,
    TOKEN,
    Find,
    ShownText,
    is_record_line,
    secrets_by_line,
)
from cuedeck.model.errors import Invalid
from cuedeck.model.secret import Secret
from cuedeck.model.secret_placeholder import PLACEHOLDER

_UNREADABLE = "\ufffd"
_KEEP = "keep each `<secret:…>` as `cuedeck memory read` prints it"


class Restored(NamedTuple):
    """A text to write to the file."""

    text: str
    masked: int
    """Number of new secrets that were masked."""


def restore_text(shown: ShownText, given: str, find: Find) -> Restored:
    """Return the text of a file for a masked text that a reader has edited.

    New secrets are masked. Raises: Invalid with the line of a placeholder that cannot
    be replaced by its value, or whose value would be visible in the new text.
    """
    given = given.removeprefix(BOM)
    if not given.endswith("\n"):
        given += "\n"
    lines = [line.rstrip("\r") for line in given.split("\n")]
    originals = _Originals(shown, lines)
    found = secrets_by_line(lines, find)
    restored: list[str] = []
    masked: list[str] = []
    count = 0
    for at, line in enumerate(lines):
        original = originals.take(line, at + 1)
        if original is not None:
            _check_repeated(shown, originals, line, at + 1)
            restored.append(original)
            masked.append(line)
            continue
        new = _check_line(shown, line, at + 1, found.get(at, ()))
        count += len(new)
        changed = _without_secrets(line, new)
        restored.append(shown.filled(changed) + originals.ending)
        masked.append(changed)
    restored[-1] = ""  # after the last newline
    text = "\n".join(restored)
    check_restored_secrets(shown, masked, text, find)
    had_mark = shown.raw[0].startswith(BOM)
    if had_mark and not text.startswith(BOM):
        text = BOM + text
    return Restored(text, count)


class _Originals:
    """The lines of a file by their masked text."""

    def __init__(self, shown: ShownText, given: Sequence[str]) -> None:
        with_return = [line for line in shown.raw if line.endswith("\r")]
        has_returns = 2 * len(with_return) > shown.count
        self.ending = "\r" if has_returns else ""
        """The end of a new line, before its newline."""
        self._raw: dict[str, list[str]] = {}
        for line, raw in zip(shown.lines, shown.raw, strict=True):
            self._raw.setdefault(line, []).append(raw)
        for raw in shown.raw:  # a reader of the file itself writes its lines unmasked
            self._raw.setdefault(raw.rstrip("\r"), [raw])
        self._wanted = Counter(given)
        self._taken: Counter[str] = Counter()

    def is_repeated(self, line: str) -> bool:
        """Return whether a line has been taken more often than the file contains it."""
        return self._taken[line] > len(self._raw[line])

    def take(self, line: str, number: int) -> str | None:
        """Return the line of the file that a line shows; None for a changed line.

        Lines that look alike are taken in their order. Raises: Invalid if such lines
        differ in unreadable bytes, and their number was changed.
        """
        known = self._raw.get(line)
        if known is None:
            return None
        distinct = {raw.rstrip("\r") for raw in known}
        if len(distinct) > 1 and self._wanted[line] != len(known):
            raise Invalid.on(
                number,
                "several lines look like this one and differ in bytes that are not "
                "UTF-8",
                "keep all of them, or edit the file itself",
            )
        at = min(self._taken[line], len(known) - 1)
        self._taken[line] += 1
        return known[at]


def _check_repeated(
    shown: ShownText, originals: _Originals, line: str, number: int
) -> None:
    """Raise Invalid if an unchanged line is a placeholder that stores its hidden line
    once more.
    """
    token = line.removeprefix("- ")
    concealed = shown.concealed.get(token)
    if concealed is None or not concealed.is_line:
        return
    if originals.is_repeated(line):
        raise Invalid.on(
            number,
            f"`{token}` is repeated, and its line would be stored twice",
            "write it once",
        )


def _check_line(
    shown: ShownText, line: str, number: int, secrets: Iterable[Secret]
) -> list[Secret]:
    """Return the new secrets of a changed line. Raises: Invalid for a placeholder that
    cannot be replaced by its value, and for unreadable bytes.
    """
    tokens = list(TOKEN.finditer(line))
    for token in tokens:
        _check_token(shown, line, number, token[0])
    if _UNREADABLE in line and shown.has_unreadable_bytes:
        raise Invalid.on(
            number,
            "the line has a `\N{REPLACEMENT CHARACTER}` in place of bytes that are not "
            "UTF-8",
            "leave the line unchanged, or edit the file itself",
        )
    spans = [token.span() for token in tokens]
    return [secret for secret in secrets if not _overlaps(secret, spans)]


def _overlaps(secret: Secret, spans: Iterable[tuple[int, int]]) -> bool:
    """Return whether a secret overlaps one of the placeholders at these offsets."""
    return any(
        secret.start < end and start < secret.end  # both half-open
        for start, end in spans
    )


def _check_token(shown: ShownText, line: str, number: int, token: str) -> None:
    if token in shown.literals:
        return
    concealed = shown.concealed.get(token)
    if concealed is None:
        raise Invalid.on(number, f"`{token}` hides no secret of this file", _KEEP)
    if concealed.is_line:
        raise Invalid.on(
            number,
            f"`{token}` hides a whole line, and the line was changed",
            f"write `- {token}` as a line of its own",
        )
    is_escaped = '"' in concealed.value or "\\" in concealed.value
    is_moved = concealed.is_record != is_record_line(line)
    if is_escaped and is_moved:
        raise Invalid.on(
            number,
            f"the secret hidden by `{token}` has quotes or backslashes, and cannot be "
            "moved between a record and other text",
            "keep it in its line",
        )


def _without_secrets(line: str, secrets: Sequence[Secret]) -> str:
    """Return a line with placeholders in place of new secrets, without numbers."""
    for secret in reversed(secrets):
        token = f"{PLACEHOLDER}{secret.kind}>"
        line = line[: secret.start] + token + line[secret.end :]
    return line
