"""Commits of a repository and their fields."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from repo import FIRST_SECOND, Repo

from cuedeck.model.commit import Touched
from cuedeck.parse.text_decoding import line_sum
from cuedeck.store.git.commit_log import History
from cuedeck.store.index import Index

Make = Callable[[], History]


def subjects(history: History) -> list[str]:
    return [commit.subject for commit in history.commits()]


def history_of(root: Path) -> History:
    return History(str(root), Index(""))


def test_a_commit_has_message_and_files(repo: Repo, history: Make) -> None:
    new = repo.commit(
        "Add a.py\n\nBecause it was missing.\n\nRefs: #7\n",
        {"a.py": "import os\n\n\nos.getcwd()\n"},
    )
    (commit,) = history().commits()
    assert commit[:4] == (
        new,
        FIRST_SECOND + 120,
        "Add a.py",
        "Because it was missing.\n\nRefs: #7",
    )
    (file,) = commit.files
    assert (file.path, file.before) == ("a.py", "")
    assert list(file.added) == [line_sum("import os"), line_sum("os.getcwd()")]
    assert history().problems() == ()


def test_merges_are_omitted_and_their_commits_are_not(
    repo: Repo, history: Make
) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", {"side.txt": "on the side\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("main", {"main.txt": "on main\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    ids = repo.git("rev-list", "--no-merges", "--topo-order", "HEAD").split()
    assert [commit.id for commit in history().commits()] == ids[:-1]
    assert sorted(subjects(history())) == ["main", "side"]


def test_a_first_commit_counts_like_any_other(tmp_path: Path) -> None:
    """In a repository of two commits, two files that both commits changed counted as
    changed together once only.
    """
    repo = Repo(tmp_path / "young")
    for at in range(2):
        repo.commit(
            f"c{at}",
            {
                "lib/a.py": f"line {at} of a\n",
                "lib/b.py": f"line {at} of b\n",
                f"{at}.md": "",
            },
        )
    for root in (repo.root, repo.root / "lib"):
        found = history_of(root).commits()
        assert [commit.subject for commit in found] == ["c1", "c0"]
        for commit in found:
            assert [
                len(file.added) for file in commit.files if file.path.endswith("py")
            ] == [1, 1]


def test_a_commit_of_more_than_thirty_files_is_left_out(
    repo: Repo, history: Make
) -> None:
    repo.commit("thirty", {f"{at:02}.txt": f"line of file {at}\n" for at in range(30)})
    repo.commit(
        "more", {f"{at:02}.txt": f"other line of file {at}\n" for at in range(31)}
    )
    repo.commit("many", {f"many/{at:03}.txt": "" for at in range(100)})
    assert subjects(history()) == ["thirty"]
    assert history().problems() == ()


def test_a_rename_is_one_file_of_a_commit(repo: Repo, history: Make) -> None:
    names = [f"{at:02}.txt" for at in range(29)]
    repo.commit("add", {name: f"some line of {name}\n" * 3 for name in names})
    for name in names:
        os.rename(repo.root / name, repo.root / f"new-{name}")
    repo.commit("move")
    assert subjects(history()) == ["move", "add"]
    assert [(file.path, file.before) for file in history().commits()[0].files] == [
        (f"new-{n}", n) for n in names
    ]


def test_a_rename_with_changes_has_both_paths_and_new_lines(
    repo: Repo, history: Make
) -> None:
    text = "".join(f"line number {at}\n" for at in range(20))
    repo.commit("add", {"a/old.py": text})
    repo.commit("move", {"a/old.py": None, "b/new.py": text + "one line more\n"})
    (file,) = history().commits()[0].files
    assert (file.path, file.before, list(file.added)) == (
        "b/new.py",
        "a/old.py",
        [line_sum("one line more")],
    )


@pytest.mark.skipif(os.name == "nt", reason="needs permissions and symbolic links")
def test_modes_and_kinds_of_files_are_changes(repo: Repo, history: Make) -> None:
    repo.commit("add", {"run.sh": "echo hello\n", "link": "no link yet\n"})
    (repo.root / "run.sh").chmod(0o755)
    repo.commit("mode")
    (repo.root / "link").unlink()
    (repo.root / "link").symlink_to("run.sh")
    repo.commit("link")
    link, mode, _ = history().commits()
    assert (
        mode.files == (Touched("run.sh", "", mode.files[0].added),)
        and not mode.files[0].added
    )
    assert [file.path for file in link.files] == ["link"]


def test_binary_files_and_very_large_ones_have_no_lines(
    repo: Repo, history: Make
) -> None:
    large = "one line of a large file\n" * 50_000
    repo.commit(
        "add",
        {
            "b.bin": b"\0\1\2" * 50,
            "e.txt": "",
            "large.txt": large,
            "t.txt": "a line of text\n",
        },
    )
    repo.commit(
        "change", {"b.bin": b"\0\1\2" * 49, "large.txt": large + "and one more\n"}
    )
    changed, added = history().commits()
    assert [(file.path, len(file.added)) for file in added.files] == [
        ("b.bin", 0),
        ("e.txt", 0),
        ("large.txt", 0),
        ("t.txt", 1),
    ]
    assert [(file.path, len(file.added)) for file in changed.files] == [
        ("b.bin", 0),
        ("large.txt", 0),
    ]


def test_submodules_are_no_files(repo: Repo, tmp_path: Path, history: Make) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit("Inner", {"x.txt": ""})
    repo.commit("file", {"late": "a file first\n"})
    for name in ("sub", "late"):
        if name == "late":
            (repo.root / name).unlink()
            repo.git("add", "-A")
        repo.git(
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            str(inner.root),
            name,
        )
        repo.commit(name)
    Repo(repo.root / "sub").commit("Inner change", {"y.txt": ""})
    repo.commit("move on", {"z.txt": ""})
    move, late, sub, _ = history().commits()
    assert [file.path for file in move.files] == ["z.txt"]
    assert [file.path for file in sub.files] == [".gitmodules"]
    assert [(file.path, len(file.added)) for file in late.files] == [
        (".gitmodules", 3),
        ("late", 0),
    ]


def test_a_submodule_has_its_own_history(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit("Begin", {"x.txt": ""})
    inner.commit("Inner", {"y.txt": "inside of it\n"})
    repo.git(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(inner.root),
        "sub",
    )
    assert (
        history_of(repo.root / "sub").commits()
        == history_of(inner.root).commits()
        != ()
    )


def test_a_workspace_in_a_folder_sees_only_that_folder(repo: Repo) -> None:
    repo.commit("above", {"x.txt": "line above\n"})
    repo.commit(
        "both",
        {
            "x.txt": "other line above\n",
            "the app/src/y.txt": "line below\n",
            "the app2": "beside\n",
        },
    )
    repo.commit("out", {"the app/src/y.txt": None, "y.txt": "line below\n"})
    repo.commit("in", {"y.txt": None, "the app/z.txt": "line below\n"})
    found = history_of(repo.root / "the app").commits()
    assert [
        (commit.subject, *(file[:2] for file in commit.files)) for commit in found
    ] == [
        ("in", ("z.txt", "")),
        ("out", ("src/y.txt", "")),
        ("both", ("src/y.txt", "")),
    ]


def test_a_worktree_has_the_history_of_its_branch(repo: Repo, tmp_path: Path) -> None:
    repo.commit("both", {"a.txt": ""})
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    repo.commit("main only", {"b.txt": ""})
    assert subjects(history_of(tmp_path / "tree")) == ["both"]


def test_a_repository_of_sha256_is_read(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "long", "--object-format=sha256")
    old = repo.commit("Begin", {"a.txt": ""})
    new = repo.commit("More", {"a.txt": "a line of it\n"})
    assert [
        (commit.id, len(commit.files[0].added))
        for commit in history_of(repo.root).commits()
    ] == [(new, 1), (old, 0)]


def test_messages_in_other_encodings_are_text(repo: Repo, history: Make) -> None:
    repo.git("config", "i18n.commitEncoding", "latin1")
    repo.commit("Größe\n\nändern\n".encode("latin-1"), {"a.txt": ""})
    repo.git("config", "--unset", "i18n.commitEncoding")
    repo.commit_raw(b"odd \xff byte\n\n" + b"x" * 2_500, {"b.txt": ""})
    odd, latin = history().commits()
    assert (latin.subject, latin.body) == ("Größe", "ändern")
    assert (odd.subject, odd.body) == ("odd \ufffd byte", "x" * 2_000)


def test_a_message_that_looks_like_output_is_a_message(
    repo: Repo, history: Make
) -> None:
    body = f"={'0' * 40}\n\n=\n\ndiff --git a/x b/x\n@@ -1 +1 @@\n+added\n\nM\tx"
    repo.commit(f"commit\n\n{body}\n", {"a.txt": ""})
    repo.commit("", {"b.txt": ""}, "--allow-empty-message")
    silent, odd = history().commits()
    assert (odd.body, [file.path for file in odd.files]) == (body, ["a.txt"])
    assert (silent.subject, silent.body, [file.path for file in silent.files]) == (
        "",
        "",
        ["b.txt"],
    )


def test_settings_of_a_person_change_nothing(repo: Repo, tmp_path: Path) -> None:
    text = "".join(f"line number {at}\n" for at in range(9))
    repo.commit("add", {"ä b.txt": text})
    repo.commit("move", {"ä b.txt": None, "c.txt": text + "and one more\n"})
    before = history_of(repo.root).commits()
    (tmp_path / ".gitconfig").write_text(
        "[core]\nquotePath=true\nattributesFile=~/attributes\npager=false\n"
        "[diff]\nnoprefix=true\nmnemonicPrefix=true\nrenames=false\nrenameLimit=1\nexternal=false\ncontext=9\n"
        "algorithm=patience\ninterHunkContext=9\nrelative=true\nsuppressBlankEmpty=true\n"
        '[log]\nshowSignature=true\n[color]\nui=always\n[diff "odd"]\ntextconv=false\nbinary=true\n'
    )
    (tmp_path / "attributes").write_text("* diff=odd\n*.txt -diff\n")
    assert history_of(repo.root).commits() == before


@pytest.mark.parametrize(
    "place",
    [".git/info/attributes", ".git/.gitattributes", ".git/hooks/.gitattributes"],
)
def test_attributes_and_settings_of_one_clone_change_nothing(
    repo: Repo, place: str
) -> None:
    """The attributes of a clone decided which lines of that clone counted."""
    repo.commit("add", {"a.txt": "a line of it\n", "hooks/b.txt": "a line of b\n"})
    before = history_of(repo.root).commits()
    repo.write(place, "*.txt -diff\n")
    repo.git("config", "diff.default.binary", "true")
    repo.git("config", "core.bigFileThreshold", "1")
    assert history_of(repo.root).commits() == before
    assert [len(file.added) for file in before[0].files] == [1, 1]


def test_replaced_commits_are_read_as_they_are(repo: Repo, history: Make) -> None:
    one = repo.commit("one", {"a.txt": "a line of it\n"})
    two = repo.commit("two", {"a.txt": "another line of it\n"})
    repo.git("replace", "--graft", two)
    assert [commit.id for commit in history().commits()] == [two, one]


@pytest.mark.parametrize(
    "name",
    [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_NAMESPACE",
    ],
)
def test_git_variables_of_a_hook_are_ignored(
    repo: Repo, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo.commit("here", {"a.txt": ""})
    other = Repo(tmp_path / "other")
    other.commit("elsewhere", {"b.txt": ""})
    monkeypatch.setenv(name, str(other.root / ".git"))
    assert subjects(history_of(repo.root)) == ["here"]
