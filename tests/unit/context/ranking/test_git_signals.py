"""Signals from commits, with histories given as values."""

from __future__ import annotations

from memory import CARD, card, commit, ranking_context, touched

from cuedeck.context.ranking.signal_scores import RankingContext, SignalScores
from cuedeck.context.ranking.structure_signals import by_cochange, by_commits, by_lines
from cuedeck.model.commit import Commit

FILES = {
    "src/login.py": "def login_person(name):\n    return name\n",
    "src/store.py": "import pickle\n\n\ndef keep_token(value):\n    return pickle.dumps(value)\n",
    "src/garden.py": "def water_plants():\n    return 'water'\n",
    "src/other.py": "value = 17\n",
}
ROOT = card("src/login.py", title="Expired token", body="It must ask again.\n")


def make_context(*commits: Commit, **files: str) -> RankingContext:
    return ranking_context({CARD: ROOT, **FILES, **files}, commits)


def ranked_paths(found: SignalScores) -> list[str]:
    """Return the files with a score, except the source, best first."""
    others = (path for path in found.scores if path != "src/login.py")
    return sorted(others, key=lambda path: (-found.scores[path], path))


def cochange_scores(*commits: Commit) -> SignalScores:
    here = make_context(*commits)
    return by_cochange(here)


def similar_commit_scores(*commits: Commit) -> SignalScores:
    here = make_context(*commits)
    return by_commits(here)


def written_line_scores(*commits: Commit) -> SignalScores:
    here = make_context(*commits)
    return by_lines(here)


def test_files_changed_together_with_a_source_are_ranked() -> None:
    found = cochange_scores(
        commit("One", touched("src/login.py"), touched("src/store.py")),
        commit("Two", touched("src/login.py"), touched("src/store.py")),
        commit("Three", touched("src/login.py"), touched("src/garden.py")),
        commit("Four", touched("src/other.py"), touched("src/garden.py")),
    )
    assert ranked_paths(found) == ["src/store.py", "src/garden.py"]
    assert found.why("src/store.py") == "changed together 2 times"
    assert found.why("src/garden.py") == "changed together once"


def test_reason_counts_each_commit_once() -> None:
    refs = card(
        "src/login.py",
        "src/store.py",
        title="Expired token",
        body="It must ask again.\n",
    )
    both = commit(
        "All",
        touched("src/login.py"),
        touched("src/store.py"),
        touched("src/garden.py"),
    )
    here = ranking_context({CARD: refs, **FILES}, [both])
    found = by_cochange(here)
    assert found.why("src/garden.py") == "changed together with `src/login.py` once"


def test_reason_names_the_source_that_changed_most_often_with_the_file() -> None:
    refs = card(
        "src/login.py",
        "src/store.py",
        title="Expired token",
        body="It must ask again.\n",
    )
    commits = [
        commit("Newest", touched("src/login.py"), touched("src/garden.py")),
        commit("Second", touched("src/store.py"), touched("src/garden.py")),
        commit(
            "First",
            touched("src/store.py"),
            touched("src/garden.py"),
            touched("src/other.py"),
        ),
    ]
    here = ranking_context({CARD: refs, **FILES}, commits)
    found = by_cochange(here)
    assert found.why("src/garden.py") == "changed together with `src/store.py` 2 times"


def test_files_touched_by_similar_commits_are_ranked() -> None:
    like = commit("Ask again when a token expired", touched("src/store.py"))
    found = similar_commit_scores(
        commit("Water the plants", touched("src/garden.py")),
        like,
        commit("Tell the token apart", touched("src/other.py")),
    )
    assert ranked_paths(found) == ["src/store.py", "src/other.py"]
    assert found.why("src/store.py") == f"touched by {like.id[:7]}"


def test_body_of_a_commit_message_counts_too() -> None:
    found = similar_commit_scores(
        commit(
            "Tidy up", touched("src/store.py"), body="A token that expired was kept."
        ),
        commit("Tidy more", touched("src/garden.py"), body="Plants were thirsty."),
    )
    assert ranked_paths(found) == ["src/store.py"]


def test_files_with_lines_from_similar_commits_are_ranked() -> None:
    found = written_line_scores(
        commit(
            "Keep the expired token",
            touched("src/store.py", "def keep_token(value):"),
            touched("src/garden.py", "gone now"),
        ),
        commit("Water the plants", touched("src/garden.py", "def water_plants():")),
    )
    assert ranked_paths(found) == ["src/store.py"]
    assert found.why("src/store.py") == "edited by similar commits"


def test_files_with_lines_written_together_with_a_source_are_ranked() -> None:
    found = written_line_scores(
        commit(
            "Anything",
            touched("src/login.py"),
            touched("src/garden.py", "def water_plants():"),
        )
    )
    assert ranked_paths(found) == ["src/garden.py"]


def test_renamed_file_keeps_its_history() -> None:
    """After two renames, the history of `src/a.py` belongs to `src/store.py`."""
    history = (
        commit("Move on", touched("src/store.py", before="src/b.py")),
        commit("Move", touched("src/b.py", before="src/a.py")),
        commit(
            "Keep the expired token",
            touched("src/a.py", "def keep_token(value):"),
            touched("src/login.py"),
        ),
    )
    for found in (
        cochange_scores(*history),
        similar_commit_scores(*history),
        written_line_scores(*history),
    ):
        assert ranked_paths(found) == ["src/store.py"]


def test_no_history_gives_no_scores() -> None:
    assert (
        not cochange_scores().scores
        and not similar_commit_scores().scores
        and not written_line_scores().scores
    )
