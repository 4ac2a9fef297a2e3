"""The benchmark of companions on a generated repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_git import git

from benchmarks.companions import main, read_history, replay, share_named


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which every third commit to code also changes the changelog, and
    one commit renames it. No test changes it.
    """
    root = tmp_path_factory.mktemp("clones") / "some+shop"
    root.mkdir()
    git(root, "init", "-q", "-b", "main", "--template=")
    for name in ("src/one.py", "src/two.py", "HISTORY.md", "uv.lock"):
        write(root, name, "begin\n")
    save(root, "Begin")
    for at in range(18):
        write(root, "src/one.py", f"{at}\n")
        write(root, "uv.lock", f"{at}\n")
        if at % 3 == 0:
            write(root, "HISTORY.md", f"{at}\nmore\n")
        save(root, f"Step {at}")
    git(root, "mv", "HISTORY.md", "CHANGES.md")
    save(root, "Rename")
    write(root, "src/two.py", "last\n")
    write(root, "CHANGES.md", "last\n")
    save(root, "Last")
    return root


def write(root: Path, path: str, text: str) -> None:
    place = root / path
    place.parent.mkdir(exist_ok=True)
    place.write_text(text, encoding="utf-8")


def save(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def test_only_commits_to_code_and_a_companion_are_replayed(clone: Path) -> None:
    found = list(replay(str(clone), 300))
    assert [sorted(each.changed) for each in found] == [
        ["CHANGES.md"],
        *[["HISTORY.md"]] * 6,
    ]
    assert found[0].linked == "src/two.py"


def test_companions_are_those_of_the_parent(clone: Path) -> None:
    named = [each.named for each in replay(str(clone), 300)]
    assert named == [("CHANGES.md",), *[("HISTORY.md",)] * 4, (), ()]
    assert share_named(list(replay(str(clone), 1))) == 1


def test_renames_are_read(clone: Path) -> None:
    (rename,) = read_history(str(clone), 300)[1].files
    assert (rename.path, rename.before) == ("CHANGES.md", "HISTORY.md")


def test_table_and_bar_are_printed(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(clone), "--misses"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[2] == "| some+shop | 7 | 0.71 | 0.71 | 1.00 | 0.7 |"
    assert rows[-1] == "| all | 7 | 0.71 | 0.71 | 1.00 | 0.7 |"
    assert main([str(clone), "--commits", "0"]) == 1
