"""Packing of pieces into a limited room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from memory import CARD, LetterCounter, card, views, walk_files

from cuedeck.context.ranking.line_pieces import (
    GAP_TOKENS,
    STOP,
    CandidatePool,
    Piece,
    PricedFile,
    estimate,
    spans_of,
)
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.rank_files import Candidate
from cuedeck.context.scene.related_tier import RelatedTier
from cuedeck.context.scene.visit_heading import entry_tokens
from cuedeck.model.scene_values import Shown

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
        renderer = views(here, count=LetterCounter()).renderer
        self.tier = RelatedTier(CandidatePool((), ()), here.visits[0], renderer, Memo())

    def fit(self, pieces: Sequence[Piece], room: int) -> tuple[Shown, ...]:
        return CandidatePool(self.files, pieces).fit(self.tier.node, room)


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


ROWS = [f"row number {at} of a file that is long" for at in range(60)]


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


def test_blank_lines_between_spans_are_included_instead_of_a_mark() -> None:
    here = priced_file("a.py", 40)
    costs = [1.0 if line in (3, 4, 8) else 10.0 for line in range(1, 41)]
    assert spans_of(replace(here, costs=costs), [2, 5, 7, 9]) == ((2, 5), (7, 9))


def test_file_with_few_omitted_lines_is_one_span() -> None:
    assert spans_of(priced_file("a.py", 10), [1, 2, 3, 5, 6, 7, 8, 9]) == ((1, 10),)
    assert spans_of(priced_file("a.py", 30), [1, 2, 5]) == ((1, 2), (5, 5))
