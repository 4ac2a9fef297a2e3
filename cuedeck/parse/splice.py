"""Edits of a card's front matter that touch only the lines they must.

The YAML parser says where a key, a value or a list item stands in the file; the edit replaces that span and
nothing else. Every edit is read back before it is returned: unless the key reads as asked, and all other keys
and the body are as before, `Invalid` is raised and the caller still holds the old bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from cuedeck.model.errors import Invalid

_BOM = "\ufeff"
_OPEN = re.compile(r"---[ \t]*(?:\r\n|\r|\n|\Z)")
_CLOSE = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_COLON = re.compile(r"\s*:")
_GAP = re.compile(r"(?:\s|#[^\r\n]*)*")
_ITEM_TAIL = re.compile(r"[ \t]*(?P<comma>,?)[ \t]*(?:#[^\r\n]*)?(?P<newline>\r\n|\r|\n)")
_BLOCK_TEXT_COMMENT = re.compile(r"[|>][-+0-9]*(?P<comment>[ \t]+#[^\r\n]*)")
_PART = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_WHOLE = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_COMMA_KEYS = ("tags", "depends_on")
"""Keys whose value, when it is one text, is read as a list with commas."""
_MAX_DEPTH = 200
_QUOTES = ("'", '"')
_NOTHING = ("", "~", "null", "Null", "NULL")
_BY_HAND = "edit the front matter of this file by hand"

# YAML readers refuse these or take them as line breaks, so they can only be written as escapes.
_ESCAPED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_NAMED_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# What YAML 1.1 and 1.2 read as something else than text, beyond what PyYAML's own resolver knows.
_NOT_TEXT = re.compile(r"[yYnN]|[-+]?(?:\.\d+|\d+\.?\d*)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
# YAML readers disagree on these inside brackets.
_FLOW_SIGN = re.compile(r"[?,\[\]{}]|:$")
_NEVER_PLAIN = ("=", "<<")
"""Words that PyYAML reads in a `BaseLoader` but fails on in its standard loaders."""
_TEXT_KEYS = ("title",)
"""Keys whose value other YAML readers must also take for a string."""


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


class _Item(NamedTuple):
    """An item of a list; `start` is -1 when it has no place of its own."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Node:
    """A YAML node by its place in the file; `end` leaves out blanks, newlines and comments that follow."""

    kind: Literal["scalar", "alias", "list", "map"]
    start: int
    end: int
    text: str = ""
    style: str = ""
    flow: bool = False
    anchor: str = ""
    tag: str = ""
    children: tuple[_Node, ...] = ()
    """Items of a list; keys and values of a map by turns."""


@dataclass(frozen=True, slots=True)
class _Card:
    """A file cut into what stands before `start`, the YAML, and what stands from `end` on."""

    text: str
    start: int
    end: int
    fenced: bool
    root: _Node

    @property
    def entries(self) -> list[tuple[_Node, _Node]]:
        return list(zip(self.root.children[::2], self.root.children[1::2], strict=True))

    @property
    def indent(self) -> str:
        """The blanks before every key."""
        lead = _lead(self.text, self.root.children[0].start) if self.root.children else ""
        # An explicit key has its `? ` between the blanks and itself.
        return lead[: len(lead) - len(lead.lstrip(" "))]

    @property
    def item_indent(self) -> str:
        """The blanks before the dashes of a new list: as in the file's other block lists, else two more."""
        for _, value in self.entries:
            if value.kind == "list" and not value.flow:
                return _lead(self.text, _dash(self.text, value.children[0]))
        return self.indent + "  "

    def find(self, key: str) -> tuple[_Node, _Node] | None:
        found = [entry for entry in self.entries if entry[0].kind == "scalar" and entry[0].text == key]
        if len(found) > 1:
            line = _line_number(self.text, found[1][0].start)
            raise Invalid(f"line {line}: {key!r} stands twice in the front matter", hint="remove one of them")
        return found[0] if found else None


_Check = Callable[[_Card, _Node | None], bool]
"""Whether a key of the edited card has the value it was meant to get."""


# Edits --------------------------------------------------------------------------------------------------


def set_key(data: bytes, key: str, value: str) -> bytes:
    r"""Set a front-matter key to one text; add the key, or the front matter, where missing.

    A value that already reads as `value` stays as it is written; a quoted value stays quoted.

    Raises: Invalid for a file that is not UTF-8, for broken front matter, or when no safe edit exists.
    Example: `set_key(b"---\nstatus: todo\n---\n", "status", "done")` is `b"---\nstatus: done\n---\n"`.
    """
    card = _read(data)
    entry = card.find(key)
    strict = key in _TEXT_KEYS
    if entry is None:
        edit = _new_entry(card, key, " " + quote(value, flow=card.root.flow, strict=strict))
    else:
        name, node = entry
        if node.kind == "scalar" and node.text == value:
            return data
        written = quote(value, flow=card.root.flow, strict=strict, like=node.style)
        edit = _replacement(card, name, node, written)
    return _apply(card, [edit], key, _is_text(value))


def remove_key(data: bytes, key: str) -> bytes:
    """Remove a front-matter key with its value; a missing key changes nothing.

    Raises: Invalid as `set_key` does.
    """
    card = _read(data)
    entry = card.find(key)
    if entry is None:
        return data
    if card.root.flow:
        spans = [_Item(name.start, node.end, name.text) for name, node in card.entries]
        edits = _flow_removal(card.text, spans, card.entries.index(entry))
    else:
        after = _next_line(card.text, max(_after_colon(card, entry[0]), entry[1].end))
        edits = [_Edit(_line_start(card.text, entry[0].start), after, "")]
    return _apply(card, edits, key, lambda _, node: node is None)


def add_item(data: bytes, key: str, item: str) -> bytes:
    """Add an item at the end of a list, in the form the list has; an item that is there changes nothing.

    A block list stays a block list and a flow list a flow list; a text with commas gets one more part, any
    other text becomes a flow list; a missing key is added as a block list.

    Raises: Invalid as `set_key` does, and for a list shared with another key by an alias.
    """
    card = _read(data)
    entry = card.find(key)
    if entry is None:
        line = f"{_newline_before(card)}{card.item_indent}- {quote(item)}"
        edit = _new_entry(card, key, f" {_flow_list([item])}" if card.root.flow else line)
        return _apply(card, [edit], key, _reads(key, [item]))
    name, node = entry
    items = _items(card, key, node)
    if _position(card.text, items, item) is not None:
        return data
    if node.kind == "scalar":
        edits = [_scalar_addition(card, name, node, items, item)]
    elif node.flow:
        edits = _flow_addition(card.text, node, items, item)
    else:
        edits = [_block_addition(card.text, node, item)]
    return _apply(card, edits, key, _reads(key, [*(old.text for old in items), item]))


def remove_item(data: bytes, key: str, item: str) -> bytes:
    """Remove every item of a list that reads, or is written, as `item`, or is a mapping with that `ref:`.

    A missing item changes nothing; the key stays when its last item goes.

    Raises: Invalid as `add_item` does.
    """
    card = _read(data)
    entry = card.find(key)
    if entry is None:
        return data
    name, node = entry
    items = _items(card, key, node)
    index = _position(card.text, items, item)
    if index is None:
        return data
    rest = [old.text for place, old in enumerate(items) if place != index]
    if node.kind == "list" and not node.flow:
        edits = [_block_removal(card.text, node.children[index])]
    elif node.kind == "list" or (rest and items[index].start >= 0):
        edits = _flow_removal(card.text, items, index)
    elif rest:
        edits = [_replacement(card, name, node, _flow_list(rest))]
    else:
        edits = [_Edit(_after_colon(card, name), node.end, "")]
    return remove_item(_apply(card, edits, key, _reads(key, rest)), key, item)


def render_card(fields: Sequence[tuple[str, str | tuple[str, ...]]], body: str) -> str:
    """Return the text of a new card file.

    A tuple is written as a block list, an empty one as `[]`. The body follows after a blank line and ends
    with a newline.

    Order: as given.
    Raises: Invalid for a value that is not valid Unicode text.
    """
    lines = ["---"]
    for key, value in fields:
        if isinstance(value, str):
            lines.append(f"{quote(key)}: {quote(value, strict=key in _TEXT_KEYS)}")
        elif value:
            lines += [f"{quote(key)}:", *(f"  - {quote(item)}" for item in value)]
        else:
            lines.append(f"{quote(key)}: []")
    lines.append("---")
    if body:
        lines += ["", body.removesuffix("\n")]
    return "\n".join(lines) + "\n"


def _new_entry(card: _Card, key: str, rest: str) -> _Edit:
    """Put a key behind the last one; `rest` is what follows the colon."""
    newline, written = _newline_before(card), f"{quote(key, flow=card.root.flow)}:{rest}"
    if not card.fenced:
        return _Edit(card.end, card.end, f"---{newline}{written}{newline}---{newline}")
    if not card.root.flow:
        return _Edit(card.end, card.end, f"{card.indent}{written}{newline}")
    if card.root.children:
        return _Edit(card.root.children[-1].end, card.root.children[-1].end, f", {written}")
    return _Edit(card.root.end - 1, card.root.end - 1, written)


def _replacement(card: _Card, name: _Node, node: _Node, written: str) -> _Edit:
    if node.kind in ("list", "map") and not node.flow:
        return _Edit(_after_colon(card, name), node.end, f" {written}")
    if node.start == node.end:
        return _Edit(node.start, node.start, f" {written}")
    comment = _BLOCK_TEXT_COMMENT.match(card.text, node.start) if node.style in ("|", ">") else None
    return _Edit(node.start, node.end, written + (comment["comment"] if comment else ""))


def _apply(card: _Card, edits: list[_Edit], key: str, is_done: _Check) -> bytes:
    """Make the edits and read the result back, so that no edit can damage what it did not mean."""
    text = card.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    data = text.encode("utf-8")
    try:
        after = _read(data)
        entry = after.find(key)
        safe = (
            is_done(after, entry and entry[1])
            and _others(after, key) == _others(card, key)
            and after.text[after.end :].endswith(card.text[card.end :])
        )
    except Invalid:
        safe = False
    if not safe:
        line = _line_number(card.text, min(edits).start)
        raise Invalid(f"line {line}: {key!r} cannot be changed without risk to the rest", hint=_BY_HAND)
    return data


def _others(card: _Card, key: str) -> list[list[tuple[str, str, str, str, int]]]:
    return [_shape(node) for entry in card.entries if entry[0].text != key for node in entry]


def _is_text(value: str) -> _Check:
    return lambda _, node: node is not None and node.kind == "scalar" and node.text == value


def _reads(key: str, expected: list[str]) -> _Check:
    def is_done(card: _Card, node: _Node | None) -> bool:
        return node is not None and [item.text for item in _items(card, key, node)] == expected

    return is_done


# Lists --------------------------------------------------------------------------------------------------


def _items(card: _Card, key: str, node: _Node) -> list[_Item]:
    """List the items of a value; a text is one item, or its parts between commas where the key has them."""
    shared = node.kind == "alias" or (node.anchor and ("alias", "", node.anchor, "", 0) in _shape(card.root))
    if shared or node.kind == "map":
        line, what = _line_number(card.text, node.start), "shared by an alias" if shared else "not a list"
        raise Invalid(f"line {line}: the value of {key!r} is {what}", hint=_BY_HAND)
    if node.kind == "list":
        return [_Item(child.start, child.end, _item_text(card.text, child)) for child in node.children]
    if not node.style and node.text in _NOTHING:
        return []
    parts = (_PART if key in _COMMA_KEYS else _WHOLE).finditer(node.text)
    if not _is_verbatim(card.text, node):
        return [_Item(-1, -1, part.group()) for part in parts]
    start = node.start + (node.style in _QUOTES)
    return [_Item(start + part.start(), start + part.end(), part.group()) for part in parts]


def _item_text(text: str, node: _Node) -> str:
    """Return a scalar's text, the `ref:` of a mapping, else the item as written."""
    if node.kind == "scalar":
        return node.text
    pairs = zip(node.children[::2], node.children[1::2], strict=False) if node.kind == "map" else ()
    refs = [value.text for name, value in pairs if name.text == "ref" and value.kind == "scalar"]
    return refs[0] if refs else text[node.start : node.end]


def _position(text: str, items: list[_Item], wanted: str) -> int | None:
    for index, item in enumerate(items):
        if wanted == item.text or (item.start < item.end and wanted == text[item.start : item.end]):
            return index
    return None


def _is_verbatim(text: str, node: _Node) -> bool:
    """Whether a scalar stands in the file letter for letter, apart from quotes around it."""
    cut = int(node.style in _QUOTES)
    return node.text == text[node.start + cut : node.end - cut]


def _flow_list(items: list[str], like: str = "") -> str:
    return f"[{', '.join(quote(item, flow=True, like=like) for item in items)}]"


def _last_style(node: _Node) -> str:
    return next((child.style for child in reversed(node.children) if child.kind == "scalar"), "")


def _scalar_addition(card: _Card, name: _Node, node: _Node, items: list[_Item], item: str) -> _Edit:
    if node.start == node.end and not card.root.flow:
        after = _next_line(card.text, _after_colon(card, name))
        line = f"{card.item_indent}- {quote(item)}{_newline_at(card.text, after)}"
        return _Edit(after, after, line)
    is_part = _PART.fullmatch(item) and not set(item) & set("'\"\\") and quote(item, flow=True) == item
    if is_part and name.text in _COMMA_KEYS and "," in node.text and _is_verbatim(card.text, node):
        end = node.end - (node.style in _QUOTES)
        return _Edit(end, end, f", {item}")
    return _replacement(card, name, node, _flow_list([*(old.text for old in items), item], node.style))


def _block_addition(text: str, node: _Node, item: str) -> _Edit:
    last = node.children[-1]
    dash = _dash(text, last)
    between = text[dash + 1 : last.start]
    blanks = between if between and not between.strip(" \t") else " "
    after = _next_line(text, max(last.end, dash + 1))
    written = quote(item, like=_last_style(node))
    return _Edit(after, after, f"{_lead(text, dash)}-{blanks}{written}{_newline_at(text, after)}")


def _block_removal(text: str, node: _Node) -> _Edit:
    dash = _dash(text, node)
    return _Edit(_line_start(text, dash), _next_line(text, max(node.end, dash + 1)), "")


def _flow_addition(text: str, node: _Node, items: list[_Item], item: str) -> list[_Edit]:
    written = quote(item, flow=True, like=_last_style(node))
    if not items:
        inside = text.index("[", node.start) + 1
        return [_Edit(inside, inside, written)]
    last = items[-1]
    line = _line_start(text, last.start)
    lead = text[line : last.start]
    if lead.strip(" \t"):
        return [_Edit(last.end, last.end, f", {written}")]
    tail = _ITEM_TAIL.match(text, last.end)
    if tail is None:
        return [_Edit(last.end, last.end, f",{_newline_at(text, line)}{lead}{written}")]
    below = _Edit(tail.end(), tail.end(), f"{lead}{written}{tail['comma']}{tail['newline']}")
    return [below] if tail["comma"] else [_Edit(last.end, last.end, ","), below]


def _flow_removal(text: str, items: list[_Item], index: int) -> list[_Edit]:
    """Remove an item with one comma, and with its line when it has the line for itself."""
    item, before = items[index], items[index - 1] if index else None
    line, tail = _line_start(text, item.start), _ITEM_TAIL.match(text, item.end)
    comma = _comma(text, before.end) if before else None
    if tail and not text[line : item.start].strip(" \t"):
        whole = _Edit(line, tail.end(), "")
        is_last = index == len(items) - 1 and not tail["comma"]
        return [comma, whole] if comma and is_last else [whole]
    if index < len(items) - 1:
        return [_Edit(item.start, items[index + 1].start, "")]
    if before is None:
        trailing = _comma(text, item.end)
        return [_Edit(item.start, trailing.end if trailing else item.end, "")]
    if comma and "#" in text[before.end : item.start]:
        return [comma, _Edit(item.start, item.end, "")]
    return [_Edit(before.end, item.end, "")]


def _comma(text: str, at: int) -> _Edit | None:
    """Return the removal of the comma that follows `at`, comments and newlines between."""
    gap = _GAP.match(text, at)
    end = gap.end() if gap else at
    return _Edit(end, end + 1, "") if text.startswith(",", end) else None


# Quotes -------------------------------------------------------------------------------------------------


def quote(value: str, *, flow: bool = False, strict: bool = False, like: str = "") -> str:
    """Return `value` as a YAML scalar on one line, in quotes only when it needs them.

    `flow`: it stands inside `[…]` or `{…}`. `strict`: every YAML reader must take it for a string, so words
    such as `no`, `12` and `2026-01-01` need quotes. `like`: the quotes to use even without need.

    Raises: Invalid for a value that is not valid Unicode text.
    """
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Invalid(f"{value!r} is not valid Unicode text", hint="write it in UTF-8") from error
    if like not in _QUOTES and _is_plain(value, flow) and not (strict and _is_typed(value)):
        return value
    prefers_single = like == "'" or (like != '"' and ('"' in value or "\\" in value))
    if prefers_single and not _ESCAPED.search(value):
        return "'" + value.replace("'", "''") + "'"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _ESCAPED.sub(_escape, escaped) + '"'


def _escape(match: re.Match[str]) -> str:
    return _NAMED_ESCAPES.get(match.group()) or f"\\u{ord(match.group()):04x}"


def _is_plain(value: str, flow: bool) -> bool:
    """Whether YAML reads `value` without quotes as exactly this text, asked of the parser itself."""
    if value in _NEVER_PLAIN or _ESCAPED.search(value) or (flow and _FLOW_SIGN.search(value)):
        return False
    try:
        root = _tree(f"[{value} ]" if flow else f"- {value}", 0)
    except Invalid:
        return False
    expected = _Node("scalar", 1 if flow else 2, len(value) + (1 if flow else 2), value)
    return value != "" and root is not None and root.children == (expected,)


def _is_typed(value: str) -> bool:
    """Whether some YAML reader takes the plain `value` for a number, a date, a truth value or nothing."""
    import yaml  # type: ignore[import-untyped,unused-ignore]

    resolver: Any = yaml.resolver.Resolver()
    tag = resolver.resolve(yaml.ScalarNode, value, (True, False))
    return tag != "tag:yaml.org,2002:str" or _NOT_TEXT.fullmatch(value) is not None


# Places -------------------------------------------------------------------------------------------------


def _read(data: bytes) -> _Card:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Invalid(f"line {line}: the file is not UTF-8 text", hint="save it as UTF-8") from error
    start = len(_BOM) if text.startswith(_BOM) else 0
    nothing = _Node("map", start, start)
    fence = _OPEN.match(text, start)
    if fence is None:
        return _Card(text, start, start, False, nothing)
    close = _CLOSE.search(text, fence.end())
    if close is None:
        raise Invalid("line 1: the front matter is not closed", hint="end it with a line that holds only ---")
    root = _tree(text[: close.start()], fence.end()) or nothing
    if root.kind != "map":
        hint = "write it as lines of `key: value`"
        raise _broken(_line_number(text, root.start), "the front matter holds no keys", hint)
    return _Card(text, fence.end(), close.start(), True, root)


def _tree(text: str, offset: int) -> _Node | None:
    """Read the YAML from `offset` on; None when it holds nothing.

    Events are used instead of composed nodes because only there an alias has a place of its own.
    """
    import yaml

    from cuedeck.parse.fault import explain

    roots: list[_Node] = []
    opened: list[tuple[_Node, list[_Node]]] = []
    anchors: set[str] = set()
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    events: Iterable[Any] = yaml.parse(text[offset:], Loader=loader)
    try:
        for event in events:
            start, end = event.start_mark.index + offset, event.end_mark.index + offset
            if isinstance(event, yaml.CollectionEndEvent):
                node = _closed(*opened.pop(), end if end > start else 0)
            elif isinstance(event, yaml.NodeEvent):
                node = _node(event, text, start, end)
            else:
                continue
            if node.kind == "alias" and node.anchor not in anchors:
                raise _broken(_line_number(text, start), f"the alias *{node.anchor} has no anchor before it")
            anchors.add(node.anchor)
            if isinstance(event, yaml.CollectionStartEvent):
                opened.append((node, []))
                # The parser needs time by the square of the depth.
                if len(opened) > _MAX_DEPTH:
                    raise _broken(_line_number(text, start), "front matter is nested too deeply")
            else:
                (opened[-1][1] if opened else roots).append(node)
    except yaml.YAMLError as error:
        row, problem, hint = explain(error, _NEWLINE.sub("\n", text[offset:]))
        raise _broken(_line_number(text, offset) + row, problem, hint) from error
    if len(roots) > 1:
        raise _broken(_line_number(text, roots[1].start), "front matter holds more than one document")
    return roots[0] if roots else None


def _node(event: Any, text: str, start: int, end: int) -> _Node:
    import yaml

    anchor, tag = event.anchor or "", getattr(event, "tag", None) or ""
    if isinstance(event, yaml.AliasEvent):
        return _Node("alias", start, end, anchor=anchor)
    if isinstance(event, yaml.ScalarEvent):
        # The parser counts the blank lines after a block text to it; here they belong to nobody.
        end = start + len(text[start:end].rstrip(" \t\r\n"))
        return _Node("scalar", start, end, event.value, event.style or "", anchor=anchor, tag=tag)
    kind: Literal["list", "map"] = "list" if isinstance(event, yaml.SequenceStartEvent) else "map"
    return _Node(kind, start, end, flow=bool(event.flow_style), anchor=anchor, tag=tag)


def _closed(head: _Node, children: list[_Node], end: int) -> _Node:
    """Finish a collection; without a closing bracket it ends with its last child, not at the next token."""
    if not head.flow or not end:
        end = children[-1].end if children else head.end
    return replace(head, end=end, children=tuple(children))


def _shape(node: _Node) -> list[tuple[str, str, str, str, int]]:
    """Return what a node says, without places; flat, so that deep nesting needs no recursion."""
    found: list[tuple[str, str, str, str, int]] = []
    waiting = [node]
    while waiting:
        here = waiting.pop()
        found.append((here.kind, here.tag, here.anchor, here.text, len(here.children)))
        waiting += here.children
    return found


def _broken(line: int, problem: str, hint: str = _BY_HAND) -> Invalid:
    return Invalid(f"line {line}: {problem}", hint=hint)


def _line_number(text: str, at: int) -> int:
    return len(_NEWLINE.findall(text, 0, at)) + 1


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _next_line(text: str, at: int) -> int:
    match = _LINE.match(text, at)
    return match.end() if match else len(text)


def _newline_at(text: str, at: int) -> str:
    """Return the newline that ends just before `at`."""
    return "\r\n" if text.endswith("\r\n", 0, at) else text[at - 1 : at]


def _newline_before(card: _Card) -> str:
    """Return the newline before the closing fence, else the first of the file."""
    if card.fenced:
        return _newline_at(card.text, card.end)
    first = _NEWLINE.search(card.text)
    return first.group() if first else "\n"


def _lead(text: str, at: int) -> str:
    return text[_line_start(text, at) : at]


def _dash(text: str, item: _Node) -> int:
    return text.rindex("-", 0, item.start)


def _after_colon(card: _Card, name: _Node) -> int:
    colon = _COLON.match(card.text, name.end)
    return colon.end() if colon else name.end
