"""The entry of CueDeck's MCP server in a host's configuration, of any format."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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

    def prior(self, text: str) -> tuple[Prior, ...]:
        found = self.entry(text)
        if found is None or _is_written(found):
            return ()
        return (Prior(self.keys, _connection_fields(found)),)

    def programs(self, text: str) -> tuple[str, ...]:
        program = started_program(self.entry(text))
        return (program,) if program else ()


@dataclass(frozen=True, slots=True)
class RetiredServerPart(Part):
    """The managed part for a server that earlier versions of set-up wrote into the
    repository, where it cannot start for people without CueDeck. `renew` removes it.
    """

    name = ServerPart.name
    part: ServerPart

    def holds(self, text: str) -> bool:
        return self.part.holds(text) and not self.part.prior(text)

    def is_right(self, text: str) -> bool:
        return not self.holds(text)

    def put(self, text: str) -> Put:
        return Put(text, ())

    def renew(self, text: str) -> str:
        return self.part.strip(text, None)

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        is_replaced = find_prior(prior, self.part.keys) is not None
        if not is_replaced and not self.holds(text):
            return text
        return self.part.strip(text, made, prior)


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
    if words == ("mcp",):
        return True
    return words[:2] == ("mcp", "-C") and len(words) == 3
