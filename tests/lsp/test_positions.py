"""Positions of documents in every encoding, and edits of an open document."""

from __future__ import annotations

import random

import pytest
from editor import Editor
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from sandbox import Sandbox

from cuedeck.parse.parse_file import parse_file
from cuedeck.shells.lsp.document import Document

_WIDTHS = {
    "utf-8": ("utf-8", 1),
    "utf-16": ("utf-16-le", 2),
    "utf-32": ("utf-32-le", 4),
}
_PIECES = st.sampled_from(
    ["a", "é", "漢", "🙂", "👩‍🚀", " ", "\n", "\r\n", "\r", "\x0c", "\u2028", "\x85"]
)
TEXTS = st.lists(_PIECES, max_size=30).map("".join)


@given(TEXTS, st.sampled_from(sorted(_WIDTHS)))
def test_a_position_leads_back_to_its_offset(text: str, encoding: str) -> None:
    document = Document("", text, None, encoding)
    codec, width = _WIDTHS[encoding]
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n":
            continue
        at = document.position(offset)
        assert document.offset(at["line"], at["character"]) == offset
        units = len(document.line(at["line"]).encode(codec)) // width
        assert at["character"] <= units


@given(TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_a_position_outside_the_text_is_moved_into_it(
    text: str, line: int, character: int
) -> None:
    document = Document("", text, None, "utf-16")
    offset = document.offset(line, character)
    assert 0 <= offset <= len(text)
    if line < len(document.starts):
        assert document.position(offset)["line"] == line


def test_only_line_breaks_of_editors_divide_a_text() -> None:
    document = Document("", "a\x0cb\u2028c\r\nd\re", None, "utf-16")
    assert [document.line(at) for at in range(4)] == ["a\x0cb\u2028c", "d", "e", ""]


@pytest.mark.asyncio(loop_scope="session")
async def test_random_edits_give_the_document_of_a_fresh_parse(
    editor: Editor, filled: Sandbox
) -> None:
    """The text after 200 incremental changes has the headings of a fresh parse."""
    there = editor.in_folder(filled.root)
    path = "docs/edited.md"
    chance = random.Random(7)
    text = there.open(path, "# Title 🙂\r\n\r\n## One\r\nText.\r\n")
    pieces = ["## Two\n", "### Drei 🙂\r\n", "[[auth]] ", "漢字", "", "\n", "`x`", "é"]
    for _ in range(20):
        changes = []
        for _ in range(10):
            start = chance.randrange(len(text) + 1)
            end = min(len(text), start + chance.randrange(6))
            document = Document("", text, None, there.encoding)
            first = document.position(start)
            last = document.position(end)
            start = document.offset(first["line"], first["character"])
            end = document.offset(last["line"], last["character"])
            piece = chance.choice(pieces)
            where = types.Range(types.Position(**first), types.Position(**last))
            changes.append(types.TextDocumentContentChangePartial(where, piece))
            text = text[:start] + piece + text[end:]
        there.change(path, *changes)
        rows = await there.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, path)
        found = []
        while rows:
            each, *rows = rows
            found.append((each.name, each.selection_range.start.line + 1))
            rows = [*each.children, *rows]
        parsed = parse_file(path, text.encode())
        assert found == [(each.title or "—", each.start) for each in parsed.sections]


@pytest.mark.asyncio(loop_scope="session")
async def test_a_long_document_of_the_editor(editor: Editor, filled: Sandbox) -> None:
    there = editor.in_folder(filled.root)
    rows = [f"- item {number}" for number in range(50_000)]
    rows[-1] = "[[auth#Login flow]] 🙂 [[auth#Logn flow]]"
    path = "docs/long.md"
    text = there.open(path, "\r\n".join(rows))
    found = await there.at(types.TEXT_DOCUMENT_DEFINITION, path, text, "auth#Login")
    assert found.range.start.line == 4
    report = await there.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, path)
    (dead,) = report.items
    assert dead.code == "dead-anchor"
    assert dead.range.start.line == 49_999
