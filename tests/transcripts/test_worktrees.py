"""Worktrees of a repository share private memory; committed files stay with each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_host import SimulatedAgent, transcript_rows
from sandbox import Sandbox
from test_continuity import TALK, start, talk

from cuedeck.store.git.worktrees import find_with_main
from cuedeck.store.workspace_paths import WorkspacePaths


@pytest.fixture
def main(sandbox: Sandbox) -> Sandbox:
    """The workspace of the main worktree, which the user agreed to record."""
    sandbox.write("src/pricelist.ts", "export const columns = 2\n")
    sandbox.git("init")
    sandbox.ok("init")
    sandbox.git("add", ".")
    sandbox.git("commit", "-m", "All")
    sandbox.ok("capture", "on")
    return sandbox


@pytest.fixture
def tree(main: Sandbox) -> Sandbox:
    """The workspace of a linked worktree."""
    main.git("worktree", "add", "../tree", "-b", "topic")
    return Sandbox(main.root.parent / "tree", main.environ)


def private_files(sandbox: Sandbox) -> set[str]:
    return {
        path
        for path in sandbox.bytes()
        if path.startswith(".cuedeck/") and "/pending/" not in path
    } - set(sandbox.git("ls-files").split())


def test_memory_is_in_the_main_worktree(main: Sandbox, tree: Sandbox) -> None:
    known = ["Releases are cut on Tuesday", "Staging has no scheduler"]
    for each, text in zip((main, tree), known, strict=True):
        each.ok("remember", text)
    for each in (main, tree):
        texts = [row["text"] for row in each.answer("memory", "list")["records"]]
        assert texts == known
        assert each.answer("recall", "scheduler")["hits"]
    assert private_files(tree) == set()
    tree.ok("decide", "Cut releases by hand", "--because", "the script fails")
    assert main.answer("decision", "list")["decisions"] == []
    found = {row["code"]: row["message"] for row in tree.answer("doctor")["findings"]}
    assert str(main.root / ".cuedeck") in found["shared-memory"]
    recorded = tree.answer("capture", "status")["recorded"]
    assert {Path(each["path"]).is_relative_to(main.root) for each in recorded} == {True}


def test_what_was_said_reaches_another_worktree_until_it_is_forgotten(
    main: Sandbox, tree: Sandbox, tmp_path: Path
) -> None:
    talk(SimulatedAgent(main, "claude"), tmp_path / "first.jsonl", "first", TALK)
    agent = SimulatedAgent(tree, "claude")
    brief = start(agent)
    assert "“Always use pnpm" in brief
    assert "branch switched" not in brief
    prompt = "Why does the pricelist print in two columns?"
    ask = {"session_id": "second", "transcript_path": ""}
    digest = agent.send_for_context("prompt", prompt=prompt, **ask)
    assert "“Print the pricelist in two columns to save paper.”" in digest
    hits = tree.answer("recall", "pnpm", "--kind", "statement")["hits"]
    tree.ok("memory", "forget", hits[0]["address"])
    folder = tmp_path / "transcripts"
    folder.mkdir()
    text = transcript_rows(TALK[:1], cwd=str(tree.root), sessionId="first")
    (folder / "first.jsonl").write_text(text)
    for each in (main, tree):
        each.ok("backfill", "claude", "--from", str(folder))
        assert "pnpm" not in start(SimulatedAgent(each, "claude"), "third")


@pytest.mark.parametrize("replaced", ["decide", "supersede"])
def test_a_decision_reaches_another_worktree_until_it_is_superseded(
    main: Sandbox, tree: Sandbox, tmp_path: Path, replaced: str
) -> None:
    because = ("--because", "the buffer loses its last lines")
    old = main.answer("decide", "Log with pino", *because)["id"]
    assert "Log with pino" in start(SimulatedAgent(tree, "claude"), "zero")
    talk(SimulatedAgent(main, "claude"), tmp_path / "first.jsonl", "first", TALK)
    made = main.answer("decide", "Print in two columns", "--because", "paper is dear")
    agent = SimulatedAgent(tree, "claude")
    brief = start(agent)
    assert brief.count('We chose "Log with pino" because the buffer loses') == 1
    assert brief.count('We chose "Print in two columns" because paper is dear') == 1
    assert "## Open steps\n\n- “Still missing: the page break" in brief
    assert "- The agent: “Fixed the layout of the pricelist.”\n" in brief
    ask = {"session_id": "second", "transcript_path": ""}
    prompt = "Why do we log with pino, does its buffer lose lines?"
    assert "Log with pino" in agent.send_for_context("prompt", prompt=prompt, **ask)
    for each, kind in ((main, "decision"), (tree, "statement")):
        hits = each.answer("recall", "chose pino buffer")["hits"]
        found = [hit["kind"] for hit in hits if "loses its last" in hit["snippet"]]
        assert found == [kind]
    if replaced == "decide":
        main.ok("decide", "Log to a file", "--supersedes", old)
    else:
        main.ok("decision", "supersede", old, "--by", made["id"])
    brief = start(agent, "third")
    assert "Log with pino" not in brief and "Print in two columns" in brief
    main.ok("capture", "off")
    main.ok("decide", "Cut releases by hand")
    main.ok("capture", "on")
    assert "by hand" not in start(agent, "fourth")


def test_a_statement_that_is_left_is_removed_at_the_next_session_start(
    main: Sandbox,
) -> None:
    old = main.answer("decide", "Log with pino", "--because", "lines get lost")["id"]
    lock = main.root / ".cuedeck/cache/statements.lock"
    lock.unlink()
    lock.mkdir()
    answer = main.answer("decision", "supersede", old)
    assert "removes decision" in answer["warnings"][-1]
    assert main.answer("decision", "show", old)["decision"]["status"] == "superseded"
    lock.rmdir()
    assert "Log with pino" not in start(SimulatedAgent(main, "claude"))
    main.answer("recall", "pino", "--kind", "statement", code=1)


def test_a_transcript_counts_from_every_worktree(
    main: Sandbox, tree: Sandbox, tmp_path: Path
) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    places = {"main": main.root, "tree": tree.root / "src", "other": tmp_path}
    for name, place in places.items():
        said = [("user", f"Never rename the {name} table.")]
        (folder / f"{name}.jsonl").write_text(transcript_rows(said, cwd=str(place)))
    found = tree.answer("backfill", "claude", "--from", str(folder))["sessions"]
    assert {each["session"] for each in found} == {"main", "tree"}
    files = list(main.place(".cuedeck/sessions").glob("*.statements.jsonl"))
    assert len(files) == 2


def test_writers_in_two_worktrees_take_turns(main: Sandbox, tree: Sandbox) -> None:
    facts = [(each, f"Fact {at}") for at in range(3) for each in (main, tree)]
    facts = [(each, f"{fact} of {each.root.name}") for each, fact in facts]
    for process in [each.start("remember", fact) for each, fact in facts]:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    texts = [row["text"] for row in main.answer("memory", "list")["records"]]
    assert sorted(texts) == sorted(fact for _, fact in facts)


def test_memory_from_before_is_moved_by_doctor(main: Sandbox, tree: Sandbox) -> None:
    away = main.root / ".cuedeck"
    away.rename(main.root / "away")
    tree.ok("remember", "Only the topic knew this")
    tree.write(".cuedeck/sessions/a.statements.jsonl", '{"id":"1","text":"old"}\n')
    (main.root / "away").rename(away)
    row = '{"id":"1","kind":"forgotten"}\n'
    main.write(".cuedeck/sessions/a.statements.jsonl", row)
    left = private_files(tree)
    assert ".cuedeck/MEMORY.md" in left
    codes = [each["code"] for each in tree.answer("doctor")["findings"]]
    assert "left-memory" in codes
    tree.run("doctor", "--repair", "--dry-run")
    assert private_files(tree) == left
    tree.run("doctor", "--repair")
    assert private_files(tree) == {".cuedeck/sessions/a.statements.jsonl"}
    texts = [row["text"] for row in main.answer("memory", "list")["records"]]
    assert texts == ["Only the topic knew this"]
    assert main.place(".cuedeck/sessions/a.statements.jsonl").read_text() == row
    tree.place(".cuedeck/sessions/a.statements.jsonl").unlink()
    codes = [each["code"] for each in tree.answer("doctor")["findings"]]
    assert "left-memory" not in codes


def no_workspace(main: Sandbox, tree: Sandbox) -> None:
    (main.root / ".cuedeck").rename(main.root / "away")


def linked_home(main: Sandbox, tree: Sandbox) -> None:
    no_workspace(main, tree)
    (main.root / ".cuedeck").symlink_to(main.root / "away")


def another_user(main: Sandbox, tree: Sandbox) -> None:
    if not hasattr(os, "geteuid") or os.geteuid():
        pytest.skip("only root can give a folder away")
    os.chown(main.root / ".cuedeck", 12345, -1)


def unlisted(main: Sandbox, tree: Sandbox) -> None:
    """The worktree names the repository, which names another folder."""
    place = main.root / ".git/worktrees/tree/gitdir"
    place.write_text(f"{main.root}/elsewhere/.git\n")


def another_common(main: Sandbox, tree: Sandbox) -> None:
    """An archive with a git directory of its own that names the repository."""
    own = tree.root / "own"
    shutil.copytree(main.root / ".git/worktrees/tree", own)
    (own / "commondir").write_text(f"{main.root}/.git\n")
    (tree.root / ".git").write_text("gitdir: own\n")


def inside(main: Sandbox, tree: Sandbox) -> None:
    """An archive with the main worktree inside."""
    shutil.copytree(main.root, tree.root / "inner", symlinks=True)
    linked = tree.root / "inner/.git/worktrees/tree"
    (linked / "gitdir").write_text(f"{tree.root}/.git\n")
    (tree.root / ".git").write_text(f"gitdir: {linked}\n")


@pytest.mark.parametrize(
    "change",
    [no_workspace, linked_home, another_user, unlisted, another_common, inside],
)
def test_memory_stays_local_where_the_main_worktree_is_not_certain(
    main: Sandbox, tree: Sandbox, change: Callable[[Sandbox, Sandbox], None]
) -> None:
    before = main.bytes()
    assert WorkspacePaths(str(tree.root)).shared.root == str(main.root)
    change(main, tree)
    changed = main.bytes()
    paths = WorkspacePaths(str(tree.root))
    assert paths.shared is paths
    tree.ok("remember", "Stays here")
    assert "Stays here" in tree.place(".cuedeck/MEMORY.md").read_text()
    assert main.bytes() == changed
    assert before


def test_a_submodule_and_a_bare_repository_have_no_main_worktree(main: Sandbox) -> None:
    main.git("clone", "--bare", ".", "../bare")
    main.git("worktree", "add", "../of-bare", "-b", "b", cwd=main.root.parent / "bare")
    main.git(
        "-c", "protocol.file.allow=always", "submodule", "add", str(main.root), "sub"
    )
    for place in (main.root.parent / "of-bare", main.root / "sub"):
        assert find_with_main(str(place))[1] == ""
        paths = WorkspacePaths(str(place))
        assert paths.shared is paths
