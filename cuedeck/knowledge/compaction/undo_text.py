"""Texts of files after the undo of a compaction."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from cuedeck.ledger.records.record_file import parse_line


class Restored(NamedTuple):
    """Text of a file after an undo."""

    text: str
    added: int
    """Number of lines at its end that were added since the run."""


def restore(
    now: str, before: str, written: str, forgotten: Collection[str] = ()
) -> Restored:
    """Return the text from before a run, followed by the lines that were added to the
    file since the run.

    A line of `now` counts as added if it is neither in `before` nor in `written`, the
    lines that the run wrote. An added record with the id of an old one replaces it in
    place: it was edited since. Forgotten records are left out.
    """
    known = {line.rstrip("\r") for line in (*before.split("\n"), *written.split("\n"))}
    fresh = [
        line
        for line in now.split("\n")
        if line.strip() and line.rstrip("\r") not in known
    ]
    edited = {record_id(line): line for line in fresh}
    edited.pop("", None)
    kept = []
    placed = set(forgotten)
    for line in before.split("\n"):
        identity = record_id(line)
        if identity and identity in forgotten:
            continue
        if identity in edited:
            placed.add(identity)
        kept.append(edited.get(identity, line))
    added = [line for line in fresh if record_id(line) not in placed]
    text = "\n".join(kept)
    if not added:
        return Restored(text, 0)
    separator = "" if text.endswith("\n") or not text else "\n"
    tail = "".join(f"{line}\n" for line in added)
    return Restored(f"{text}{separator}{tail}", len(added))


def record_lines(text: str, ids: Collection[str]) -> frozenset[str]:
    """Return the lines of some records, without a carriage return at the end."""
    return frozenset(
        line.rstrip("\r") for line in text.split("\n") if record_id(line) in ids
    )


def without_lines(text: str, lines: Collection[str]) -> str:
    """Return a text without some lines."""
    return "\n".join(line for line in text.split("\n") if line not in lines)


def without_repetitions(text: str, lines: Collection[str]) -> str:
    """Return a text in which only the first occurrence of each of some lines is
    kept.
    """
    seen: set[str] = set()
    kept = []
    for line in text.split("\n"):
        if line in seen:
            continue
        kept.append(line)
        if line in lines:
            seen.add(line)
    return "\n".join(kept)


def record_id(line: str) -> str:
    """Return the id of the record in a line; empty for any other line."""
    if not line.lstrip(" \t\ufeff").startswith("- {"):
        return ""
    record = parse_line(line).record
    return record.id if record else ""
