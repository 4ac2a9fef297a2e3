"""Comparison of an earlier scene with the current one, by their reports and texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher, unified_diff
from posixpath import commonprefix
from typing import TYPE_CHECKING, Any

from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.model.address import format_lines
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.model.paths import SCENE
from cuedeck.model.ports import Json
from cuedeck.store.cache.kept_scenes import kept_scenes
from cuedeck.store.files.disk import read_generated

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

_SHORT = 12
"""Number of digits in a shortened receipt."""
_FOOTER = re.compile(
    r"^## Receipt\n\n(?P<card>card `.*` · )?limit (?P<budget>\d+) · (?P<tokens>\d+) tokens"
    r" (?P<encoding>\w+).*\nsha256 (?P<receipt>[0-9a-f]{12})$",
    re.MULTILINE,
)
_PART = re.compile(r"^(`{3,})[^`\n]*\n(?:[^\n]*\n)*?\1\n|^[^\n]*\n", re.MULTILINE)
"""A whole fence, or a line outside of fences."""
_FACTS = ("receipt", "tokens", "card", "budget", "encoding")
_ROW = ("address", "tier", "view", "tokens", "why")
_COMPARED = ("tier", "view", "tokens", "why")

Report = Mapping[str, Any]


def diff_scene(
    workspace: Workspace,
    request: Request,
    receipt: str = "",
    *,
    with_text: bool = False,
) -> Json:
    """Compare an earlier scene with the scene that `request` gives now. Writes nothing.

    The earlier one is that of SCENE.md, or the cached scene whose receipt begins with
    `receipt`. `with_text` adds a unified diff of both. Raises: NotFound or Ambiguous
    for the receipt and the card, NotFound if the scene of SCENE.md is not cached,
    Invalid if SCENE.md does not contain a scene.
    """
    # Read the old scene first: caching the new one may evict it.
    old_text, old = (
        _cached(workspace.index, receipt)
        if receipt
        else _written(workspace.paths, workspace.index)
    )
    made = make_scene(workspace, request)
    new_text = made.text
    new = made.masked_report
    known = {row["address"]: row for row in old["visits"]}
    rows = {row["address"]: row for row in new["visits"]}
    stayed = _stayed(known, rows)
    bodies = _bodies(old_text)
    new_bodies = _bodies(new_text)
    changed = []
    for address in filter(known.__contains__, rows):
        before = known[address]
        after = rows[address]
        row: Json = {"address": address}
        row |= {name: [before[name], after[name]] for name in _COMPARED}
        row["text"] = bodies.get(address) != new_bodies.get(address)
        row["lines"] = [_lines(before), _lines(after)]
        row["moved"] = address not in stayed
        pairs = [value for value in row.values() if isinstance(value, list)]
        if row["text"] or row["moved"] or any(one != other for one, other in pairs):
            changed.append(row)
    count = workspace.counter(new["encoding"])
    lines = [old_text.splitlines(True), new_text.splitlines(True)]
    equal = commonprefix(lines)
    answer = {
        "before": _summary(old),
        "after": _summary(new),
        "came": [_row(row) for row in rows.values() if row["address"] not in known],
        "went": [_row(row) for row in known.values() if row["address"] not in rows],
        "changed": changed,
        "unchanged_prefix_tokens": count.count("".join(equal)),
    }
    count.save()
    if with_text:
        diff = unified_diff(lines[0], lines[1], f"before/{SCENE}", f"after/{SCENE}")
        answer["diff"] = "".join(diff)
    return answer


def written_size(paths: WorkspacePaths, card: str) -> tuple[int, int] | None:
    """Return tokens and budget of SCENE.md; None if it has not the scene of a card."""
    data = read_generated(paths.scene) or b""
    found = None
    for footer in _FOOTER.finditer(data.decode("utf-8", "replace")):
        found = footer
    if found is None or f"`{card}`" not in (found["card"] or ""):
        return None
    return int(found["tokens"]), int(found["budget"])


def _written(paths: WorkspacePaths, index: Index) -> tuple[str, Report]:
    """Return the text of SCENE.md and the report of its scene. That of a scene without
    a card has no visits.
    """
    data = read_generated(paths.scene)
    if data is None:
        raise NotFound(f"{SCENE} does not exist", hint="`cuedeck scene` writes it")
    text = data.decode("utf-8", "replace")
    footers = list(_FOOTER.finditer(text))
    if not footers:
        raise Invalid(
            f"{SCENE} does not contain a scene", hint="`cuedeck scene` rewrites it"
        )
    footer = footers[-1]
    if footer["card"]:
        return text, _cached(index, footer["receipt"])[1]
    sizes = {name: int(footer[name]) for name in ("budget", "tokens")}
    return text, {**footer.groupdict(), **sizes, "visits": []}


def _cached(index: Index, receipt: str) -> tuple[str, Report]:
    """Return the newest cached scene whose receipt begins with `receipt`. Raises:
    NotFound, Ambiguous.
    """
    scenes: dict[str, tuple[str, Report]] = {}
    for text, _, report in kept_scenes(index):
        scenes.setdefault(report["receipt"], (text, report))
    found = [known for known in scenes if known.startswith(receipt.lower())]
    if len(found) == 1:
        return scenes[found[0]]
    known = tuple(each[:_SHORT] for each in found or scenes)
    if found:
        message = f"several receipts begin with `{receipt}`"
        raise Ambiguous(message, hint="give more digits", candidates=known)
    hint = "use the first digits of one of these; only the last scenes are cached"
    if not known:
        hint = "`cuedeck scene` builds a scene; none is cached"
    message = f"no cached scene has a receipt that begins with `{receipt}`"
    raise NotFound(message, hint=hint, candidates=known)


def _summary(report: Report) -> Json:
    facts = {name: report[name] for name in _FACTS}
    return {**facts, "receipt": report["receipt"][:_SHORT]}


def _row(visit: Report) -> Json:
    return {name: visit[name] for name in _ROW}


def _lines(visit: Report) -> str:
    """Return the ranges of the lines shown, `3-6, 9`."""
    return ", ".join(format_lines(*span).replace("L", "") for span in visit["passages"])


def _stayed(before: Mapping[str, Report], after: Mapping[str, Report]) -> set[str]:
    """Return the addresses of the visits with the same tier and depth that are in the
    same order.
    """
    places = []
    for rows in (before, after):
        order = []
        for row in rows.values():
            if row["address"] in before and row["address"] in after:
                order.append((row["address"], row["tier"], row["depth"]))
        places.append(order)
    was, now = places
    blocks = SequenceMatcher(None, was, now, autojunk=False).get_matching_blocks()
    return {
        place[0] for block in blocks for place in now[block.b : block.b + block.size]
    }


def _bodies(text: str) -> dict[str, str]:
    """Return the fenced text below each heading of a scene, by its address."""
    found: dict[str, str] = {}
    address = ""
    for match in _PART.finditer(text):
        part = match[0]
        if part.startswith("## "):
            address = ""
        elif part.startswith("### "):
            address = part.removeprefix("### ").strip("` \n")
        elif address and part.startswith("```"):
            found[address] = part
    return found
