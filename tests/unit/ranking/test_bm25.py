from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ranking.bm25 import UNIT, middle, part, rarity, score

TEXTS = ("a.py", "b.py", "c.py", "d.py", "e.py")
TERMS = ("token", "login", "=verify_token", "p:src")
QUERIES = st.dictionaries(st.sampled_from(TERMS), st.floats(0.1, 4.0), max_size=4)
POSTINGS = st.dictionaries(
    st.sampled_from(TERMS),
    st.dictionaries(st.sampled_from(TEXTS), st.integers(1, 90), min_size=1),
    max_size=4,
)
LENGTHS = st.lists(st.integers(1, 5_000), min_size=len(TEXTS), max_size=len(TEXTS))


def points(
    query: dict[str, float], postings: dict[str, dict[str, int]], total: int = 10
) -> dict[str, int]:
    return score(query, postings, dict.fromkeys(TEXTS, 100), total=total, slope=0.75)


@given(QUERIES, POSTINGS, LENGTHS, st.floats(0, 1), st.randoms(use_true_random=False))
def test_points_are_whole_and_no_order_changes_them(
    query: dict[str, float],
    postings: dict[str, dict[str, int]],
    counts: list[int],
    slope: float,
    shuffle: random.Random,
) -> None:
    def turned(values: dict[str, object]) -> dict[str, object]:
        rows = list(values.items())
        shuffle.shuffle(rows)
        return dict(rows)

    lengths = dict(zip(TEXTS, counts, strict=True))
    found = score(query, postings, lengths, total=9, slope=slope)
    other = score(
        turned(query),
        turned({term: turned(having) for term, having in postings.items()}),
        turned(lengths),
        total=9,
        slope=slope,
    )
    assert found == other
    assert all(type(value) is int for value in found.values())
    asked = {name for term in query for name in postings.get(term, {})}
    assert found.keys() == asked


def test_a_rare_word_says_more_than_a_common_one() -> None:
    found = points(
        {"token": 1.0, "login": 1.0},
        {"token": {"a.py": 1}, "login": {"b.py": 1, "c.py": 1, "d.py": 1}},
    )
    assert found["a.py"] > found["b.py"] == found["c.py"]


def test_more_of_the_same_word_says_less_and_less_more() -> None:
    once, twice, thrice, often = (
        part(times, 100, 1.0, mean=100.0, slope=0.75) for times in (1, 2, 3, 900)
    )
    assert once == UNIT
    assert twice - once > thrice - twice > 0
    assert often < 3 * UNIT


def test_long_texts_pay_by_the_slope() -> None:
    short, long = (part(2, length, 1.0, mean=100.0, slope=0.75) for length in (50, 400))
    assert short > long
    assert part(2, 50, 1.0, mean=100.0, slope=0.0) == part(
        2, 400, 1.0, mean=100.0, slope=0.0
    )


def test_points_grow_with_the_weight_in_the_query() -> None:
    postings = {"token": {"a.py": 3}}
    assert (
        points({"token": 2.0}, postings)["a.py"]
        == 2 * points({"token": 1.0}, postings)["a.py"]
    )


def test_what_nothing_has_gives_no_points() -> None:
    assert points({"gone": 1.0}, {"token": {"a.py": 1}}) == {}
    assert points({}, {"token": {"a.py": 1}}) == {}
    assert rarity(0, 100) == 0.0
    assert score({"token": 1.0}, {}, {}, total=0, slope=0.5) == {}


def test_a_text_that_is_gone_meanwhile_gets_no_points() -> None:
    assert points({"token": 1.0}, {"token": {"a.py": 1, "gone.py": 9}}).keys() == {
        "a.py"
    }


def test_a_file_more_or_less_seldom_moves_a_rarity() -> None:
    values = [rarity(having, 1_000) for having in range(1, 1_000)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) < 40
    assert all(value * 4 == round(value * 4) for value in values)


def test_a_longer_text_seldom_moves_the_middle() -> None:
    assert middle(100 * 50, 50) == middle(100 * 50 + 30, 50) == middle(98 * 51, 51)
    values = [middle(length, 10) for length in range(10, 40_000, 10)]
    assert values == sorted(values)
    assert len(set(values)) < 30


def test_texts_without_words_have_a_middle() -> None:
    assert middle(0, 0) == middle(0, 9) == 1.0
