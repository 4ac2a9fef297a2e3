"""Parts of a brief share its limits of characters and tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.agents.hooks.brief_header import (
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
def test_parts_never_exceed_the_limit(found: list[Part], room: int) -> None:
    text = fit_parts(found, room)
    assert len(text) <= max(room, 0)


@given(parts)
def test_all_rows_are_printed_in_order_when_they_fit(found: list[Part]) -> None:
    message = "".join(
        part.head + "".join(part.rows) + "\n" for part in found if part.rows
    )
    assert fit_parts(found, 10_000) == message


def test_unused_share_of_a_part_goes_to_another_and_omitted_rows_are_counted() -> None:
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


def test_guaranteed_rows_are_shortened_before_a_later_part_takes_their_room() -> None:
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


def test_row_that_would_be_cut_to_nothing_is_counted() -> None:
    assert fit_parts(
        [Part("## A\n\n", ["- " + "x" * 90 + "\n"] * 2, "- {} more\n", least=2)], 40
    ) == ("## A\n\n- 2 more\n\n")


def test_heading_with_always_is_printed_without_rows() -> None:
    assert (
        fit_parts(
            [Part("## Task\n\nTitle\n\n", (), always=True), Part("## None\n\n", ())],
            100,
        )
        == "## Task\n\nTitle\n\n"
    )


@given(parts, st.integers(0, 1_500), st.integers(100, 1_500))
def test_token_limit_holds_too(found: list[Part], room: int, tokens: int) -> None:
    found = [part._replace(head="") for part in found]
    text = fit_tokens(
        lambda characters: [part._replace(share=0.5) for part in found],
        room,
        tokens,
        Characters(),
    )
    assert len(text) <= min(room, tokens)


def test_text_within_both_limits_is_small() -> None:
    count = Characters()
    assert is_small("x" * MOST_TOKENS, lambda: count)
    assert not is_small("x" * (MOST_TOKENS + 1), lambda: count)
    assert not is_small("é" * (MOST_BYTES // 2 + 1), lambda: count)
