"""The block of experiences in a scene."""

from __future__ import annotations

from sandbox import Sandbox

from cuedeck.context.blocks.memory_block import MOST_EXPERIENCES, experiences_block
from cuedeck.context.blocks.proximity import VisitProximity
from cuedeck.context.scene.ledger_blocks import Content
from cuedeck.context.scene.scene_pipeline import walk_refs
from cuedeck.engine.active_card import find_root
from cuedeck.knowledge.experiences.add_experience import add_experience
from cuedeck.ledger.records.memory_files import memory_of


def add_text(sandbox: Sandbox, text: str) -> None:
    workspace = sandbox.workspace()
    add_experience(workspace, memory_of(workspace), text)


def block_of(sandbox: Sandbox, title: str, body: str = "") -> Content | None:
    """Return the block of a card that links nothing."""
    sandbox.card("aaaaaa", f"title: {title}", body=body)
    workspace = sandbox.workspace()
    workspace.refresh()
    index, settings = workspace.index, workspace.settings.scene
    root = find_root(index, workspace.paths, "aaaaaa")
    visits = walk_refs(index, settings, workspace.environ, root).visits
    near = VisitProximity(workspace.index, visits)
    return experiences_block(workspace, visits[0], near, workspace.mask())


def test_block_has_the_experiences_that_match_the_card(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    for number in range(10):
        add_text(
            sandbox,
            f"The login failed for customer {number} with `code` {'and more ' * 60}",
        )
    add_text(sandbox, "Pizza is the team lunch")
    content = block_of(sandbox, "Fix the login", "It fails for a customer.")
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
    assert block_of(sandbox, "Something else") is None


def test_scene_without_experiences_has_no_block(sandbox: Sandbox) -> None:
    assert block_of(sandbox, "Fix the login") is None
    add_text(sandbox, "The login is broken")
    for off in ("", "enabled = false", "enabled = true\nin_scene = false"):
        sandbox.write(".cuedeck/config.toml", f"[experiences]\n{off}\n")
        assert block_of(sandbox, "Fix the login") is None
