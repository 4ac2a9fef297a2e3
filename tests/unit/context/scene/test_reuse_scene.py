"""A cached scene is reused only while the history is unchanged."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.context.scene.build_scene import Request, build, make_scene


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A repository where `b.py` and the linked file changed together in old commits."""
    sandbox.git("init", "-q")
    sandbox.write(".gitignore", ".cuedeck/\n")
    for at in range(6):
        files = ("a.py", "b.py") if at < 4 else ("c.py",)
        for name in files:
            sandbox.write(name, f"{name[0]} = {at}\n")
        sandbox.git("add", "-A")
        sandbox.git("commit", "-q", "-m", f"Change {at}")
    return sandbox


def with_card(sandbox: Sandbox) -> Sandbox:
    sandbox.card("abc123", "refs: [a.py]")
    sandbox.activate("abc123")
    return sandbox


def make_text(sandbox: Sandbox) -> str:
    """Return the scene as a command makes it, after a check that a rebuild is equal."""
    text = make_scene(sandbox.workspace(), Request()).text
    again = sandbox.workspace()
    again.refresh()
    assert text == build(again, Request()).text
    return text


def test_deepened_shallow_clone_changes_the_scene(shop: Sandbox) -> None:
    place = shop.root.parent / "clone"
    shop.git("clone", "-q", "--depth", "2", shop.root.as_uri(), str(place))
    clone = with_card(Sandbox(place, shop.environ))
    assert "changed together" not in make_text(clone)
    clone.git("fetch", "-q", "--unshallow")
    assert "changed together" in make_text(clone)
    clone.git("fetch", "-q", "--depth", "2")
    assert "changed together" not in make_text(clone)
    clone.close()


def test_completed_partial_clone_changes_the_scene(shop: Sandbox) -> None:
    shop.git("config", "uploadpack.allowFilter", "true")
    shop.git("config", "uploadpack.allowAnySHA1InWant", "true")
    place = shop.root.parent / "clone"
    shop.git("clone", "-q", "--filter=tree:0", shop.root.as_uri(), str(place))
    clone = with_card(Sandbox(place, shop.environ))
    assert "changed together" not in make_text(clone)
    clone.git("log", "-p")
    assert "changed together" in make_text(clone)
    clone.close()


@pytest.mark.parametrize("listed", [False, True])
def test_no_cached_scene_is_used_if_only_git_can_resolve_head(
    shop: Sandbox, listed: bool
) -> None:
    with_card(shop)
    # This git knows no tables, and finds the ref in its file.
    tables = shop.write(
        ".git/reftable/tables.list", "0x000000000001-0x000000000001-4f2a.ref\n"
    )
    if not listed:
        tables.unlink()
    assert "changed together 4 times" in make_text(shop)
    shop.git("checkout", "-q", "--orphan", "other")
    shop.git("commit", "-q", "-m", "Begin again")
    if listed:
        tables.write_text("0x000000000001-0x000000000002-9c31.ref\n")
    assert "changed together once" in make_text(shop)


def test_scene_built_without_git_is_not_reused_with_git(
    shop: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = with_card(shop)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(shop.root / "nowhere"))
        assert "changed together" not in make_text(here)
    assert "changed together" in make_text(here)
