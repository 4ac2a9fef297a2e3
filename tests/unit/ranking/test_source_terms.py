"""The words of a source, read once."""

from __future__ import annotations

from memory import CARD, Memory, Shelf, card

from cuedeck.ranking.memo import Memo
from cuedeck.ranking.task_query import read_source, sum_counts

DOC = "# Keys\n\n" + "token one\n" * 25 + "\n## Doors\n\n" + "door token\n" * 25
FILES = {CARD: card("docs/a.md"), "docs/a.md": DOC}


def test_only_the_words_inside_the_lines_count() -> None:
    memory = Memory(FILES)
    whole = read_source("docs/a.md", ((1, 60),), memory, memory, Shelf(memory), Memo())
    part = read_source("docs/a.md", ((40, 54),), memory, memory, Shelf(memory), Memo())
    assert whole.counts["token"] == 50
    assert 0 < part.counts["token"] < 50 and "one" not in part.counts
    assert part.points({"token": 1.0}).keys() < whole.points({"token": 1.0}).keys()


def test_a_reading_is_kept_while_text_and_lines_are_the_same() -> None:
    kept = Memo()
    memory = Memory(FILES)
    first = read_source("docs/a.md", ((1, 60),), memory, memory, Shelf(memory), kept)
    assert (
        read_source("docs/a.md", ((1, 60),), memory, memory, Shelf(memory), kept)
        is first
    )
    assert (
        read_source("docs/a.md", ((1, 9),), memory, memory, Shelf(memory), kept)
        is not first
    )
    changed = Memory(FILES | {"docs/a.md": DOC + "wall\n"})
    assert (
        "wall"
        in read_source(
            "docs/a.md", ((1, 61),), changed, changed, Shelf(changed), kept
        ).counts
    )


def test_points_are_those_of_what_each_word_is_worth_now() -> None:
    memory = Memory(FILES)
    reading = read_source(
        "docs/a.md", ((1, 60),), memory, memory, Shelf(memory), Memo()
    )
    once, twice = reading.points({"door": 1.0}), reading.points({"door": 2.0})
    assert once.keys() == twice.keys() and all(0 < once[at] < twice[at] for at in once)
    assert reading.points({}) == {}


def test_a_card_is_read_although_nobody_looks_for_it() -> None:
    memory = Memory(FILES)
    assert Shelf(memory).words(CARD) is None
    lines = ((1, memory.text(CARD).count("\n")),)
    assert read_source(CARD, lines, memory, memory, Shelf(memory), Memo()).counts


def test_the_sum_of_readings_follows_each_of_them() -> None:
    kept = Memo()
    one, other = (
        Memory({"docs/a.md": "# Walls\n\nA wall.\n"}),
        Memory({"docs/a.md": "# Walls\n\nA wall, a wall.\n"}),
    )
    first = read_source("docs/a.md", ((1, 3),), one, one, Shelf(one), kept)
    assert sum_counts([first, first], kept)["wall"] == 2 * first.counts["wall"]
    second = read_source("docs/a.md", ((1, 3),), other, other, Shelf(other), kept)
    assert (
        sum_counts([first, second], kept)["wall"]
        == first.counts["wall"] + second.counts["wall"]
        == 5
    )
