"""What commits say of files, with histories given as values."""

from __future__ import annotations

from memory import CARD, card, commit, grounded, touched

from cuedeck.model.commit import Commit
from cuedeck.ranking.commit_relevance import commit_relevance
from cuedeck.ranking.git_signals import by_cochange, by_commits, by_lines
from cuedeck.ranking.signal_scores import RankingContext, SignalScores

FILES = {
    "src/login.py": "def login_person(name):\n    return name\n",
    "src/store.py": "import pickle\n\n\ndef keep_token(value):\n    return pickle.dumps(value)\n",
    "src/garden.py": "def water_plants():\n    return 'water'\n",
    "src/other.py": "value = 17\n",
}
ROOT = card("src/login.py", title="Expired token", body="It must ask again.\n")


def ground(*commits: Commit, **files: str) -> RankingContext:
    return grounded({CARD: ROOT, **FILES, **files}, commits)


def best(found: SignalScores) -> list[str]:
    """Return the files that a signal knows beside the source, best first."""
    others = (path for path in found.scores if path != "src/login.py")
    return sorted(others, key=lambda path: (-found.scores[path], path))


def cochange(*commits: Commit) -> SignalScores:
    here = ground(*commits)
    return by_cochange(here, commit_relevance(here))


def similar(*commits: Commit) -> SignalScores:
    here = ground(*commits)
    return by_commits(here, commit_relevance(here))


def written(*commits: Commit) -> SignalScores:
    here = ground(*commits)
    return by_lines(here, commit_relevance(here))


def test_what_changed_together_with_a_source() -> None:
    found = cochange(
        commit("One", touched("src/login.py"), touched("src/store.py")),
        commit("Two", touched("src/login.py"), touched("src/store.py")),
        commit("Three", touched("src/login.py"), touched("src/garden.py")),
        commit("Four", touched("src/other.py"), touched("src/garden.py")),
    )
    assert best(found) == ["src/store.py", "src/garden.py"]
    assert found.why("src/store.py") == "changed together 2 times"
    assert found.why("src/garden.py") == "changed together once"


def test_the_reason_counts_each_commit_once() -> None:
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
    here = grounded({CARD: refs, **FILES}, [both])
    found = by_cochange(here, commit_relevance(here))
    assert found.why("src/garden.py") == "changed together with `src/login.py` once"


def test_the_reason_names_the_source_that_changed_with_the_file_most_often() -> None:
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
    here = grounded({CARD: refs, **FILES}, commits)
    found = by_cochange(here, commit_relevance(here))
    assert found.why("src/garden.py") == "changed together with `src/store.py` 2 times"


def test_two_linked_sections_of_one_file_are_one_source() -> None:
    notes = "# Notes\n\n## One\n\nfirst\n\n## Two\n\nsecond\n"
    refs = card(
        "docs/n.md#one",
        "docs/n.md#two",
        title="Expired token",
        body="It must ask again.\n",
    )
    here = grounded(
        {CARD: refs, "docs/n.md": notes, **FILES},
        [commit("One", touched("docs/n.md"), touched("src/other.py"))],
    )
    found = by_cochange(here, commit_relevance(here))
    assert found.why("src/other.py") == "changed together once"


def test_a_commit_of_few_files_tells_more_than_one_of_many() -> None:
    crowd = [touched(f"src/m{at}.py") for at in range(20)]
    found = cochange(
        commit("Many", touched("src/login.py"), touched("src/garden.py"), *crowd),
        commit("Few", touched("src/login.py"), touched("src/store.py")),
    )
    assert found.scores["src/store.py"] > found.scores["src/garden.py"]


def test_a_late_commit_tells_more_than_an_early_one() -> None:
    between = [commit(f"Step {at}", touched("src/other.py")) for at in range(200)]
    found = cochange(
        commit("Late", touched("src/login.py"), touched("src/store.py")),
        *between,
        commit("Early", touched("src/login.py"), touched("src/garden.py")),
    )
    assert best(found) == ["src/store.py", "src/garden.py"]


def test_what_commits_like_the_card_touched() -> None:
    like = commit("Ask again when a token expired", touched("src/store.py"))
    found = similar(
        commit("Water the plants", touched("src/garden.py")),
        like,
        commit("Tell the token apart", touched("src/other.py")),
    )
    assert best(found) == ["src/store.py", "src/other.py"]
    assert found.why("src/store.py") == f"touched by {like.id[:7]}"


def test_the_rest_of_a_message_counts_too() -> None:
    found = similar(
        commit(
            "Tidy up", touched("src/store.py"), body="A token that expired was kept."
        ),
        commit("Tidy more", touched("src/garden.py"), body="Plants were thirsty."),
    )
    assert best(found) == ["src/store.py"]


def test_lines_that_commits_like_the_card_wrote() -> None:
    found = written(
        commit(
            "Keep the expired token",
            touched("src/store.py", "def keep_token(value):"),
            touched("src/garden.py", "gone now"),
        ),
        commit("Water the plants", touched("src/garden.py", "def water_plants():")),
    )
    assert best(found) == ["src/store.py"]
    assert found.why("src/store.py") == "edited in commits like this task"


def test_lines_that_were_written_together_with_a_source() -> None:
    found = written(
        commit(
            "Anything",
            touched("src/login.py"),
            touched("src/garden.py", "def water_plants():"),
        )
    )
    assert best(found) == ["src/garden.py"]


def test_a_renamed_file_keeps_its_past() -> None:
    """Twice renamed: what happened to `src/a.py` happened to `src/store.py`."""
    history = (
        commit("Move on", touched("src/store.py", before="src/b.py")),
        commit("Move", touched("src/b.py", before="src/a.py")),
        commit(
            "Keep the expired token",
            touched("src/a.py", "def keep_token(value):"),
            touched("src/login.py"),
        ),
    )
    for found in (cochange(*history), similar(*history), written(*history)):
        assert best(found) == ["src/store.py"]


def test_a_renamed_source_keeps_its_past() -> None:
    found = cochange(
        commit("Move", touched("src/login.py", before="old/enter.py")),
        commit("Early", touched("old/enter.py"), touched("src/store.py")),
    )
    assert best(found) == ["src/store.py"]
    assert found.why("src/store.py") == "changed together once"


def test_a_name_that_is_in_use_again_stands_for_the_file_that_has_it_now() -> None:
    found = cochange(
        commit("Move", touched("src/store.py", before="src/garden.py")),
        commit("Early", touched("src/garden.py"), touched("src/login.py")),
    )
    assert best(found) == ["src/garden.py"]


def test_renames_in_a_circle_come_to_an_end() -> None:
    found = cochange(
        commit("There", touched("gone/b.py", before="gone/a.py")),
        commit("And back", touched("gone/a.py", before="gone/b.py")),
        commit("Early", touched("gone/a.py"), touched("src/login.py")),
    )
    assert all(path.startswith("gone/") for path in found.scores)


def test_without_history_there_is_nothing_to_say() -> None:
    assert not cochange().scores and not similar().scores and not written().scores
