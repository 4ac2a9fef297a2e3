"""Files tracked by git are read whatever the ignore rules of git contain; with real
repositories.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from sandbox import Sandbox, until

from cuedeck.store.files.ignore_state import TrackedFiles
from cuedeck.store.files.tree import Changed, Tree
from cuedeck.store.git.head import find_repository

posix = pytest.mark.skipif(
    os.name == "nt", reason="needs shell scripts, or names that are no text"
)


@pytest.fixture
def repo(sandbox: Sandbox) -> Sandbox:
    """A workspace that is the top of a repository."""
    sandbox.git("init", "-q", "--template=")
    return sandbox


@pytest.fixture
def count_git_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], int]:
    """Return a function that counts the starts of git since its last call."""
    log, real = tmp_path / "git.log", shutil.which("git")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text(
        f'#!/bin/sh\necho x >> "{log}"\nexec "{real}" "$@"\n'
    )
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")

    def count() -> int:
        times = len(log.read_text().split()) if log.exists() else 0
        log.unlink(missing_ok=True)
        return times

    return count


def lay_out(sandbox: Sandbox, paths: Iterable[str]) -> None:
    for path in paths:
        sandbox.write(path, f"# {path}\n")


def opened(sandbox: Sandbox) -> Tree:
    tree = sandbox.workspace().tree
    tree.refresh()
    return tree


def seen(sandbox: Sandbox) -> list[str]:
    """Return the paths that a new process finds, without ignore files; a rebuilt index
    must contain the same paths.
    """
    known = [
        path for path in opened(sandbox).index.paths() if not path.endswith("ignore")
    ]
    sandbox.close()
    shutil.rmtree(sandbox.place(".cuedeck/cache"))
    assert known == [
        path for path in opened(sandbox).index.paths() if not path.endswith("ignore")
    ]
    return known


def settle(sandbox: Sandbox) -> None:
    """Wait until the index of git is old enough to be trusted, so that git is not
    called again.
    """
    tracked, repository = (
        TrackedFiles(str(sandbox.root)),
        find_repository(str(sandbox.root)),
    )

    def rests() -> bool:
        before = tracked.kept
        tracked.look(repository)
        return tracked.kept == before

    until(rests)


def test_a_rule_for_a_folder_does_not_hide_tracked_files_in_it(repo: Sandbox) -> None:
    """The `.gitignore` of spf13/cobra names a program that is built, and hid a whole
    folder of sources.
    """
    lay_out(
        repo,
        [
            "cobra/main.go",
            "cobra/cmd/add.go",
            "cobra/cobra",
            "cobra/cmd/new.go",
            "cobra/out/x",
            "doc.go",
        ],
    )
    repo.write(".gitignore", "cobra\n")
    repo.git("add", "-f", "cobra/main.go", "cobra/cmd/add.go")
    assert seen(repo) == ["cobra/cmd/add.go", "cobra/main.go", "doc.go"]


@pytest.mark.parametrize("place", [".cuedeckignore", ".ignore", ".cuedeck/config.toml"])
def test_rules_of_the_workspace_hide_tracked_files(repo: Sandbox, place: str) -> None:
    lay_out(repo, ["a.py", "lib/b.py"])
    repo.git("add", "-f", "a.py", "lib/b.py")
    repo.write(".gitignore", "*.py\nlib\n")
    assert seen(repo) == ["a.py", "lib/b.py"]
    repo.write(
        place, '[files]\nignore = ["lib/"]\n' if place.endswith("toml") else "lib/\n"
    )
    assert seen(repo) == ["a.py"]


def test_default_ignores_stay(repo: Sandbox) -> None:
    lay_out(repo, ["node_modules/a/index.js", "lib/__pycache__/a.py", "lib/a.py"])
    repo.write(".gitignore", "node_modules/\nlib\n")
    repo.git("add", "-f", "node_modules", "lib")
    assert seen(repo) == ["lib/a.py"]
    repo.write(".gitignore", "!node_modules\n")
    assert seen(repo) == ["lib/a.py", "node_modules/a/index.js"]


def test_a_submodule_is_tracked_where_it_is_one(repo: Sandbox) -> None:
    lay_out(repo, ["vendor/sub/a.md", "vendor/b.md", "a.md"])
    repo.write(".gitignore", "vendor/\n")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendor/sub")
    assert seen(repo) == ["a.md"]
    repo.git("init", "-q", "--template=", "vendor/sub")
    assert seen(repo) == ["a.md", "vendor/sub/a.md"]


@pytest.mark.parametrize("pointed", [False, True])
def test_rules_of_git_do_not_reach_into_a_repository_inside(
    repo: Sandbox, pointed: bool
) -> None:
    """A rule for `build/` in the repository hid tracked files in a folder `build/` of a
    submodule.
    """
    lay_out(
        repo,
        [
            "lib/build/frob.py",
            "lib/a.log",
            "lib/b.tmp",
            "lib/c.own",
            "lib/d.all",
            "build/a.py",
            "a.log",
        ],
    )
    lay_out(
        repo,
        ["node_modules/x/a.js", "vendor/copy/a.py", "lib/__pycache__/a.py", "a.py"],
    )
    inner = [repo.place(place) for place in ("lib", "node_modules/x", "vendor/copy")]
    for place in inner:
        repo.git("init", "-q", "--template=", cwd=place)
        if pointed:
            (place / ".git").rename(repo.place(".git") / place.name)
            (place / ".git").write_text(f"gitdir: {repo.place('.git') / place.name}\n")
    repo.write(".gitignore", "build/\n*.log\nvendor/\n")
    repo.write(".git/info/exclude", "*.tmp\n")
    repo.write(".ignore", "*.all\n")
    repo.write("lib/.gitignore", "*.own\n")
    repo.write("lib/.ignore", "__pycache__/\n")
    assert seen(repo) == ["a.py", "lib/a.log", "lib/b.tmp", "lib/build/frob.py"]
    ours = {".gitignore", ".ignore", "d.all", "__pycache__/a.py"}
    others = set(
        repo.git("ls-files", "--others", "--exclude-standard", cwd=inner[0]).split()
    )
    assert others - ours == {"a.log", "b.tmp", "build/frob.py"}


@pytest.mark.parametrize("by_paths", [False, True], ids=["whole tree", "named paths"])
def test_linked_worktrees_inside_are_not_read(repo: Sandbox, by_paths: bool) -> None:
    """Linked worktrees put every file into scenes twice."""
    lay_out(repo, ["a.py", "lib/b.py", "wt/notes.md"])
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "one")
    tree = opened(repo)

    def refresh() -> Changed:
        return (
            tree.refresh_paths(["wt/inner", "wt/moved"]) if by_paths else tree.refresh()
        )

    repo.git("worktree", "add", "-q", "wt/inner")
    assert not refresh()
    assert tree.ignored("wt/inner/a.py")
    repo.git("worktree", "move", "wt/inner", "wt/moved")
    assert not refresh()
    repo.git("worktree", "remove", "wt/moved")
    lay_out(repo, ["wt/moved/c.py"])
    assert refresh().written == ("wt/moved/c.py",)
    repo.git("worktree", "add", "-q", "wt/inner", "HEAD")
    shutil.rmtree(repo.place("wt/inner"))
    lay_out(repo, ["wt/inner/d.py"])
    assert refresh().written == ("wt/inner/d.py",)
    assert seen(repo) == [
        "a.py",
        "lib/b.py",
        "wt/inner/d.py",
        "wt/moved/c.py",
        "wt/notes.md",
    ]


@pytest.mark.parametrize("inside", ["", "packages/one"])
def test_a_workspace_in_a_linked_worktree_is_read_without_those_inside_it(
    sandbox: Sandbox, inside: str
) -> None:
    top, place = sandbox.root / "main", sandbox.root / "main/wt/outer"
    lay_out(sandbox, [f"main/{inside}/a.py"])
    sandbox.git("init", "-q", "--template=", "main")
    sandbox.git("add", "-A", cwd=top)
    sandbox.git("commit", "-q", "-m", "one", cwd=top)
    sandbox.git("worktree", "add", "-q", str(place), cwd=top)
    sandbox.git("worktree", "add", "-q", str(place / inside / "another"), cwd=top)
    sandbox.root = place / inside
    lay_out(sandbox, [".cuedeck/docs/x.md"])
    assert seen(sandbox) == [".cuedeck/docs/x.md", "a.py"]


def test_worktrees_of_a_repository_without_a_checkout_of_its_own_are_read(
    sandbox: Sandbox,
) -> None:
    sandbox.git("init", "-q", "--template=", "begun")
    lay_out(sandbox, ["begun/a.py"])
    sandbox.git("add", "-A", cwd=sandbox.place("begun"))
    sandbox.git("commit", "-q", "-m", "one", cwd=sandbox.place("begun"))
    sandbox.git("clone", "-q", "--bare", "begun", ".git")
    shutil.rmtree(sandbox.place("begun"))
    sandbox.git("worktree", "add", "-q", "main")
    sandbox.git("worktree", "add", "-q", "side")
    assert seen(sandbox) == ["main/a.py", "side/a.py"]


def test_a_folder_in_the_place_of_a_tracked_file_is_none_and_the_other_way_round(
    repo: Sandbox,
) -> None:
    lay_out(repo, ["a.log", "b.log/c.md"])
    repo.write(".gitignore", "*.log\n")
    repo.git("add", "-f", "a.log", "b.log")
    repo.place("a.log").unlink()
    shutil.rmtree(repo.place("b.log"))
    lay_out(repo, ["a.log/x.md", "b.log", "z.md"])
    assert seen(repo) == ["z.md"]


@pytest.mark.parametrize("below", ["", "packages/one"])
def test_a_workspace_sees_tracked_files_below_it(sandbox: Sandbox, below: str) -> None:
    top = sandbox.root
    sandbox.root = top / below
    for path in (".cuedeck/cards", ".cuedeck/docs"):
        sandbox.place(path).mkdir(parents=True, exist_ok=True)
    sandbox.git("init", "-q", cwd=top)
    lay_out(sandbox, ["out/a.md", "out/b.md", "c.md"])
    (top / "out.md").touch()
    (top / ".gitignore").write_text("out*\n")
    sandbox.git("add", "-f", "out/a.md")
    sandbox.git("add", "-f", "out.md", cwd=top)
    assert seen(sandbox) == sorted(
        ["c.md", "out/a.md", *(["out.md"] if not below else [])]
    )


def test_a_worktree_has_an_index_of_its_own(sandbox: Sandbox) -> None:
    main = sandbox.root.parent / "main"
    main.mkdir()
    sandbox.git("init", "-q", cwd=main)
    sandbox.git("commit", "-q", "--allow-empty", "-m", "x", cwd=main)
    sandbox.git(
        "worktree", "add", "-q", "-f", str(sandbox.root.parent / "tree"), cwd=main
    )
    (sandbox.root.parent / "tree/.git").rename(sandbox.root / ".git")
    sandbox.git("worktree", "repair", str(sandbox.root), cwd=main)
    (main / "a.log").touch()
    sandbox.git("add", "-f", "a.log", cwd=main)
    lay_out(sandbox, ["a.log", "b.log"])
    sandbox.write(".gitignore", "*.log\n")
    assert seen(sandbox) == []
    sandbox.git("add", "-f", "b.log")
    assert seen(sandbox) == ["b.log"]


@posix
def test_any_name_and_any_version_of_the_index_will_do(repo: Sandbox) -> None:
    names = ["lib/a.md", "lib/new\nline.md", "lib/x y.md", "lib/é.md"]
    lay_out(repo, [*names, "lib/not.md"])
    odd = os.fsdecode(b"lib/n\xff.md")
    repo.write(odd)
    repo.write(".gitignore", "lib\n")
    repo.git("add", "-f", *names, odd)
    for version in ("4", "2"):
        repo.git("update-index", "--index-version", version)
        assert seen(repo) == names
        assert [each.path for each in opened(repo).index.troubled()] == [
            "lib/n\\xff.md"
        ]


# --- without a rebuild


@pytest.mark.parametrize("by_paths", [False, True], ids=["whole tree", "named paths"])
def test_changes_of_tracked_files_are_noticed_automatically(
    repo: Sandbox, by_paths: bool
) -> None:
    lay_out(repo, ["out/hidden.py", "out/other.py", "shown.py"])
    repo.write(".gitignore", "out/\n")
    tree = opened(repo)
    refresh = (lambda: tree.refresh_paths(())) if by_paths else tree.refresh
    repo.git("add", "-f", "out/hidden.py")
    assert refresh().written == ("out/hidden.py",)
    assert not refresh()
    repo.git("rm", "-q", "--cached", "out/hidden.py")
    assert refresh().gone == ("out/hidden.py",)
    shutil.move(repo.place(".git"), repo.root.parent / "away")
    assert not refresh()
    shutil.move(repo.root.parent / "away", repo.place(".git"))
    repo.git("add", "-f", "out/other.py")
    assert refresh().written == ("out/other.py",)
    assert seen(repo) == ["out/other.py", "shown.py"]


@pytest.mark.parametrize("by_paths", [False, True], ids=["whole tree", "named paths"])
@pytest.mark.parametrize("pointed", [False, True])
def test_a_repository_inside_that_comes_or_goes_is_noticed(
    repo: Sandbox, by_paths: bool, pointed: bool
) -> None:
    lay_out(repo, ["lib/a.log", "lib/a.py", "lib/deep/a.log"])
    repo.write(".gitignore", "*.log\n")
    tree = opened(repo)

    def refresh() -> Changed:
        return tree.refresh_paths(["lib/.git"]) if by_paths else tree.refresh()

    if pointed:
        repo.git("init", "-q", "--template=", "--separate-git-dir", ".git/inner", "lib")
    else:
        repo.git("init", "-q", "--template=", "lib")
    assert refresh().written == ("lib/a.log", "lib/deep/a.log")
    assert not refresh()
    shutil.move(repo.place("lib/.git"), repo.root.parent / "away")
    assert refresh().gone == ("lib/a.log", "lib/deep/a.log")
    assert not refresh()


@pytest.mark.parametrize("by_paths", [False, True], ids=["whole tree", "named paths"])
def test_changed_rules_run_git_although_its_index_is_unchanged(
    repo: Sandbox, by_paths: bool
) -> None:
    lay_out(repo, ["a.py", "b.py", "lib/c.py", "lib/d.py"])
    repo.git("add", "a.py", "lib/c.py")
    settle(repo)
    tree = opened(repo)

    def after(place: str, rules: str) -> list[str]:
        repo.write(place, rules)
        changed = tree.refresh_paths([place]) if by_paths else tree.refresh()
        assert changed
        return [path for path in tree.index.paths() if path.endswith(".py")]

    assert after(".gitignore", "*.py\n") == ["a.py", "lib/c.py"]
    assert after(".gitignore", "lib\n") == ["a.py", "b.py", "lib/c.py"]
    assert after("lib/.ignore", "*.py\n") == ["a.py", "b.py"]
    assert after("lib/.ignore", "!d.py\n") == ["a.py", "b.py", "lib/c.py"]
    assert after(".gitignore", "lib/*\n") == ["a.py", "b.py", "lib/c.py", "lib/d.py"]
    assert after(".gitignore", "\n") == ["a.py", "b.py", "lib/c.py", "lib/d.py"]


def test_new_files_in_an_ignored_folder_with_tracked_files_stay_hidden(
    repo: Sandbox,
) -> None:
    lay_out(repo, ["out/kept/a.md"])
    repo.write(".gitignore", "out\n")
    repo.git("add", "-f", "out")
    tree = opened(repo)
    lay_out(repo, ["out/kept/new.md", "out/new/x.md", "out/y.md"])
    assert not tree.refresh_paths(["out/kept/new.md", "out/new", "out/y.md"])
    repo.place("out/kept/a.md").unlink()
    assert tree.refresh_paths(["out/kept/a.md"]).gone == ("out/kept/a.md",)
    lay_out(repo, ["out/kept/a.md"])
    assert tree.refresh_paths(["out/kept/a.md"]).written == ("out/kept/a.md",)
    assert [
        tree.ignored(path)
        for path in ("out/kept/a.md", "out/kept/new.md", "out/none.md")
    ] == [False, True, True]


def test_a_workspace_moved_within_its_repository_runs_git_again(
    sandbox: Sandbox,
) -> None:
    top = sandbox.root.parent
    sandbox.git("init", "-q", cwd=top)
    (top / ".gitignore").write_text("/work/a.md\n/moved/b.md\n")
    lay_out(sandbox, ["a.md", "b.md"])
    assert opened(sandbox).index.paths() == ["b.md"]
    sandbox.close()
    sandbox.root = sandbox.root.rename(top / "moved")
    assert opened(sandbox).index.paths() == ["a.md"]


# --- the number of calls to git


@posix
def test_git_is_asked_only_when_its_index_is_another_one(
    repo: Sandbox, count_git_calls: Callable[[], int]
) -> None:
    lay_out(repo, ["out/a.md", "b.md"])
    repo.write(".gitignore", "out\n")
    repo.git("add", "-f", "out/a.md")
    settle(repo)
    count_git_calls()
    assert opened(repo).index.paths() == [".gitignore", "b.md", "out/a.md"]
    assert count_git_calls() == 1
    tree = opened(repo)
    repo.write("b.md", "# Changed\n")
    assert tree.refresh_paths(["b.md"]).written == ("b.md",)
    assert count_git_calls() == 0
    repo.place("out/a.md").touch()
    repo.git("update-index", "--refresh")
    assert count_git_calls() == 0
    generation = tree.index.meta("generation")
    assert not tree.refresh_paths(())
    assert count_git_calls() == 1, "an index of the same paths"
    assert tree.index.meta("generation") == generation


def test_without_git_rules_also_hide_tracked_files(
    repo: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(repo, ["a.md", "b.log"])
    repo.write(".gitignore", "*.log\n")
    repo.git("add", "-f", "b.log")
    settle(repo)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path / "nowhere"))
        assert seen(repo) == ["a.md"]
    assert opened(repo).index.paths() == [".gitignore", "a.md", "b.log"]


@posix
def test_a_git_that_hangs_is_asked_again(
    repo: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that git did not give in time was kept as an empty list of tracked
    files, which changed the bytes of the scene.
    """
    lay_out(repo, ["b.log"])
    repo.write(".gitignore", "*.log\n")
    repo.git("add", "-f", "b.log")
    settle(repo)
    repository = find_repository(str(repo.root))
    tracked = TrackedFiles(str(repo.root))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "bin/git").chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
        patch.setattr("cuedeck.store.git.git_process.SILENT_SECONDS", 0.1)
        tracked.look(repository)
    assert (tracked.paths, tracked.fault, tracked.kept) == ([], "git-slow", "")
    tracked.look(repository)
    assert (tracked.paths, tracked.fault) == (["b.log"], "")


@pytest.mark.parametrize("kept", ["1 2 3\nx\0", "1 2 3 4 five\n", "x"])
def test_a_damaged_state_is_an_error(kept: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        TrackedFiles(".").recall(kept)
