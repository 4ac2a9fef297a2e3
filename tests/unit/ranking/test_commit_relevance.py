"""How old commits are and what their lines weigh, with histories given as values."""

from __future__ import annotations

from memory import CARD, card, commit, grounded, touched

from cuedeck.model.commit import Commit
from cuedeck.ranking.commit_relevance import commit_relevance
from cuedeck.ranking.signal_scores import RankingContext

STORE = "import pickle\n\n\ndef keep_token(value):\n    return pickle.dumps(value)\n"


def ground(*commits: Commit, **files: str) -> RankingContext:
    root = card("src/store.py", title="Expired token", body="It must ask again.\n")
    return grounded(
        {CARD: root, "src/store.py": STORE, "src/garden.py": "plants = 3\n", **files},
        commits,
    )


def marked(commits: list[Commit], *marks: int) -> list[Commit]:
    """Return commits with ids that begin with a mark, or do not."""
    return [
        each._replace(id=("0" if at in marks else "1") + each.id.zfill(39))
        for at, each in zip(range(-len(commits), 0), commits, strict=True)
    ]


def test_one_more_commit_makes_the_others_no_older() -> None:
    """Each commit moved lines in files that it did not touch: half of a scene changed
    with every second one.
    """
    past = [commit(f"Step {at}", touched("src/store.py", "value")) for at in range(60)]
    new = [commit(f"New {at}", touched("src/garden.py")) for at in range(12)]
    before, after = (
        commit_relevance(ground(*marked(each, -58))) for each in (past, [*new, *past])
    )
    assert [each.age for each in after.commits] == [0] * 12 + [
        each.age for each in before.commits
    ]
    assert [each.age for each in before.commits] == [0, 0, *range(58)]


def test_a_mark_makes_them_older() -> None:
    past = [commit(f"Step {at}", touched("src/store.py")) for at in range(20)]
    assert [
        each.age for each in commit_relevance(ground(*marked(past, -5, -15))).commits
    ] == [0] * 5 + list(range(15))


def test_without_a_mark_ages_count_from_head() -> None:
    past = [commit(f"Step {at}", touched("src/store.py")) for at in range(20)]
    assert [
        each.age for each in commit_relevance(ground(*marked(past))).commits
    ] == list(range(20))


def test_each_line_that_is_still_there_has_its_weight() -> None:
    here = ground(
        commit(
            "Keep the expired token",
            touched(
                "src/store.py", "def keep_token(value):", "import pickle", "a lost line"
            ),
        ),
    )
    points = commit_relevance(here).line_weights(here, "src/store.py")
    assert points.keys() == {1, 4}


def test_a_line_that_stands_often_shares_its_weight() -> None:
    texts = {"src/twice.py": "same line\nother line\nsame line\n"}
    here = ground(
        commit(
            "Keep the expired token", touched("src/twice.py", "same line", "other line")
        ),
        **texts,
    )
    points = commit_relevance(here).line_weights(here, "src/twice.py")
    assert points[1] == points[3] == points[2] / 2
