"""The words of a source, read once."""

from __future__ import annotations

from memory import CARD, Memory, Shelf, card

from cuedeck.ranking.query_source import Readings

DOC = "# Keys\n\n" + "token one\n" * 25 + "\n## Doors\n\n" + "door token\n" * 25
FILES = {CARD: card("docs/a.md"), "docs/a.md": DOC}


def test_only_the_words_inside_the_lines_count() -> None:
    memory = Memory(FILES)
    whole = Readings().read("docs/a.md", ((1, 60),), memory, memory, Shelf(memory))
    part = Readings().read("docs/a.md", ((40, 54),), memory, memory, Shelf(memory))
    assert whole.counts["token"] == 50
    assert 0 < part.counts["token"] < 50 and "one" not in part.counts
    assert part.points({"token": 1.0}).keys() < whole.points({"token": 1.0}).keys()


def test_a_reading_is_kept_while_text_and_lines_are_the_same() -> None:
    kept = Readings()
    memory = Memory(FILES)
    first = kept.read("docs/a.md", ((1, 60),), memory, memory, Shelf(memory))
    assert kept.read("docs/a.md", ((1, 60),), memory, memory, Shelf(memory)) is first
    assert kept.read("docs/a.md", ((1, 9),), memory, memory, Shelf(memory)) is not first
    changed = Memory(FILES | {"docs/a.md": DOC + "wall\n"})
    assert "wall" in kept.read("docs/a.md", ((1, 61),), changed, changed, Shelf(changed)).counts


def test_points_are_those_of_what_each_word_is_worth_now() -> None:
    memory = Memory(FILES)
    reading = Readings().read("docs/a.md", ((1, 60),), memory, memory, Shelf(memory))
    once, twice = reading.points({"door": 1.0}), reading.points({"door": 2.0})
    assert once.keys() == twice.keys() and all(0 < once[at] < twice[at] for at in once)
    assert reading.points({}) == {}


def test_a_card_is_read_although_nobody_looks_for_it() -> None:
    memory = Memory(FILES)
    assert Shelf(memory).words(CARD) is None
    lines = ((1, memory.text(CARD).count("\n")),)
    assert Readings().read(CARD, lines, memory, memory, Shelf(memory)).counts


def test_the_sum_of_readings_follows_each_of_them() -> None:
    kept = Readings()
    one, other = Memory({"docs/a.md": "# Walls\n\nA wall.\n"}), Memory({"docs/a.md": "# Walls\n\nA wall, a wall.\n"})
    first = kept.read("docs/a.md", ((1, 3),), one, one, Shelf(one))
    assert kept.add([first, first])["wall"] == 2 * first.counts["wall"]
    second = kept.read("docs/a.md", ((1, 3),), other, other, Shelf(other))
    assert kept.add([first, second])["wall"] == first.counts["wall"] + second.counts["wall"] == 5
