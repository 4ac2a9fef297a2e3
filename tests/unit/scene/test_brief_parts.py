"""Parts of a brief share the room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.scene.brief_plan import (
    MOST_BYTES,
    MOST_TOKENS,
    Part,
    fit_parts,
    fit_tokens,
    is_small,
)

rows = st.lists(
    st.text("ab c", min_size=1, max_size=60).map(lambda text: f"- {text}\n"),
    max_size=12,
)
shares = st.sampled_from([0.1, 0.3, 0.6])
promised = st.integers(0, 4)
parts = st.lists(
    st.builds(
        lambda found, share, least: Part(
            "## Head\n\n", found, share=share, least=least
        ),
        rows,
        shares,
        promised,
    ),
    max_size=4,
)


class Characters:
    """Counts characters instead of tokens."""

    encoding = "characters"

    def count(self, text: str) -> int:
        return len(text)

    def cut(self, text: str, limit: int) -> str:
        return text[:limit]


@given(parts, st.integers(0, 1_500))
def test_parts_never_take_more_than_there_is(found: list[Part], room: int) -> None:
    text = fit_parts(found, room)
    assert len(text) <= max(room, 0)


@given(parts)
def test_with_room_for_all_all_is_said_in_order(found: list[Part]) -> None:
    said = "".join(part.head + "".join(part.rows) + "\n" for part in found if part.rows)
    assert fit_parts(found, 10_000) == said


def test_what_one_part_leaves_another_takes_and_the_rest_is_counted() -> None:
    long = Part(
        "## Long\n\n",
        [f"- row {number:03}\n" for number in range(100)],
        "- {} more\n",
        0.5,
    )
    alone = fit_parts([long], 400)
    shared = fit_parts([long, Part("## Short\n\n", ["- one\n"], share=0.5)], 400)
    assert alone.count("- row") - shared.count("- row") <= 3
    assert shared.endswith("## Short\n\n- one\n\n")
    assert f"- {100 - shared.count('- row')} more\n" in shared


def test_promised_rows_are_cut_to_a_line_before_a_later_part_takes_their_room() -> None:
    long = [
        f"- We chose {number} because {'reason ' * 60}(`decision:abcde{number}`)\n"
        for number in range(6)
    ]
    files = Part(
        "## Files\n\n",
        [f"- `src/{number}.py` written\n" for number in range(60)],
        share=0.3,
    )
    text = fit_parts(
        [Part("## Decisions\n\n", long, "- {} more\n", 0.4, 4), files], 1_200
    )
    shown = [line for line in text.splitlines() if line.startswith("- We chose")]
    assert len(shown) >= 4
    assert all(
        line.endswith(f"… (`decision:abcde{number}`)")
        for number, line in enumerate(shown)
    )
    assert f"- {6 - len(shown)} more\n" in text and text.count(" written\n") >= 10


def test_a_row_of_which_nothing_would_be_left_is_counted() -> None:
    assert fit_parts(
        [Part("## A\n\n", ["- " + "x" * 90 + "\n"] * 2, "- {} more\n", least=2)], 40
    ) == ("## A\n\n- 2 more\n\n")


def test_a_heading_that_always_stands_needs_no_rows() -> None:
    assert (
        fit_parts(
            [Part("## Task\n\nTitle\n\n", (), always=True), Part("## None\n\n", ())],
            100,
        )
        == "## Task\n\nTitle\n\n"
    )


@given(parts, st.integers(0, 1_500), st.integers(100, 1_500))
def test_the_limit_of_tokens_holds_as_well(
    found: list[Part], room: int, tokens: int
) -> None:
    found = [part._replace(head="") for part in found]
    text = fit_tokens(
        lambda characters: [part._replace(share=0.5) for part in found],
        room,
        tokens,
        Characters(),
    )
    assert len(text) <= min(room, tokens)


def test_a_text_is_small_within_both_limits() -> None:
    count = Characters()
    assert is_small("x" * MOST_TOKENS, count)
    assert not is_small("x" * (MOST_TOKENS + 1), count)
    assert not is_small("é" * (MOST_BYTES // 2 + 1), count)
