"""Difference between two scenes: added, removed and changed nodes."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher, unified_diff
from typing import NamedTuple

from cuedeck.context.scene.parse_scene import Node

_NOWHERE = "/dev/null"
Key = tuple[str, int]
"""Name of a node and its occurrence number; names that were cut may be equal."""


class Change(NamedTuple):
    """A node that exists in both scenes and differs."""

    before: Node
    after: Node
    moved: bool
    """True if its order, tier or depth changed."""

    @property
    def text(self) -> bool:
        """True if the shown text differs."""
        return self.before.body != self.after.body


class Difference(NamedTuple):
    """The differences between two scenes; `went` is in the order of the old scene, the
    rest in that of the new one.
    """

    came: tuple[Node, ...]
    went: tuple[Node, ...]
    changed: tuple[Change, ...]


def compare(before: Sequence[Node], after: Sequence[Node]) -> Difference:
    """Return the differences between the nodes of two scenes."""
    old, new = _by_key(before), _by_key(after)
    stayed = _in_place(
        [key for key in old if key in new], [key for key in new if key in old]
    )
    changes = (
        Change(old[key], node, key not in stayed or not _at_one_level(old[key], node))
        for key, node in new.items()
        if key in old
    )
    return Difference(
        tuple(node for key, node in new.items() if key not in old),
        tuple(node for key, node in old.items() if key not in new),
        tuple(each for each in changes if each.moved or each.before != each.after),
    )


def unchanged_prefix(before: str, after: str) -> str:
    """Return the complete lines that two texts have in common at the start."""
    same = 0
    for one, other in zip(
        before.split("\n")[:-1], after.split("\n")[:-1], strict=False
    ):
        if one != other:
            break
        same += len(one) + 1
    return after[:same]


def diff_text(before: Node | None, after: Node | None) -> str:
    """Return the unified diff of one node; None represents a scene without the node."""
    old, new = (
        (node.head + node.body).split("\n")[:-1] if node else []
        for node in (before, after)
    )
    named = (
        f"before/{before.name}" if before else _NOWHERE,
        f"after/{after.name}" if after else _NOWHERE,
    )
    return "".join(
        f"{row}\n" for row in unified_diff(old, new, named[0], named[1], lineterm="")
    )


def _by_key(nodes: Sequence[Node]) -> dict[Key, Node]:
    times: dict[str, int] = {}
    found: dict[Key, Node] = {}
    for node in nodes:
        times[node.name] = times.get(node.name, 0) + 1
        found[node.name, times[node.name]] = node
    return found


def _in_place(old: Sequence[Key], new: Sequence[Key]) -> set[Key]:
    """Return the keys whose relative order is unchanged (longest matching blocks)."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return {key for block in blocks for key in new[block.b : block.b + block.size]}


def _at_one_level(before: Node, after: Node) -> bool:
    """Return whether tier and depth are equal."""
    is_known = not before.is_in_map_alone and not after.is_in_map_alone
    return before.tier == after.tier and (before.depth == after.depth or not is_known)
