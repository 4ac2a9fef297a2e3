"""Ledger blocks keep to their shares of the budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import tokens

from cuedeck.context.scene.ledger_blocks import LEAST, SHARES, Content, Row, fit_blocks

COUNT = tokens()
MORE = "- {} more: `cuedeck decision list`\n"
WORDS = st.text("abc de.\n`#", min_size=1, max_size=60).map(
    lambda text: " ".join(text.split()) or "x"
)
ROWS = st.lists(
    st.builds(
        lambda full, short, rank: Row(f"- {full}\n", f"- {short}\n", rank),
        WORDS,
        WORDS,
        st.integers(0, 2),
    )
)


def fitted_block(rows: list[Row], budget: int, name: str = "decisions") -> str:
    fitted = fit_blocks(
        [Content(name, "## Decisions\n\n", tuple(rows), MORE)], budget, COUNT
    )
    return fitted[0].text if fitted else ""


@given(ROWS, st.integers(200, 4_000))
def test_block_never_exceeds_its_share_and_counts_omitted_rows(
    rows: list[Row], budget: int
) -> None:
    for fitted in fit_blocks(
        [Content("progress", "## Progress\n\n", tuple(rows), MORE)], budget, COUNT
    ):
        if not fitted.text:
            assert (fitted.tokens, fitted.records) == (0, frozenset())
            continue
        assert (
            fitted.tokens
            == COUNT.count(fitted.text)
            <= fitted.cap
            <= max(int(budget * SHARES["progress"]), LEAST)
        )
        shown = [
            row for row in rows if row.full in fitted.text or row.short in fitted.text
        ]
        if f"- {len(rows)} more" not in fitted.text and " more: `" not in fitted.text:
            assert len(shown) == len(rows)


def test_rows_are_long_when_they_fit_and_one_line_otherwise() -> None:
    rows = [Row(f"- {'long ' * 40}{at}\n", f"- short {at}\n") for at in range(6)]
    assert "short" not in fitted_block(rows, 16_000)
    tight = fitted_block(rows, 2_000)
    assert [f"short {at}\n" in tight for at in range(6)] == [
        False,
        True,
        True,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize("budget", [600, 650, 699, 1_200])
@pytest.mark.parametrize("words", [6, 40])
def test_decisions_are_one_line_reminders_in_a_small_budget(
    budget: int, words: int
) -> None:
    rows = [
        Row(f"- all {at}: {'why ' * 60}\n", f"- short {at}: {'word ' * words}\n")
        for at in range(6)
    ]
    text = fitted_block(rows, budget)
    assert "- all" not in text
    shown = [at for at in range(6) if f"short {at}" in text]
    assert shown == [0, 1, 2][: len(shown)]
    assert len(shown) == 3 or words == 40
    assert f"- {6 - len(shown)} more" in text


def test_rows_of_the_lowest_rank_are_dropped_first() -> None:
    far = " and so on" * 4
    rows = [
        Row(f"- old{far}\n", "", 2),
        Row(f"- new{far}\n", "", 1),
        Row(f"- doing{far}\n", "", 0),
    ]
    text = fitted_block(rows, 1_000, "progress")
    assert "doing" in text and "old" not in text
    assert text.endswith("more: `cuedeck decision list`\n\n")


def test_block_without_room_for_its_heading_has_no_text() -> None:
    contents = [
        Content(name, "## Decisions\n\n", (Row("- a\n", ""),), MORE)
        for name in ("memory", "decisions")
    ]
    fitted = fit_blocks(contents, 60, COUNT)
    assert [(each.name, each.text, each.tokens, each.cap) for each in fitted] == [
        ("decisions", "", 0, 3),
        ("memory", "", 0, 3),
    ]


def test_blocks_have_a_fixed_order() -> None:
    contents = [
        Content(name, f"## {name}\n\n", (Row("- a\n", ""),), MORE)
        for name in sorted(SHARES, reverse=True)
    ]
    assert [each.name for each in fit_blocks(contents, 16_000, COUNT)] == list(SHARES)


def test_record_is_printed_by_one_block_only() -> None:
    answer = Content(
        "memory", "## Memory\n\n", (Row("- the record\n", "", record="r"),), MORE
    )
    rows = (
        Row("- the same\n", "", record="r"),
        Row("- another\n", "", record="s"),
        Row("- by hand\n", ""),
    )
    texts = [
        each.text
        for each in fit_blocks(
            [answer._replace(name="experiences", rows=rows), answer], 16_000, COUNT
        )
    ]
    assert texts[0].endswith("- the record\n\n") and texts[1].endswith(
        "\n\n- another\n- by hand\n\n"
    )
    assert (
        len(
            fit_blocks(
                [answer._replace(name="experiences", rows=rows[:1]), answer],
                16_000,
                COUNT,
            )
        )
        == 1
    )


@pytest.mark.parametrize("budget", [600, 1_000, 8_000])
def test_three_nearest_decisions_have_reminders_from_600_tokens(budget: int) -> None:
    rows = [
        Row(
            f"- {'because ' * 60}{at}\n",
            f"- We chose X because of Y, which affects part {at}.\n",
        )
        for at in range(9)
    ]
    text = fitted_block(rows, budget)
    assert [
        f"affects part {at}." in text or f"because {at}" in text for at in range(3)
    ] == [True] * 3


def test_reminders_take_at_most_a_share_of_a_small_budget() -> None:
    rows = [Row(f"- {'word ' * 90}{at}\n", "") for at in range(3)]
    fitted = fit_blocks(
        [Content("decisions", "## Decisions\n\n", tuple(rows), MORE)], 600, COUNT
    )
    assert fitted[0].cap <= 180
