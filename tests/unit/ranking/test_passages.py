"""In which order the passages of one file answer a card, and which of a long file are
opened.
"""

from __future__ import annotations

from collections.abc import Mapping

from memory import (
    CARD,
    card,
    commit,
    module,
    rank_workspace,
    ranking_inputs,
    touched,
    walk_files,
)

from cuedeck.app.scene.related_files import open_visit, rank_related
from cuedeck.model.commit import Commit
from cuedeck.ranking.candidates import candidate_pool
from cuedeck.ranking.chunk_scores import order_chunks
from cuedeck.ranking.line_pieces import estimate

FILLER = {f"src/filler{at}.py": f"pebble = {at}\n" for at in range(12)}
LONG = module("first", "second", "verify_token", "fourth", lines=20)
PLAIN = LONG.replace("verify_token", "third")


def first_definition(
    body: str,
    *commits: Commit,
    text: str = LONG,
    others: Mapping[str, str] = FILLER,
) -> str:
    """Return the first line of the definition of a file whose body has the highest
    price.
    """
    root = card("docs/x.md", title="A slow start", body=f"{body}\n")
    here = walk_files(
        {CARD: root, "src/token.py": text, "docs/x.md": "# X\n", **others}
    )
    found = rank_related(ranking_inputs(here, commits), here.visits, {})
    pool, rows = (
        candidate_pool(found.context, found.ranking, here.memory),
        text.split("\n"),
    )
    for piece in pool.levels.pieces:
        bodies = [
            line for line in piece.lines if rows[line - 1].startswith("    step_5")
        ]
        if bodies and piece.path == "src/token.py":
            return next(
                row for row in reversed(rows[: bodies[0]]) if row.startswith("def ")
            )
    raise AssertionError("no body has a price")


def test_definition_named_by_the_card_comes_first() -> None:
    assert (
        first_definition("The token and `verify_token`") == "def verify_token(number):"
    )
    assert first_definition("The token of the second one") == "def second(number):"


def test_definition_with_the_words_of_the_card_comes_first() -> None:
    text = PLAIN.replace(
        "def fourth(number):\n", "def fourth(number):\n    lantern(number)\n"
    )
    assert (
        first_definition("A token in the lantern", text=text) == "def fourth(number):"
    )


def test_rare_identifier_of_the_task_outweighs_several_words() -> None:
    words = "def second(number):\n    # accept the callable group\n"
    text = PLAIN.replace("def second(number):\n", words)
    text = text.replace(
        "def fourth(number):\n", "def fourth(number):\n    open_gate()\n"
    )
    task = "Let `open_gate` accept a callable for the group"
    assert first_definition(task, text=text) == "def fourth(number):"
    often = {f"src/filler{at}.py": "open_gate()\n" * 4 for at in range(12)}
    assert first_definition(task, text=text, others=often) == "def second(number):"


def test_definition_written_by_a_similar_commit_comes_before_the_others() -> None:
    text = PLAIN.replace(
        "def fourth(number):\n", "def fourth(number):\n    harbour(number)\n"
    )
    like = commit("Keep the pebble", touched("src/token.py", "harbour(number)"))
    texts = {CARD: card(title="The pebble token"), "src/token.py": text, **FILLER}
    before, after = (named_order(texts, *commits) for commits in ((), (like,)))
    assert before == ["first", "second", "third", "fourth"]
    assert after.index("fourth") < after.index("second")


def named_order(texts: dict[str, str], *commits: Commit) -> list[str]:
    ground, ranking = rank_workspace(texts, commits)
    words = ground.corpus.words("src/token.py")
    assert words is not None
    order = order_chunks(ground, "src/token.py", words, ranking.history)
    return list(dict.fromkeys(words.chunks[at].name for at in order))


def test_head_of_the_file_comes_first_without_any_match() -> None:
    assert first_definition("token", text=PLAIN) == "def first(number):"


def opened_parts(
    task_body: str, tokens: int, text: str = LONG
) -> list[tuple[int, int]]:
    here = walk_files(
        {
            CARD: card("src/a.py", title="A slow start", body=f"{task_body}\n"),
            "src/a.py": text,
            "src/b.py": "x\n",
        }
    )
    return list(
        open_visit(
            here.visits[1],
            rank_related(ranking_inputs(here), here.visits, {}),
            here.memory,
            tokens,
        ).parts
    )


def test_part_of_a_long_source_that_the_card_names_is_opened() -> None:
    parts = opened_parts("`verify_token` is slow", 300)
    rows = LONG.split("\n")
    at = rows.index("def verify_token(number):") + 1
    assert parts and all(at <= start <= end <= at + 22 for start, end in parts)


def test_opened_parts_never_exceed_their_tokens() -> None:
    for tokens in (0, 5, 60, 150, 300, 500, 5_000):
        cost = sum(
            sum(map(estimate, LONG.split("\n")[start - 1 : end]))
            for start, end in opened_parts("`verify_token` first", tokens)
        )
        assert cost <= tokens


def test_no_part_is_opened_without_a_match() -> None:
    assert opened_parts("An umbrella", 5_000) == []


def test_linked_part_stays_open() -> None:
    here = walk_files(
        {
            CARD: card("src/a.py", "src/a.py#first", body="`verify_token`\n"),
            "src/a.py": LONG,
        }
    )
    found, visit = (
        rank_related(ranking_inputs(here), here.visits, {}),
        here.visit("src/a.py"),
    )
    assert visit.parts
    assert set(visit.parts) < set(open_visit(visit, found, here.memory, 5_000).parts)


def test_no_part_of_an_unindexed_file_is_opened() -> None:
    here = walk_files({CARD: card("go.sum", title="token"), "go.sum": "token\n" * 40})
    found = rank_related(ranking_inputs(here), here.visits, {})
    assert open_visit(here.visits[1], found, here.memory, 5_000) == here.visits[1]


def test_no_part_of_a_source_with_too_many_words_is_opened() -> None:
    """A ref to a source of more than 300,000 characters raised a KeyError in every
    scene of its card.
    """
    assert (
        opened_parts("`verify_token` is slow", 300, LONG + "pebble = 1\n" * 30_000)
        == []
    )
