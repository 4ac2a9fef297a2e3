"""Setup loses and reorders nothing in the files of a host, and removal restores them,
whatever they contain.
"""

from __future__ import annotations

import json
import random
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cuedeck.agents.edits.hooks_json import HooksPart
from cuedeck.agents.edits.json_document import read_json
from cuedeck.agents.edits.managed_block import BlockPart
from cuedeck.agents.edits.mcp_server import ServerPart, TomlServerPart, entry_of
from cuedeck.agents.edits.own_commands import is_own_hook
from cuedeck.agents.hosts import all_hosts
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.codex import HOST as CODEX
from cuedeck.agents.setup import connect, disconnect
from cuedeck.agents.setup.host_targets import wanted_paths
from cuedeck.engine.open_workspace import open_workspace

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=6)
NAMES = st.sampled_from(
    ["a", "b", "é", "x y", "", "//", "/*", ",", "}", '"', "\\", "version", "matcher", "command"]
)  # fmt: skip
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 9), st.just(1.5), WORDS, NAMES
)
VALUES = st.recursive(
    SCALARS,
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(NAMES, below, max_size=3)
    ),
    max_leaves=6,
)
COMMANDS = st.sampled_from(
    ["bell", "mycuedeck hook stop", "cuedeck scene", "echo // no comment", "bd prime"]
)
HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": COMMANDS})
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, min_size=1, max_size=2)}, optional={"matcher": WORDS}
)
EVENTS = st.sampled_from(
    ["SessionStart", "Stop", "stop", "PreCompact", "AfterTool", "Other"]
)
HOOKS = st.dictionaries(
    EVENTS, st.lists(st.one_of(GROUPS, HANDLERS, SCALARS), max_size=2), max_size=3
)
SERVERS = st.dictionaries(
    st.sampled_from(["other", "cuedeck2", "é"]), VALUES, max_size=2
)
MINE = st.fixed_dictionaries(
    {},
    optional={
        "permissions": VALUES,
        "hooks": HOOKS,
        "mcpServers": SERVERS,
        "servers": SERVERS,
        "z": VALUES,
        "version": st.just(1),
    },
)


class Writer:
    """Serialises a value as JSON with comments; the layout follows from a seed."""

    def __init__(self, number: int) -> None:
        self.pick = random.Random(number).choice
        self.newline = self.pick(["\n", "\r\n"])
        self.indent = self.pick(["  ", "\t", "    ", " ", ""])
        self.is_plain = self.pick([True, False])
        self.inline = self.pick([False, False, True])

    def file(self, value: Any) -> str:
        start = self.pick(["", "\ufeff", "\n", "// first\n", "\ufeff/* first */ "])
        end = self.pick(["", "\n", "\n\n", " // last\n", "\n/* last */"])
        return (
            (start + self.value(value, "") + end)
            .replace("\r\n", "\n")
            .replace("\n", self.newline)
        )

    def value(self, value: Any, lead: str) -> str:
        if not isinstance(value, (dict, list)):
            return json.dumps(value, ensure_ascii=self.pick((True, False)))
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        if not value:
            return opening + self.gap() + closing
        if self.inline or self.pick(range(4)) == 0:
            return (
                opening
                + self.gap()
                + self.row(value, lead, lambda: self.gap() or " ")
                + self.gap()
                + closing
            )
        inner = lead + self.indent
        inside = self.row(value, inner, lambda: self.tail() + "\n" + inner)
        return f"{opening}{self.tail()}\n{inner}{inside}{self.tail()}\n{lead}{closing}"

    def row(self, value: Any, lead: str, between: Any) -> str:
        pairs = (
            value.items()
            if isinstance(value, dict)
            else ((None, each) for each in value)
        )
        written = [self.slot(key, each, lead) for key, each in pairs]
        text = written[0]
        for each in written[1:]:
            text += self.gap() + "," + between() + each
        return text + ("," if not self.is_plain and self.pick((True, False)) else "")

    def slot(self, key: str | None, value: Any, lead: str) -> str:
        name = (
            ""
            if key is None
            else json.dumps(key, ensure_ascii=False) + self.gap() + ":" + self.gap()
        )
        return name + self.value(value, lead)

    def gap(self) -> str:
        """Draw the text between two tokens on one line."""
        if self.is_plain:
            return ""
        return self.pick(
            ["", "", "", " ", "\t", "/* in */", " /* , */ ", "// in\n", "\n"]
        )

    def tail(self) -> str:
        """Draw the text at the end of a line."""
        if self.is_plain or self.pick((True, False)):
            return ""
        return self.pick([" ", "\n", " // tail", "\n\t// own line", " /* tail */ "])


@st.composite
def json_files(draw: Any) -> str:
    return Writer(draw(st.integers(0, 9_999))).file(draw(MINE))


@st.composite
def toml_files(draw: Any) -> str:
    rows = [
        'a = "x # y"',
        "",
        "# words",
        "[t]",
        "b = [1, # c\n  2]",
        'c = """\n[mcp_servers.cuedeck]\n"""',
        "[[u]]",
    ]
    rows += [
        "[mcp_servers.other]",
        "command = 'x'",
        "[mcp_servers]",
        "d = {x = ']'} # e",
    ]
    text = "\n".join(draw(st.lists(st.sampled_from(rows), max_size=8))) + draw(
        st.sampled_from(["", "\n"])
    )
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assume(False)
    return draw(st.sampled_from(["", "\ufeff"])) + text


@st.composite
def markdown_files(draw: Any) -> str:
    rows = [
        "# A",
        "",
        "text",
        "```",
        "<!-- BEGIN OTHER -->",
        " <!-- BEGIN CUEDECK v:1 -->",
        "é\u2028x",
        "@AGENTS.md",
    ]
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return draw(st.sampled_from(["", "\ufeff"])) + newline.join(
        draw(st.lists(st.sampled_from(rows), max_size=6))
    )


def with_own_entries(value: Any, host: Host) -> Any:
    """Return the content of a JSON file with CueDeck's hooks and server, computed
    independently.
    """
    value = {} if value is None else dict(value)
    assert host.hooks and host.setup.server
    for key, number in host.hooks.fixed:
        value.setdefault(key, number)
    hooks = dict(value.get("hooks", {}))
    part = HooksPart(host.hooks, host.name)
    for event in host.hooks.events:
        hooks[event.name] = [*hooks.get(event.name, []), part.element(event)]
    table = {
        **value.get(host.setup.server.table, {}),
        "cuedeck": {**entry_of(host.setup.server), **dict(host.setup.server.added)},
    }
    return {**value, "hooks": hooks, host.setup.server.table: table}


def without_own_entries(value: Any, host: Host) -> Any:
    """Return the content of a JSON file without CueDeck's entries and without
    containers that they leave empty.
    """
    value = {} if value is None else dict(value)
    table = {
        name: each
        for name, each in value.pop(host.setup.server.table, {}).items()
        if name != "cuedeck"
    }
    hooks = {}
    for event, elements in value.pop("hooks", {}).items():
        kept = [each for element in elements for each in _without_own_commands(element)]
        hooks |= {event: kept} if kept else {}
    return {
        **value,
        **({"hooks": hooks} if hooks else {}),
        **({host.setup.server.table: table} if table else {}),
    }


def _without_own_commands(element: Any) -> list[Any]:
    """Return an event element without CueDeck's commands, as a list that is empty if
    nothing else remains.
    """
    if not isinstance(element, dict):
        return [element]
    if is_own_hook(element.get("command")):
        return []
    handlers = element.get("hooks", [])
    kept = [each for each in handlers if not is_own_hook(each["command"])]
    return (
        [element] if kept == handlers else [{**element, "hooks": kept}] if kept else []
    )


def add_all_entries(text: str, host: Host) -> str:
    """Return a file with CueDeck's hooks and server."""
    return ServerPart(host.setup.server).put(HooksPart(host.hooks, host.name).put(text))


def strip_all_entries(text: str, host: Host) -> str:
    return HooksPart(host.hooks, host.name).strip(
        ServerPart(host.setup.server).strip(text)
    )


def tokens(text: str) -> list[str]:
    """Return the tokens of a JSON file in order, without commas and blanks."""
    document = read_json(text)
    cuts = [(start, end) for start, end in document.comments]
    for slot in document.slots.values():
        cuts.append((slot.start, slot.value))
        if text[slot.value] in "{[":
            cuts += [(slot.value, slot.value + 1), (slot.end - 1, slot.end)]
        else:
            cuts.append((slot.value, slot.end))
    rows = ["".join(text[start:end].split()) for start, end in sorted(set(cuts))]
    return [row for row in rows if row]


def is_within(part: list[str], whole: list[str]) -> bool:
    """Return whether one list is a subsequence of another."""
    rest = iter(whole)
    return all(each in rest for each in part)


@st.composite
def edited_files(draw: Any, text: str, host: Host) -> str:
    """Draw a file as the user or the host may leave it after setup."""
    document = read_json(text)
    root = document.slots[()]
    kind = draw(st.sampled_from(["member", "comment", "group", "rewritten", "older"]))
    if kind == "member":
        at = root.value + 1
        return f'{text[:at]}"new": {json.dumps(draw(VALUES))},{text[at:]}'
    if kind == "comment":
        commas = [slot.comma + 1 for slot in document.inside(()) if slot.comma >= 0]
        at = draw(st.sampled_from([*commas, root.value + 1, root.end]))
        return f"{text[:at]} {draw(st.sampled_from(['/* mine */', '// mine' + chr(10)]))}{text[at:]}"
    if kind == "group":
        event = draw(st.sampled_from(host.hooks.events)).name
        at = document.slots["hooks", event].value + 1
        return f"{text[:at]}{json.dumps(draw(GROUPS))},{text[at:]}"
    if kind == "rewritten" and not document.comments:
        return json.dumps(document.value, indent=draw(st.sampled_from([None, 4])))
    return text.replace('"command": "cuedeck hook', '"command": "/old/bin/cuedeck hook')


HOOKED = [each for each in all_hosts() if each.hooks]
hosts = pytest.mark.parametrize("host", HOOKED, ids=lambda host: host.name)
hosts_with_json_hooks = pytest.mark.parametrize(
    "host",
    [each for each in HOOKED if each.hooks.path.endswith(".json")],
    ids=lambda host: host.name,
)
FEW = settings(max_examples=20, deadline=None)
OF_EACH_HOST = settings(max_examples=5, deadline=None)
"""The hosts share one editor, so that its laws are tried with 40 files in all."""


@hosts_with_json_hooks
@OF_EACH_HOST
@given(before=json_files())
def test_setup_keeps_the_json_content_and_adds_own_entries(
    host: Host, before: str
) -> None:
    after = add_all_entries(before, host)
    assert read_json(after).value == with_own_entries(read_json(before).value, host)
    assert read_json(after).comment_texts() == read_json(before).comment_texts()
    assert is_within(tokens(before), tokens(after))


@hosts_with_json_hooks
@OF_EACH_HOST
@given(before=json_files())
def test_json_entries_are_added_once_and_removed_again(host: Host, before: str) -> None:
    for part in (HooksPart(host.hooks, host.name), ServerPart(host.setup.server)):
        put = part.put(before)
        assert part.is_right(put)
        left = read_json(part.strip(put))
        assert left.comment_texts() == read_json(before).comment_texts()
        fixed = dict(host.hooks.fixed) if isinstance(part, HooksPart) else {}
        expected = {**fixed, **(read_json(before).value or {})}
        assert without_own_entries(left.value, host) == without_own_entries(
            expected, host
        )


@hosts_with_json_hooks
@OF_EACH_HOST
@given(data=st.data(), before=json_files())
def test_edits_between_setup_and_removal_are_never_lost(
    host: Host, data: st.DataObject, before: str
) -> None:
    between = add_all_entries(before, host)
    for _ in range(data.draw(st.integers(1, 3))):
        between = data.draw(edited_files(between, host))
    after = strip_all_entries(between, host)
    assert without_own_entries(read_json(after).value, host) == without_own_entries(
        read_json(between).value, host
    )
    assert read_json(after).comment_texts() == read_json(between).comment_texts()
    assert is_within(tokens(after), tokens(between))
    assert not any(
        part.holds(after)
        for part in (HooksPart(host.hooks, host.name), ServerPart(host.setup.server))
    )


@hosts_with_json_hooks
@OF_EACH_HOST
@given(data=st.data(), before=json_files())
def test_repeated_setup_after_edits_leaves_one_of_each_entry(
    host: Host, data: st.DataObject, before: str
) -> None:
    between = data.draw(edited_files(add_all_entries(before, host), host))
    after = between
    for part in (HooksPart(host.hooks, host.name), ServerPart(host.setup.server)):
        after = part.put(after)
        assert part.is_right(after)
    assert without_own_entries(read_json(after).value, host) == without_own_entries(
        read_json(between).value, host
    )
    assert read_json(after).comment_texts() == read_json(between).comment_texts()


@FEW
@given(before=toml_files(), above=st.booleans())
def test_toml_is_restored_and_keeps_additions(before: str, above: bool) -> None:
    part = TomlServerPart(CODEX.setup.server)
    put = part.put(before)
    assert part.is_right(put)
    assert part.strip(put) in with_final_newline(before)
    mine = "# mine\r\nmy = 1 # é\n"
    bom = put[: put.startswith("\ufeff")]
    text = bom + mine + put[len(bom) :] if above else put.rstrip() + "\n[mine]\n" + mine
    left = part.strip(text)
    assert not part.holds(left)
    assert is_within(
        before.removeprefix("\ufeff").split(), left.removeprefix("\ufeff").split()
    )
    assert "# mine" in left
    assert "my = 1 # é" in left
    assert part.is_right(part.put(text.replace('"mcp"', '"serve"')))


@FEW
@given(before=markdown_files(), after=markdown_files(), data=st.data())
def test_markdown_is_restored_and_keeps_additions(
    before: str, after: str, data: st.DataObject
) -> None:
    part = BlockPart()
    put = part.put(before)
    assert part.is_right(put)
    assert part.strip(put) in with_final_newline(before)
    added = data.draw(st.sampled_from(["\n", ""])) + after.removeprefix("\ufeff")
    left = part.strip(put + added)
    assert not part.holds(left)
    # The block is above the text if the text has an open fence.
    ended_by_own = "\n" if put.endswith(("\n", "\r")) else ""
    assert (
        left.removeprefix("\ufeff").split()
        == f"{before}{ended_by_own}{added}".removeprefix("\ufeff").split()
    )


def with_final_newline(text: str) -> list[str]:
    """Return a text unchanged, and with a final newline."""
    return [text, *(text + newline for newline in ("\n", "\r\n", "\r"))]


FOREIGN = st.fixed_dictionaries(
    {"command": st.sampled_from(["/opt/other", "node"])},
    optional={
        "args": st.lists(
            st.sampled_from(["mcp", "cuedeck", "--read-only", "z"]), max_size=3
        ),
        "env": VALUES,
    }
    | {"type": st.just("stdio"), "cwd": st.just("/b"), "url": st.just("http://x")},
)
THEIRS = st.sampled_from(
    ["uvx cuedeck hook {} && echo done", "cuedeck -C '/b' hook {}; true"]
)


@st.composite
def files_with_user_entries(draw: Any, host: Host) -> str:
    """Draw a JSON file in which the user wrote hooks that run CueDeck, and a server of
    the same name.
    """
    value = draw(MINE)
    events = draw(st.lists(st.sampled_from(host.hooks.events), max_size=3, unique=True))
    hooks = {**value.get("hooks", {})}
    for event in events:
        handler = {
            "type": "command",
            "command": draw(THEIRS).format(event.hook),
            "timeout": 3,
        }
        grouped = draw(st.booleans())
        element = (
            {"matcher": "x", "hooks": [*draw(st.lists(HANDLERS, max_size=1)), handler]}
            if grouped
            else handler
        )
        hooks[event.name] = [*hooks.get(event.name, []), element]
    table = {**value.get(host.setup.server.table, {}), "cuedeck": draw(FOREIGN)}
    return Writer(draw(st.integers(0, 9_999))).file(
        {**value, "hooks": hooks, host.setup.server.table: table}
    )


@hosts
@OF_EACH_HOST
@given(data=st.data())
def test_entries_of_a_person_stay_and_the_bytes_come_back(
    host: Host, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / ".cuedeck").mkdir()
        for path in {host.hooks.path, host.setup.server.path}:
            if path.endswith(".json"):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(
                    data.draw(files_with_user_entries(host), label=path).encode()
                )
        before, workspace = read_tree(root), open_workspace(folder, {})
        connect(workspace, host)
        once = read_tree(root)
        assert {each["state"] for each in connect(workspace, host)["files"]} == {
            "unchanged"
        }
        assert read_tree(root) == once
        for path in before:
            if path.endswith(".json"):
                old, new = (
                    read_json(each[path].decode()).value for each in (before, once)
                )
                table = host.setup.server.table
                assert new.get(table) == old.get(table)
                for theirs in (b"&& echo done", b"; true"):
                    assert once[path].count(theirs) == before[path].count(theirs)
        disconnect(workspace.paths, host)
        assert {path: read_tree(root).get(path) for path in before} == before


FILES = {
    ".json": json_files(),
    ".toml": toml_files(),
    ".md": markdown_files(),
    ".js": st.none(),  # another plugin at its place is refused
}


@hosts
@OF_EACH_HOST
@given(data=st.data())
def test_repeated_setup_on_disk_is_idempotent_and_removal_restores_the_bytes(
    host: Host, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / ".cuedeck").mkdir()
        for path in {
            host.hooks.path,
            host.setup.server.path,
            "AGENTS.md",
            "CLAUDE.md",
            "GEMINI.md",
        }:
            text = data.draw(st.none() | FILES[Path(path).suffix], label=path)
            if text is not None:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(text.encode())
        before, workspace = read_tree(root), open_workspace(folder, {})
        connect(workspace, host)
        once = read_tree(root)
        files = connect(workspace, host)["files"]
        assert {each["state"] for each in files} == {"unchanged"}
        wanted = wanted_paths(host, workspace.paths, "project")
        assert {each["path"] for each in files} >= wanted
        assert read_tree(root) == once
        disconnect(workspace.paths, host)
        assert read_tree(root) == before


def read_tree(root: Path) -> dict[str, bytes]:
    """Return every file and folder outside `.cuedeck` with its bytes."""
    found = (each for each in sorted(root.rglob("*")) if ".cuedeck" not in each.parts)
    return {
        each.relative_to(root).as_posix(): each.read_bytes() if each.is_file() else b""
        for each in found
    }
