from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.text.bm25 import UNIT, middle, part, rarity, score

TEXTS = ("a.py", "b.py", "c.py", "d.py", "e.py")
TERMS = ("token", "login", "=verify_token", "p:src")
QUERIES = st.dictionaries(st.sampled_from(TERMS), st.floats(0.1, 4.0), max_size=4)
POSTINGS = st.dictionaries(
    st.sampled_from(TERMS),
    st.dictionaries(st.sampled_from(TEXTS), st.integers(1, 90), min_size=1),
    max_size=4,
)
LENGTHS = st.lists(st.integers(1, 5_000), min_size=len(TEXTS), max_size=len(TEXTS))


def score_of(
    query: dict[str, float], postings: dict[str, dict[str, int]], total: int = 10
) -> dict[str, int]:
    return score(query, postings, dict.fromkeys(TEXTS, 100), total=total, slope=0.75)


@given(QUERIES, POSTINGS, LENGTHS, st.floats(0, 1), st.randoms(use_true_random=False))
def test_scores_are_integers_and_independent_of_order(
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
    requested = {name for term in query for name in postings.get(term, {})}
    assert found.keys() == requested


def test_rare_word_scores_higher_than_a_common_one() -> None:
    found = score_of(
        {"token": 1.0, "login": 1.0},
        {"token": {"a.py": 1}, "login": {"b.py": 1, "c.py": 1, "d.py": 1}},
    )
    assert found["a.py"] > found["b.py"] == found["c.py"]


def test_repeated_words_have_diminishing_scores() -> None:
    once, twice, thrice, often = (
        part(times, 100, 1.0, mean=100.0, slope=0.75) for times in (1, 2, 3, 900)
    )
    assert once == UNIT
    assert twice - once > thrice - twice > 0
    assert often < 3 * UNIT


def test_long_texts_are_penalised_by_the_slope() -> None:
    short, long = (part(2, length, 1.0, mean=100.0, slope=0.75) for length in (50, 400))
    assert short > long
    assert part(2, 50, 1.0, mean=100.0, slope=0.0) == part(
        2, 400, 1.0, mean=100.0, slope=0.0
    )


def test_score_grows_with_the_weight_in_the_query() -> None:
    postings = {"token": {"a.py": 3}}
    assert (
        score_of({"token": 2.0}, postings)["a.py"]
        == 2 * score_of({"token": 1.0}, postings)["a.py"]
    )


def test_missing_words_score_nothing() -> None:
    assert score_of({"gone": 1.0}, {"token": {"a.py": 1}}) == {}
    assert score_of({}, {"token": {"a.py": 1}}) == {}
    assert rarity(0, 100) == 0.0
    assert score({"token": 1.0}, {}, {}, total=0, slope=0.5) == {}


def test_removed_text_has_no_score() -> None:
    assert score_of({"token": 1.0}, {"token": {"a.py": 1, "gone.py": 9}}).keys() == {
        "a.py"
    }


def test_one_file_more_seldom_changes_the_rarity() -> None:
    values = [rarity(having, 1_000) for having in range(1, 1_000)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) < 40
    assert all(value * 4 == round(value * 4) for value in values)


def test_longer_text_seldom_changes_the_mean_length() -> None:
    assert middle(100 * 50, 50) == middle(100 * 50 + 30, 50) == middle(98 * 51, 51)
    values = [middle(length, 10) for length in range(10, 40_000, 10)]
    assert values == sorted(values)
    assert len(set(values)) < 30


def test_mean_length_of_texts_without_words_is_one() -> None:
    assert middle(0, 0) == middle(0, 9) == 1.0
