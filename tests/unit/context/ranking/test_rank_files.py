"""Signals become one ranking with reasons."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from memory import CARD, card, commit, rank_workspace, touched

from cuedeck.context.ranking.rank_files import Candidate
from cuedeck.model.commit import Commit

LOGIN = "def enter(visitor):\n    return cookie_jar(visitor)\n"
FILES = {
    CARD: card(
        "src/login.py", title="Expired token", body="`keep_alive` must ask again.\n"
    ),
    "src/login.py": LOGIN,
    **{
        f"src/{name}.py": f"def {name}(box):\n    return open_{name}(box)\n"
        for name in (
            "billing",
            "parcel",
            "garden",
            "kitchen",
            "weather",
            "harbour",
            "museum",
            "station",
        )
    },
}


def find_candidates(
    commits: Sequence[Commit] = (), **more: str
) -> dict[str, Candidate]:
    found = rank_workspace(
        FILES | {f"x/{name}": text for name, text in more.items()}, commits
    )[1]
    return {each.path.removeprefix("x/"): each for each in found.candidates}


@pytest.mark.parametrize(
    ("signal", "path", "text", "why"),
    [
        ("path", "x/token.py", "x = 1\n", "path contains `token`"),
        ("stem", "tests/test_login.py", "x = 1\n", "named like `login.py`"),
        (
            "defines",
            "x/a.py",
            "def keep_alive():\n    pass\n",
            "defines `keep_alive` named in the task",
        ),
        ("names", "x/a.md", "# The token\n", "contains `token`"),
        ("text", "x/a.py", "x = 'the expired token'\n", "contains `Expired`, `token`"),
        ("chunk", "x/a.py", "x = 'the expired token'\n", "contains `Expired`, `token`"),
        (
            "sources",
            "x/a.py",
            "visitor = cookie_jar\n",
            "shares with linked files: `cookie_jar`, `visitor`",
        ),
        ("imports", "x/a.py", "from src.login import other\n", "imports `login.py`"),
    ],
)
def test_file_with_the_best_signal_is_ranked_first_with_its_reason(
    signal: str, path: str, text: str, why: str
) -> None:
    _, ranking = rank_workspace(FILES | {path: text})
    first = ranking.candidates[0]
    assert first.path == path
    assert first.ranks[signal] == 1
    assert why in first.why


HISTORY = {
    "cochange": commit("Anything", touched("src/login.py"), touched("src/garden.py")),
    "commits": commit("Ask again, the token expired", touched("src/garden.py")),
    "lines": commit(
        "Anything",
        touched("src/login.py"),
        touched("src/garden.py", "def garden(box):"),
    ),
}


@pytest.mark.parametrize("signal", HISTORY)
def test_commit_history_alone_is_enough_for_a_candidate(signal: str) -> None:
    _, ranking = rank_workspace(FILES, [HISTORY[signal]])
    (only,) = ranking.candidates
    assert only.path == "src/garden.py" and only.ranks[signal] == 1


def test_removed_files_are_no_candidates() -> None:
    _, ranking = rank_workspace(
        FILES,
        [commit("Ask again, the token expired", touched("src/gone.py", "some line"))],
    )
    assert ranking.candidates == ()


def test_file_that_every_task_touches_loses_ties() -> None:
    """Every change of a web framework touches its `app`, and every card used to find it
    first.
    """
    others = [
        commit(f"Work {at}", touched("x/app.py"), touched(f"src/{at}.py"))
        for at in range(40)
    ]
    more = {
        "app.py": "x = 'the expired token'\n",
        "job.py": "x = 'the expired token'\n",
    }
    assert [*find_candidates(**more)][:2] == ["app.py", "job.py"]
    assert [*find_candidates(others, **more)][:2] == ["job.py", "app.py"]


def test_linked_files_cards_and_noise_are_no_candidates() -> None:
    files = FILES | {
        "src/login.py": "x = 'the expired token'\n",
        ".cuedeck/cards/7bq3md.md": card(title="Expired token"),
        "go.sum": "expired token\n",
        "logo.png": "\0expired token",
    }
    assert rank_workspace(files)[1].candidates == ()


def test_best_files_have_two_reasons_that_do_not_repeat_words() -> None:
    texts = {"token.py": "x = 'it expired'\n", "deep/token.py": "x = 'a token'\n"}
    found = find_candidates(**texts)
    assert sorted(found["token.py"].why.split("; ")) == [
        "contains `Expired`",
        "path contains `token`",
    ]
    assert len(found["deep/token.py"].ranks) > 2
    assert found["deep/token.py"].why.count("`token`") == 1


def test_candidates_have_falling_scores_and_ranks_among_themselves() -> None:
    texts = {
        f"m{at}.py": "x = 'expired token'\n" * (at + 1) + "word\n" * 9
        for at in range(9)
    }
    found = list(find_candidates(**texts).values())
    scores = [each.score for each in found]
    assert scores == sorted(scores, reverse=True)
    for signal in found[0].ranks:
        assert min(each.ranks[signal] for each in found) == 1
