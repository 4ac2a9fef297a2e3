"""Facts serialised as lines are parsed back unchanged, whatever their text contains."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.compaction_record import parse_digest
from cuedeck.ledger.records.fact import Fact, fact_lines, parse_items, plain_text
from cuedeck.ledger.records.sections_text import parse_head, section_lines

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


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    text = plain_text(draw(TEXTS)) or "x"
    days = sorted(day.isoformat() for day in draw(st.tuples(DAYS, DAYS)))
    sources = draw(st.lists(MARKS, min_size=1, max_size=3, unique=True))
    is_joint = draw(st.booleans()) and len(sources) > 1
    return Fact(
        text,
        tuple(sources),
        days[0],
        days[1],
        more=draw(st.sampled_from([0, 0, 12])),
        is_joint=is_joint,
    )


@given(st.lists(facts(), min_size=1, max_size=5))
def test_section_is_parsed_back_unchanged(written: list[Fact]) -> None:
    lines = "\n".join(section_lines(written, ("main", "s 2:", "+3"), "parser")).split(
        "\n"
    )
    head = parse_head(lines[0])
    assert (
        head is not None
        and head.category == "parser"
        and head.sessions == ("main", "s_2", "+3")
    )
    assert parse_items(lines[1:], head.first, head.last) == written


@given(st.lists(facts(), min_size=1, max_size=5))
def test_text_of_facts_is_parsed_into_the_facts(written: list[Fact]) -> None:
    text = "\n".join(section_lines(written, (), ""))
    assert [
        fact.text for fact in parse_digest(text, "=own", "2026-01-01", "public", "s")
    ] == [fact.text for fact in written]


@given(TEXTS)
def test_plain_text_is_stable_and_encodable(text: str) -> None:
    plain = plain_text(text)
    assert plain == plain_text(plain)
    assert "\n\n" not in plain and plain.encode().decode() == plain


def test_dates_equal_to_those_of_the_previous_fact_are_omitted() -> None:
    message = [
        Fact("a", ("f1df838f",), "2026-11-01", "2026-11-01"),
        Fact("b", ("0a1b2c3d",), "2026-11-01", "2026-11-01"),
        Fact("c\nd", ("=r1", "=r2"), "2025-12-31", "2026-11-03", is_joint=True),
    ]
    assert list(fact_lines(message, "2026-11-01", "2026-11-20")) == [
        "- a [f1df838f]",
        "- b [0a1b2c3d]",
        "- c\n  d [=r1+=r2 2025-12-31..11-03]",
    ]


def test_foreign_summary_gives_a_fact_per_paragraph() -> None:
    text = "2026-11-01: deployed\n\nsummary 2\nwith two lines\n\n\n"
    found = parse_digest(text, "f1df838f", "2026-11-21", "operational", "system")
    assert [fact.text for fact in found] == [
        "2026-11-01: deployed",
        "summary 2\nwith two lines",
    ]
    assert all(
        fact.sources == ("f1df838f",) and fact.last == "2026-11-21" for fact in found
    )


def test_text_added_to_a_merged_record_becomes_a_fact_of_that_record() -> None:
    text = "2026-11-01: parser\n- fact [f1df838f]\n- by hand\n  in two lines"
    found = parse_digest(text, "=own", "2026-11-21", "public", "s")
    assert [(fact.text, fact.sources) for fact in found] == [
        ("fact", ("f1df838f",)),
        ("- by hand\n  in two lines", ("=own",)),
    ]
