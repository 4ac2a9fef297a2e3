"""The own server in the JSON of a host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cuedeck.model.host import SERVER, Server
from cuedeck.parse.hosts.edit import Cut, insert
from cuedeck.parse.hosts.json_edit import may_go_with, put_in
from cuedeck.parse.hosts.json_style import line_lead, style_of
from cuedeck.parse.hosts.json_tree import Document, Node, reach, read_json
from cuedeck.parse.hosts.part import Keys, Put
from cuedeck.parse.hosts.sound import check_json, take_and_check

OWN_KEYS = ("type", "command", "args", "cwd", "url", "httpUrl", "serverUrl")
"""What says how the server is reached; all else in its entry is the person's."""


def entry_of(server: Server) -> dict[str, Any]:
    """Return what the host should find below the name of the server."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in server.entry}


def says_so(found: Any, server: Server) -> bool:
    """Tell whether an entry starts the server as it should."""
    return isinstance(found, dict) and {key: found[key] for key in OWN_KEYS if key in found} == entry_of(server)


@dataclass(frozen=True, slots=True)
class ServerPart:
    """The server as one host keeps it."""

    server: Server

    @property
    def keys(self) -> Keys:
        """Where its entry is."""
        return (self.server.table, SERVER)

    def holds(self, text: str) -> bool:
        """Tell whether the server has an entry."""
        return self._entry(read_json(text)) is not None

    def is_right(self, text: str) -> bool:
        """Tell whether the entry starts the server as it should."""
        entry = self._entry(read_json(text))
        return entry is not None and says_so(entry.value(), self.server)

    def put(self, text: str) -> Put:
        """Put an entry behind those of other servers."""
        document = read_json(text)
        after, undo = insert(text, put_in(document, self.keys, entry_of(self.server)))
        check_json(document, after, self._wanted(document.value(), entry_of(self.server)))
        way = reach(document.root, (self.server.table,), text)
        return Put(after, undo, ((self.server.table,),) if len(way) < 2 else ())

    def renew(self, text: str) -> str:
        """Set what the entry says of how the server is reached; the rest of it stays."""
        document = read_json(text)
        entry = self._entry(document)
        if entry is None or entry.kind != "object":
            return self._replace(document, entry_of(self.server), self.keys).text
        wanted = entry_of(self.server)
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

    def strip(self, text: str, made: frozenset[Keys] | None) -> str:
        """Take the entry out."""
        document = read_json(text)
        way = reach(document.root, self.keys, text)
        if len(way) <= len(self.keys):
            return text
        root, table, entry = way
        above = _index(root, table)
        if may_go_with(document, root.slots[above]) and (made is None or (self.server.table,) in made):
            return take_and_check(document, root, above).text
        return take_and_check(document, table, _index(table, entry)).text

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
    """Return the index of the first member that speaks against `wanted`; -1 without one."""
    keys = [slot.key for slot in entry.slots]
    spare = [at for at, key in enumerate(keys) if key in OWN_KEYS and (key not in wanted or key in keys[:at])]
    return spare[0] if spare else -1


def _index(into: Node, child: Node) -> int:
    return next(at for at, slot in enumerate(into.slots) if slot.node is child)
