"""As much as fits into a room, and never more."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from memory import CARD, Letters, card, views, walked

from cuedeck.model.scene_values import Shown
from cuedeck.parse.secrets import find_secrets
from cuedeck.ranking.candidates import CandidatePool
from cuedeck.ranking.line_pieces import GAP_TOKENS, STOP, Piece, PricedFile, estimate
from cuedeck.ranking.memo import Memo
from cuedeck.ranking.packing import PriceLevels, fit
from cuedeck.ranking.rank_files import Candidate
from cuedeck.scene.mask import Mask
from cuedeck.scene.related_tier import RelatedTier
from cuedeck.scene.visit_heading import entry_tokens

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


class Sandbox:
    """Some texts, and a page to put them on; four characters begun are a token."""

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
        here = walked(
            {
                CARD: card(),
                **{
                    each.candidate.path: "\n".join(each.lines) + "\n"
                    for each in self.files
                },
            }
        )
        labels = views(here, count=Letters()).labels
        self.page = RelatedTier(
            CandidatePool((), {}, PriceLevels((), ())),
            here.visits[0],
            lookup=here.memory,
            mask=Mask(here.memory, find_secrets),
            count=Letters(),
            labels=labels,
            memo=Memo(),
        )

    def fit(self, pieces: Sequence[Piece], room: int) -> tuple[Shown, ...]:
        return fit(PriceLevels(self.files, pieces), self.page.node, room)


@st.composite
def piled(draw: st.DrawFn) -> tuple[Sandbox, list[Piece]]:
    sandbox = Sandbox(draw(TEXTS))
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
@given(piled(), ROOMS)
def test_never_more_than_the_room(made: tuple[Sandbox, list[Piece]], room: int) -> None:
    sandbox, pieces = made
    shown = sandbox.fit(pieces, room)
    assert sum(each.cost for each in shown) <= max(room, 0)
    count = Letters()
    for each in shown:
        assert each.tokens == count.count(each.head) + count.count(each.body)
        assert each.cost == each.tokens + entry_tokens(each.entry, count)


@settings(deadline=None, max_examples=40)
@given(piled(), ROOMS)
def test_files_stand_in_their_order_and_show_lines_of_their_pieces(
    made: tuple[Sandbox, list[Piece]], room: int
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
@given(piled(), ROOMS, st.randoms(use_true_random=False))
def test_the_order_in_which_pieces_come_changes_nothing(
    made: tuple[Sandbox, list[Piece]], room: int, shuffle: random.Random
) -> None:
    sandbox, pieces = made
    turned = list(pieces)
    shuffle.shuffle(turned)
    assert sandbox.fit(turned, room) == sandbox.fit(pieces, room)


@settings(deadline=None, max_examples=40)
@given(piled())
def test_where_there_is_room_for_everything_everything_is_shown(
    made: tuple[Sandbox, list[Piece]],
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
@given(piled(), ROOMS, st.integers(1, 9))
def test_a_piece_that_is_not_worth_its_tokens_is_not_shown_whatever_the_room(
    made: tuple[Sandbox, list[Piece]], room: int, below: int
) -> None:
    sandbox, pieces = made
    every = [
        Piece(each.candidate.path, (len(each.lines),), STOP - below)
        for each in sandbox.files
    ]
    assert sandbox.fit([*pieces, *every], 1_000_000) == sandbox.fit(pieces, 1_000_000)
    assert sum(each.cost for each in sandbox.fit([*pieces, *every], room)) <= max(
        room, 0
    )


def test_an_empty_room_gives_nothing() -> None:
    sandbox = Sandbox([["one line"], ["another"]])
    pieces = [Piece("src/0.txt", (1,), STOP + 1), Piece("src/1.txt", (1,), STOP)]
    assert sandbox.fit(pieces, 0) == sandbox.fit(pieces, -1) == ()
    assert sandbox.fit([], 1_000) == ()


ROWS = [f"row number {at} of a file that is long" for at in range(60)]


def test_the_dearer_the_room_the_higher_the_price() -> None:
    sandbox = Sandbox([ROWS, ROWS])
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


def test_of_equal_prices_the_same_piece_is_taken_in_whichever_order_they_come() -> None:
    sandbox = Sandbox([ROWS])
    pieces = [Piece("src/0.txt", lines, STOP) for lines in ((1, 2), (30, 31), (50, 51))]
    need = sum(each.cost for each in sandbox.fit(pieces[:2], 100_000))
    (one,), (other,) = sandbox.fit(pieces, need), sandbox.fit(pieces[::-1], need)
    assert one == other and len(one.visit.parts) == 2


def test_what_is_left_goes_to_the_last_file() -> None:
    sandbox = Sandbox([ROWS, ROWS])
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
