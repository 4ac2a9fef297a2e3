"""The entry of CueDeck's MCP server in a host's configuration: of any format, and in
JSON; and the rules that allow its tools.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from cuedeck.agents.edits.json_document import Path, as_list, look_up, read_json
from cuedeck.agents.edits.json_edit import add, take_all
from cuedeck.agents.edits.managed_block import cut_of, glue_for
from cuedeck.agents.edits.managed_part import Part
from cuedeck.agents.edits.own_commands import server_words, started_program
from cuedeck.agents.hosts.base import PROGRAM, SERVER
from cuedeck.agents.hosts.setup_types import Allow, Server
from cuedeck.model.errors import Invalid
from cuedeck.model.ports import Json
from cuedeck.parse.text_edit import Cut, cut, newline_of
from cuedeck.parse.toml_reader import Statement, read_toml, statements
from cuedeck.text.text_offsets import invalid_at


def entry_of(server: Server) -> Json:
    """Return the entry that a host needs to start the server."""
    entry: Json = {}
    for key, value in server.entry:
        entry[key] = list(value) if isinstance(value, tuple) else value
    return entry


@dataclass(frozen=True, slots=True)
class ServerPart(Part):
    """The managed part for the MCP server of one host with JSON settings."""

    name = "the server `cuedeck`"
    server: Server

    @property
    def keys(self) -> tuple[str, ...]:
        """The key path of the entry."""
        return (*self.server.above, self.server.table, SERVER)

    def entry(self, text: str) -> Any:
        """Return the value of the entry in a file, or None. Raises: Invalid if the path
        to it leads through another value.
        """
        document = read_json(text)
        document.find(self.keys)
        return look_up(document.value, self.keys)

    def add(self, text: str) -> str:
        """Return the text with a new entry."""
        return add(
            text, self.keys, {**entry_of(self.server), **dict(self.server.added)}
        )

    def without(self, text: str) -> str:
        """Return the text without the entry, and without the containers that become
        empty.
        """
        return take_all(text, lambda value: self.keys if self._is_in(value) else ())

    def _is_in(self, value: Any) -> bool:
        return look_up(value, self.keys) is not None

    def holds(self, text: str) -> bool:
        return self.entry(text) is not None

    def put(self, text: str) -> str:
        """Add the entry, or replace one of another version. One that a person wrote or
        changed stays.
        """
        found = self.entry(text)
        if found is not None:
            wanted = entry_of(self.server)
            if not _is_written(found) or found | wanted == wanted | found:
                return text
            text = self.without(text)
        return self.add(text)

    def programs(self, text: str) -> tuple[str, ...]:
        program = started_program(self.entry(text))
        return (program,) if program else ()

    def strip(self, text: str) -> str:
        """Remove the entry. In a file of the workspace, a person may have written
        another entry, which stays.
        """
        found = self.entry(text)
        is_of_user = self.server.path.startswith("~/")
        if server_words(found) is None or not (is_of_user or _is_written(found)):
            return text
        return self.without(text)


@dataclass(frozen=True, slots=True)
class AllowPart(Part):
    """The managed part for the permission rules of one host: strings in an array of its
    JSON settings that lists the tools that run without confirmation.
    """

    name = "a rule that allows a tool"
    allow: Allow

    def rules_of(self, text: str) -> list[str]:
        """Return the own rules in the file, in the order of `allow.rules`. Raises:
        Invalid for malformed JSON.
        """
        document = read_json(text)
        document.find(self.allow.keys)
        found = as_list(look_up(document.value, self.allow.keys))
        return [rule for rule in self.allow.rules if rule in found]

    def holds(self, text: str) -> bool:
        return bool(self.rules_of(text))

    def put(self, text: str) -> str:
        present = self.rules_of(text)
        for rule in self.allow.rules:
            if rule not in present:
                text = add(text, self.allow.keys, rule, is_item=True)
        return text

    def strip(self, text: str) -> str:
        def find(value: Any) -> Path:
            for at, rule in enumerate(as_list(look_up(value, self.allow.keys))):
                if rule in self.allow.rules:
                    return (*self.allow.keys, at)
            return ()

        return take_all(text, find)


def _is_written(found: Any) -> bool:
    """Return whether an entry was written by this or another version of set-up."""
    if not isinstance(found, dict):
        return False
    added = {key: found[key] for key in found.keys() - {"type", "command", "args"}}
    if added not in ({}, {"env": {}}, {"tools": ["*"]}, {"enabled": True}):
        return False
    if started_program(found) != PROGRAM:
        return False
    words = server_words(found) or ()
    return words == ("mcp",) or (words[:2] == ("mcp", "-C") and len(words) == 3)


_HINT = "edit the file by hand; nothing was changed"


@dataclass(frozen=True, slots=True)
class TomlServerPart(ServerPart):
    """The managed part for the MCP server of one host with TOML settings."""

    def entry(self, text: str) -> Any:
        return self._read(text).get(self.server.table, {}).get(SERVER)

    def add(self, text: str) -> str:
        """Append the table of the server to the file."""
        entry = entry_of(self.server)
        newline = newline_of(text)
        rows = [f"[{'.'.join(self.keys)}]"]
        for key, value in entry.items():
            rows.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
        after = text + glue_for(text, newline.join(rows), newline)
        return self._checked(text, after, entry)

    def without(self, text: str) -> str:
        """Return the text without the table of the server and its subtables."""
        spans: list[Cut] = []
        for each in self._own(text):
            is_header = each.value < 0
            if spans and not is_header and not text[spans[-1].end : each.start].strip():
                spans[-1] = Cut(spans[-1].start, each.end)
            else:
                spans.append(Cut(each.start, each.end))
        after = cut(text, [cut_of(text, start, end) for start, end in reversed(spans)])
        return self._checked(text, after, None)

    def _own(self, text: str) -> list[Statement]:
        return [each for each in statements(text) if each.keys[:2] == self.keys]

    def _read(self, text: str) -> Json:
        """Parse the file. Raises: Invalid if the value at the key of the servers is not
        a table.
        """
        value = read_toml(text, _HINT)
        table = self.server.table
        if isinstance(value.get(table, {}), dict):
            return value
        own = (each.start for each in statements(text) if each.keys[:1] == (table,))
        at = next(own, 0)
        raise invalid_at(text, at, f"`{table}` is not a table of servers", _HINT)

    def _checked(self, before: str, after: str, entry: Json | None) -> str:
        """Return the edited text. Raises: Invalid unless its value is that of the text
        before, except for the entry; without one, an empty table may be missing.
        """
        table = self.server.table
        wanted = self._read(before)
        servers = wanted.setdefault(table, {})
        servers.pop(SERVER, None)
        if entry is not None:
            servers[SERVER] = entry
        try:
            found = read_toml(after, _HINT)
        except Invalid as error:
            problem = f"no further table can be added to `{table}`"
            raise invalid_at(before, 0, problem, _HINT) from error
        if {table: {}, **found} != wanted:
            problem = "own entries cannot be changed without risk to the rest"
            raise invalid_at(before, 0, problem, _HINT)
        return after
