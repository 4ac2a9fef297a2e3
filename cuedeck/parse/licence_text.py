"""Licences: their names, and their notices in the comments at the top of sources."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cuedeck.parse.source_file import Comment

_FILE = re.compile(
    r"(?:^|/)(?:un)?(?:licen[cs]es?|copying)(?:[-._][^/]*)?$",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\.(?:py|js|ts|go|rs|java|c|h|cc|cpp|cs|rb|php|sh|svg|png)$",
    re.IGNORECASE,
)
_NAMES = (
    (r"apache licen[cs]e", "Apache License"),
    (r"gnu affero general public", "GNU Affero General Public License"),
    (r"gnu lesser general public", "GNU Lesser General Public License"),
    (r"gnu general public", "GNU General Public License"),
    (r"mozilla public licen[cs]e", "Mozilla Public License"),
    (r"creative commons|cc0", "Creative Commons License"),
    (r"boost software licen[cs]e", "Boost Software License"),
    (r"permission is hereby granted, free of charge", "MIT License"),
    (r"permission to use, copy, modify", "ISC License"),
    (r"redistribution and use in source and binary", "BSD License"),
    (r"released into the public domain", "The Unlicense"),
)
"""Patterns of the text of a licence, with its name; the first match counts."""
_UNVERSIONED = ("MIT License", "ISC License", "BSD License", "The Unlicense")
_VERSION = re.compile(r"version (\d+(?:\.\d+)*)", re.IGNORECASE)
_HOLDER = re.compile(
    r"^\W{0,4}(copyright\b[^\n]*\d{4}[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_HEAD = 4_000
"""Characters of a licence in which its name is looked for."""
_NOTICE = re.compile(
    r"""
    \bcopyright\s*(?:\(c\)|©|\d{4}|[:,]|by\b|the\b) | \(c\)\s*\d{4} | © | SPDX- | all\ rights\ reserved
    | licen[cs]ed\ (?:under|to) | apache\.org/licenses | opensource\.org/licenses
    | gnu\.org/licenses | mozilla\.org/mpl | permission\ is\ hereby\ granted
    | under\ the\ terms\ of | governed\ by\ an?\ .{0,40}\blicen[cs]e
    | unless\ required\ by\ applicable\ law | redistribution\ and\ use
    | without\ warrant | without\ (?:even\ the\ )?implied\ warrant
    | (?:you\ should\ have\ received|obtain)\ a\ copy\ of\ the\ .{0,40}licen[cs]e
    | is\ provided\ "?as\ is | is\ free\ software
    | above\ copyright\ notice
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_licence_file(path: str) -> bool:
    """Return whether a path is that of the text of a licence."""
    return _FILE.search(path) is not None and _CODE.search(path) is None


def licence_summary(text: str) -> str:
    """Return the name of a licence and its copyright line; empty for an unknown one.

    Example: `MIT License. Copyright (c) 2026 Ana`.
    """
    head = " ".join(text[:_HEAD].split())
    for pattern, name in _NAMES:
        if not re.search(pattern, head, re.IGNORECASE):
            continue
        version = _VERSION.search(head)
        if version is not None and name not in _UNVERSIONED:
            name = f"{name} {version[1]}"
        holder = _HOLDER.search(text[:_HEAD])
        if holder is not None:
            line = _LINK.sub(r"\1", holder[1])
            return f"{name}. {' '.join(line.split())}"
        return name
    return ""


def without_notices(comments: Iterable[Comment]) -> str:
    """Return the text of comments without the paragraphs of a licence."""
    paragraphs: list[list[str]] = [[]]
    before = 0
    for comment in comments:
        if not comment.text.strip() or comment.line > before + 1:
            paragraphs.append([])
        before = comment.line
        if comment.text.strip():
            paragraphs[-1].append(comment.text)
    texts = ["\n".join(rows) for rows in paragraphs if rows]
    return "\n\n".join(text for text in texts if not _NOTICE.search(_flat(text)))


def _flat(text: str) -> str:
    return " ".join(text.split())
