"""The text of a file, and what of it a definition is known by."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from cuedeck.model.shown import shorten
from cuedeck.parse.code.doc import comment_above, docstring
from cuedeck.parse.code.nodes import reach, text_of
from cuedeck.parse.code.rules import Rule, Rules
from cuedeck.parse.code.signature import MAX_CONSTANT, MAX_HEAD_BYTES, MAX_SIGNATURE, fold

if TYPE_CHECKING:
    from tree_sitter import Node


class Text:
    """A file's bytes and rows under the rules of its language."""

    def __init__(self, data: bytes, rows: Sequence[str], rules: Rules) -> None:
        self.data = data
        self.rows = rows
        self.rules = rules
        self._sums: dict[tuple[int, int], str] = {}

    def signature(self, node: Node, outer: Node, body: Node | None, rule: Rule, name: Node) -> str:
        """Return the head of a definition on one line; `outer` is the node whose text belongs to it."""
        tail = reach(node, rule.tail) if rule.tail else None
        start, end = outer.start_byte, node.end_byte
        if tail is not None:
            end = tail.end_byte
        elif body is not None:
            end = body.start_byte
        if node.has_error:
            end = min((child.start_byte for child in node.children if child.is_error), default=end)
        head = self._plain(node, outer, start, min(end, start + MAX_HEAD_BYTES))
        rules = self.rules
        text = fold(head.decode(errors="replace"), rules.comments[0], rules.lifetimes)
        if body is None or tail is not None:
            text = text.rstrip(" ;,")
        else:
            text = text.removesuffix("=>").rstrip(" :{,\\")
            if name.start_byte >= body.start_byte:
                # `typedef struct { … } Name`
                text = f"{text} {' '.join(text_of(name).split())}"
        return shorten(text, MAX_CONSTANT if rule.kind == "constant" else MAX_SIGNATURE)

    def doc(self, body: Node | None, start: int, head: int) -> str:
        """Return the first paragraph of the doc comment of a definition between its first line and its head."""
        rules = self.rules
        if rules.docstrings:
            return docstring(self.data, body.start_byte) if body is not None else ""
        found = comment_above(self.rows, start, rules.comments)
        # In Rust the comment may stand below the attributes.
        return found or (comment_above(self.rows, head, rules.comments) if head > start else "")

    def end_and_sum(self, first: Node, last: Node) -> tuple[int, str]:
        """Return the last line of a definition, and the hash of its lines without the line break at their end."""
        data = self.data
        end = last.end_byte
        row, column = last.end_point
        if column == 0 and end > last.start_byte + 1:
            # Lines of a preprocessor end behind their line break.
            row, end = row - 1, end - 1
        begin = data.rfind(b"\n", 0, first.start_byte) + 1
        stop = data.find(b"\n", end)
        key = (begin, len(data) if stop < 0 else stop)
        found = self._sums.get(key)
        if found is None:
            found = self._sums[key] = blake2b(data[key[0] : key[1]]).hexdigest()[:16]
        return row + 1, found

    def _plain(self, node: Node, outer: Node, start: int, end: int) -> bytes:
        """Return a head without decorators, attributes and annotations."""
        data, marks = self.data, self.rules.marks
        if not marks or data.find(self.rules.sign, start, end) < 0:
            return data[start:end]
        holders = [outer] if outer == node else [outer, node]
        parts = []
        for child in (child for holder in holders for child in holder.children):
            for mark in child.children if child.type == "modifiers" else (child,):
                if mark.type in marks and mark.start_byte >= start:
                    parts.append(data[start : mark.start_byte])
                    start = mark.end_byte
        parts.append(data[start:end])
        return b"".join(parts)
