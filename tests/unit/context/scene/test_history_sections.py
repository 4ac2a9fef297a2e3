"""Precedents and companions in scenes of real repositories."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.context.scene.build_scene import Request, build

TITLE = "Add an option to list expired tokens"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A repository with a feature like the task, a changelog, and commits about other
    files.
    """
    sandbox.git("init", "-q")
    sandbox.write(".gitignore", ".cuedeck/\n")
    sandbox.write(
        "src/tokens.py",
        "def list_tokens(options):\n    found = read_tokens()\n    return found\n",
    )
    sandbox.write("src/garden.py", "def water():\n    return 1\n")
    sandbox.write("CHANGES.md", "# Changes\n\n- First release of the shop.\n")
    commit(sandbox, "Begin")
    sandbox.write(
        "src/tokens.py",
        "def list_tokens(options):\n    found = read_tokens()\n    if options.revoked:\n"
        "        found = keep_revoked_tokens(found)\n    return found\n",
    )
    sandbox.write(
        "src/options.py", 'revoked = option("--revoked", help="list revoked tokens")\n'
    )
    add_changelog_entry(sandbox, "- Tokens that are revoked can be listed.")
    commit(sandbox, "Add an option to list revoked tokens")
    for at in range(3):
        sandbox.write("src/garden.py", f"def water():\n    return {at + 2}\n")
        add_changelog_entry(sandbox, f"- The garden is watered {at + 2} times.")
        commit(sandbox, f"Water {at + 2} times")
    return with_card(sandbox)


def add_changelog_entry(sandbox: Sandbox, text: str) -> None:
    place = sandbox.place("CHANGES.md")
    place.write_text(
        place.read_text().replace("# Changes\n\n", f"# Changes\n\n{text}\n")
    )


def commit(sandbox: Sandbox, message: str) -> str:
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", message)
    return sandbox.git("rev-parse", "--short=7", "HEAD").strip()


def with_card(sandbox: Sandbox) -> Sandbox:
    sandbox.card(
        "abc123",
        f"title: {TITLE}",
        "refs: [src/tokens.py]",
        body="Like the revoked tokens.",
    )
    sandbox.activate("abc123")
    return sandbox


def build_text(sandbox: Sandbox, budget: int = 8_000) -> str:
    """Return the scene as a command builds it."""
    workspace = sandbox.workspace()
    workspace.refresh()
    return build(workspace, Request(budget=budget)).text


def section(text: str, name: str) -> str:
    """Return a section of a scene; empty without it."""
    return text.partition(f"## {name}\n")[2].partition("\n## ")[0]


def test_sibling_commit_and_changelog_are_shown(shop: Sandbox) -> None:
    text = build_text(shop)
    assert "“Add an option to list revoked tokens”" in section(text, "Precedents")
    assert "  - `src/tokens.py` L3-4 `found = keep_revoked_tokens(found)`" in section(
        text, "Precedents"
    )
    assert "  - `src/options.py` L1" in section(text, "Precedents")
    assert "Water" not in section(text, "Precedents")
    changelog = "- `CHANGES.md` in 100 % of the last 5 commits under `src/`"
    assert (
        f"{changelog}; last addition L3 `- The garden is watered 4 times.`\n"
        in section(text, "Companions")
    )
    assert (
        text.index("## Linked")
        < text.index("## Precedents")
        < text.index("## Companions")
        < text.index("## Receipt")
    )


def test_missing_git_is_reported_in_one_line(sandbox: Sandbox) -> None:
    sandbox.write("src/tokens.py", "found = list_tokens()\n")
    text = build_text(with_card(sandbox))
    assert (
        text.count(
            "> No git history to compare with: no precedents and no companions.\n"
        )
        == 1
    )
    assert "## Precedents" not in text
