"""Regressions of early versions, each found by a user."""

from __future__ import annotations

import pytest
from sandbox import Sandbox


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "refs: ['docs/auth.md#Login']")
    sandbox.activate("aaaaaa")
    sandbox.write("docs/auth.md", "# Auth\n\n## Login\n\nhow\n\n## Logout\n\nend\n")
    sandbox.write("src/auth.py", "x = 1\n")
    return sandbox


def test_out_replaces_only_its_own_file(shop: Sandbox) -> None:
    shop.write(".cuedeck/config.toml", "[scene]\nbudget = 5000\n")
    commands = (("scene", "--out"), ("graph", "--format", "svg", "--out"))
    for place in ("src/auth.py", ".cuedeck/config.toml", "docs/auth.md"):
        before = shop.place(place).read_bytes()
        for command in commands:
            assert shop.run(*command, place).code == 1
            assert shop.place(place).read_bytes() == before
    for command, place in zip(commands, ("mine.md", "mine.svg"), strict=True):
        shop.ok(*command, place)
        shop.ok(*command, place)


def test_why_finds_a_shown_part_of_a_file(shop: Sandbox) -> None:
    answer = shop.answer("why", "docs/auth.md", "--json")
    assert answer["in_scene"] is True
    assert answer["reason"] == "only this part of it: docs/auth.md#Login"
    linked_alone = {"CUEDECK_SCENE__RELATED": "false"}
    assert (
        shop.answer("why", "src/auth.py", "--json", code=1, environ=linked_alone)[
            "in_scene"
        ]
        is False
    )


@pytest.mark.parametrize(
    "command",
    [
        ("scene", "--card", ""), ("scene", "--out", ""), ("-C", "", "scene"), ("read", ""), ("init", ""),
        ("list", "--created", ""), ("card", "new", ""), ("card", "new", "a", ""), ("decide", ""), ("memory", "add", ""),
        ("progress", "done", ""), ("memory", "forget", ""), ("card", "new", "a", "--tag", ""), ("scene", "diff", ""),
    ],
)  # fmt: skip
def test_empty_option_value_is_refused(shop: Sandbox, command: tuple[str, ...]) -> None:
    """Empty values used to create a workspace in the current folder, or to disable a
    filter.
    """
    before = shop.bytes()
    ran = shop.run(*command)
    assert ran.code == 2
    assert " is empty\n" in ran.err
    assert shop.bytes() == before


def test_empty_assignee_removes_the_assignee(shop: Sandbox) -> None:
    shop.ok("card", "edit", "aaaaaa", "--assignee", "bob")
    shop.ok("card", "edit", "aaaaaa", "--assignee", "")
    assert shop.answer("card", "show", "aaaaaa")["card"]["assignee"] is None


def test_ref_is_removed_in_any_spelling(shop: Sandbox) -> None:
    for written in ("[[auth]]", "@doc/auth", "docs/auth.md"):
        shop.card("cccccc", f"refs: ['{written}', src/auth.py]")
        ref, other = shop.answer("card", "show", "cccccc")["card"]["refs"]
        shop.ok("card", "ref", "rm", "cccccc", ref)
        assert shop.answer("card", "show", "cccccc")["card"]["refs"] == [other]


@pytest.mark.parametrize("line", ["scene", "card graph --format svg"])
def test_path_of_a_written_file_is_relative_to_the_workspace(
    shop: Sandbox, line: str
) -> None:
    """It used to be the argument as typed, relative to any folder."""
    shop.place("deep/..er").mkdir(parents=True)
    shop.place("link").symlink_to("deep")
    outside = shop.root.parent / "z.out"
    for out, path in (
        ("z.out", "deep/z.out"),
        (str(shop.place("y.out")), "y.out"),
        ("..er/x.out", "deep/..er/x.out"),
        ("../link/w.out", "deep/w.out"),
        ("../../z.out", str(outside)),
    ):
        answer = shop.answer(*line.split(), "-C", "deep", "--out", out)
        assert answer["path"] == path
        assert (shop.root / path).exists()


def test_id_of_two_cards_is_ambiguous(shop: Sandbox) -> None:
    shop.card("zzzzzz", "id: aaaaaa")
    error = shop.answer("card", "show", "aaaaaa", "--json", code=1)["error"]
    assert error["candidates"] == [
        ".cuedeck/cards/aaaaaa.md",
        ".cuedeck/cards/zzzzzz.md",
    ]
    assert shop.run("card", "show", ".cuedeck/cards/zzzzzz.md").code == 0
