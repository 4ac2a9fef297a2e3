"""Themes: terms that occur together in several facts on several days."""

from __future__ import annotations

from random import Random

from cuedeck.knowledge.dreaming.rem_phase import MAX_FACTS, ThemeFact, find_themes


def fact(name: str, words: str, *days: str, weight: int = 1) -> ThemeFact:
    terms = {word.lower(): word for word in words.split()}
    return ThemeFact(name, terms, days, weight)


def test_a_theme_needs_three_facts_on_two_days() -> None:
    same_day = [fact(name, "staging database", "2026-11-20") for name in "abc"]
    assert find_themes(same_day) == []
    two = [fact(name, "staging database", f"2026-11-2{name}") for name in "12"]
    assert find_themes(two) == []
    (theme,) = find_themes([*two, *same_day[:1]])
    assert theme.terms == ("database", "staging")
    assert (theme.addresses, theme.days) == (("1", "2", "a"), 3)


def test_each_fact_is_in_one_theme_and_the_spelling_is_the_most_frequent() -> None:
    facts = [
        fact("a", "Staging port", "2026-11-20"),
        fact("b", "Staging port", "2026-11-21"),
        fact("c", "staging port", "2026-11-22"),
        fact("d", "plants Monday", "2026-11-20"),
        fact("e", "plants Monday", "2026-11-21"),
        fact("f", "plants Monday", "2026-11-22"),
    ]
    first, second = find_themes(facts)
    assert (first.terms, second.terms) == (("Monday", "plants"), ("port", "Staging"))


def test_the_order_of_the_facts_does_not_matter() -> None:
    random = Random(1)
    words = ["port", "dump", "cache", "login", "export", "audit"]
    facts = [
        fact(
            f"f{number}",
            " ".join(random.sample(words, 3)),
            f"2026-11-{number % 9 + 1:02}",
        )
        for number in range(40)
    ]
    expected = find_themes(facts)
    random.shuffle(facts)
    assert expected and find_themes(facts) == expected


def test_a_theme_names_all_of_its_few_facts() -> None:
    facts = [
        fact(f"f{number:02}", "port dump", f"2026-11-{number % 9 + 1:02}")
        for number in range(30)
    ]
    theme = find_themes(facts)[0]
    assert len(theme.addresses) == MAX_FACTS
