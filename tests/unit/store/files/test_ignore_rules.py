"""Ignore rules, with git itself as the oracle."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sandbox import Sandbox

from cuedeck.parse.gitignore import Rules, parse_rule, parse_rules
from cuedeck.store.files.ignore_rules import ALWAYS_IGNORED, IgnoreRules, files_outside
from cuedeck.store.files.ignore_state import TrackedFiles
from cuedeck.store.git.head import find_repository

_EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
"""The id of a file with nothing in it."""
NAMES = ("a", "b", "ab", "abc", "b.txt", "a.md", "é", "#x", "!b", "a b ", "[a]", "-")
PIECES = st.sampled_from([
    "a", "b", "ab", "c", "*", "**", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[[:alpha:]]", "[]a]", "[", "\\", "\\a",
    "\\*", "/", "/", "/", "!", "#", ".", ".txt", ".md", " ", "\\ ", "é", "[é]", "***", "{a,b}", "-", "[a-", "\r", "\t",
])  # fmt: skip
_WHOLE = st.sampled_from([
    "!a", "/a", "a/", "*/", "!*/", "**/a", "a/**", "a/**/b", "!a/**", "/*", "*.md", "!*.md", "abc/**/",
])  # fmt: skip
PATTERN = st.one_of(st.lists(PIECES, min_size=1, max_size=6).map("".join), _WHOLE)
TREE = st.dictionaries(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map(tuple),
    st.lists(PATTERN, max_size=3),
    min_size=2,
    max_size=8,
)


def visible(root: Path, rules: IgnoreRules, folder: str = "") -> list[str]:
    """Walk as the scan does: no hidden folder is entered."""
    found = []
    for name in os.listdir(root / folder):
        path = f"{folder}/{name}" if folder else name
        is_folder = (root / path).is_dir()
        if not rules.ignored(path, is_folder):
            found += visible(root, rules, path) if is_folder else [path]
    return sorted(found)


def untracked(sandbox: Sandbox, where: Path) -> list[str]:
    """Return the files that `git add` would add."""
    return sorted(
        path
        for path in sandbox.git(
            "ls-files", "-z", "-o", "--exclude-standard", cwd=where
        ).split("\0")
        if path
    )


def track(sandbox: Sandbox, where: Path, paths: Iterable[str]) -> None:
    """Put paths into the index of a repository."""
    rows = "".join(f"100644 {_EMPTY} 0\t{path}\0" for path in paths)
    command = ["git", "update-index", "-z", "--index-info"]
    subprocess.run(
        command, cwd=where, env=sandbox.environ, input=rows.encode(), check=True
    )


def plain_repository(place: Path) -> None:
    """Make the minimal folder that git accepts as a repository; `git init` takes longer
    than a whole example.
    """
    for folder in ("info", "objects", "refs"):
        (place / ".git" / folder).mkdir(parents=True, exist_ok=True)
    (place / ".git/HEAD").write_text("ref: refs/heads/main\n")


def lay_out(root: Path, tree: dict[tuple[str, ...], list[str]]) -> None:
    """Create a file at each path, and an ignore file in each folder with patterns."""
    for parts, patterns in sorted(tree.items()):
        place = root.joinpath(*parts)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
        except OSError:  # a folder of that name, or a file in the place of a folder
            continue
        if patterns:
            (place.parent / ".gitignore").write_text(
                "\n".join(patterns) + "\n", encoding="utf-8"
            )


def repository_of(
    sandbox: Sandbox,
    tree: dict[tuple[str, ...], list[str]],
    top: list[str],
    exclude: list[str],
) -> Path:
    """Return the top of a new repository with a tree and rules at its top and outside
    of it.
    """
    root = sandbox.root / "repository"
    shutil.rmtree(root, ignore_errors=True)
    plain_repository(root)
    lay_out(root, tree)
    (root / ".gitignore").write_text("\n".join(top), encoding="utf-8")
    (root / ".git/info/exclude").write_text("\n".join(exclude), encoding="utf-8")
    return root


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    tree=TREE, top=st.lists(PATTERN, max_size=4), exclude=st.lists(PATTERN, max_size=2)
)
def test_visible_files_are_those_git_would_add(
    sandbox: Sandbox,
    tree: dict[tuple[str, ...], list[str]],
    top: list[str],
    exclude: list[str],
) -> None:
    root = repository_of(sandbox, tree, top, exclude)
    assert visible(root, IgnoreRules(str(root))) == untracked(sandbox, root)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(tree=TREE, above=st.lists(PATTERN, max_size=3))
def test_a_workspace_in_a_folder_of_the_repository_follows_the_rules_above_it(
    sandbox: Sandbox, tree: dict[tuple[str, ...], list[str]], above: list[str]
) -> None:
    repository = sandbox.root / "repository"
    shutil.rmtree(repository, ignore_errors=True)
    plain_repository(repository)
    root = repository / "a/ab"
    root.mkdir(parents=True)
    lay_out(root, tree)
    (root / "seen").touch()
    (repository / ".gitignore").write_text("\n".join(above), encoding="utf-8")
    (repository / "a/.gitignore").write_text("/ab/b\n!c*\n", encoding="utf-8")
    hidden = subprocess.run(
        ["git", "check-ignore", "-q", "a/ab"],
        cwd=repository,
        env=sandbox.environ,
        check=False,
    )
    if hidden.returncode == 0:
        return  # somebody made a workspace in an ignored folder: see below
    assert visible(root, IgnoreRules(str(root))) == untracked(sandbox, root)


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    tree=TREE,
    top=st.lists(PATTERN, max_size=4),
    exclude=st.lists(PATTERN, max_size=2),
    data=st.data(),
)
def test_tracked_and_addable_files_are_read(
    sandbox: Sandbox,
    tree: dict[tuple[str, ...], list[str]],
    top: list[str],
    exclude: list[str],
    data: st.DataObject,
) -> None:
    root = repository_of(sandbox, tree, top, exclude)
    there = sorted(
        path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()
    )
    tracked = data.draw(
        st.lists(
            st.sampled_from([each for each in there if not each.startswith(".git/")]),
            unique=True,
        )
    )
    track(sandbox, root, tracked)
    in_spite = TrackedFiles(str(root))
    in_spite.look(find_repository(str(root)))
    expected = {*untracked(sandbox, root), *tracked}
    assert visible(root, IgnoreRules(str(root), (), in_spite.paths)) == sorted(expected)


def test_a_workspace_in_an_ignored_folder_is_read_all_the_same(
    sandbox: Sandbox,
) -> None:
    """A home folder kept in git often ignores everything in it."""
    repository = sandbox.root / "repository"
    root = repository / "projects/one"
    root.mkdir(parents=True)
    (root / "a.md").touch()
    (root / "b.log").touch()
    plain_repository(repository)
    for rules in ("projects/\n*.log\n", "*\n", "/projects/one\n"):
        (repository / ".gitignore").write_text(rules)
        assert visible(root, IgnoreRules(str(root))) == ["a.md", "b.log"]
    (repository / ".gitignore").write_text("*.log\nprojects/other\n")
    assert visible(root, IgnoreRules(str(root))) == ["a.md"]


def test_the_exclude_file_of_a_worktree_is_that_of_its_repository(
    sandbox: Sandbox,
) -> None:
    main = sandbox.root / "main"
    main.mkdir()
    sandbox.git("init", "-q", cwd=main)
    sandbox.git("commit", "-q", "--allow-empty", "-m", "x", cwd=main)
    sandbox.git("worktree", "add", "-q", "../tree", cwd=main)
    (main / ".git/info").mkdir(exist_ok=True)
    (main / ".git/info/exclude").write_text("b.md\n")
    tree = sandbox.root / "tree"
    assert (tree / ".git").is_file()
    for name in ("a.md", "b.md"):
        (tree / name).touch()
    assert visible(tree, IgnoreRules(str(tree))) == untracked(sandbox, tree) == ["a.md"]
    found = files_outside(find_repository(str(tree)), str(tree))
    assert found[0] == (str(tree), str(main / ".git/info/exclude"))


def test_a_submodule_follows_its_own_rules_alone(sandbox: Sandbox) -> None:
    repository = sandbox.root / "repository"
    plain_repository(repository)
    (repository / ".gitignore").write_text("*.md\n")
    root = repository / "sub"
    plain_repository(root)
    (repository / ".git/modules").mkdir()
    (root / ".git").rename(repository / ".git/modules/sub")
    (root / ".git").write_text("gitdir: ../.git/modules/sub\n")
    with (repository / ".git/modules/sub/config").open("a") as file:
        file.write("[core]\n\tworktree = ../../../sub\n")
    (repository / ".git/modules/sub/info/exclude").write_text("b.md\n")
    for name in ("a.md", "b.md"):
        (root / name).touch()
    assert visible(root, IgnoreRules(str(root))) == untracked(sandbox, root) == ["a.md"]


def test_outside_git_no_rule_file_above_counts(tmp_path: Path) -> None:
    for _ in range(2):
        repository = find_repository(str(tmp_path))
        assert files_outside(repository, str(tmp_path)) == []
        (tmp_path / ".git").write_text("not a pointer")


@pytest.mark.parametrize("setting", ["", "~/mine", "[core]"])
def test_the_ignore_file_of_the_user_counts_last(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    home = tmp_path / "home"
    (home / ".config/git").mkdir(parents=True)
    place = home / ".config/git/ignore"
    if setting == "~/mine":
        place = home / "mine"
        text = '[user]\n\tname = x\n[Core]\n\tExcludesFile = "~/mine"\n'
        (home / ".gitconfig").write_text(text)
    elif setting:
        (home / ".config/git/config").write_text(f"{setting}\nautocrlf = false\n")
    place.write_text("*.log\n.cuedeck/\nkept.log\n")
    for name, value in (("HOME", str(home)), ("XDG_CONFIG_HOME", "")):
        monkeypatch.setenv(name, value)
        sandbox.environ[name] = value
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    root = sandbox.root / "mine"
    root.mkdir()
    plain_repository(root)
    for name in ("a.md", "b.log", "kept.log"):
        (root / name).touch()
    (root / ".gitignore").write_text("!kept.log\n")
    found = subprocess.run(
        ["git", "ls-files", "-o", "--exclude-standard"],
        cwd=root, env={"HOME": str(home), "PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    shown = [".gitignore", "a.md", "kept.log"]
    assert visible(root, IgnoreRules(str(root))) == found.stdout.split() == shown


def test_the_order_of_decision(sandbox: Sandbox) -> None:
    sandbox.write(".gitignore", "*.log\n!keep.log\nnode_modules/\n")
    sandbox.write("sub/.gitignore", "!deep.log\n")
    sandbox.write("sub/.ignore", "!other.log\n")
    rules = IgnoreRules(str(sandbox.root), ["keep.log", "!a.log"])
    assert rules.ignored("x.log", False)
    assert rules.ignored("keep.log", False), "the settings decide first"
    assert not rules.ignored("a.log", False)
    assert not rules.ignored("sub/deep.log", False)
    assert not rules.ignored("sub/other.log", False)
    sandbox.write("sub/.cuedeckignore", "*.log\n")
    assert IgnoreRules(str(sandbox.root)).ignored("sub/other.log", False), (
        "our own file decides before others"
    )


def test_default_ignores_can_be_negated(sandbox: Sandbox) -> None:
    for name in ALWAYS_IGNORED:
        assert IgnoreRules(str(sandbox.root)).ignored(name.rstrip("/"), True)
    sandbox.write(".cuedeckignore", "!node_modules/\n")
    assert not IgnoreRules(str(sandbox.root)).ignored("node_modules", True)
    assert not IgnoreRules(str(sandbox.root), ["!.venv/"]).ignored(".venv", True)


def test_no_rule_hides_cards_and_docs_and_none_shows_the_rest(sandbox: Sandbox) -> None:
    sandbox.write(".gitignore", "*\n.cuedeck/\n!.git\n!.cuedeck/SCENE.md\n")
    rules = IgnoreRules(str(sandbox.root))
    for path in (".cuedeck", ".cuedeck/cards", ".cuedeck/docs", ".cuedeck/docs/deep"):
        assert not rules.ignored(path, True)
    assert not rules.ignored(".cuedeck/cards/a.md", False)
    for path in (
        ".cuedeck/SCENE.md",
        ".cuedeck/config.toml",
        ".cuedeck/active",
        ".git",
        "sub/.git",
        ".cuedeck/docs",
    ):
        assert rules.ignored(path, False)
    for path in (".cuedeck/cache", ".git", "sub/.hg"):
        assert rules.ignored(path, True)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_byte_order_marks_do_not_matter(
    ending: str, mark: str
) -> None:
    rules = parse_rules(mark + ending.join(["a", "# b", "", "c/"]))
    assert rules.verdict("a", False) is True
    assert rules.verdict("# b", False) is None
    assert rules.verdict("c", True) is True
    assert rules.verdict("c", False) is None


def test_a_link_in_the_place_of_an_ignore_file_is_not_followed(
    sandbox: Sandbox,
) -> None:
    sandbox.write("rules", "*.md\n")
    sandbox.place(".gitignore").symlink_to("rules")
    assert not IgnoreRules(str(sandbox.root)).ignored("a.md", False)


def test_unusable_rule_files_hide_nothing(sandbox: Sandbox) -> None:
    sandbox.place(".gitignore").mkdir()
    os.mkfifo(sandbox.place(".ignore"))
    sandbox.write(".cuedeckignore", b"\xff\xfe\n\x00\n")
    assert not IgnoreRules(str(sandbox.root)).ignored("a.md", False)


@pytest.mark.parametrize(
    "pattern",
    ["", "#", "/", "!", "[", "a[", "[!", "[a-", "a\\", "[[:none:]]", "[[:alpha:]"],
)
def test_patterns_that_match_nothing(pattern: str) -> None:
    assert parse_rule(pattern) is None


def test_bytes_that_are_no_text_are_compared_as_bytes() -> None:
    pattern = b"caf\xe9*".decode("utf-8", "surrogateescape")
    assert Rules([pattern]).verdict(os.fsdecode(b"caf\xe9.md"), False) is True
    assert Rules(["caf?.md"]).verdict(os.fsdecode(b"caf\xe9.md"), False) is True


def test_many_stars_do_not_take_for_ever() -> None:
    """With a pattern that tries every way to share out the letters this would not end
    in a lifetime.
    """
    rules = Rules(["*a" * 40 + "b", "x/" + "*a" * 40 + "b"])
    assert rules.verdict("a" * 250, False) is None
    assert rules.verdict("x/" + "a" * 250, False) is None


def test_many_stars_for_folders_are_matched_once() -> None:
    """Without a commitment to the first match, the match takes exponential time."""
    rules = parse_rules(
        "**/a/" * 30 + "b\n" + "**/*a*/" * 30 + "b\n" + "**/a/" * 30 + "**\n"
    )
    deep = "a/" * 60
    assert rules.verdict(f"{deep}c", False) is True
    assert parse_rules("**/a/" * 30 + "b\n").verdict(f"{deep}c", False) is None
    assert parse_rules("**/a/" * 30 + "b\n").verdict(f"{deep}b", False) is True
