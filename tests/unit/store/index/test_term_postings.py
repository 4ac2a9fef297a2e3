"""Compressed postings of terms have the content of a plain table, whatever is
written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.store.index import term_postings
from cuedeck.store.index.schema import POSTINGS

Plain = dict[str, dict[int, int]]

DOCS = st.sampled_from([1, 2, 3, 1_022, 1_023, 1_024, 1_025, 2_047, 2_048, 5_000_000])
TERMS = st.dictionaries(
    st.sampled_from(["token", "=verify_token", "n:token", "設計"]),
    st.integers(0, 300_000),
    min_size=1,
)
UPDATES = st.lists(st.lists(st.tuples(DOCS, TERMS), min_size=1, max_size=6), max_size=6)


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with closing(new_database()) as made:
        yield made


def new_database() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    made.execute(POSTINGS)
    return made


def update(
    database: sqlite3.Connection,
    *files: tuple[int, dict[str, int]],
    is_new: bool = False,
) -> None:
    changes: term_postings.Changes = {}
    for doc, terms in files:
        term_postings.note_terms(changes, doc, terms, is_new=is_new)
    term_postings.write(database, changes)


def listed(
    database: sqlite3.Connection, term: str, parts: int = 6
) -> list[tuple[int, int]]:
    blocks = database.execute(term_postings.BLOCKS, (parts, term, term))
    return list(term_postings.unpack(blocks, term))


def everything(database: sqlite3.Connection) -> Plain:
    found: Plain = {}
    for row in database.execute("SELECT part, terms, sizes, data FROM postings"):
        for term in term_postings.split_terms(row[1]):
            found.setdefault(term, {}).update(term_postings.unpack([row], term))
    return found


@given(UPDATES)
def test_after_any_edits_the_lists_are_those_of_a_plain_table(
    updates: list[list[tuple[int, dict[str, int]]]],
) -> None:
    plain: Plain = {}
    with closing(new_database()) as database:
        for files in updates:
            update(database, *files)
            for doc, terms in files:
                for term, times in terms.items():
                    plain.setdefault(term, {})[doc] = times
        found = everything(database)
    assert found == {
        term: kept
        for term, docs in plain.items()
        if (kept := {doc: times for doc, times in docs.items() if times})
    }


def test_files_are_in_the_order_of_their_numbers(database: sqlite3.Connection) -> None:
    for doc in (3_000, 7, 1_024, 1_023, 8):
        update(database, (doc, {"token": doc}))
    assert listed(database, "token") == [
        (7, 7),
        (8, 8),
        (1_023, 1_023),
        (1_024, 1_024),
        (3_000, 3_000),
    ]
    assert listed(database, "token", 1) == [(7, 7), (8, 8), (1_023, 1_023)]
    assert listed(database, "lantern") == []


def test_blocks_are_divided_and_changed_by_their_terms(
    database: sqlite3.Connection,
) -> None:
    words = [f"word{number:03}" for number in range(300)]
    update(database, (1, dict.fromkeys(words[100:], 1)), is_new=True)
    update(database, (2, dict.fromkeys(words[:150], 2)), is_new=True)
    update(database, (3, {"a": 3, "z": 3, words[99]: 3, words[200]: 3}))
    assert everything(database) == {
        "a": {3: 3},
        "z": {3: 3},
        **{word: {2: 2} for word in words[:100]},
        **{word: {1: 1, 2: 2} for word in words[100:150]},
        **{word: {1: 1} for word in words[150:]},
        words[99]: {2: 2, 3: 3},
        words[200]: {1: 1, 3: 3},
    }
    assert all(
        listed(database, word, 1) == sorted(found.items())
        for word, found in everything(database).items()
    )
    (most,) = database.execute("SELECT max(length(sizes)) FROM postings").fetchone()
    assert most < 4 * 100


def test_more_times_than_a_list_can_hold_are_the_most_it_can_hold(
    database: sqlite3.Connection,
) -> None:
    update(database, (1, {"token": 1 << 30, "other": 3}), (2, {"token": 1}))
    assert listed(database, "token") == [(1, (1 << 22) - 1), (2, 1)]
    assert listed(database, "other") == [(1, 3)]


@pytest.mark.parametrize("data", ["text", b"123", b"12345678", 5, None])
def test_a_damaged_list_is_noticed(data: object) -> None:
    size = b"\1\0\0\0"
    for columns in ((size, data), (data, size)):
        with pytest.raises(sqlite3.DatabaseError):
            list(term_postings.unpack([(0, "token", *columns)], "token"))
