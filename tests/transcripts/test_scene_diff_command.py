"""Transcripts of `scene diff`, and of `scene` as a command group."""

from __future__ import annotations

import pytest
from sandbox import Sandbox, expect, fields


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A scene on disk with a card and two docs."""
    sandbox.card("aaaaaa", "refs: [docs/a.md, docs/b.md]")
    sandbox.activate("aaaaaa")
    for name in "ab":
        sandbox.write(f"docs/{name}.md", f"# {name.upper()}\n\nThe text of {name}.\n")
    sandbox.ok("scene")
    return sandbox


def test_edits_are_reported_until_the_scene_is_written(shop: Sandbox) -> None:
    assert shop.ok("scene", "diff").out.startswith("nothing changed: ")
    first = shop.answer("scene", "diff")["before"]["receipt"]
    shop.write("docs/b.md", "# B\n\nOther.\n")
    before = shop.bytes()
    head, row, totals = shop.ok("scene", "diff").out.splitlines()
    assert head.split() == ["change", "address", "view", "tokens", "why"]
    assert row.split()[:3] == ["edited", "docs/b.md", "full"]
    assert totals.endswith(" tokens are equal")
    assert "\n-3│The text of b.\n+3│Other.\n" in shop.ok("scene", "diff", "--text").out
    answer = shop.answer("scene", "diff")
    fields(answer, "schema before after came went changed unchanged_prefix_tokens")
    (changed,) = answer["changed"]
    expect(changed, address="docs/b.md", text=True, view=["full", "full"])
    assert shop.bytes() == before
    shop.ok("scene")
    assert shop.answer("scene", "diff")["changed"] == []
    assert shop.answer("scene", "diff", first[:8])["changed"] == answer["changed"]


def test_missing_scenes_cannot_be_compared(shop: Sandbox) -> None:
    error = shop.answer("scene", "diff", "zzzz", code=1)["error"]
    assert error["code"] == 1001
    assert "only the last scenes are cached" in error["hint"]
    shop.scene.unlink()
    assert "`cuedeck scene` writes it" in shop.run("scene", "diff").err


def test_options_of_the_new_scene_follow_diff(shop: Sandbox) -> None:
    assert shop.answer("scene", "diff", "--budget", "250")["after"]["budget"] == 250
    ran = shop.run("scene", "--budget", "250", "diff")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: --budget is given before `diff`\n")
    there, expected = ("-C", str(shop.root)), shop.ok("scene", "diff").out
    for words in (("scene", *there, "diff"), ("scene", "diff", *there)):
        assert shop.ok(*words, cwd=shop.root.parent).out == expected


def test_shells_complete_both_commands(sandbox: Sandbox) -> None:
    for words, found in (
        ("cuedeck scene d", "diff"),
        ("cuedeck scene --bud", "--budget"),
        ("cuedeck scene diff --te", "--text"),
    ):
        environ = {"_CUEDECK_COMPLETE": "bash_complete", "COMP_WORDS": words}
        environ["COMP_CWORD"] = str(words.count(" "))
        assert sandbox.ok(environ=environ).out.split() == [f"plain,{found}"]
