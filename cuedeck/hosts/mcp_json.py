"""The own server in the JSON of a host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cuedeck.hosts.json_edit import check_json, line_lead, may_go_with, put_in, style_of, take_and_check
from cuedeck.hosts.json_tree import Document, Node, reach, read_json
from cuedeck.hosts.managed_part import Put
from cuedeck.hosts.own_commands import server_words, started_program
from cuedeck.model.host import PROGRAM, SERVER, Server
from cuedeck.model.prior_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, insert

OWN_KEYS = ("type", "command", "args", "cwd", "url", "httpUrl", "serverUrl")
"""What says how the server is reached; all else in its entry is the person's."""
_STARTS = {"command", "args"}


def entry_of(server: Server) -> dict[str, Any]:
    """Return what the host should find below the name of the server."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in server.entry}


def reached_by(found: Any) -> Any:
    """Return what an entry says of how its server is reached; all of one that is no table."""
    return {key: found[key] for key in OWN_KEYS if key in found} if isinstance(found, dict) else found


def says_so(found: Any, server: Server) -> bool:
    """Tell whether an entry starts the server as it should, wherever it finds the program and with which options."""
    wanted, said = entry_of(server), reached_by(found)
    if said == wanted:
        return True
    words, needed = server_words(found) or (), server_words(wanted) or ()
    named, options = words[: len(needed)], words[len(needed) :]
    if named != needed or not all(each.startswith("--") for each in options):
        return False
    return all(said[key] == wanted.get(key) for key in said.keys() - _STARTS)


def is_written(found: Any) -> bool:
    """Tell whether an entry is one that set-up writes, or wrote in another version."""
    if not isinstance(found, dict) or not found.keys() <= {"type", "command", "args"}:
        return False
    words = server_words(found) or ()
    is_call = words == ("mcp",) or (words[:2] == ("mcp", "-C") and len(words) == 3)
    return started_program(found) == PROGRAM and is_call


def before_it(found: Any, keys: Keys) -> tuple[Prior, ...]:
    """Return an entry as what was there before set-up, unless set-up wrote it."""
    return () if found is None or is_written(found) else (Prior(keys, reached_by(found)),)


def started_by(found: Any) -> tuple[str, ...]:
    """Return the program that an entry names."""
    program = started_program(found)
    return (program,) if program else ()


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
        return self._set(text, entry_of(self.server))

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the entry when a person wrote it."""
        entry = self._entry(read_json(text))
        return before_it(None if entry is None else entry.value(), self.keys)

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the program that the entry names."""
        entry = self._entry(read_json(text))
        return started_by(None if entry is None else entry.value())

    def strip(self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()) -> str:
        """Take the entry out, or let it say again what it said before."""
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
        """Let the entry say how the server is reached."""
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
    """Return the index of the first member that speaks against `wanted`; -1 without one."""
    keys = [slot.key for slot in entry.slots]
    spare = [at for at, key in enumerate(keys) if key in OWN_KEYS and (key not in wanted or key in keys[:at])]
    return spare[0] if spare else -1


def _index(into: Node, child: Node) -> int:
    return next(at for at, slot in enumerate(into.slots) if slot.node is child)
