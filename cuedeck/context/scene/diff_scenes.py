"""Comparison of an earlier scene with the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.parse_scene import Node, Reading, read_scene
from cuedeck.context.scene.scene_diff import (
    Difference,
    compare,
    diff_text,
    unchanged_prefix,
)
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
        "changed": _changed(difference, *counts),
        "unchanged_prefix_tokens": prefix,
    }
    for count in counts:
        count.save()
    return {**answer, "diff": _diff(difference)} if with_text else answer


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


def _changed(
    difference: Difference, before: Count, after: Count
) -> list[dict[str, Any]]:
    return [
        {
            "address": each.after.name,
            "tier": [each.before.tier, each.after.tier],
            "view": [each.before.view, each.after.view],
            "tokens": [_tokens(each.before, before), _tokens(each.after, after)],
            "text": each.text,
            "moved": each.moved,
            "lines": [each.before.lines, each.after.lines],
            "why": [each.before.why, each.after.why],
        }
        for each in difference.changed
    ]


def _tokens(node: Node, count: Count) -> int:
    return count.count(node.head) + count.count(node.body)


def _diff(difference: Difference) -> str:
    pairs = [
        *((None, node) for node in difference.came),
        *((node, None) for node in difference.went),
        *((each.before, each.after) for each in difference.changed),
    ]
    return "".join(diff_text(before, after) for before, after in pairs)
