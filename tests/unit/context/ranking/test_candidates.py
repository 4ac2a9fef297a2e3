"""The pool of passages of candidates, and the line that represents a file."""

from __future__ import annotations

from memory import CARD, card, rank_workspace

from cuedeck.context.ranking.candidates import candidate_pool, copies
from cuedeck.context.ranking.line_pieces import CandidatePool

SAME = "def check_token(value):\n    return value.token_of_the_shop\n"
FILES = {
    CARD: card("src/login.py", title="Expired token of the shop"),
    "src/login.py": "def login():\n    pass\n",
    "shop/token_one.py": SAME + "    # only the first file says so\n",
    "shop/token_two.py": SAME + "    # only the second file says so\n",
    "shop/far.py": "pebble = 1\n",
    "shop/further.py": "pebble = 2\n",
}


def make_pool(**files: str) -> CandidatePool:
    ground, ranking = rank_workspace(FILES | files)
    return candidate_pool(ground, ranking)


def paths(here: CandidatePool) -> list[str]:
    return [each.candidate.path for each in here.files]


def test_every_candidate_with_text_is_in_the_pool_in_ranking_order() -> None:
    ground, ranking = rank_workspace(FILES)
    here = paths(candidate_pool(ground, ranking))
    assert (
        here == [each.path for each in ranking.candidates if each.path in here]
        and len(here) == 4
    )


def test_copy_of_a_linked_or_better_ranked_file_is_not_shown() -> None:
    # A scene showed a file and a symbolic link to it with the same lines.
    same = "def login():\n    return expired_token\n"
    files = {
        "src/login.py": same,
        "shop/login.py": same,
        "shop/copied.py": FILES["shop/token_one.py"],
    }
    ground, ranking = rank_workspace(FILES | files)
    items = paths(candidate_pool(ground, ranking))
    better, worse = [
        each.path
        for each in ranking.candidates
        if each.path in ("shop/copied.py", "shop/token_one.py")
    ]
    assert better in items and worse not in items
    assert copies(ground, ranking) == {"shop/login.py": "src/login.py", worse: better}


def test_line_that_represents_a_file_is_not_blank() -> None:
    blank = {
        "shop/blank_token.py": "\n\n\n# token\n\n",
        "shop/token.py": "\ndef token_step(value):\n    return value\n\n\n",
    }
    for each in make_pool(**blank).files:
        assert each.lines[each.line - 1].strip()
