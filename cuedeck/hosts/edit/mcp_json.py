"""The entry of CueDeck's MCP server in a host's JSON configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cuedeck.hosts.base import PROGRAM, SERVER
from cuedeck.hosts.edit.json_edit import check_json, line_lead, may_go_with, put_in, style_of, take_and_check
from cuedeck.hosts.edit.json_tree import Document, Node, reach, read_json
from cuedeck.hosts.edit.managed_part import Put
from cuedeck.hosts.edit.own_commands import server_words, started_program
from cuedeck.hosts.setup_values import Server
from cuedeck.model.prior_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, insert

OWN_KEYS = ("type", "command", "args", "cwd", "url", "httpUrl", "serverUrl")
"""The connection keys: how the server is started or reached. All other keys of the entry belong to the user."""
_STARTS = {"command", "args"}


def entry_of(server: Server) -> dict[str, Any]:
    """Return the entry that a host needs to start the server."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in server.entry}


def connection_fields(found: Any) -> Any:
    """Return the connection keys of an entry; an entry that is not an object is returned unchanged."""
    return {key: found[key] for key in OWN_KEYS if key in found} if isinstance(found, dict) else found


def is_current_entry(found: Any, server: Server) -> bool:
    """Return whether an entry starts the server correctly, with any path of the program and any options."""
    wanted, found_fields = entry_of(server), connection_fields(found)
    if found_fields == wanted:
        return True
    words, needed = server_words(found) or (), server_words(wanted) or ()
    named, options = words[: len(needed)], words[len(needed) :]
    if named != needed or not all(each.startswith("--") for each in options):
        return False
    return all(found_fields[key] == wanted.get(key) for key in found_fields.keys() - _STARTS)


def is_written(found: Any) -> bool:
    """Return whether an entry was written by this or another version of set-up."""
    if not isinstance(found, dict) or not found.keys() <= {"type", "command", "args"}:
        return False
    words = server_words(found) or ()
    is_call = words == ("mcp",) or (words[:2] == ("mcp", "-C") and len(words) == 3)
    return started_program(found) == PROGRAM and is_call


def prior_entry(found: Any, keys: Keys) -> tuple[Prior, ...]:
    """Return an entry as a prior entry, or nothing if it is missing or set-up wrote it."""
    return () if found is None or is_written(found) else (Prior(keys, connection_fields(found)),)


def started_by(found: Any) -> tuple[str, ...]:
    """Return the program that an entry starts, or nothing."""
    program = started_program(found)
    return (program,) if program else ()


@dataclass(frozen=True, slots=True)
class ServerPart:
    """The managed part for the MCP server of one host."""

    server: Server

    @property
    def keys(self) -> Keys:
        """The key path of the entry."""
        return (self.server.table, SERVER)

    def holds(self, text: str) -> bool:
        """Return whether the file contains an entry for the server."""
        return self._entry(read_json(text)) is not None

    def is_right(self, text: str) -> bool:
        """Return whether the entry starts the server correctly."""
        entry = self._entry(read_json(text))
        return entry is not None and is_current_entry(entry.value(), self.server)

    def put(self, text: str) -> Put:
        """Append the entry to those of other servers."""
        document = read_json(text)
        after, undo = insert(text, put_in(document, self.keys, entry_of(self.server)))
        check_json(document, after, self._wanted(document.value(), entry_of(self.server)))
        way = reach(document.root, (self.server.table,), text)
        return Put(after, undo, ((self.server.table,),) if len(way) < 2 else ())

    def renew(self, text: str) -> str:
        """Update the connection keys of the entry; its other keys stay."""
        return self._set(text, entry_of(self.server))

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the entry if set-up did not write it."""
        entry = self._entry(read_json(text))
        return prior_entry(None if entry is None else entry.value(), self.keys)

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the program that the entry starts, or nothing."""
        entry = self._entry(read_json(text))
        return started_by(None if entry is None else entry.value())

    def strip(self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()) -> str:
        """Remove the entry, or restore its prior connection keys."""
        document = read_json(text)
        way = reach(document.root, self.keys, text)
        if len(way) <= len(self.keys):
            return text
        root, table, entry = way
        if server_words(entry.value()) is None:
            return text
        before = next((each.value for each in prior if each.keys == self.keys), None)
        if before is not None:
            return self._set(text, before)
        above = _index(root, table)
        if may_go_with(document, root.slots[above]) and (made is None or (self.server.table,) in made):
            return take_and_check(document, root, above).text
        return take_and_check(document, table, _index(table, entry)).text

    def _set(self, text: str, wanted: Any) -> str:
        """Return the text with the connection keys of the entry replaced by `wanted`."""
        document = read_json(text)
        entry = self._entry(document)
        if entry is None or entry.kind != "object" or not isinstance(wanted, dict):
            return self._replace(document, wanted, self.keys).text
        while entry is not None and (extra := _surplus(entry, wanted)) >= 0:
            document = take_and_check(document, entry, extra)
            entry = self._entry(document)
        for key, value in wanted.items():
            found = None if entry is None else entry.find(key)
            if found is None:
                document = read_json(insert(document.text, put_in(document, (*self.keys, key), value))[0])
            elif found.node.value() != value:
                document = self._replace(document, value, (*self.keys, key))
            entry = self._entry(document)
        return document.text

    def _entry(self, document: Document) -> Node | None:
        way = reach(document.root, self.keys, document.text)
        return way[-1] if len(way) > len(self.keys) else None

    def _replace(self, document: Document, value: Any, keys: Keys) -> Document:
        node = reach(document.root, keys, document.text)[-1]
        text, style = document.text, style_of(document)
        written = style.write(value, line_lead(text, node))
        after = f"{text[: node.start]}{written}{text[node.end :]}"
        return check_json(document, after, read_json(after).value(), Cut(node.start, node.end))

    def _wanted(self, before: Any, entry: dict[str, Any]) -> Any:
        value = {} if before is None else dict(before)
        return {**value, self.server.table: {**value.get(self.server.table, {}), SERVER: entry}}


def _surplus(entry: Node, wanted: dict[str, Any]) -> int:
    """Return the index of the first connection key that is duplicate or not in `wanted`; -1 if there is none."""
    keys = [slot.key for slot in entry.slots]
    spare = [at for at, key in enumerate(keys) if key in OWN_KEYS and (key not in wanted or key in keys[:at])]
    return spare[0] if spare else -1


def _index(into: Node, child: Node) -> int:
    return next(at for at, slot in enumerate(into.slots) if slot.node is child)
