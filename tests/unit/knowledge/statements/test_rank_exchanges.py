"""Ranking of exchanges for a prompt: the exchanges about it, or nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.statements.rank_exchanges import Exchange, rank_exchanges

TEXTS = {
    ("old", 1): ("set the timeout of the queue to five seconds", "the queue waits"),
    ("old", 2): ("rename the button of the form", "renamed"),
    ("new", 3): ("the pricelist prints two columns", "printed"),
    **{("new", n): (f"topic{n} alone", f"answer{n}") for n in range(4, 40)},
}


def ranked(words: set[str], newest: str = "new") -> list[list[str]]:
    """Return the statements of the ranked exchanges, best first; those of the session
    `newest` are the newest.
    """
    exchanges, texts = [], []
    for (session, turn), pair in TEXTS.items():
        each = Exchange(session, turn)
        each.date = "2026-02-01" if session == newest else "2026-01-01"
        each.length = sum(map(len, pair))
        each.user, each.agent = [len(texts)], [len(texts) + 1]
        exchanges.append(each)
        texts += pair
    lengths = {at: len(text) for at, text in enumerate(texts)}
    stems = {at: text.split() for at, text in enumerate(texts)}
    found = rank_exchanges(exchanges, stems, lengths, words)
    return [[texts[number] for number in each.numbers] for each in found]


def test_the_exchange_about_the_prompt_is_first_the_user_before_the_agent() -> None:
    first = ranked({"timeout", "queue"})[0]
    assert first == ["set the timeout of the queue to five seconds", "the queue waits"]


def test_only_exchanges_with_a_word_are_ranked() -> None:
    assert ranked({"zebra", "giraffe"}) == []
    assert len(ranked({"zebra", "timeout"})) == 1


def test_the_newer_of_two_equal_exchanges_is_first() -> None:
    assert ranked({"button", "pricelist"}, "new")[0][0].startswith("the price")
    assert ranked({"button", "pricelist"}, "old")[0][0].startswith("rename")


WORDS = sorted({word for pair in TEXTS.values() for word in " ".join(pair).split()})


@given(st.lists(st.sampled_from(WORDS)))
def test_the_order_of_words_does_not_matter(words: list[str]) -> None:
    backwards = words[::-1]
    assert ranked(set(words)) == ranked(set(backwards))
