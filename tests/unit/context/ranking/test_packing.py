"""Packing of pieces into a limited room."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from memory import CARD, LetterCounter, card, views, walk_files

from cuedeck.context.ranking.candidates import CandidatePool
from cuedeck.context.ranking.line_pieces import (
    GAP_TOKENS,
    STOP,
    Piece,
    PricedFile,
    estimate,
)
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.packing import PriceLevels, fit, spans_of
from cuedeck.context.ranking.rank_files import Candidate
from cuedeck.context.scene.related_tier import RelatedTier
from cuedeck.context.scene.visit_heading import entry_tokens
from cuedeck.model.scene_values import Shown
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask

LINES = st.sampled_from(
    [
        "",
        "}",
        "    return a, b",
        "def some_function(with_an_argument, and_another):",
        "word " * 20,
    ]
)
TEXTS = st.lists(
    st.lists(LINES, min_size=1, max_size=20).map(lambda rows: [*rows, "the end"]),
    min_size=1,
    max_size=5,
)
LEVELS = st.sampled_from([STOP, STOP + 6, STOP + 8, STOP + 9, STOP + 13])
ROOMS = st.one_of(st.integers(-5, 60), st.integers(0, 600))


class PackingSandbox:
    """Some texts and a related tier that renders them; a token is four characters."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.files = [
            PricedFile(
                Candidate(
                    f"src/{at}.txt",
                    9.0 - at,
                    {"text": at + 1},
                    "text",
                    "its text has a word",
                ),
                "source",
                f"hash {at}",
                rows,
                [estimate(row) for row in rows],
            )
            for at, rows in enumerate(texts)
        ]
        here = walk_files(
            {
                CARD: card(),
                **{
                    each.candidate.path: "\n".join(each.lines) + "\n"
                    for each in self.files
                },
            }
        )
        labels = views(here, count=LetterCounter()).labels
        self.page = RelatedTier(
            CandidatePool((), PriceLevels((), ())),
            here.visits[0],
            lookup=here.memory,
            mask=Mask(here.memory, find_secrets),
            count=LetterCounter(),
            labels=labels,
            memo=Memo(),
        )

    def fit(self, pieces: Sequence[Piece], room: int) -> tuple[Shown, ...]:
        return fit(PriceLevels(self.files, pieces), self.page.node, room)


@st.composite
def packing_cases(draw: st.DrawFn) -> tuple[PackingSandbox, list[Piece]]:
    sandbox = PackingSandbox(draw(TEXTS))
    pieces = []
    for each in sandbox.files:
        lines = (
            st.sets(st.integers(1, len(each.lines)), min_size=1, max_size=6)
            .map(sorted)
            .map(tuple)
        )
        for chosen in draw(st.lists(lines, max_size=6, unique=True)):
            pieces.append(Piece(each.candidate.path, chosen, draw(LEVELS)))
    return sandbox, sorted(pieces, key=lambda piece: -piece.level)


@settings(deadline=None, max_examples=40)
@given(packing_cases(), ROOMS)
def test_packed_files_never_exceed_the_room(
    made: tuple[PackingSandbox, list[Piece]], room: int
) -> None:
    sandbox, pieces = made
    shown = sandbox.fit(pieces, room)
    assert sum(each.cost for each in shown) <= max(room, 0)
    count = LetterCounter()
    for each in shown:
        assert each.tokens == count.count(each.head) + count.count(each.body)
        assert each.cost == each.tokens + entry_tokens(each.entry, count)


@settings(deadline=None, max_examples=40)
@given(packing_cases(), ROOMS)
def test_files_keep_their_order_and_show_lines_of_their_pieces(
    made: tuple[PackingSandbox, list[Piece]], room: int
) -> None:
    sandbox, pieces = made
    shown = sandbox.fit(pieces, room)
    order = [each.candidate.path for each in sandbox.files]
    assert [each.visit.path for each in shown] == [
        path for path in order if path in {each.visit.path for each in shown}
    ]
    for each in shown:
        lines = {
            line for start, end in each.visit.parts for line in range(start, end + 1)
        }
        wanted = [set(piece.lines) for piece in pieces if piece.path == each.visit.path]
        assert any(lines >= piece for piece in wanted)
        costs = sandbox.files[order.index(each.visit.path)].costs
        assert each.view == "full" or all(
            costs[line - 1] <= GAP_TOKENS for line in lines - set().union(*wanted)
        )


@settings(deadline=None, max_examples=40)
@given(packing_cases(), ROOMS, st.randoms(use_true_random=False))
def test_order_of_pieces_does_not_change_the_result(
    made: tuple[PackingSandbox, list[Piece]], room: int, shuffle: random.Random
) -> None:
    sandbox, pieces = made
    turned = list(pieces)
    shuffle.shuffle(turned)
    assert sandbox.fit(turned, room) == sandbox.fit(pieces, room)


@settings(deadline=None, max_examples=40)
@given(packing_cases())
def test_all_pieces_are_shown_when_they_fit(
    made: tuple[PackingSandbox, list[Piece]],
) -> None:
    sandbox, pieces = made
    shown = {
        each.visit.path: each.visit.parts for each in sandbox.fit(pieces, 1_000_000)
    }
    for piece in pieces:
        assert all(
            any(start <= line <= end for start, end in shown[piece.path])
            for line in piece.lines
        )


@settings(deadline=None, max_examples=40)
@given(packing_cases(), ROOMS, st.integers(1, 9))
def test_piece_below_the_minimum_price_is_never_shown(
    made: tuple[PackingSandbox, list[Piece]], room: int, below: int
) -> None:
    sandbox, pieces = made
    every = [
        Piece(each.candidate.path, (len(each.lines),), STOP - below)
        for each in sandbox.files
    ]
    for limit in (room, 1_000_000):
        assert sandbox.fit([*pieces, *every], limit) == sandbox.fit(pieces, limit)


def test_empty_room_shows_nothing() -> None:
    sandbox = PackingSandbox([["one line"], ["another"]])
    pieces = [Piece("src/0.txt", (1,), STOP + 1), Piece("src/1.txt", (1,), STOP)]
    assert sandbox.fit(pieces, 0) == sandbox.fit(pieces, -1) == ()
    assert sandbox.fit([], 1_000) == ()


ROWS = [f"row number {at} of a file that is long" for at in range(60)]


def test_smaller_room_raises_the_price() -> None:
    sandbox = PackingSandbox([ROWS, ROWS])
    names = ("src/0.txt", "src/1.txt")
    pieces = [
        Piece(path, (line,), STOP + level)
        for level, line in ((2, 1), (1, 30), (0, 50))
        for path in names
    ]
    for count, parts in (
        (2, ((1, 1),)),
        (4, ((1, 1), (30, 30))),
        (6, ((1, 1), (30, 30), (50, 50))),
    ):
        need = sum(each.cost for each in sandbox.fit(pieces[:count], 100_000))
        assert [each.visit.parts for each in sandbox.fit(pieces, need)] == [
            parts,
            parts,
        ]


def test_ties_of_price_are_broken_independently_of_order() -> None:
    sandbox = PackingSandbox([ROWS])
    pieces = [Piece("src/0.txt", lines, STOP) for lines in ((1, 2), (30, 31), (50, 51))]
    need = sum(each.cost for each in sandbox.fit(pieces[:2], 100_000))
    (one,), (other,) = sandbox.fit(pieces, need), sandbox.fit(pieces[::-1], need)
    assert one == other and len(one.visit.parts) == 2


def test_remaining_room_goes_to_the_last_file() -> None:
    sandbox = PackingSandbox([ROWS, ROWS])
    pieces = [
        Piece("src/0.txt", (1,), STOP + 2),
        Piece("src/1.txt", (1,), STOP + 2),
        Piece("src/0.txt", (30,), STOP + 1),
        Piece("src/1.txt", (30,), STOP + 1),
    ]
    enough = sum(each.cost for each in sandbox.fit(pieces, 1_000))
    first, last = sandbox.fit(pieces, enough - 1)
    assert first.visit.parts == ((1, 1),)
    assert last.visit.parts == ((1, 1), (30, 30))


def priced_file(path: str, count: int, cost: float = 10.0) -> PricedFile:
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


def test_each_level_contains_the_pieces_down_to_its_price() -> None:
    levels = PriceLevels([priced_file("a.py", 40), priced_file("b.py", 40)], PIECES)
    assert [dict(levels.chosen(at)) for at in range(len(levels.ends))] == [
        {},
        {"a.py": ((1, 2),), "b.py": ((7, 7),)},
        {"a.py": ((1, 2), (9, 9)), "b.py": ((7, 7),)},
        {"a.py": ((1, 2), (9, 9)), "b.py": ((7, 9),)},
    ]
    assert levels.next(1, 1) == [PIECES[2]]


def test_order_of_pieces_does_not_change_the_levels() -> None:
    files = [priced_file("a.py", 40), priced_file("b.py", 40)]
    turned = random.Random(4).sample(PIECES, len(PIECES))
    assert PriceLevels(files, turned).pieces == PriceLevels(files, PIECES).pieces


def test_guessed_level_rises_with_the_room() -> None:
    levels = PriceLevels([priced_file("a.py", 40), priced_file("b.py", 40)], PIECES)
    guesses = [levels.guess(room) for room in (0, 100, 150, 10_000)]
    assert guesses == sorted(guesses) and (guesses[0], guesses[-1]) == (0, 3)


def test_pieces_below_the_stop_are_never_chosen() -> None:
    files = [priced_file("a.py", 40), priced_file("b.py", 40)]
    lowest = min(piece.level for piece in PIECES)
    everything = PriceLevels(files, PIECES, lowest)
    less = PriceLevels(files, PIECES, lowest + 1)
    assert everything.stop == len(everything.ends) - 1
    assert less.guess(10_000) == less.stop < everything.stop


def test_no_pieces_give_no_levels() -> None:
    levels = PriceLevels([priced_file("a.py", 3)], [])
    assert (list(levels.ends), levels.guess(1_000), dict(levels.chosen(0))) == (
        [0],
        0,
        {},
    )


def test_blank_lines_between_spans_are_included_instead_of_a_mark() -> None:
    here = priced_file("a.py", 40)
    costs = [1.0 if line in (3, 4, 8) else 10.0 for line in range(1, 41)]
    assert spans_of(replace(here, costs=costs), [2, 5, 7, 9]) == ((2, 5), (7, 9))


def test_file_with_few_omitted_lines_is_one_span() -> None:
    assert spans_of(priced_file("a.py", 10), [1, 2, 3, 5, 6, 7, 8, 9]) == ((1, 10),)
    assert spans_of(priced_file("a.py", 30), [1, 2, 5]) == ((1, 2), (5, 5))
