"""The entry of CueDeck's MCP server in a host's JSON configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cuedeck.agents.edits.json_edit import Addition, put_all, take_all
from cuedeck.agents.edits.json_tree import Document, SlotPath, read_json
from cuedeck.agents.edits.managed_part import Put, find_prior
from cuedeck.agents.edits.mcp_server import OWN_KEYS, ServerPart, entry_of
from cuedeck.agents.edits.own_commands import server_words
from cuedeck.model.replaced_entry import Keys, Prior


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

    def renew(self, text: str) -> str:
        """Update the connection keys of the entry; its other keys stay."""
        return self._set(text, entry_of(self.server))

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove the entry, or restore its prior connection keys."""
        if server_words(self.entry(text)) is None:
            return text
        before = find_prior(prior, self.keys)
        if before is not None:
            return self._set(text, before)
        return take_all(text, lambda document: document.path(self.keys), made)

    def _set(self, text: str, wanted: Any) -> str:
        """Return the text with the connection keys of the entry replaced by
        `wanted`.
        """
        entry = self.entry(text)
        if not isinstance(entry, dict) or not isinstance(wanted, dict):
            none: frozenset[Keys] = frozenset()
            text = take_all(text, lambda document: document.path(self.keys), none)
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
