"""Removal of the facts of one record from merged texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.fact_removal import without
from cuedeck.ledger.records.long_memory_file import TITLE, format_block

ONE, TWO, THREE = (
    f"{each}-0000-4000-8000-000000000000"
    for each in ("f1df838f", "0a1b2c3d", "11111111")
)
DIGEST = """2026-11-01 to 2026-11-20, main: parser
- first [f1df838f]
- second
  line [0a1b2c3d 11-03]
- third, said twice [11111111 f1df838f 11-20]
2026-11-05: other
- fourth [=r1]"""
FACTS = "- first [f1df838f]\n- second [0a1b2c3d 11-20]"
LONG = (
    TITLE + "\nby hand [f1df838f]\n" + format_block("2026-11-01", "2026-11-20", FACTS)
)


def test_removing_a_fact_updates_the_dates_of_its_heading() -> None:
    assert without(DIGEST, [ONE]) == (
        "2026-11-03 to 2026-11-20, main: parser\n- second\n  line [0a1b2c3d]\n- third, said twice [11111111 11-20]\n"
        "2026-11-05: other\n- fourth [=r1]"
    )


def test_fact_with_two_sources_stays_while_one_remains() -> None:
    assert "- third, said twice [f1df838f 11-20]" in without(DIGEST, [THREE])
    assert "third" not in without(DIGEST, [ONE, THREE])


def test_heading_is_removed_with_its_last_fact() -> None:
    assert "other" not in without(DIGEST, ["r1"])
    assert without(DIGEST, [ONE, TWO, THREE, "r1"]) == ""


def test_joint_summary_is_removed_with_any_of_its_sources() -> None:
    text = "2026-11-01: parser\n- all of it [f1df838f+0a1b2c3d]\n- more [11111111]"
    assert without(text, [TWO]) == "2026-11-01: parser\n- more [11111111]"


def test_empty_blocks_of_the_long_memory_are_removed_and_prose_stays() -> None:
    head = TITLE + "\nby hand [f1df838f]\n"
    assert without(LONG, [ONE]) == head + format_block(
        "2026-11-20", "2026-11-20", "- second [0a1b2c3d]"
    )
    assert without(LONG, [ONE, TWO]) == head


def test_facts_without_a_heading_are_found() -> None:
    assert (
        without("x\n- a [f1df838f 11-03]\n- b [0a1b2c3d 11-04]\ny", [ONE])
        == "x\n- b [0a1b2c3d 11-04]\ny"
    )


@given(
    st.text(max_size=80)
    | st.sampled_from([DIGEST, LONG, "# MEMORY.md\n\n- [ ] x [y]\n", "- a [f1df838]"])
)
def test_text_without_matching_facts_stays_byte_for_byte(text: str) -> None:
    assert without(text, ["22222222-0000-4000-8000-000000000000", "", "r2"]) == text
