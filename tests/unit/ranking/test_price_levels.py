"""Pieces in falling price, and the stretches they make."""

from __future__ import annotations

import random
from dataclasses import replace

from cuedeck.ranking.line_pieces import Piece, PricedFile
from cuedeck.ranking.packing import PriceLevels, spans_of
from cuedeck.ranking.rank_files import Candidate


def sized(path: str, count: int, cost: float = 10.0) -> PricedFile:
    candidate = Candidate(path, 1.0, {"text": 1}, "text", "has `token`")
    return PricedFile(
        candidate,
        "source",
        path,
        [f"line {at}" for at in range(1, count + 1)],
        [cost] * count,
    )


PIECES = [
    Piece("a.py", (1, 2), 5),
    Piece("b.py", (7,), 5),
    Piece("a.py", (9,), 3),
    Piece("b.py", (8, 9), -2),
]


def test_each_level_holds_the_pieces_down_to_its_price() -> None:
    levels = PriceLevels([sized("a.py", 40), sized("b.py", 40)], PIECES)
    assert [dict(levels.chosen(at)) for at in range(len(levels.ends))] == [
        {},
        {"a.py": ((1, 2),), "b.py": ((7, 7),)},
        {"a.py": ((1, 2), (9, 9)), "b.py": ((7, 7),)},
        {"a.py": ((1, 2), (9, 9)), "b.py": ((7, 9),)},
    ]
    assert levels.next(1, 1) == [PIECES[2]]


def test_the_order_in_which_pieces_come_says_nothing() -> None:
    files = [sized("a.py", 40), sized("b.py", 40)]
    turned = random.Random(4).sample(PIECES, len(PIECES))
    assert PriceLevels(files, turned).pieces == PriceLevels(files, PIECES).pieces


def test_the_guess_rises_with_the_room() -> None:
    levels = PriceLevels([sized("a.py", 40), sized("b.py", 40)], PIECES)
    guesses = [levels.guess(room) for room in (0, 100, 150, 10_000)]
    assert guesses == sorted(guesses) and (guesses[0], guesses[-1]) == (0, 3)


def test_no_pieces_no_levels() -> None:
    levels = PriceLevels([sized("a.py", 3)], [])
    assert (list(levels.ends), levels.guess(1_000), dict(levels.chosen(0))) == (
        [0],
        0,
        {},
    )


def test_blank_lines_between_stretches_cost_less_than_the_mark_for_them() -> None:
    here = sized("a.py", 40)
    costs = [1.0 if line in (3, 4, 8) else 10.0 for line in range(1, 41)]
    assert spans_of(replace(here, costs=costs), [2, 5, 7, 9]) == ((2, 5), (7, 9))


def test_a_file_of_which_little_is_missing_is_one_stretch() -> None:
    assert spans_of(sized("a.py", 10), [1, 2, 3, 5, 6, 7, 8, 9]) == ((1, 10),)
    assert spans_of(sized("a.py", 30), [1, 2, 5]) == ((1, 2), (5, 5))
