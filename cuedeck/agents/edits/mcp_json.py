"""The entry of CueDeck's MCP server in a host's JSON configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from cuedeck.agents.edits.json_edit import (
    check_json,
    outermost_slot,
    put_in,
    take_and_check,
)
from cuedeck.agents.edits.json_style import line_lead, style_of
from cuedeck.agents.edits.json_tree import Document, Node, index_of, reach, read_json
from cuedeck.agents.edits.managed_part import Put, find_prior
from cuedeck.agents.edits.own_commands import server_words, started_program
from cuedeck.agents.hosts.base import PROGRAM, SERVER
from cuedeck.agents.hosts.setup_types import Server
from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, insert

OWN_KEYS = ("type", "command", "args", "cwd", "url", "httpUrl", "serverUrl")
"""The connection keys: how the server is started or reached. All other keys of the
entry belong to the user.
"""
_STARTS = {"command", "args"}


def entry_of(server: Server) -> dict[str, Any]:
    """Return the entry that a host needs to start the server."""
    entry: dict[str, Any] = {}
    for key, value in server.entry:
        entry[key] = list(value) if isinstance(value, tuple) else value
    return entry


def connection_fields(found: Any) -> Any:
    """Return the connection keys of an entry; an entry that is not an object is
    returned unchanged.
    """
    if not isinstance(found, dict):
        return found
    return {key: found[key] for key in OWN_KEYS if key in found}


def is_current_entry(found: Any, server: Server) -> bool:
    """Return whether an entry starts the server correctly, with any path of the program
    and any options.
    """
    wanted = entry_of(server)
    fields = connection_fields(found)
    if fields == wanted:
        return True
    words = server_words(found) or ()
    needed = server_words(wanted) or ()
    if words[: len(needed)] != needed:
        return False
    if not all(word.startswith("--") for word in words[len(needed) :]):
        return False
    return all(fields[key] == wanted.get(key) for key in fields.keys() - _STARTS)


def is_written(found: Any) -> bool:
    """Return whether an entry was written by this or another version of set-up."""
    if not isinstance(found, dict):
        return False
    added = {key: found[key] for key in found.keys() - {"type", "command", "args"}}
    if added not in ({}, {"env": {}}, {"tools": ["*"]}, {"enabled": True}):
        return False
    if started_program(found) != PROGRAM:
        return False
    words = server_words(found) or ()
    if words == ("mcp",):
        return True
    return words[:2] == ("mcp", "-C") and len(words) == 3


def prior_entry(found: Any, keys: Keys) -> tuple[Prior, ...]:
    """Return an entry as a prior entry, or nothing if it is missing or set-up wrote
    it.
    """
    if found is None or is_written(found):
        return ()
    return (Prior(keys, connection_fields(found)),)


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
        return (*self.server.above, self.server.table, SERVER)

    def holds(self, text: str) -> bool:
        """Return whether the file contains an entry for the server."""
        return read_json(text).find(self.keys) is not None

    def is_right(self, text: str) -> bool:
        """Return whether the entry starts the server correctly."""
        return is_current_entry(self._value(text), self.server)

    def put(self, text: str) -> Put:
        """Append the entry to those of other servers."""
        document = read_json(text)
        entry = {**entry_of(self.server), **dict(self.server.added)}
        after, undo = insert(text, put_in(document, self.keys, entry))
        check_json(document, after, _with(document.value(), self.keys, entry))
        containers = [self.keys[:end] for end in range(1, len(self.keys))]
        made = tuple(keys for keys in containers if document.find(keys) is None)
        return Put(after, undo, made)

    def renew(self, text: str) -> str:
        """Update the connection keys of the entry; its other keys stay."""
        return self._set(text, entry_of(self.server))

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the entry if set-up did not write it."""
        return prior_entry(self._value(text), self.keys)

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the program that the entry starts, or nothing."""
        return started_by(self._value(text))

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove the entry, or restore its prior connection keys."""
        document = read_json(text)
        nodes = reach(document.root, self.keys, text)
        if len(nodes) <= len(self.keys):
            return text
        if server_words(nodes[-1].value()) is None:
            return text
        before = find_prior(prior, self.keys)
        if before is not None:
            return self._set(text, before)
        path = [(above, index_of(above, below)) for above, below in pairwise(nodes)]
        container, index = outermost_slot(document, path, self.keys[:-1], made)
        return take_and_check(document, container, index).text

    def _set(self, text: str, wanted: Any) -> str:
        """Return the text with the connection keys of the entry replaced by
        `wanted`.
        """
        document = read_json(text)
        entry = document.find(self.keys)
        if entry is None or entry.kind != "object" or not isinstance(wanted, dict):
            return self._replace(document, wanted, self.keys).text
        while entry is not None and (surplus := _surplus(entry, wanted)) >= 0:
            document = take_and_check(document, entry, surplus)
            entry = document.find(self.keys)
        for key, value in wanted.items():
            keys = (*self.keys, key)
            existing = document.find(keys)
            if existing is None:
                text, _ = insert(document.text, put_in(document, keys, value))
                document = read_json(text)
            elif existing.value() != value:
                document = self._replace(document, value, keys)
        return document.text

    def _value(self, text: str) -> Any:
        """Return the value of the entry, or None."""
        entry = read_json(text).find(self.keys)
        if entry is None:
            return None
        return entry.value()

    def _replace(self, document: Document, value: Any, keys: Keys) -> Document:
        text = document.text
        node = reach(document.root, keys, text)[-1]
        written = style_of(document).write(value, line_lead(text, node))
        after = f"{text[: node.start]}{written}{text[node.end :]}"
        return check_json(
            document, after, read_json(after).value(), Cut(node.start, node.end)
        )


def _with(value: Any, keys: Sequence[str], entry: Any) -> Any:
    """Return a JSON value with an entry added at a path of keys."""
    if not keys:
        return entry
    members = value or {}
    return {**members, keys[0]: _with(members.get(keys[0]), keys[1:], entry)}


def _surplus(entry: Node, wanted: dict[str, Any]) -> int:
    """Return the index of the first connection key that is duplicate or not in
    `wanted`; -1 if there is none.
    """
    seen: set[str] = set()
    for at, slot in enumerate(entry.slots):
        if slot.key in OWN_KEYS and (slot.key not in wanted or slot.key in seen):
            return at
        seen.add(slot.key)
    return -1
