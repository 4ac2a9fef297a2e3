"""The own server in the TOML of a host."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from cuedeck.model.errors import Invalid
from cuedeck.model.host import SERVER, Server
from cuedeck.parse.hosts.edit import Cut, Insertion, cut, insert, newline_of
from cuedeck.parse.hosts.paragraph import cut_of, glue_for
from cuedeck.parse.hosts.part import Keys, Put
from cuedeck.parse.hosts.servers import OWN_KEYS, entry_of, says_so
from cuedeck.parse.hosts.toml_lines import Statement, read_toml, statements
from cuedeck.parse.splice.places import invalid_at, line_start, next_line

_HINT = "edit the file by hand; nothing was changed"


@dataclass(frozen=True, slots=True)
class TomlServerPart:
    """The server as one host keeps it."""

    server: Server

    @property
    def keys(self) -> Keys:
        """Where its entry is."""
        return (self.server.table, SERVER)

    def holds(self, text: str) -> bool:
        """Tell whether the server has an entry."""
        return self._entry(read_toml(text)) is not None

    def is_right(self, text: str) -> bool:
        """Tell whether the entry starts the server as it should."""
        return says_so(self._entry(read_toml(text)), self.server)

    def put(self, text: str) -> Put:
        """Put a table at the end of the file."""
        before, newline = read_toml(text), newline_of(text)
        lines = [f"[{'.'.join(self.keys)}]", *self._lines()]
        written = glue_for(text, newline.join(lines), newline)
        after, undo = insert(text, [Insertion(len(text), written)])
        self._check(text, after, self._with(before, entry_of(self.server)))
        return Put(after, undo, ())

    def renew(self, text: str) -> str:
        """Set what the table says of how the server is reached; the rest of it stays."""
        before, own = read_toml(text), self._own(text)
        entry = self._entry(before)
        extra = {key: entry[key] for key in entry if key not in OWN_KEYS} if isinstance(entry, dict) else {}
        header = next((each for each in own if each.value < 0 and each.keys == self.keys), None)
        if header is None:
            if extra or not own:
                raise invalid_at(text, own[0].start if own else 0, f"`{SERVER}` is no table of its own", _HINT)
            return self.put(self.strip(text, None)).text
        stale = [each for each in own if each.value >= 0 and each.keys[2:3] and each.keys[2] in OWN_KEYS]
        after = cut(text, [_whole_lines(text, each) for each in reversed(stale)])
        newline, at = newline_of(text), next_line(after, header.end)
        lead = "" if after.endswith(("\n", "\r"), 0, at) else newline
        written = newline.join(self._lines())
        after = f"{after[:at]}{lead}{written}{'' if lead else newline}{after[at:]}"
        self._check(text, after, self._with(before, {**extra, **entry_of(self.server)}))
        return after

    def strip(self, text: str, made: frozenset[Keys] | None) -> str:
        """Take the table out, with those below it."""
        before = read_toml(text)
        if self._entry(before) is None:
            return text
        own = self._own(text)
        runs = [[own[0]]] if own else []
        for each, previous in zip(own[1:], own, strict=False):
            between = text[previous.end : each.start]
            if between.strip() or each.value < 0:
                runs.append([each])
            else:
                runs[-1].append(each)
        after = cut(text, [cut_of(text, run[0].start, run[-1].end) for run in reversed(runs)])
        self._check(text, after, self._with(before, None))
        return after

    def _lines(self) -> list[str]:
        return [f"{key} = {json.dumps(value)}" for key, value in entry_of(self.server).items()]

    def _own(self, text: str) -> list[Statement]:
        """Return the statements that make up the entry, in order."""
        return [each for each in statements(text) if each.keys[:2] == self.keys]

    def _entry(self, value: dict[str, Any]) -> Any:
        table = value.get(self.server.table)
        return table.get(SERVER) if isinstance(table, dict) else None

    def _with(self, value: dict[str, Any], entry: dict[str, Any] | None) -> dict[str, Any]:
        """Return what a file says with another entry; a table that is left without any counts as none."""
        table = {name: each for name, each in value.get(self.server.table, {}).items() if name != SERVER}
        table = table if entry is None else {**table, SERVER: entry}
        rest = {key: each for key, each in value.items() if key != self.server.table}
        return {**rest, self.server.table: table} if table else rest

    def _check(self, before: str, after: str, wanted: dict[str, Any]) -> None:
        try:
            found = read_toml(after)
        except Invalid as error:
            raise invalid_at(before, 0, f"`{self.server.table}` cannot take a table more", _HINT) from error
        if not found.get(self.server.table, True):
            found.pop(self.server.table)
        if found != wanted:
            raise invalid_at(before, 0, "own entries cannot be changed without risk to the rest", _HINT)


def _whole_lines(text: str, each: Statement) -> Cut:
    """Return the lines of a statement; a comment behind it stays, on the line."""
    rest = text[each.end : next_line(text, each.end)]
    if rest.strip():
        return Cut(each.start, each.end)
    return Cut(line_start(text, each.start), next_line(text, each.end))
