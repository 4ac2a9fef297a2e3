"""Two cards of one memory become one card with the statements of both."""

from __future__ import annotations

from dataclasses import replace

from cuedeck.knowledge.cortex.memory_card import MemoryCard, Statement
from cuedeck.knowledge.cortex.merge_cards import merge_cards


def statement(text: str, day: int, *sources: str) -> Statement:
    return Statement(text, f"2026-01-{day:02}T00:00:00Z", sources)


TEA = statement("I prefer tea.", 1, "cortex://session/s1#L9")
COFFEE = statement("I prefer coffee.", 3, "cortex://session/s2#L9")
WATER = statement("I prefer water.", 5, "cortex://session/s3#L9")


def card(*statements: Statement, **fields: str) -> MemoryCard:
    current, *superseded = statements
    rest = tuple(fields.items())
    return MemoryCard("preference", "drink", current, tuple(superseded), rest=rest)


def test_a_merge_with_the_same_card_changes_nothing() -> None:
    unsorted = card(TEA, WATER, COFFEE, ids="a", pinned="true")
    assert merge_cards(unsorted, unsorted) == unsorted


def test_the_latest_statement_is_in_force() -> None:
    for one, other in ((TEA, WATER), (WATER, TEA)):
        merged = merge_cards(card(one), card(other, COFFEE))
        assert (merged.current, merged.superseded) == (WATER, (COFFEE, TEA))
        assert merge_cards(merged, card(other, COFFEE)) == merged


def test_a_statement_of_both_cards_has_the_sources_of_both() -> None:
    again = statement("i prefer tea", 9, *TEA.sources, "cortex://session/s4#L9")
    merged = merge_cards(card(COFFEE, TEA), card(again, COFFEE))
    assert merged.current == TEA._replace(time=again.time, sources=again.sources)
    assert merged.superseded == (COFFEE,)


def test_a_repeated_statement_without_common_sources_is_one_statement() -> None:
    again = statement("I prefer tea.", 2, "cortex://session/s4#L9")
    merged = merge_cards(card(TEA), card(again))
    assert merged.current.time == again.time
    assert merged.current.sources == (*TEA.sources, *again.sources)
    assert merged.superseded == ()


def test_title_and_confidence_are_those_of_the_statement_in_force() -> None:
    earlier = replace(card(TEA, confidence="0.9", pinned="true"), title="Tea")
    later = replace(card(WATER, source="talk"), title="Water")
    for merged in (merge_cards(earlier, later), merge_cards(later, earlier)):
        assert merged.title == "Water"
        assert dict(merged.rest) == {"source": "talk", "pinned": "true"}


def test_a_card_has_the_ids_of_both() -> None:
    one = replace(card(TEA), rest=(("ids", ["a", "b"]),))
    other = replace(card(WATER), rest=(("ids", ["b", "c"]),))
    assert dict(merge_cards(one, other).rest) == {"ids": ["a", "b", "c"]}


def test_statements_of_the_same_second_have_the_order_of_the_complete_card() -> None:
    juice = statement("I prefer juice.", 5, "cortex://session/s0#L9")
    complete = card(juice, WATER)
    assert merge_cards(card(WATER), complete) == complete
    assert merge_cards(complete, card(WATER)) == complete
