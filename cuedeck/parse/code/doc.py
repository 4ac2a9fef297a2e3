"""The first paragraph of a definition's doc comment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuedeck.model.shown import shorten

MAX_DOC = 200

_DOCSTRING = re.compile(rb"[rRuU]?(?:(\"\"\"|''')|([\"'])((?:\\.|[^\\\n])*?)\2)")
_QUOTES = frozenset((b"'", b'"', b"r", b"R", b"u", b"U"))
_MAX_DOCSTRING_BYTES = 2_000
"""Of a first paragraph no more can be seen."""
_MAX_ROWS = 200
# ` * `, `/// `, `//! `, `/** `, `# ` and what else a row of a comment begins with.
_MARK = re.compile(r"/\*[*!]?|//[/!]?|\*(?!\*)|#+")
_RULER = re.compile(r"[-=*#/_~ ]*")
_XML = re.compile(r"</?(?:summary|para|remarks)\s*/?>|<(?:see|paramref|typeparamref)\b[^>]*?\"(?:\w:)?([^\"]*)\"\s*/>")
# Rows for tools, not for people.
_TOOLS = re.compile(
    r"(?:go:|\+build|nolint|NOLINT|eslint|@ts-|tslint|prettier-|biome-|istanbul |c8 |v8 |rubocop:|shellcheck |"
    r"clang-format|type: |noqa|pylint:|pragma|region\b|endregion\b|!/|frozen_string_literal:|-\*-|vim:)"
)
_BRIEF = re.compile(r"^[@\\](?:brief|description|desc|summary)\s+")
# Where the description ends and the list of what each part means begins.
_TAG = re.compile(r"[@\\](?:\w+)|:\w+ \w+:|<(?:param|returns|p>)")


def docstring(data: bytes, start: int) -> str:
    """Return the first paragraph of the docstring that begins at a byte of `data`; empty when none does."""
    found = data[start : start + 1] in _QUOTES and _DOCSTRING.match(data, start)
    if not found:
        return ""
    text = found[3] or b""
    if found[1]:
        begin = found.end()
        end = data.find(found[1], begin)
        text = data[begin : min(end, begin + _MAX_DOCSTRING_BYTES)] if end >= 0 else b""
    return _paragraph(text.decode(errors="replace").split("\n"))


def comment_above(rows: Sequence[str], line: int, marks: tuple[str, ...]) -> str:
    """Return the first paragraph of the comment that ends on the line before `line`; empty when none does."""
    last = at = line - 2
    if last < 0:
        return ""
    floor = max(last - _MAX_ROWS, -1)
    if "//" in marks and rows[last].rstrip().endswith("*/"):
        while at > floor and not rows[at].lstrip().startswith("/*"):
            at -= 1
        # An end before the last row means that this one only closes a comment behind code.
        whole = at > floor and not any("*/" in row for row in rows[at:last])
        return _paragraph([_bare(row) for row in rows[at : last + 1]]) if whole else ""
    while at > floor and rows[at].lstrip().startswith(marks) and not rows[at].lstrip().startswith(("#[", "#!")):
        at -= 1
    return _paragraph([_bare(row) for row in rows[at + 1 : last + 1]]) if at < last else ""


def _bare(row: str) -> str:
    row = row.strip().removesuffix("*/").rstrip()
    found = _MARK.match(row)
    return row[found.end() :].strip() if found else row


def _paragraph(rows: Sequence[str]) -> str:
    found: list[str] = []
    for row in rows:
        row = " ".join(row.split())
        if "<" in row:
            row = _XML.sub(lambda tag: tag[1] or "", row).strip()
        row = _BRIEF.sub("", row)
        if _TOOLS.match(row):
            continue
        if _RULER.fullmatch(row) or _TAG.match(row):
            if found:
                break
            continue
        found.append(row)
    return shorten(" ".join(found), MAX_DOC)
