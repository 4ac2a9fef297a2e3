"""The state of a set of exchanged entries is a function of the set."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.codecs import Log, parse_log
from cuedeck.ledger.kinds.decision_kind import DECISION
from cuedeck.ledger.merge_rows import (
    digest_of,
    foreign_entries,
    format_rows,
    merged,
    notes_text,
    parse_rows,
    union,
)
from cuedeck.model.exchange_row import Row

IDS = st.sampled_from(["a1", "b2", "c3"])
AUTHORS = st.sampled_from(["anna@x", "ben@y", "eve@z"])
TIMES = st.integers(1, 9).map(lambda second: f"2026-05-03T09:00:0{second}.000000Z")
CREATION = st.fixed_dictionaries(
    {"id": IDS, "timestamp": TIMES, "decision": st.text(min_size=1, max_size=5)}
)
CHANGE = st.fixed_dictionaries(
    {"id": IDS, "timestamp": TIMES, "status": st.just("superseded")}
)


@st.composite
def row(draw: st.DrawFn) -> Row:
    value = draw(CREATION | CHANGE)
    line = json.dumps(value)
    digest = digest_of(line.encode())
    text = draw(st.sampled_from([line, line, line, ""]))
    identity = f"decision:{value['id']}"
    clock = draw(st.integers(0, 1 << 51))
    origin = draw(st.sampled_from(["", "", "bank"]))
    return Row(identity, digest, text, clock, draw(AUTHORS), origin)


ROWS = st.lists(row(), max_size=8)


def state(rows: Sequence[Row]) -> bytes:
    """What a copy with these rows shows, in any order in which they were stored."""
    data = format_rows(rows).encode()
    known = sorted(format_rows(union(parse_rows(data))).split("\n"))
    entries = merged(Log((), ()), foreign_entries(data)).entries
    values = DECISION.read(entries)
    return repr((known, values, notes_text(rows, ()))).encode()


@given(ROWS, ROWS, ROWS, st.randoms(use_true_random=False))
def test_copies_with_one_set_have_one_state_in_any_order(
    one: list[Row], two: list[Row], three: list[Row], chance: object
) -> None:
    first = [*one, *two, *three]
    second = [*three, *first, *one]
    chance.shuffle(second)  # type: ignore[attr-defined]
    assert state(first) == state(second)
    joined = union([*union([*one, *two]), *three])
    assert joined == union([*one, *union([*two, *three])])
    assert union(joined) == joined


@given(ROWS)
def test_no_text_of_a_forgotten_entry_is_shown(rows: list[Row]) -> None:
    forgotten = {(row.origin, row.id, row.digest) for row in rows if not row.line}
    shown = merged(Log((), ()), foreign_entries(format_rows(rows).encode())).entries
    left = [row for row in union(rows) if row.line]
    assert len(shown) == len(left)
    assert not forgotten & {(row.origin, row.id, row.digest) for row in left}


@given(st.lists(st.tuples(AUTHORS, CREATION), max_size=6))
def test_creations_of_two_authors_with_one_id_are_kept_apart(
    made: list[tuple[str, dict[str, str]]],
) -> None:
    rows = []
    for author, value in made:
        line = json.dumps(value).encode()
        identity = f"decision:{value['id']}"
        rows.append(Row(identity, digest_of(line), line.decode(), 1 << 60, author))
    data = format_rows(rows).encode()
    found = DECISION.read(merged(Log((), ()), foreign_entries(data)).entries)
    stripped = {
        (row.author, row.id)
        for row in union(rows)
        if json.loads(row.line)["decision"].strip()
    }
    authors = {(each.author, each.id.partition("-")[0]) for each in found}
    assert len({each.id for each in found}) == len(found)
    assert len(authors) <= len(stripped)


def test_a_change_belongs_to_the_entry_of_its_author() -> None:
    def made(author: str, **value: str) -> Row:
        line = json.dumps({"id": "a1", **value})
        clock = 1 << 60
        return Row("decision:a1", digest_of(line.encode()), line, clock, author)

    rows = [
        made("anna@x", timestamp="2026-05-03T09:00:01Z", decision="Use bcrypt"),
        made("ben@y", timestamp="2026-05-03T09:00:02Z", decision="Use tabs"),
        made("ben@y", timestamp="2026-05-03T09:00:03Z", status="superseded"),
    ]
    log = merged(Log((), ()), foreign_entries(format_rows(rows).encode()))
    first, second = DECISION.read(log.entries)
    assert (first.decision, first.status, first.id) == ("Use bcrypt", "accepted", "a1")
    assert (second.decision, second.status) == ("Use tabs", "superseded")
    assert second.id == f"a1-{rows[1].digest[:6]}"


def test_a_clock_that_is_ahead_does_not_win() -> None:
    line = json.dumps(
        {"id": "a1", "timestamp": "2030-01-01T00:00:00Z", "decision": "x"}
    )
    late = {"id": "a1", "timestamp": "2026-05-03T09:00:02Z", "status": "rejected"}
    own = parse_log(f"{line}\n{json.dumps(late)}\n".encode(), "decisions.jsonl")
    assert own.entries[0].timestamp.startswith("2030")
    hub = 1_777_798_800_000_000  # 2026-05-03T09:00:00Z
    row = Row("decision:a1", own.entries[0].digest, line, hub)
    first, second = merged(own, foreign_entries(format_rows([row]).encode())).entries
    assert first.timestamp < second.timestamp
