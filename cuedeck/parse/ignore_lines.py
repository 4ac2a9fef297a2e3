"""Lines of `.cuedeck/.gitignore` that keep generated and private files out of git."""

from __future__ import annotations

from collections.abc import Iterable

from cuedeck.model.paths import PRIVATE_LINES
from cuedeck.parse.gitignore import Rules, parse_rules
from cuedeck.parse.text_decoding import decode

GENERATED_LINES = ("SCENE.md", "active", "cache/")
"""Files in `.cuedeck/` that every command may create."""
IGNORE_LINES = (*GENERATED_LINES, *PRIVATE_LINES)
"""Lines of a new `.cuedeck/.gitignore`."""


def missing_lines(data: bytes) -> tuple[str, ...]:
    """Return the lines of `IGNORE_LINES` about which the rules of a file say nothing.

    A line such as `!MEMORY.md` is a decision of the user, so `MEMORY.md` is not missing
    then.
    """
    rules = parse_rules(decode(data).text)
    return tuple(line for line in IGNORE_LINES if not _is_decided(rules, line))


def append_lines(data: bytes, lines: Iterable[str]) -> bytes:
    """Return the content of a file with lines at its end, in its own line ending."""
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    if data and not data.endswith(b"\n"):
        data += newline
    return data + b"".join(line.encode() + newline for line in lines)


def _is_decided(rules: Rules, line: str) -> bool:
    path = line.removesuffix("/")
    if rules.verdict(path, line.endswith("/")) is not None:
        return True
    folder = path.rpartition("/")[0]
    return bool(folder) and rules.verdict(folder, True) is True
