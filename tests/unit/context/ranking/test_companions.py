"""Companions of a task, with histories given as values."""

from __future__ import annotations

import pytest
from memory import CARD, card, commit, ranking_inputs, touched, walk_files

from cuedeck.context.ranking.companions import (
    WINDOW,
    Companion,
    Scope,
    find_companions,
    is_companion,
    newest_release,
    shares_of,
)
from cuedeck.context.scene.related_files import rank_related
from cuedeck.model.commit import Commit
from cuedeck.parse.parse_file import parse_file

CHANGES = "Changes\n=======\n\n3.2\n---\n- Fix a redirect of a login.\n- Keep a token longer than before.\n"
FILES = {
    "CHANGES.rst": CHANGES,
    "docs/login.md": "# Login\n\nHow to log in with a token here.\n",
    "src/login.py": "def login():\n    return 1\n",
    "src/token.py": "def token():\n    return 2\n",
    "uv.lock": "version = 1\n",
}
TASK = card("src/login.py", title="Zebra", body="Stripes.\n")


def companions_of(
    *commits: Commit, task: str = TASK, **files: str
) -> tuple[Companion, ...]:
    here = walk_files({CARD: task, **FILES, **files})
    related = rank_related(ranking_inputs(here, commits), here.visits, {})
    return find_companions(related.context, related.ranking)


def changelog_commit(subject: str, *lines: str, path: str = "src/token.py") -> Commit:
    """Return a commit that changes a source and adds lines to the changelog."""
    return commit(subject, touched(path), touched("CHANGES.rst", *lines))


def test_companion_is_the_changelog_with_its_newest_entry() -> None:
    alone = [commit(f"Step {at}", touched("src/token.py")) for at in range(2)]
    entries = [
        changelog_commit("Redirect", "- Fix a redirect of a login."),
        changelog_commit("Keep", "- Keep a token longer than before."),
        changelog_commit("Begin"),
    ]
    (only,) = companions_of(*alone, *entries)
    assert (only.path, only.times, only.scope) == ("CHANGES.rst", 3, Scope("src/", 5))
    assert only.line == 6


def test_last_entry_of_a_changelog_is_in_its_newest_section() -> None:
    old = "\n3.1\n---\n- A fix of an older release.\n"
    entries = [
        changelog_commit("Old", "- A fix of an older release."),
        changelog_commit("Redirect", "- Fix a redirect of a login."),
        changelog_commit("Begin"),
    ]
    (only,) = companions_of(*entries, **{"CHANGES.rst": CHANGES + old})
    assert only.line == 6


def test_newest_release_is_the_first_section_titled_as_one() -> None:
    text = "# Changes\n\n## Unreleased\n\n- Soon.\n\n## 3.1\n\n- Long ago.\n"
    newest = newest_release(parse_file("CHANGES.md", text.encode()).sections)
    assert newest is not None
    assert (newest.title, newest.start, newest.end) == ("Unreleased", 3, 6)


def test_heading_above_the_entry_is_not_quoted() -> None:
    entry = changelog_commit("Redirect", "3.2 final", "- Fix a redirect of a login.")
    (only,) = companions_of(
        entry,
        changelog_commit("Keep"),
        changelog_commit("Begin"),
        **{"CHANGES.rst": CHANGES.replace("3.2\n---", "3.2 final\n---")},
    )
    assert only.line == 6


def test_two_commits_are_not_enough() -> None:
    assert companions_of(changelog_commit("One"), changelog_commit("Two")) == ()


def test_rare_companion_is_omitted() -> None:
    alone = [commit(f"Step {at}", touched("src/login.py")) for at in range(38)]
    assert (
        companions_of(
            *alone[:15], changelog_commit("One"), *alone[15:], changelog_commit("Two")
        )
        == ()
    )


def test_only_the_newest_commits_count() -> None:
    alone = [commit(f"Step {at}", touched("src/login.py")) for at in range(WINDOW)]
    assert (
        companions_of(
            *alone,
            *(changelog_commit(f"Old {at}", path="src/login.py") for at in range(30)),
        )
        == ()
    )


def test_linked_file_is_no_companion() -> None:
    task = card("src/login.py", "docs/login.md", title="Zebra", body="Stripes.\n")
    commits = [
        commit(f"Step {at}", touched("src/login.py"), touched("docs/login.md"))
        for at in range(4)
    ]
    assert [each.path for each in companions_of(*commits)] == ["docs/login.md"]
    assert companions_of(*commits, task=task) == ()


def test_renamed_changelog_has_its_present_name() -> None:
    move = commit("Move", touched("CHANGES.rst", before="HISTORY.txt"))
    old = [
        commit(f"Step {at}", touched("src/login.py"), touched("HISTORY.txt"))
        for at in range(4)
    ]
    assert [each.path for each in companions_of(move, *old)] == ["CHANGES.rst"]


def test_best_ranked_files_count_without_a_linked_file() -> None:
    task = card(title="Token", body="The token of `token()`.\n")
    assert [
        each.path
        for each in companions_of(
            changelog_commit("One"),
            changelog_commit("Two"),
            changelog_commit("Three"),
            task=task,
        )
    ] == ["CHANGES.rst"]


def test_no_history_gives_no_companions() -> None:
    assert companions_of() == ()


@pytest.mark.parametrize(
    "path",
    ["CHANGES.rst", "CHANGELOG.md", "docs/api.txt", "pyproject.toml", "locales/de.json", ".github/workflows/ci.yml",
     "go.mod", "Makefile", "NEWS"]
)  # fmt: skip
def test_documents_settings_and_translations_are_companions(path: str) -> None:
    assert is_companion(path)


@pytest.mark.parametrize(
    "path",
    ["src/login.py", "uv.lock", "package-lock.json", "go.sum", "Cargo.lock", "vendor/a/README.md", "logo.png",
     "tests/data/a.json", ".cuedeck/config.toml", ".cuedeck/cards/2a9f1x.md", "web/style.css", "Gemfile"]
)  # fmt: skip
def test_code_tests_lock_files_and_generated_files_are_no_companions(path: str) -> None:
    assert not is_companion(path)


def test_companion_counts_in_the_scope_of_its_largest_share() -> None:
    commits = [
        {"a/x/one.py": touched("a/x/one.py"), "a/notes.md": touched("a/notes.md")},
        {"a/x/two.py": touched("a/x/two.py"), "a/notes.md": touched("a/notes.md")},
        {"a/x/four.py": touched("a/x/four.py"), "a/notes.md": touched("a/notes.md")},
        {"a/y/three.py": touched("a/y/three.py")},
    ]
    assert shares_of(commits, ["a/x/one.py"]) == [("a/notes.md", 3, Scope("a/x/", 3))]
