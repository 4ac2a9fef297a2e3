from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.context.scene.build_scene import (
    Request,
    build_idle,
    make_scene,
    write_scene,
)
from cuedeck.context.scene.diff_scenes import diff_scene
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.store.cache.kept_scenes import save_scene

HASHES = tuple(letter * 64 for letter in ("a", "b"))


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A scene on disk: a card, three docs and a source without a link."""
    sandbox.card(
        "aaaaaa",
        "title: Expired token",
        "refs: [docs/a.md, docs/b.md, docs/c.md]",
        body="`verify_token`",
    )
    sandbox.activate("aaaaaa")
    for name in "abc":
        sandbox.write(f"docs/{name}.md", f"# {name.upper()}\n\nThe text of {name}.\n")
    rest = "".join(
        f"\n\ndef helper_{number}(value):\n    return value + {number}\n"
        for number in range(80)
    )
    sandbox.write(
        "src/login.py",
        f'def verify_token(token):\n    """Tell an expired token."""\n    return token\n{rest}',
    )
    workspace = sandbox.workspace()
    write_scene(workspace, make_scene(workspace, Request()).text)
    return sandbox


def test_unchanged_scene_has_an_empty_diff(shop: Sandbox) -> None:
    answer = diff_scene(shop.workspace(), Request())
    assert list(answer) == [
        "before",
        "after",
        "came",
        "went",
        "changed",
        "unchanged_prefix_tokens",
    ]
    assert answer["before"] == answer["after"]
    assert (
        answer["after"]["receipt"]
        == make_scene(shop.workspace(), Request()).report["receipt"][:12]
    )
    assert (answer["came"], answer["went"], answer["changed"]) == ([], [], [])
    assert answer["unchanged_prefix_tokens"] == answer["after"]["tokens"]


def test_added_removed_and_changed_nodes_are_reported(shop: Sandbox) -> None:
    before = {
        each["address"]: each
        for each in make_scene(shop.workspace(), Request()).report["visits"]
    }
    shop.card(
        "aaaaaa",
        "title: Expired token",
        "refs: [docs/a.md, docs/d.md, docs/b.md]",
        body="`verify_token`",
    )
    shop.write("docs/b.md", "# B\n\nAnother text of b, with more words.\n")
    shop.write("docs/d.md", "# D\n\nNew.\n")
    answer = diff_scene(shop.workspace(), Request())
    after = {
        each["address"]: each
        for each in make_scene(shop.workspace(), Request()).report["visits"]
    }
    (came,) = answer["came"]
    assert (came["address"], came["view"], came["tokens"]) == (
        "docs/d.md",
        "full",
        after["docs/d.md"]["tokens"],
    )
    assert "docs/c.md" in {each["address"] for each in answer["went"]} | {
        each["address"]
        for each in answer["changed"]
        if each["tier"] == ["explicit", "related"]
    }
    changed = {each["address"]: each for each in answer["changed"]}
    text = changed["docs/b.md"]
    assert (text["text"], text["moved"], text["view"]) == (
        True,
        False,
        ["full", "full"],
    )
    assert text["tokens"] == [
        before["docs/b.md"]["tokens"],
        after["docs/b.md"]["tokens"],
    ]
    assert "docs/a.md" not in changed
    assert answer["before"]["receipt"] != answer["after"]["receipt"]
    assert 0 < answer["unchanged_prefix_tokens"] < answer["after"]["tokens"]


def test_earlier_scene_is_found_by_its_receipt(shop: Sandbox) -> None:
    first = make_scene(shop.workspace(), Request()).report["receipt"]
    shop.write("docs/b.md", "# B\n\nOther.\n")
    workspace = shop.workspace()
    write_scene(workspace, make_scene(workspace, Request()).text)
    assert diff_scene(shop.workspace(), Request())["changed"] == []
    answer = diff_scene(shop.workspace(), Request(), first[:10].upper())
    assert answer["before"]["receipt"] == first[:12]
    assert [each["address"] for each in answer["changed"] if each["text"]] == [
        "docs/b.md"
    ]
    shop.scene.unlink()
    assert diff_scene(shop.workspace(), Request(), first) == answer


def test_only_the_visit_that_changes_its_place_has_moved(shop: Sandbox) -> None:
    shop.card(
        "aaaaaa",
        "title: Expired token",
        "refs: [docs/b.md, docs/c.md, docs/a.md]",
        body="`verify_token`",
    )
    changed = diff_scene(shop.workspace(), Request())["changed"]
    assert [each["address"] for each in changed if each["moved"]] == ["docs/a.md"]


def test_diff_has_the_lines_that_differ(shop: Sandbox) -> None:
    shop.write("docs/b.md", "# B\n\nOther.\n")
    text = diff_scene(shop.workspace(), Request(), with_text=True)["diff"]
    assert text.startswith(
        "--- before/.cuedeck/SCENE.md\n+++ after/.cuedeck/SCENE.md\n@@ "
    )
    assert "\n-3│The text of b.\n+3│Other.\n" in text


def test_scene_that_is_not_cached_cannot_be_compared(shop: Sandbox) -> None:
    text = shop.scene.read_text()
    shop.scene.write_text(text[:-13] + "0" * 12 + "\n")
    with pytest.raises(NotFound):
        diff_scene(shop.workspace(), Request())
    shop.scene.write_text("words\n")
    with pytest.raises(Invalid):
        diff_scene(shop.workspace(), Request())


def test_unknown_receipt_lists_the_stored_ones(shop: Sandbox) -> None:
    with pytest.raises(NotFound) as caught:
        diff_scene(shop.workspace(), Request(), "zzz")
    assert "only the last scenes are cached" in str(caught.value.hint)
    known = make_scene(shop.workspace(), Request()).report["receipt"]
    assert caught.value.candidates == (known[:12],)


def test_ambiguously_short_receipt_is_refused(shop: Sandbox) -> None:
    workspace = shop.workspace()
    for number, receipt in enumerate(HASHES):
        save_scene(
            workspace.index, f"key {number}", ("", {}, {"receipt": f"ee{receipt[2:]}"})
        )
    with pytest.raises(Ambiguous) as caught:
        diff_scene(workspace, Request(), "ee")
    assert caught.value.candidates == ("eebbbbbbbbbb", "eeaaaaaaaaaa")


def test_scene_without_an_active_card_has_no_visits(shop: Sandbox) -> None:
    workspace = shop.workspace()
    write_scene(workspace, build_idle(workspace).text)
    answer = diff_scene(shop.workspace(), Request())
    assert answer["before"]["card"] is None
    assert [each["address"] for each in answer["came"]][:2] == [
        ".cuedeck/cards/aaaaaa.md",
        "docs/a.md",
    ]
