"""Which lines of which files are shown."""

from __future__ import annotations

import math

import pytest
from memory import CARD, Shelf, Walked, card, commit, ranked, related, touched, walked

from cuedeck.model.history import Commit
from cuedeck.model.scene import Shown
from cuedeck.scene.related.choice import STEP, estimate, likely, order_chunks
from cuedeck.scene.related.ranking import Candidate

ROOMY = 100_000


def module(*names: str, lines: int = 12) -> str:
    """Return a source of functions with long bodies."""
    body = "".join(f"    step_{at} = something_long(number, {at})\n" for at in range(lines))
    return "\n\n".join(f"def {name}(number):\n{body}" for name in names)


BODY = "".join(f"        step_{at} = something_long(self, {at})\n" for at in range(12))


def candidate(score: float) -> Candidate:
    return Candidate("src/alpha.py", score, {"text": 1}, "text", "has `token`")


NAMES = ("alpha", "bravo", "carol", "delta")
FILLER = {f"src/filler{at}.py": f"pebble = {at}\n" for at in range(12)}
FILES = {
    CARD: card(title="Expired token", body="It must ask again.\n"),
    **FILLER,
    **{f"src/{name}.py": f"# expired token\n{module(f'{name}_one', f'{name}_two')}" for name in NAMES},
}


def shown(here: Walked, room: int, *commits: Commit) -> dict[str, Shown]:
    return {each.visit.path: each for each in related(here, commits).show(room)}


def lines_of(each: Shown) -> list[int]:
    return [line for start, end in each.visit.parts for line in range(start, end + 1)]


def test_all_files_come_before_more_lines_of_one() -> None:
    here = walked(FILES)
    whole = sum(each.tokens for each in shown(here, ROOMY).values())
    small = shown(here, whole // 2)
    assert small.keys() == {f"src/{name}.py" for name in NAMES}
    assert all(each.view == "section" for each in small.values())


def test_with_more_room_nothing_is_lost() -> None:
    here = walked(FILES)
    before: dict[str, set[int]] = {}
    for room in range(150, 2_400, 450):
        now = {path: set(lines_of(each)) for path, each in shown(here, room).items()}
        assert before.keys() <= now.keys()
        before = now
    assert all(lines == set(range(1, len(FILES[path].splitlines()) + 1)) for path, lines in before.items())


def test_where_there_is_room_for_all_files_are_shown_whole() -> None:
    assert {each.view for each in shown(walked(FILES), ROOMY).values()} == {"full"}


@pytest.mark.parametrize("room", [200, 400, 600, 900, 1_200])
def test_a_signature_stands_above_every_line_of_its_body(room: int) -> None:
    here = walked(FILES)
    shelf = Shelf(here.memory)
    for path, each in shown(here, room).items():
        words = shelf.words(path)
        assert words is not None
        found = set(lines_of(each))
        for chunk in words.chunks:
            if chunk.head and found & set(range(chunk.start, chunk.end + 1)):
                assert chunk.head in found


def test_signatures_come_before_bodies() -> None:
    here = walked(FILES | {"src/alpha.py": f"# expired token\n{module('one', 'two', 'three', 'four', lines=30)}"})
    alone = 0
    for room in range(250, 1_000, 50):
        for each in shown(here, room).values():
            found = lines_of(each)
            text = here.memory.text(each.visit.path).split("\n")
            heads = [line for line in found if text[line - 1].startswith("def ")]
            alone += sum(line + 1 not in found for line in heads)
    assert alone


def test_a_signature_that_says_the_same_again_is_not_shown_for_itself() -> None:
    """A file of small classes was an outline of `def __repr__(self):`, ten times, and no body."""
    names = [f"Class{at}" for at in range(8)]
    text = "\n\n".join(f"class {name}:\n    def write(self):\n{BODY}" for name in names)
    here = walked(FILES | {"src/alpha.py": f"# expired token\n{text}"})
    seen = 0
    for room in range(250, 1_250, 50):
        each = shown(here, room)["src/alpha.py"]
        rows = here.memory.text("src/alpha.py").split("\n")
        found = lines_of(each)
        alone = [line for line in found if rows[line - 1].strip() == "def write(self):" and line + 1 not in found]
        assert len(alone) <= 1
        seen += len(alone)
    assert seen


def test_how_likely_a_file_is_goes_in_steps_of_a_price() -> None:
    """The least change of a score moved pieces of its file to another price, and with them lines of the scene."""
    made = [likely(candidate(4 + at / 100), 3, 5.0) for at in range(100)]
    steps = [math.log(each) / STEP for each in made]
    assert all(abs(each - round(each)) < 1e-9 for each in steps)
    assert 4 <= len(set(made)) <= 12
    assert made == sorted(made)


def test_lines_stand_in_the_order_of_the_file() -> None:
    for each in shown(walked(FILES), 700).values():
        assert lines_of(each) == sorted(set(lines_of(each)))


LONG = module("first", "second", "verify_token", "fourth", lines=20)
PLAIN = LONG.replace("verify_token", "third")


def leading(body: str, *commits: Commit, text: str = LONG) -> str:
    """Return the first line of the definition of a file whose body is shown while there is room for one."""
    root = card("docs/x.md", title="A slow start", body=f"{body}\n")
    here = walked({CARD: root, "src/token.py": text, "docs/x.md": "# X\n", **FILLER})
    tier, rows = related(here, commits), text.split("\n")
    for room in range(150, 2_000, 30):
        for each in tier.show(room):
            bodies = [line for line in lines_of(each) if rows[line - 1].startswith("    step_5")]
            if bodies:
                return next(row for row in reversed(rows[: bodies[0]]) if row.startswith("def "))
    raise AssertionError("no body is ever shown")


def test_the_part_that_the_card_names_comes_first() -> None:
    assert leading("The token and `verify_token`") == "def verify_token(number):"
    assert leading("The token of the second one") == "def second(number):"


def test_the_part_that_has_the_words_of_the_card_comes_first() -> None:
    text = PLAIN.replace("def fourth(number):\n", "def fourth(number):\n    lantern(number)\n")
    assert leading("A token in the lantern", text=text) == "def fourth(number):"


def test_of_other_parts_the_one_comes_first_that_a_commit_like_the_card_wrote() -> None:
    text = PLAIN.replace("def fourth(number):\n", "def fourth(number):\n    harbour(number)\n")
    like = commit("Keep the pebble", touched("src/token.py", "harbour(number)"))
    texts = {CARD: card(title="The pebble token"), "src/token.py": text, **FILLER}
    before, after = (named_order(texts, *commits) for commits in ((), (like,)))
    assert before == ["first", "second", "third", "fourth"]
    assert after.index("fourth") < after.index("second")


def named_order(texts: dict[str, str], *commits: Commit) -> list[str]:
    ground, ranking = ranked(texts, commits)
    words = ground.corpus.words("src/token.py")
    assert words is not None
    order = order_chunks(ground, "src/token.py", words, ranking.past)
    return list(dict.fromkeys(words.chunks[at].name for at in order))


def test_without_any_hint_the_head_of_the_file_comes_first() -> None:
    assert leading("token", text=PLAIN) == "def first(number):"


def opened(body: str, tokens: int, text: str = LONG) -> list[tuple[int, int]]:
    here = walked({CARD: card("src/a.py", title="A slow start", body=f"{body}\n"), "src/a.py": text, "src/b.py": "x\n"})
    return list(related(here).opened(here.visits[1], tokens).parts)


def test_of_a_long_source_the_part_is_opened_that_the_card_names() -> None:
    parts = opened("`verify_token` is slow", 300)
    rows = LONG.split("\n")
    at = rows.index("def verify_token(number):") + 1
    assert parts and all(at <= start <= end <= at + 22 for start, end in parts)


def test_no_part_is_opened_that_costs_too_much() -> None:
    for tokens in (0, 5, 60, 150, 300, 500, 5_000):
        cost = sum(
            sum(map(estimate, LONG.split("\n")[start - 1 : end]))
            for start, end in opened("`verify_token` first", tokens)
        )
        assert cost <= tokens


def test_nothing_is_opened_where_the_card_points_nowhere() -> None:
    assert opened("An umbrella", 5_000) == []


def test_what_is_linked_stays_open() -> None:
    here = walked({CARD: card("src/a.py", "src/a.py#first", body="`verify_token`\n"), "src/a.py": LONG})
    tier, visit = related(here), here.visit("src/a.py")
    assert visit.parts
    assert set(visit.parts) < set(tier.opened(visit, 5_000).parts)


def test_of_what_is_never_looked_for_nothing_is_opened() -> None:
    here = walked({CARD: card("go.sum", title="token"), "go.sum": "token\n" * 40})
    assert related(here).opened(here.visits[1], 5_000) == here.visits[1]
