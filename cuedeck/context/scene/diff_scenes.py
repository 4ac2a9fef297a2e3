"""Comparison of an earlier scene with the current one."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher, unified_diff
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.parse_scene import Node, Reading, read_scene
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.model.paths import SCENE
from cuedeck.model.settings_schema import ENCODINGS
from cuedeck.store.cache.kept_scenes import kept_scenes
from cuedeck.store.files.disk import read_generated

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Count
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

_SHORT = 12
"""Number of digits in a shortened receipt."""
_NOWHERE = "/dev/null"
Key = tuple[str, int]
"""Name of a node and its occurrence number; names that were cut may be equal."""


class Change(NamedTuple):
    """A node that exists in both scenes and differs."""

    before: Node
    after: Node
    moved: bool
    """True if its order, tier or depth changed."""


class Difference(NamedTuple):
    """The differences between two scenes."""

    came: Sequence[Node]
    went: Sequence[Node]
    changed: Sequence[Change]


def diff_scene(
    workspace: Workspace,
    request: Request,
    receipt: str = "",
    *,
    with_text: bool = False,
) -> dict[str, Any]:
    """Compare an earlier scene with the scene that `request` gives now. Writes nothing.

    The earlier one is SCENE.md, or the cached scene whose receipt begins with
    `receipt`. `with_text` adds a unified diff of the changed nodes. Raises: NotFound or
    Ambiguous for the receipt and the card, Invalid if SCENE.md does not contain a
    scene.
    """
    # Read the old scene first: caching the new one may evict it.
    old_text = (
        _kept_text(workspace.index, receipt)
        if receipt
        else _text_on_disk(workspace.paths)
    )
    old = read_scene(old_text)
    if old is None:
        raise Invalid(
            f"{SCENE} does not contain a scene", hint="`cuedeck scene` rewrites it"
        )
    new_text = make_scene(workspace, request).text
    new = read_scene(new_text)
    assert new is not None
    counts = (
        workspace.counter(old.encoding if old.encoding in ENCODINGS else new.encoding),
        workspace.counter(new.encoding),
    )
    difference = compare(old.nodes, new.nodes)
    prefix = counts[1].count(unchanged_prefix(old_text, new_text))
    answer = {
        "before": _summary(old),
        "after": _summary(new),
        "came": [_node(node, counts[1]) for node in difference.came],
        "went": [_node(node, counts[0]) for node in difference.went],
        "changed": [_changed(each, *counts) for each in difference.changed],
        "unchanged_prefix_tokens": prefix,
    }
    for count in counts:
        count.save()
    if with_text:
        pairs: list[tuple[Node | None, Node | None]] = [
            (None, node) for node in difference.came
        ]
        pairs += [(node, None) for node in difference.went]
        pairs += [(each.before, each.after) for each in difference.changed]
        answer["diff"] = "".join(diff_text(*pair) for pair in pairs)
    return answer


def _text_on_disk(paths: WorkspacePaths) -> str:
    data = read_generated(paths.scene)
    if data is None:
        raise NotFound(f"{SCENE} does not exist", hint="`cuedeck scene` writes it")
    return data.decode("utf-8", "replace")


def _kept_text(index: Index, receipt: str) -> str:
    """Return the newest cached scene whose receipt begins with `receipt`. Raises:
    NotFound, Ambiguous.
    """

    texts: dict[str, str] = {}
    for text, report, _ in kept_scenes(index):
        texts.setdefault(report["receipt"], text)
    found = [known for known in texts if known.startswith(receipt.lower())]
    if len(found) == 1:
        return texts[found[0]]
    known = tuple(each[:_SHORT] for each in found or texts)
    if found:
        raise Ambiguous(
            f"several receipts begin with `{receipt}`",
            hint="give more digits",
            candidates=known,
        )
    hint = "`cuedeck scene` builds a scene; none is cached"
    if known:
        hint = "use the first digits of one of these; only the last scenes are cached"
    raise NotFound(
        f"no cached scene has a receipt that begins with `{receipt}`",
        hint=hint,
        candidates=known,
    )


def _summary(reading: Reading) -> dict[str, Any]:
    return {
        "receipt": reading.receipt,
        "tokens": reading.tokens,
        "card": reading.card or None,
        "budget": reading.budget,
        "encoding": reading.encoding,
    }


def _node(node: Node, count: Count) -> dict[str, Any]:
    return {
        "address": node.name,
        "tier": node.tier,
        "view": node.view,
        "tokens": _tokens(node, count),
        "why": node.why,
    }


def _changed(change: Change, before: Count, after: Count) -> dict[str, Any]:
    old, new, moved = change
    return {
        "address": new.name,
        "tier": [old.tier, new.tier],
        "view": [old.view, new.view],
        "tokens": [_tokens(old, before), _tokens(new, after)],
        "text": old.body != new.body,
        "moved": moved,
        "lines": [old.lines, new.lines],
        "why": [old.why, new.why],
    }


def _tokens(node: Node, count: Count) -> int:
    return count.count(node.head) + count.count(node.body)


def compare(before: Sequence[Node], after: Sequence[Node]) -> Difference:
    """Return the differences between the nodes of two scenes."""
    old, new = _by_key(before), _by_key(after)
    common = [key for key in new if key in old]
    was = [key for key in old if key in new]
    # The relative order of the longest matching blocks is unchanged.
    matcher = SequenceMatcher(None, was, common, autojunk=False)
    stayed: set[Key] = set()
    for block in matcher.get_matching_blocks():
        stayed.update(common[block.b : block.b + block.size])
    changed = []
    for key in common:
        moved = key not in stayed or not _at_one_level(old[key], new[key])
        if moved or old[key] != new[key]:
            changed.append(Change(old[key], new[key], moved))
    came = [node for key, node in new.items() if key not in old]
    went = [node for key, node in old.items() if key not in new]
    return Difference(came, went, changed)


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


def _at_one_level(before: Node, after: Node) -> bool:
    """Return whether tier and depth are equal."""
    is_known = not before.is_in_map_alone and not after.is_in_map_alone
    return before.tier == after.tier and (before.depth == after.depth or not is_known)
