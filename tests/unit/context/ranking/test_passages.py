"""In which order the passages of one file answer a card, and which of a long file are
opened.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
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

from cuedeck.context.ranking.candidates import candidate_pool
from cuedeck.context.ranking.chunk_scores import order_chunks
from cuedeck.context.scene.related_files import rank_related, with_bodies
from cuedeck.model.commit import Commit

FILLER = {f"src/filler{at}.py": f"pebble = {at}\n" for at in range(12)}
LONG = module("first", "second", "verify_token", "fourth", lines=20)
PLAIN = LONG.replace("verify_token", "third")


def first_definition(
    body: str, *commits: Commit, text: str = LONG, others: Mapping[str, str] = FILLER
) -> str:
    """Return the first line of the definition of a file whose body has the highest
    price.
    """
    root = card("docs/x.md", title="A slow start", body=f"{body}\n")
    here = walk_files(
        {CARD: root, "src/token.py": text, "docs/x.md": "# X\n", **others}
    )
    found = rank_related(ranking_inputs(here, commits), here.visits, {})
    pool, rows = (candidate_pool(found.context, found.ranking), text.split("\n"))
    for piece in pool.pieces:
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
    ground, _ = rank_workspace(texts, commits)
    words = ground.corpus.words("src/token.py")
    assert words is not None
    order = order_chunks(ground, "src/token.py")
    return list(dict.fromkeys(words.chunks[at].name for at in order))


def bodies_of(
    task_body: str, text: str = LONG, path: str = "src/a.py", *refs: str
) -> tuple[tuple[int, int], ...]:
    """Return the bodies of a linked file, most valuable first."""
    here = walk_files(
        {
            CARD: card(path, *refs, title="A slow start", body=f"{task_body}\n"),
            path: text,
            "src/b.py": "x\n",
        }
    )
    found = rank_related(ranking_inputs(here), here.visits, {})
    return with_bodies(here.visits, found, here.memory)[1].bodies


def test_body_that_the_card_names_is_the_first() -> None:
    start, end = bodies_of("`verify_token` is slow")[0]
    at = LONG.split("\n").index("def verify_token(number):") + 1
    assert at <= start <= end <= at + 22


@pytest.mark.parametrize("task", ["`verify_token` first", "An umbrella"])
def test_bodies_contain_every_line_of_code_once(task: str) -> None:
    lines = [
        line
        for start, end in bodies_of(task)
        for line in range(start, end + 1)
        if LONG.split("\n")[line - 1].strip()
    ]
    wanted = [at for at, row in enumerate(LONG.split("\n"), 1) if row.strip()]
    assert sorted(lines) == wanted


@pytest.mark.parametrize(
    ("path", "text"),
    [("go.sum", "token\n" * 65), ("src/a.py", "pebble = 1\n" * 30_000)],
)
def test_file_without_indexed_words_has_bodies_in_file_order(
    path: str, text: str
) -> None:
    """A ref to a source of more than 300,000 characters raised a KeyError in every
    scene of its card.
    """
    bodies = bodies_of("token", text, path)
    assert bodies[:2] == ((1, 20), (21, 40))
    assert bodies[-1][1] == min(text.count("\n"), 10_000)
