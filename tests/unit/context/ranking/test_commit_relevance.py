"""The age of commits and the weight of their lines, with histories given as values."""

from __future__ import annotations

from memory import CARD, card, commit, ranking_context, touched

from cuedeck.context.ranking.chunk_scores import line_weights
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.model.commit import Commit

STORE = "import pickle\n\n\ndef keep_token(value):\n    return pickle.dumps(value)\n"


def make_context(*commits: Commit, **files: str) -> RankingContext:
    root = card("src/store.py", title="Expired token", body="It must ask again.\n")
    return ranking_context(
        {CARD: root, "src/store.py": STORE, "src/garden.py": "plants = 3\n", **files},
        commits,
    )


def with_boundaries(commits: list[Commit], *marks: int) -> list[Commit]:
    """Return the commits with ids that begin with 0 at the given positions and with 1
    elsewhere.
    """
    return [
        each._replace(id=("0" if at in marks else "1") + each.id.zfill(39))
        for at, each in zip(range(-len(commits), 0), commits, strict=True)
    ]


def test_new_commit_does_not_age_the_others() -> None:
    """Each commit used to move lines in files that it did not touch: half of a scene
    changed with every second commit.
    """
    past = [commit(f"Step {at}", touched("src/store.py", "value")) for at in range(60)]
    new = [commit(f"New {at}", touched("src/garden.py")) for at in range(12)]
    before, after = (
        make_context(*with_boundaries(each, -58)).history
        for each in (past, [*new, *past])
    )
    assert [each.age for each in after.commits] == [0] * 12 + [
        each.age for each in before.commits
    ]
    assert [each.age for each in before.commits] == [0, 0, *range(58)]


def test_boundary_commit_ages_the_older_commits() -> None:
    past = [commit(f"Step {at}", touched("src/store.py")) for at in range(20)]
    assert [
        each.age
        for each in make_context(*with_boundaries(past, -5, -15)).history.commits
    ] == [0] * 5 + list(range(15))


def test_each_surviving_line_has_a_weight() -> None:
    here = make_context(
        commit(
            "Keep the expired token",
            touched(
                "src/store.py", "def keep_token(value):", "import pickle", "a lost line"
            ),
        )
    )
    points = line_weights(here, "src/store.py")
    assert points.keys() == {1, 4}
