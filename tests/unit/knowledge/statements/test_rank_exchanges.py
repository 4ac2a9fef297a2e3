"""Ranking of exchanges for a prompt: the exchanges about it, or nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.statements.rank_exchanges import (
    Candidate,
    Exchanges,
    rank_exchanges,
)

TEXTS = {
    ("old", 1): ("set the timeout of the queue to five seconds", "the queue waits"),
    ("old", 2): ("rename the button of the form", "renamed"),
    ("new", 3): ("the pricelist prints two columns", "printed"),
    **{("new", n): (f"topic{n} alone", f"answer{n}") for n in range(4, 40)},
}


def ranked(words: set[str], ages: dict[str, int] | None = None) -> list[list[str]]:
    """Return the statements of the ranked exchanges, best first."""
    candidates, length, texts = [], {}, []
    for exchange, pair in TEXTS.items():
        length[exchange] = sum(map(len, pair))
        for is_user, text in zip((True, False), pair, strict=True):
            stems = text.split()
            if words & set(stems):
                each = Candidate(len(texts), exchange, is_user, stems, len(text))
                candidates.append(each)
            texts.append(text)
    mean = sum(length.values()) / len(texts)
    known = Exchanges(length, ages or {"old": 1, "new": 0}, mean)
    found = rank_exchanges(candidates, known, words)
    return [[texts[number] for number in each.numbers] for each in found]


def test_the_exchange_about_the_prompt_is_first_the_user_before_the_agent() -> None:
    first = ranked({"timeout", "queue"})[0]
    assert first == ["set the timeout of the queue to five seconds", "the queue waits"]


def test_only_exchanges_with_a_word_are_ranked() -> None:
    assert ranked({"zebra", "giraffe"}) == []
    assert len(ranked({"zebra", "timeout"})) == 1


def test_the_newer_of_two_equal_exchanges_is_first() -> None:
    ages = {"old": 9, "new": 0}
    assert ranked({"button", "pricelist"}, ages)[0][0].startswith("the price")


WORDS = sorted({word for pair in TEXTS.values() for word in " ".join(pair).split()})


@given(st.lists(st.sampled_from(WORDS)))
def test_the_order_of_words_does_not_matter(words: list[str]) -> None:
    backwards = words[::-1]
    assert ranked(set(words)) == ranked(set(backwards))
