"""A digest, new or cached, selects the same records as a parse of the whole file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_files import digested

from cuedeck.knowledge.context_block.context_block import Sources, inject, items_of
from cuedeck.knowledge.context_block.memory_items import Items
from cuedeck.ledger.mention_index import names_in
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.records import file_digest as digests
from cuedeck.ledger.records.digested_file import Digested
from cuedeck.ledger.records.file_digest import decode_digest, digest, split
from cuedeck.ledger.records.record_file import (
    RecordFile,
    dump,
    parse_records,
    without_records,
)
from cuedeck.ledger.records.record_text import LONGEST, at_most
from cuedeck.ledger.supersession import links_of
from cuedeck.model.memory_record import CHECKPOINT_TEXT

TEXTS = [
    "one",
    "One ",
    "two",
    "see src/auth.py and docs/api.md#Errors",
    CHECKPOINT_TEXT,
    " ",
    "x" * 1_200,
    "\u2028",
    "a",
]


def line(
    identity: str, text: str, category: str, sensitivity: str, supersedes: str
) -> str:
    value = {
        "id": identity,
        "category": category,
        "text": text,
        "provenance": {"sensitivity": sensitivity},
    }
    return f"- {dump({**value, 'supersedes': supersedes} if supersedes else value)}"


RECORDS = st.builds(
    line,
    st.sampled_from(["a", "b", "c", "one"]),
    st.sampled_from(TEXTS),
    st.sampled_from(["note", "learned", "compaction"]),
    st.sampled_from(["public", "secret", "odd"]),
    st.sampled_from(["", "", "a", "b"]),
)
LINES = st.one_of(
    RECORDS,
    st.sampled_from(
        ["---", "", "# Title", "by hand", "- {broken", "by hand\r", '- ["no"]']
    ),
)
FILES = st.lists(LINES, max_size=12).map("\n".join)
IDS = st.sets(st.sampled_from(["a", "b", "c"]), max_size=2)


def header_end(file: RecordFile) -> int:
    for at, each in enumerate(file.lines):
        if each.record is not None:
            break
        if each.text.strip() == "---":
            return at + 1
    return 1 if file.lines and file.lines[0].text.startswith("# ") else 0


def entries_by_parsing(
    files: list[RecordFile], replaced: Collection[str], allow_secret: bool
) -> list[tuple[int, str]]:
    """Return the entries that may be shown, found by parsing every record."""
    seen: set[str] = set()
    found: list[tuple[int, str]] = []
    for number, file in enumerate(files):
        mine: list[tuple[int, str]] = []
        for each in reversed(file.lines[header_end(file) :]):
            record = each.record
            if record is None:
                if each.text.strip() and not each.fault:
                    mine.append((number, at_most(each.text, LONGEST)))
                continue
            key = " ".join(record.text.casefold().split())
            hidden = (
                record.id in replaced
                or record.text == CHECKPOINT_TEXT
                or (record.is_secret and not allow_secret)
            )
            if key and not hidden and f"id {record.id}" not in seen and key not in seen:
                mine.append((number, at_most(record, LONGEST)))
            seen.update((f"id {record.id}", key))
        found += reversed(mine)
    return found


def decode_cached(text: str, gone: Collection[str]) -> Digested:
    """Return a file whose digests were encoded and decoded."""
    data = text.encode()
    pieces = [
        (start, decode_digest(digest(data[start:end], Reader()).encode()))
        for start, end in split(data)
    ]
    return Digested(data, pieces, gone)


@given(
    st.lists(FILES, min_size=1, max_size=2),
    IDS,
    IDS,
    st.booleans(),
    st.sampled_from([1, 40, 1 << 16]),
)
def test_digests_equal_parsed_files(
    texts: list[str], replaced: set[str], gone: set[str], allow_secret: bool, piece: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "PIECE_BYTES", piece)
        parsed = [without_records(parse_records(text), gone) for text in texts]
        expected = entries_by_parsing(parsed, replaced, allow_secret)
        for files in (
            [digested(text.encode(), gone) for text in texts],
            [decode_cached(text, gone) for text in texts],
        ):
            items = Items(files, replaced, allow_secret=allow_secret)
            entries = [items.entry(at) for at in range(len(items))]
            assert [(each.section, each.text) for each in entries] == expected
            assert [len(each.text) for each in entries] == list(items.costs)
            for file, read in zip(files, parsed, strict=True):
                assert list(file.records) == [
                    replace(each, line=0) for each in read.records
                ]
                assert list(file.record_ids) == [each.id for each in read.records]
                assert file.links == links_of(read.records)
                named = [
                    (at, name, where)
                    for at, each in enumerate(read.records)
                    if not each.is_secret and each.id not in replaced
                    for name, where in names_in(each, Reader())
                ]
                assert list(file.named(replaced)) == named


def test_pieces_are_stable_while_lines_are_appended() -> None:
    lines = [line(f"r{at}", f"text {at}", "note", "public", "") for at in range(3_000)]
    data = "".join(f"{each}\n" for each in lines).encode()
    before = list(split(data))
    assert len(before) > 3 and before[0][0] == 0 and before[-1][1] == len(data)
    assert all(
        end == start for (_, end), (start, _) in zip(before, before[1:], strict=False)
    )
    after = list(split(data + b"- more\n" * 20_000))
    assert after[: len(before) - 1] == before[:-1]


def test_bytes_that_are_not_utf8_are_kept() -> None:
    data = (
        b"# Title\n\xff by hand \xe2\x80\n"
        + line("a", "one", "note", "public", "").encode()
    )
    sources = Sources("", "", digested(data), [], ())
    block = inject(sources, items_of(sources), 500, 100)
    assert "\udcff by hand \udce2\udc80\n- [note] one" in block.text
