from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.context.scene.diff_scenes import Node, compare, diff_text, unchanged_prefix


def node(name: str, **changes: object) -> Node:
    found = Node(
        name,
        "1-2",
        "explicit",
        1,
        "full",
        "why",
        f"### `{name}`\nwhy\n\n",
        "```\ntext\n```\n\n",
    )
    return found._replace(**changes)  # type: ignore[arg-type]


def nodes(names: str) -> list[Node]:
    return [node(name) for name in names]


def moved_names(before: str, after: str) -> list[str]:
    return [
        each.after.name
        for each in compare(nodes(before), nodes(after)).changed
        if each.moved
    ]


def test_equal_scenes_have_no_difference() -> None:
    assert compare(nodes("abc"), nodes("abc")) == ([], [], [])


def test_added_and_removed_nodes_move_no_other_node() -> None:
    found = compare(nodes("abcd"), nodes("axcdy"))
    assert [each.name for each in found.came] == ["x", "y"]
    assert [each.name for each in found.went] == ["b"]
    assert found.changed == []


def test_only_the_node_that_changes_its_place_has_moved() -> None:
    assert moved_names("abcd", "bcda") == ["a"]
    assert moved_names("abcd", "dabc") == ["d"]
    assert len(moved_names("ab", "ba")) == 1


def test_change_of_tier_or_depth_is_a_move() -> None:
    (change,) = compare([node("a")], [node("a", tier="related")]).changed
    assert change.moved
    (change,) = compare([node("a", depth=2)], [node("a")]).changed
    assert change.moved


def test_file_reduced_to_its_map_line_does_not_move() -> None:
    alone = node(
        "b",
        depth=0,
        view="line",
        head="- `b` not shown, 9 tokens: why\n",
        body="",
        lines="",
    )
    (change,) = compare([*nodes("abc")], [node("a"), alone, node("c")]).changed
    assert not change.moved


def test_equally_cut_names_are_matched_by_their_order() -> None:
    twins = [node("a…"), node("a…", body="```\nsecond\n```\n\n")]
    assert compare(twins, twins) == ([], [], [])
    found = compare(twins, twins[:1])
    assert (found.came, [each.body for each in found.went]) == ([], [twins[1].body])


@given(
    st.lists(st.sampled_from("abcdefg"), unique=True),
    st.lists(st.sampled_from("abcdefg"), unique=True),
)
def test_each_node_is_in_one_part_of_the_difference(
    before: list[str], after: list[str]
) -> None:
    found = compare(nodes("".join(before)), nodes("".join(after)))
    assert [each.name for each in found.came] == [
        name for name in after if name not in before
    ]
    assert [each.name for each in found.went] == [
        name for name in before if name not in after
    ]
    kept = [each.after.name for each in found.changed]
    rest = [name for name in after if name in before and name not in kept]
    assert rest == [name for name in before if name in after and name not in kept]


def test_unchanged_prefix_consists_of_whole_lines() -> None:
    assert unchanged_prefix("a\nbc\nd\n", "a\nbd\nd\n") == "a\n"
    assert unchanged_prefix("a\n", "a\n") == "a\n"
    assert unchanged_prefix("a\n", "a\nb\n") == "a\n"
    assert unchanged_prefix("x\n", "y\n") == ""


@given(st.text("ab\n", max_size=12), st.text("ab\n", max_size=12))
def test_unchanged_prefix_begins_both_texts(before: str, after: str) -> None:
    prefix = unchanged_prefix(f"{before}\n", f"{after}\n")
    assert f"{before}\n".startswith(prefix)
    assert f"{after}\n".startswith(prefix)


def test_diff_names_the_node_and_its_lines() -> None:
    text = diff_text(node("a"), node("a", body="```\nother\n```\n\n"))
    assert text.startswith("--- before/a\n+++ after/a\n@@ ")
    assert "\n-text\n+other\n" in text
    assert diff_text(None, node("a")).startswith(
        "--- /dev/null\n+++ after/a\n@@ -0,0 +1,7 @@\n"
    )
    assert diff_text(node("a"), None).startswith("--- before/a\n+++ /dev/null\n")
    assert diff_text(node("a"), node("a")) == ""
