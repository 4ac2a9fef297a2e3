"""Selection of the lines of related files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import (
    CARD,
    InMemoryCorpus,
    WalkedWorkspace,
    card,
    module,
    ranking_inputs,
    related_tier,
    tokens,
    walk_files,
)

from cuedeck.context.ranking.candidates import candidate_pool
from cuedeck.context.ranking.line_pieces import LONGEST_DEFINITION, enclosing, estimate
from cuedeck.context.scene.related_files import rank_related
from cuedeck.model.commit import Commit
from cuedeck.model.file import Chunk
from cuedeck.model.scene_values import Shown

ROOMY = 100_000


BODY = "".join(f"        step_{at} = something_long(self, {at})\n" for at in range(12))


NAMES = ("alpha", "bravo", "carol", "delta")
FILLER = {f"src/filler{at}.py": f"pebble = {at}\n" for at in range(12)}
FILES = {
    CARD: card(title="Expired token", body="It must ask again.\n"),
    **FILLER,
    **{
        f"src/{name}.py": f"# expired token\n{module(f'{name}_one', f'{name}_two')}"
        for name in NAMES
    },
}


def related_files(
    here: WalkedWorkspace, room: int, *commits: Commit
) -> dict[str, Shown]:
    return {
        each.visit.path: each for each in related_tier(here, commits).show(room).nodes
    }


def lines_of(each: Shown) -> list[int]:
    return [line for start, end in each.visit.parts for line in range(start, end + 1)]


def test_more_room_never_removes_a_line() -> None:
    here = walk_files(FILES)
    before: dict[str, set[int]] = {}
    for room in range(150, 2_400, 450):
        now = {
            path: set(lines_of(each))
            for path, each in related_files(here, room).items()
        }
        assert before.keys() <= now.keys()
        before = now
    assert before.keys() == {f"src/{name}.py" for name in NAMES}


def test_room_above_the_value_of_the_lines_stays_empty() -> None:
    here = walk_files(FILES)
    assert related_files(here, ROOMY) == related_files(here, 10 * ROOMY)
    assert sum(each.cost for each in related_files(here, ROOMY).values()) < ROOMY // 10


@pytest.mark.parametrize("room", [200, 400, 600, 900, 1_200])
def test_signature_is_shown_with_every_line_of_its_body(room: int) -> None:
    here = walk_files(FILES)
    shelf = InMemoryCorpus(here.memory)
    for path, each in related_files(here, room).items():
        words = shelf.words(path)
        assert words is not None
        found = set(lines_of(each))
        for chunk in words.chunks:
            if chunk.head and found & set(range(chunk.start, chunk.end + 1)):
                assert chunk.head in found


def test_signatures_come_before_bodies() -> None:
    here = walk_files(
        FILES
        | {
            "src/alpha.py": f"# expired token\n{module('one', 'two', 'three', 'four', lines=30)}"
        }
    )
    alone = 0
    for room in range(250, 1_000, 50):
        for each in related_files(here, room).values():
            found = lines_of(each)
            text = here.memory.text(each.visit.path).split("\n")
            heads = [line for line in found if text[line - 1].startswith("def ")]
            alone += sum(line + 1 not in found for line in heads)
    assert alone


def test_repeated_signature_is_not_shown_alone() -> None:
    """A file of small classes used to be an outline of `def __repr__(self):`, ten
    times, without a body.
    """
    names = [f"Class{at}" for at in range(8)]
    text = "\n\n".join(f"class {name}:\n    def write(self):\n{BODY}" for name in names)
    here = walk_files(FILES | {"src/alpha.py": f"# expired token\n{text}"})
    found = rank_related(ranking_inputs(here), here.visits, {})
    pieces = candidate_pool(found.context, found.ranking).pieces
    rows = here.memory.text("src/alpha.py").split("\n")
    single = [
        rows[piece.lines[0] - 1]
        for piece in pieces
        if piece.path == "src/alpha.py" and len(piece.lines) == 1
    ]
    assert single.count("    def write(self):") == 1


@pytest.mark.parametrize(
    "line",
    [
        "    found = {each.path: each for each in rows if each.size > 0}",
        "每次保存时都会重新构建上下文，并且绝不会超过令牌预算。",
        "保存するたびにコンテキストを再構築し、トークン予算を超えません。",
        "저장할 때마다 컨텍스트를 다시 구성하며 토큰 예산을 초과하지 않습니다.",
    ],
)
def test_token_estimate_of_a_line_is_within_a_third_in_dense_scripts_too(
    line: str,
) -> None:
    # The estimate of a Chinese line was half of its tokens.
    assert estimate(line) == pytest.approx(tokens().count(line + "\n"), rel=0.34)


@given(
    definitions=st.lists(
        st.tuples(st.integers(1, 120), st.integers(0, LONGEST_DEFINITION - 1)),
        max_size=8,
    ),
    start=st.integers(1, 120),
    length=st.integers(0, LONGEST_DEFINITION + 2),
)
def test_a_chunk_is_shown_with_the_first_definition_that_contains_it(
    definitions: list[tuple[int, int]], start: int, length: int
) -> None:
    spans = sorted((first, first + rest) for first, rest in definitions)
    chunk = Chunk(start, start + length, 0, "", 1)
    around = [
        (first, last)
        for first, last in spans
        if first <= chunk.start and chunk.end <= last
    ]
    assert enclosing(chunk, spans) == [*around, (chunk.start, chunk.end)][0]
