"""Files that changed together, as arrows."""

from __future__ import annotations

from collections.abc import Sequence

from memory import commit, touched

from cuedeck.graph.derived import cochange_arrows
from cuedeck.model.commit import Commit
from cuedeck.model.diagram import Arrow


def commits(*groups: str) -> list[Commit]:
    """Return commits, newest first, each given by the names it touched; `old>new` is a rename."""
    found = []
    for at, group in enumerate(groups):
        names = (each.partition(">") for each in group.split())
        found.append(commit(f"c{at}", *(touched(new or old, before=old if new else "") for old, _, new in names)))
    return found


def together(
    groups: Sequence[str], files: str = "a.py b.py d.md", joined: Sequence[tuple[str, str]] = ()
) -> list[Arrow]:
    names = files.split()
    return cochange_arrows(commits(*groups), names, {name for name in names if name.endswith(".py")}, joined)


def test_three_commits_make_an_arrow_with_their_number() -> None:
    assert together(["a.py b.py", "b.py a.py c.py", "a.py b.py"]) == [Arrow("a.py", "b.py", "cochange", commits=3)]
    assert together(["a.py b.py", "a.py b.py", "a.py"]) == []


def test_half_of_what_changed_the_rarer_one_has_to_be_common() -> None:
    often = ["a.py"] * 40
    assert together(["a.py b.py"] * 3 + ["b.py"] * 3 + often) == [Arrow("a.py", "b.py", "cochange", commits=3)]
    assert together(["a.py b.py"] * 3 + ["b.py"] * 4 + often) == []


def test_arrows_come_from_docs_and_join_no_two_of_them() -> None:
    assert together(["a.py d.md e.md"] * 3, "a.py d.md e.md") == [
        Arrow("d.md", "a.py", "cochange", commits=3),
        Arrow("e.md", "a.py", "cochange", commits=3),
    ]


def test_what_is_joined_already_is_left_away_whatever_the_direction() -> None:
    groups = ["a.py b.py d.md"] * 3
    assert together(groups, joined=[("b.py", "a.py"), ("d.md", "a.py"), ("d.md", "b.py")]) == []


def test_renames_are_followed_to_the_name_of_now() -> None:
    groups = ["a.py b.py", "x.py>a.py", "x.py b.py", "y.py>x.py", "y.py b.py"]
    assert together(groups) == [Arrow("a.py", "b.py", "cochange", commits=3)]


def test_one_file_has_arrows_to_the_three_it_changed_with_most() -> None:
    groups = [f"hub.py {name}" for at, name in enumerate(["p.py", "q.py", "r.py", "s.py"]) for _ in range(3 + at)]
    found = together(groups, "hub.py p.py q.py r.py s.py")
    assert [(arrow.target, arrow.commits) for arrow in found] == [("s.py", 6), ("r.py", 5), ("q.py", 4)]
