"""The text of a file, and the signature, doc comment and hash of its definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cuedeck.model.formatting import shorten
from cuedeck.parse.languages.base import Rule, Rules, reach, text_of

if TYPE_CHECKING:
    from tree_sitter import Node


def last_line(node: Node) -> int:
    """Return the last line of a node."""
    row, column = node.end_point
    if column == 0 and node.end_byte > node.start_byte + 1:
        # The node of a preprocessor line includes its line break.
        return row
    return row + 1


class Text:
    """The bytes and lines of a file, read by the rules of its language."""

    def __init__(self, data: bytes, rows: Sequence[str], rules: Rules) -> None:
        self.data = data
        self.rows = rows
        self.rules = rules

    def signature(
        self, node: Node, outer: Node, body: Node | None, rule: Rule, name: Node
    ) -> str:
        """Return the signature of a definition on one line; `outer` is the outermost
        node that belongs to it.
        """
        tail = None
        if rule.tail:
            tail = reach(node, rule.tail)
        start = outer.start_byte
        end = node.end_byte
        if tail is not None:
            end = tail.end_byte
        elif body is not None:
            end = body.start_byte
        if node.has_error:
            errors = [child.start_byte for child in node.children if child.is_error]
            end = min(errors, default=end)
        end = min(end, start + MAX_HEAD_BYTES)
        head = self._without_marks(node, outer, start, end).decode(errors="replace")
        text = fold(head, self.rules.comments[0], self.rules.lifetimes)
        if body is None or tail is not None:
            text = text.rstrip(" ;,")
        else:
            text = text.removesuffix("=>").rstrip(" :{,\\")
            if name.start_byte >= body.start_byte:
                # The name of `typedef struct { … } Name` follows the body.
                words = text_of(name).split()
                text = " ".join([text, *words])
        limit = MAX_CONSTANT if rule.kind == "constant" else MAX_SIGNATURE
        return shorten(text, limit)

    def doc(self, body: Node | None, start: int, head: int) -> str:
        """Return the first paragraph of the doc comment.

        `start` is the first line of the definition, `head` the line of its name.
        """
        rules = self.rules
        if rules.docstrings:
            if body is None:
                return ""
            return docstring(self.data, body.start_byte)
        found = comment_above(self.rows, start, rules.comments)
        if found or head <= start:
            return found
        # In Rust the comment may follow the attributes.
        return comment_above(self.rows, head, rules.comments)

    def _without_marks(self, node: Node, outer: Node, start: int, end: int) -> bytes:
        data = self.data
        marks = self.rules.marks
        if not marks or data.find(self.rules.sign, start, end) < 0:
            return data[start:end]
        children = (
            outer.children if outer == node else [*outer.children, *node.children]
        )
        parts = []
        for child in children:
            for mark in child.children if child.type == "modifiers" else (child,):
                if mark.type in marks and mark.start_byte >= start:
                    parts.append(data[start : mark.start_byte])
                    start = mark.end_byte
        parts.append(data[start:end])
        return b"".join(parts)


MAX_DOC = 200

_DOCSTRING = re.compile(rb"[rRuU]?(?:(\"\"\"|''')|([\"'])((?:\\.|[^\\\n])*?)\2)")
_QUOTES = frozenset((b"'", b'"', b"r", b"R", b"u", b"U"))
_MAX_DOCSTRING_BYTES = 2_000
"""More of a first paragraph is never shown."""
_MAX_ROWS = 200
# The prefix of a comment line: ` * `, `/// `, `//! `, `/** `, `# `.
_MARK = re.compile(r"/\*[*!]?|//[/!]?|\*(?!\*)|#+")
_RULER = re.compile(r"[-=*#/_~ ]*")
_XML = re.compile(
    r"</?(?:summary|para|remarks)\s*/?>|<(?:see|paramref|typeparamref)\b[^>]*?\"(?:\w:)?([^\"]*)\"\s*/>"
)
# Directives for tools.
_TOOLS = re.compile(
    r"(?:go:|\+build|nolint|NOLINT|eslint|@ts-|tslint|prettier-|biome-|istanbul |c8 |v8 |rubocop:|shellcheck |"
    r"clang-format|type: |noqa|pylint:|pragma|region\b|endregion\b|!/|frozen_string_literal:|-\*-|vim:)"
)
_BRIEF = re.compile(r"^[@\\](?:brief|description|desc|summary)\s+")
# The first tag of a parameter list ends the description.
_TAG = re.compile(r"[@\\](?:\w+)|:\w+ \w+:|<(?:param|returns|p>)")


def docstring(data: bytes, start: int) -> str:
    """Return the first paragraph of the docstring at a byte of `data`; empty if there
    is none.
    """
    if data[start : start + 1] not in _QUOTES:
        return ""
    found = _DOCSTRING.match(data, start)
    if found is None:
        return ""
    text = found[3] or b""
    if found[1]:
        begin = found.end()
        end = data.find(found[1], begin)
        if end < 0:
            return ""
        text = data[begin : min(end, begin + _MAX_DOCSTRING_BYTES)]
    rows = text.decode(errors="replace").split("\n")
    return _first_paragraph(rows)


def comment_above(rows: Sequence[str], line: int, marks: tuple[str, ...]) -> str:
    """Return the first paragraph of the comment that ends on the line before `line`;
    empty if there is none.
    """
    last = at = line - 2
    if last < 0:
        return ""
    floor = max(last - _MAX_ROWS, -1)
    if "//" in marks and rows[last].rstrip().endswith("*/"):
        while at > floor and not rows[at].lstrip().startswith("/*"):
            at -= 1
        # If the comment also ends before its last line, that line closes another
        # comment, after code.
        if at == floor or any("*/" in row for row in rows[at:last]):
            return ""
        return _first_paragraph(map(_comment_text, rows[at : last + 1]))
    while at > floor and _is_comment(rows[at].lstrip(), marks):
        at -= 1
    return _first_paragraph(map(_comment_text, rows[at + 1 : last + 1]))


def _is_comment(row: str, marks: tuple[str, ...]) -> bool:
    if not row.startswith(marks):
        return False
    return not row.startswith(("#[", "#!"))


def _comment_text(row: str) -> str:
    row = row.strip().removesuffix("*/").rstrip()
    found = _MARK.match(row)
    if found:
        return row[found.end() :].strip()
    return row


def _first_paragraph(rows: Iterable[str]) -> str:
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


MAX_SIGNATURE = 400
MAX_CONSTANT = 120
MAX_HEAD_BYTES = 8_000
"""More of a signature is never shown."""

_DOUBLE = r"\"(?:\\.|[^\"\\\n])*\""
_QUOTED = rf"{_DOUBLE}|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
_CHARACTER = rf"{_DOUBLE}|'(?:\\.|[^'\\\n])'"
_SLASHED = r"[ \t]*(?://[^\n]*|/\*.*?\*/)"
_PATTERNS = {
    ("#", False): re.compile(rf"({_QUOTED})|#[^\n]*"),
    ("//", False): re.compile(rf"({_QUOTED})|{_SLASHED}", re.DOTALL),
    ("//", True): re.compile(rf"({_CHARACTER})|{_SLASHED}", re.DOTALL),
}


def fold(text: str, comment: str = "#", lifetimes: bool = False) -> str:
    """Return a signature on one line, without comments, trailing commas and spaces
    inside brackets.
    """
    has_comment = comment[0] in text
    if not has_comment and "\n" not in text and "  " not in text and "\t" not in text:
        return text.strip()
    if has_comment:
        text = _PATTERNS[comment, lifetimes].sub(lambda found: found[1] or "", text)
    if "\n" not in text:
        return " ".join(text.split())
    folded = ""
    for line in text.split("\n"):
        words = line.split()
        folded = _join(folded, " ".join(words))
    return folded


def _join(folded: str, line: str) -> str:
    if line.startswith((")", "]", "}")) or (
        line.startswith(">") and folded.endswith(",")
    ):
        return folded.removesuffix(",") + line
    opens_types = folded.endswith("<") and not folded.endswith(" <")
    if not folded or not line or opens_types or folded.endswith(("(", "[", "{")):
        return folded + line
    return f"{folded} {line}"
