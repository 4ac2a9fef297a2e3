"""Facts in compaction records and in the long memory: written, read and removed by the
records that they come from.
"""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.fact import Fact, Marked, mark_of, plain_text
from cuedeck.ledger.records.long_memory_file import TITLE, format_block
from cuedeck.ledger.records.merged_text import (
    days_of,
    fact_lines,
    facts_of,
    newest_facts,
    parse_digest,
    without,
)

MARKS = st.sampled_from(["f1df838f", "0a1b2c3d-4", "=r1", "=exp_1_a", "~0123456789ab"])
DAYS = st.dates(min_value=date(2024, 11, 1), max_value=date(2026, 2, 1))
TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["- a [f1df838f]", "x [f1df838f 11-03]", "2026-11-01: topic", "## Summary (2026-11-01)",
         "a\n- b\n  c\n\n\n[=x]",
         "2026-11-01 to 2026-11-20, main: parser\n- fact [f1df838f]", "ends in a bracket []", "\ud83d lone", "a\r\nb"]
    ),
)  # fmt: skip
ONE, TWO, THREE = (
    f"{each}-0000-4000-8000-000000000000"
    for each in ("f1df838f", "0a1b2c3d", "11111111")
)
DIGEST = """2026-11-01 to 2026-11-20, main: parser
- first [f1df838f]
- second
  line [0a1b2c3d 11-03]
- third, said twice [11111111 f1df838f 11-05..11-20]
2026-11-05: other
- fourth [=r1]"""
FACTS = "- first [f1df838f]\n- second [0a1b2c3d 11-20]"
LONG = TITLE + "\nby hand [f1df838f]\n" + format_block("2026-11-01", FACTS)


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    sources = draw(st.lists(MARKS, min_size=1, max_size=3, unique=True))
    return Fact(
        text=plain_text(draw(TEXTS)) or "x",
        sources=tuple(sources),
        day=draw(DAYS).isoformat(),
        category="parser",
        more=draw(st.sampled_from([0, 0, 12])),
        is_joint=draw(st.booleans()) and len(sources) > 1,
    )


@given(st.lists(facts(), min_size=1, max_size=5))
def test_facts_are_read_as_they_were_written(written: list[Fact]) -> None:
    written.sort(key=lambda fact: fact.day)
    text = "\n".join([f"{days_of(written)}: parser", *fact_lines(written)])
    assert [fact for fact, _ in facts_of(text)] == written
    read = parse_digest(text, "=own", "2026-01-01", "public")
    assert [fact.text for fact in read] == [fact.text for fact in written]


@given(TEXTS)
def test_plain_text_is_stable_and_encodable(text: str) -> None:
    plain = plain_text(text)
    assert plain == plain_text(plain)
    assert "\n\n" not in plain and plain.encode().decode() == plain


def test_items_of_earlier_versions_have_the_day_of_the_item_above() -> None:
    days = [fact.day for fact, _ in facts_of(DIGEST)]
    assert days == ["2026-11-01", "2026-11-03", "2026-11-20", "2026-11-05"]


def test_foreign_summary_gives_a_fact_per_paragraph() -> None:
    text = "2026-11-01: deployed\n\nsummary 2\nwith two lines\n\n\n"
    found = parse_digest(text, "f1df838f", "2026-11-21", "operational")
    assert [fact.text for fact in found] == [
        "2026-11-01: deployed",
        "summary 2\nwith two lines",
    ]
    assert all(fact.sources == ("f1df838f",) for fact in found)


def test_text_added_to_a_merged_record_becomes_a_fact_of_that_record() -> None:
    text = "2026-11-01: parser\n- fact [f1df838f]\n- by hand\n  in two lines"
    found = parse_digest(text, "=own", "2026-11-21", "public")
    assert [(fact.text, fact.sources) for fact in found] == [
        ("fact", ("f1df838f",)),
        ("- by hand\n  in two lines", ("=own",)),
    ]


def test_facts_of_a_record_are_removed_with_an_empty_head() -> None:
    assert "first" not in without(DIGEST, [ONE])
    assert "other" not in without(DIGEST, ["r1"])
    assert without(DIGEST, [ONE, TWO, THREE, "r1"]) == ""
    plain = "x\n- a [f1df838f 11-03]\n- b [0a1b2c3d 11-04]\ny"
    assert without(plain, [ONE]) == "x\n- b [0a1b2c3d 11-04]\ny"


def test_fact_with_two_sources_stays_while_one_remains() -> None:
    assert "- third, said twice [f1df838f" in without(DIGEST, [THREE])
    assert "third" not in without(DIGEST, [ONE, THREE])


def test_joint_summary_is_removed_with_any_of_its_sources() -> None:
    text = "2026-11-01: parser\n- all of it [f1df838f+0a1b2c3d]\n- more [11111111]"
    assert without(text, [TWO]) == "2026-11-01: parser\n- more [11111111]"


def test_empty_blocks_of_the_long_memory_are_removed_and_prose_stays() -> None:
    assert "first" not in without(LONG, [ONE])
    left = without(LONG, [ONE, TWO])
    assert left.rstrip() == f"{TITLE}\nby hand [f1df838f]"


@given(
    st.text(max_size=80)
    | st.sampled_from([DIGEST, LONG, "# MEMORY.md\n\n- [ ] x [y]\n", "- a [f1df838]"])
)
def test_text_without_matching_facts_stays_byte_for_byte(text: str) -> None:
    assert without(text, ["22222222-0000-4000-8000-000000000000", "", "r2"]) == text


@given(st.integers(0, 250))
def test_newest_facts_never_exceed_their_room(room: int) -> None:
    assert len(newest_facts(DIGEST, room)) <= room


def test_newest_facts_are_preferred() -> None:
    assert newest_facts(DIGEST, 60).startswith("- third, said twice")
    assert newest_facts(DIGEST, len(DIGEST)) == DIGEST


@given(st.one_of(st.uuids().map(str), st.text(min_size=1, max_size=50)))
def test_the_mark_of_an_id_names_it(identity: str) -> None:
    assert mark_of(identity) in Marked([identity])
    assert mark_of(identity) not in Marked(["f1df838f-0000-4000-8000-000000000000"])
