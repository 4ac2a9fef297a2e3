"""Comparison of an earlier scene with the current one. Both are read back from their
text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher, unified_diff
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.related_tier import LISTED_OPENING
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.model.paths import SCENE
from cuedeck.model.scene_values import Tier, View
from cuedeck.model.settings_schema import ENCODINGS
from cuedeck.parse.fence import GUTTER
from cuedeck.store.cache.kept_scenes import kept_scenes
from cuedeck.store.files.disk import read_generated

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Count
    from cuedeck.store.index import Index

_SHORT = 12
"""Number of digits in a shortened receipt."""
_NOWHERE = "/dev/null"
_PART = re.compile(r"^(`{3,})[^`\n]*\n(?:[^\n]*\n)*?\1\n|^[^\n]*\n", re.MULTILINE)
"""A whole fence, or a line outside of fences."""
_HEADING = re.compile(r"### (?P<marks>`+)(?P<name>.+?)(?P=marks)\n")
_LINKED = re.compile(
    r"depth (?P<depth>\d+), shown (?P<view>in full|in part|as outline|as overview|as line): "
    r"(?P<why>.*?)(?:; all \d+ tokens(?:: (?P<marks>`+).*?(?P=marks))?)?\n"
)
_RELATED = re.compile(r"(?:(?P<view>in full): )?(?P<why>.*\S.*)\n")
_MAP_LINE = re.compile(
    r"- (?P<marks>`+)(?P<name>.+?)(?P=marks) (?P<absent>not shown, \d+ tokens: )?(?P<why>.*)\n"
)
_LISTED_LINE = re.compile(r"(?P<name>.+?):(?P<line>\d+): .*")
_VIEWS: dict[str, View] = {
    "in full": "full",
    "as overview": "full",
    "as outline": "outline",
    "as line": "line",
}
_NUMBERED = re.compile(rf"^(\d+){GUTTER}", re.MULTILINE)
_FOOTER = re.compile(
    r"## Receipt\n\n(?:card (?P<marks>`+)(?P<name>.*?)(?P=marks) · )?"
    r"limit (?P<budget>\d+) · (?P<tokens>\d+) tokens (?P<encoding>\w+).*\n"
    r"sha256 (?P<receipt>[0-9a-f]{12})\n"
)


class Node(NamedTuple):
    """A visit in the text of a scene."""

    name: str
    """Address as printed: masked, and cut with `…` at a small budget."""
    lines: str
    """Ranges of the numbered lines, `1-11` or `3-6, 9`."""
    tier: Tier
    depth: int
    """Number of links from the card."""
    view: View
    why: str
    head: str
    """Heading and reason, with the blank line after them."""
    body: str
    """Fenced text with the blank line after it; empty for a line view."""

    @property
    def is_in_map_alone(self) -> bool:
        """Return whether the node is a linked file without a heading."""
        return self.head.startswith("- ")


class Reading(NamedTuple):
    """Parsed content of a scene."""

    nodes: tuple[Node, ...]
    receipt: str
    """First digits of the receipt."""
    tokens: int
    card: str | None
    """Name of the root card; None if no card was active."""
    budget: int
    encoding: str


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
    if receipt:
        old_text = _kept_text(workspace.index, receipt)
    else:
        data = read_generated(workspace.paths.scene)
        if data is None:
            raise NotFound(f"{SCENE} does not exist", hint="`cuedeck scene` writes it")
        old_text = data.decode("utf-8", "replace")
    old = read_scene(old_text)
    if old is None:
        raise Invalid(
            f"{SCENE} does not contain a scene", hint="`cuedeck scene` rewrites it"
        )
    new_text = make_scene(workspace, request).text
    new = read_scene(new_text)
    assert new is not None
    encoding = old.encoding if old.encoding in ENCODINGS else new.encoding
    counts = workspace.counter(encoding), workspace.counter(new.encoding)
    came, went, changed = compare(old.nodes, new.nodes)
    answer = {
        "before": _summary(old),
        "after": _summary(new),
        "came": [_row(node, counts[1]) for node in came],
        "went": [_row(node, counts[0]) for node in went],
        "changed": [_changed(each, *counts) for each in changed],
        "unchanged_prefix_tokens": counts[1].count(
            unchanged_prefix(old_text, new_text)
        ),
    }
    for count in counts:
        count.save()
    if with_text:
        pairs: list[tuple[Node | None, Node | None]] = [(None, node) for node in came]
        pairs += [(node, None) for node in went]
        pairs += [(each.before, each.after) for each in changed]
        answer["diff"] = "".join(diff_text(*pair) for pair in pairs)
    return answer


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
        message = f"several receipts begin with `{receipt}`"
        raise Ambiguous(
            message,
            hint="give more digits",
            candidates=known,
        )
    hint = "`cuedeck scene` builds a scene; none is cached"
    if known:
        hint = "use the first digits of one of these; only the last scenes are cached"
    message = f"no cached scene has a receipt that begins with `{receipt}`"
    raise NotFound(message, hint=hint, candidates=known)


def _summary(reading: Reading) -> dict[str, Any]:
    values = reading._asdict()
    del values["nodes"]
    return values


def _row(node: Node, count: Count) -> dict[str, Any]:
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
    stayed: set[tuple[str, int]] = set()
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


def _by_key(nodes: Sequence[Node]) -> dict[tuple[str, int], Node]:
    """Return the nodes by name and occurrence; names that were cut may be equal."""
    found: dict[tuple[str, int], Node] = {}
    for node in nodes:
        times = sum(name == node.name for name, _ in found)
        found[node.name, times] = node
    return found


def _at_one_level(before: Node, after: Node) -> bool:
    """Return whether tier and depth are equal; the map does not state the depth."""
    is_known = not before.is_in_map_alone and not after.is_in_map_alone
    return before.tier == after.tier and (before.depth == after.depth or not is_known)


def unchanged_prefix(before: str, after: str) -> str:
    """Return the complete lines that two texts have in common at the start."""
    same = 0
    lines = zip(
        before.split("\n")[:-1],
        after.split("\n")[:-1],
        strict=False,
    )
    for one, other in lines:
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
    old_name = f"before/{before.name}" if before else _NOWHERE
    new_name = f"after/{after.name}" if after else _NOWHERE
    rows = unified_diff(
        old,
        new,
        old_name,
        new_name,
        lineterm="",
    )
    return "".join(f"{row}\n" for row in rows)


# --- parts of a scene


def read_scene(text: str) -> Reading | None:
    """Return the parsed scene; None for another text."""
    parts = [found[0] for found in _PART.finditer(text)]
    end = parts.index("## Receipt\n") if "## Receipt\n" in parts else len(parts)
    footer = _FOOTER.match("".join(parts[end : end + 4]))
    if footer is None:
        return None
    headed: list[Node] = []
    map_lines: list[re.Match[str]] = []
    listed: list[Node] = []
    heading = ""
    for at, part in enumerate(parts[:end]):
        line = _MAP_LINE.fullmatch(part)
        if part.startswith("## "):
            heading = part
        elif part.startswith("### "):
            headed += _headed(parts[at : at + 5])
        elif heading == "## Map\n" and line is not None:
            map_lines.append(line)
        elif f"{part}\n" == LISTED_OPENING:
            listed = [_listed(row) for row in parts[at + 2].split("\n")[1:-2]]
    return Reading(
        (*_in_map_order(headed, map_lines), *listed),
        footer["receipt"],
        int(footer["tokens"]),
        _name(footer) or None,
        int(footer["budget"]),
        footer["encoding"],
    )


def _headed(parts: Sequence[str]) -> list[Node]:
    """Return the node that begins with a heading, a reason, a blank line and a fence;
    nothing for another heading.
    """
    heading = _HEADING.fullmatch(parts[0])
    linked = _LINKED.fullmatch(parts[1])
    reason = linked or _RELATED.fullmatch(parts[1])
    if heading is None or reason is None or parts[2] != "\n":
        return []
    depth = int(linked["depth"]) if linked else 1
    view = _VIEWS.get(reason["view"] or "", "section")
    body = "".join(parts[3:5]) if parts[3].startswith("```") else ""
    lines = _numbered_lines(body) if depth else ""
    tier: Tier = "explicit" if linked else "related"
    head = "".join(parts[:3])
    return [
        Node(
            _name(heading),
            lines,
            tier,
            depth,
            view,
            reason["why"],
            head,
            body,
        )
    ]


def _in_map_order(
    headed: Sequence[Node], map_lines: Sequence[re.Match[str]]
) -> list[Node]:
    """Return the nodes in the order of the map, with those that only the map names."""
    nodes, rest = list(headed[:1]), list(headed[1:])
    for line in map_lines:
        name = _name(line)
        if rest and not line["absent"] and name == rest[0].name:
            nodes.append(rest.pop(0))
        else:
            nodes.append(
                Node(
                    name,
                    "",
                    "explicit",
                    0,
                    "line",
                    line["why"],
                    line[0],
                    "",
                )
            )
    return [*nodes, *rest]


def _listed(row: str) -> Node:
    found = _LISTED_LINE.fullmatch(row)
    name, line = (found["name"], found["line"]) if found is not None else (row, "")
    return Node(
        name,
        line,
        "related",
        1,
        "line",
        "",
        f"{row}\n",
        "",
    )


def _numbered_lines(body: str) -> str:
    """Return the ranges of the numbered lines in a fenced text, `3-6, 9`."""
    spans: list[tuple[int, int]] = []
    for number in map(int, _NUMBERED.findall(body)):
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return ", ".join(
        f"{start}-{end}" if start != end else f"{start}" for start, end in spans
    )


def _name(found: re.Match[str]) -> str:
    """Return the content of inline code, without its padding."""
    name = found["name"] or ""
    return name[1:-1] if len(found["marks"] or "") > 1 else name
