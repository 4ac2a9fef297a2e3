"""The entry of CueDeck's MCP server in a host's configuration: of any format, and in
JSON.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cuedeck.agents.edits.json_edit import Addition, put_all, take_all
from cuedeck.agents.edits.json_tree import Document, SlotPath, read_json
from cuedeck.agents.edits.managed_part import Part, Put, find_prior
from cuedeck.agents.edits.own_commands import server_words, started_program
from cuedeck.agents.hosts.base import PROGRAM, SERVER
from cuedeck.agents.hosts.setup_types import Server
from cuedeck.model.replaced_entry import Keys, Prior

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


@dataclass(frozen=True, slots=True)
class ServerPart(Part):
    """The managed part for the MCP server of one host."""

    name = "the server `cuedeck`"
    server: Server

    @property
    def keys(self) -> Keys:
        """The key path of the entry."""
        return (*self.server.above, self.server.table, SERVER)

    @abstractmethod
    def entry(self, text: str) -> Any:
        """Return the value of the entry in a file, or None."""

    @abstractmethod
    def replace(self, text: str, wanted: Any) -> str:
        """Return the text with the connection keys of the entry replaced by
        `wanted`; its other keys stay.
        """

    @abstractmethod
    def without(self, text: str, made: frozenset[Keys] | None) -> str:
        """Return the text without the entry, and without the containers in `made` that
        become empty.
        """

    def holds(self, text: str) -> bool:
        return self.entry(text) is not None

    def is_right(self, text: str) -> bool:
        found = self.entry(text)
        wanted = entry_of(self.server)
        fields = _connection_fields(found)
        if fields == wanted:
            return True
        # Any path of the program and any options are right.
        words = server_words(found) or ()
        needed = server_words(wanted) or ()
        if words[: len(needed)] != needed:
            return False
        if not all(word.startswith("--") for word in words[len(needed) :]):
            return False
        return all(fields[key] == wanted.get(key) for key in fields.keys() - _STARTS)

    def renew(self, text: str) -> str:
        return self.replace(text, entry_of(self.server))

    def prior(self, text: str) -> tuple[Prior, ...]:
        found = self.entry(text)
        if found is None or _is_written(found):
            return ()
        return (Prior(self.keys, _connection_fields(found)),)

    def programs(self, text: str) -> tuple[str, ...]:
        program = started_program(self.entry(text))
        return (program,) if program else ()

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove the entry, or restore its prior connection keys. In a file of the
        workspace, a person may have written another entry, which stays.
        """
        if server_words(self.entry(text)) is None:
            return text
        before = find_prior(prior, self.keys)
        present = self.prior(text)
        if before is not None:
            is_restored = present == (Prior(self.keys, before),)
            return text if is_restored else self.replace(text, before)
        if present and not self.server.path.startswith("~/"):
            return text
        return self.without(text, made)


@dataclass(frozen=True, slots=True)
class JsonServerPart(ServerPart):
    """The managed part for the MCP server of one host with JSON settings."""

    def holds(self, text: str) -> bool:
        return read_json(text).find(self.keys) is not None

    def entry(self, text: str) -> Any:
        found = read_json(text).find(self.keys)
        return None if found is None else found.value()

    def put(self, text: str) -> Put:
        entry = {**entry_of(self.server), **dict(self.server.added)}
        return put_all(text, [Addition(self.keys, entry)])

    def without(self, text: str, made: frozenset[Keys] | None) -> str:
        return take_all(text, lambda document: document.path(self.keys), made)

    def replace(self, text: str, wanted: Any) -> str:
        entry = self.entry(text)
        if not isinstance(entry, dict) or not isinstance(wanted, dict):
            text = self.without(text, frozenset())
            return put_all(text, [Addition(self.keys, wanted)]).text

        def find_other(document: Document) -> SlotPath:
            """Return the path to a connection key that differs or is duplicate."""
            found = document.find(self.keys)
            seen: set[str] = set()
            if found is None:
                return ()
            for at, slot in enumerate(found.slots):
                is_wanted = slot.key in wanted and slot.node.value() == wanted[slot.key]
                if slot.key in OWN_KEYS and (slot.key in seen or not is_wanted):
                    return (*document.path(self.keys), (found, at))
                seen.add(slot.key)
            return ()

        text = take_all(text, find_other, frozenset())
        present = self.entry(text)
        missing = [key for key in wanted if key not in present]
        additions = [Addition((*self.keys, key), wanted[key]) for key in missing]
        return put_all(text, additions).text


def _connection_fields(found: Any) -> Any:
    """Return the connection keys of an entry; an entry that is not an object is
    returned unchanged.
    """
    if not isinstance(found, dict):
        return found
    return {key: found[key] for key in OWN_KEYS if key in found}


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
