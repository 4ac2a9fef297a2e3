"""The block of experiences in a scene."""

from __future__ import annotations

from sandbox import Sandbox

from cuedeck.context.blocks.memory_block import MOST_EXPERIENCES, experiences_block
from cuedeck.context.blocks.proximity import VisitProximity
from cuedeck.context.scene.scene_pipeline import walk_refs
from cuedeck.engine.active_card import find_root
from cuedeck.knowledge.experiences.add_experience import add_experience
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.model.file import File
from cuedeck.parse.parse_file import parse_file


def add_text(sandbox: Sandbox, text: str) -> None:
    workspace = sandbox.workspace()
    add_experience(workspace, memory_of(workspace), text)


def card(title: str) -> File:
    return parse_file(
        ".cuedeck/cards/aaaaaa.md", f"---\ntitle: {title}\n---\n".encode()
    )


def no_visit(sandbox: Sandbox) -> VisitProximity:
    """Return the proximity to a card that links nothing."""
    sandbox.card("aaaaaa")
    workspace = sandbox.workspace()
    workspace.refresh()
    walked = walk_refs(workspace, find_root(workspace, "aaaaaa"))
    return VisitProximity(workspace, walked.visits)


def test_block_has_the_experiences_that_match_the_card(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    for number in range(10):
        add_text(
            sandbox,
            f"The login failed for customer {number} with `code` {'and more ' * 60}",
        )
    add_text(sandbox, "Pizza is the team lunch")
    workspace, near = sandbox.workspace(), no_visit(sandbox)
    content = experiences_block(
        workspace,
        card("Fix the login"),
        "It fails for a customer.",
        near,
        workspace.mask(),
    )
    assert content is not None
    assert (content.name, content.head) == (
        "experiences",
        "## Relevant past experiences\n\n",
    )
    assert len(content.rows) == MOST_EXPERIENCES
    for row in content.rows:
        assert row.full.startswith("- “[note] The login failed for customer")
        assert row.full.endswith("`)\n") and "(`experience:" in row.full
        assert len(row.short) < len(row.full)
        assert row.full.count("`") == 2
    assert (
        experiences_block(workspace, card("Something else"), "", near, workspace.mask())
        is None
    )


def test_scene_without_experiences_has_no_block(sandbox: Sandbox) -> None:
    workspace, near = sandbox.workspace(), no_visit(sandbox)
    assert (
        experiences_block(workspace, card("Fix the login"), "", near, workspace.mask())
        is None
    )
    add_text(sandbox, "The login is broken")
    for off in ("", "enabled = false", "enabled = true\nin_scene = false"):
        sandbox.write(".cuedeck/config.toml", f"[experiences]\n{off}\n")
        workspace = sandbox.workspace()
        assert (
            experiences_block(
                workspace, card("Fix the login"), "", near, workspace.mask()
            )
            is None
        )
