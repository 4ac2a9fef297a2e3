"""The entry of CueDeck's MCP server in a host's TOML configuration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cuedeck.hosts.base import SERVER
from cuedeck.hosts.edit.append_lines import cut_of, glue_for
from cuedeck.hosts.edit.managed_part import Put
from cuedeck.hosts.edit.mcp_json import OWN_KEYS, entry_of, is_current_entry, prior_entry, started_by
from cuedeck.hosts.edit.own_commands import server_words
from cuedeck.hosts.setup_values import Server
from cuedeck.model.errors import Invalid
from cuedeck.model.prior_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, Insertion, cut, insert, newline_of
from cuedeck.parse.text_offsets import invalid_at, line_start, next_line
from cuedeck.parse.toml_lines import Statement, statements
from cuedeck.parse.toml_text import read_toml

_HINT = "edit the file by hand; nothing was changed"


@dataclass(frozen=True, slots=True)
class TomlServerPart:
    """The managed part for the MCP server of one host."""

    server: Server

    @property
    def keys(self) -> Keys:
        """The key path of the entry."""
        return (self.server.table, SERVER)

    def holds(self, text: str) -> bool:
        """Return whether the file contains an entry for the server."""
        return self._entry(text) is not None

    def is_right(self, text: str) -> bool:
        """Return whether the entry starts the server correctly."""
        return is_current_entry(self._entry(text), self.server)

    def put(self, text: str) -> Put:
        """Append the table of the server to the file."""
        before, newline = self._read(text), newline_of(text)
        lines = [f"[{'.'.join(self.keys)}]", *_lines(entry_of(self.server))]
        written = glue_for(text, newline.join(lines), newline)
        after, undo = insert(text, [Insertion(len(text), written)])
        self._check(text, after, self._with(before, entry_of(self.server)))
        return Put(after, undo, ())

    def renew(self, text: str) -> str:
        """Update the connection keys of the entry; its other keys stay."""
        own = self._own(text)
        if not any(each.value < 0 and each.keys == self.keys for each in own) and not self._extra(text) and own:
            return self.put(self._without(text)).text
        return self._set(text, entry_of(self.server))

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the entry if set-up did not write it."""
        return prior_entry(self._entry(text), self.keys)

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the program that the entry starts, or nothing."""
        return started_by(self._entry(text))

    def strip(self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()) -> str:
        """Remove the table of the server with its subtables, or restore its prior connection keys."""
        entry = self._entry(text)
        if server_words(entry) is None:
            return text
        before = next((each.value for each in prior if each.keys == self.keys), None)
        if isinstance(before, dict):
            return text if prior_entry(entry, self.keys) == (Prior(self.keys, before),) else self._set(text, before)
        return self._without(text)

    def _set(self, text: str, wanted: dict[str, Any]) -> str:
        """Return the text with the connection keys of the entry replaced by `wanted`."""
        own = self._own(text)
        header = next((each for each in own if each.value < 0 and each.keys == self.keys), None)
        if header is None:
            raise invalid_at(text, own[0].start if own else 0, f"`{SERVER}` is no table of its own", _HINT)
        stale = [each for each in own if each.value >= 0 and each.keys[2:3] and each.keys[2] in OWN_KEYS]
        after = cut(text, [_whole_lines(text, each) for each in reversed(stale)])
        newline, at = newline_of(text), next_line(after, header.end)
        lead = "" if after.endswith(("\n", "\r"), 0, at) else newline
        written = newline.join(_lines(wanted))
        after = f"{after[:at]}{lead}{written}{newline if wanted else ''}{after[at:]}"
        self._check(text, after, self._with(self._read(text), {**self._extra(text), **wanted}))
        return after

    def _without(self, text: str) -> str:
        """Return the text without the table of the server and its subtables."""
        own = self._own(text)
        runs = [[own[0]]] if own else []
        for each, previous in zip(own[1:], own, strict=False):
            between = text[previous.end : each.start]
            if between.strip() or each.value < 0:
                runs.append([each])
            else:
                runs[-1].append(each)
        after = cut(text, [cut_of(text, run[0].start, run[-1].end) for run in reversed(runs)])
        self._check(text, after, self._with(self._read(text), None))
        return after

    def _own(self, text: str) -> list[Statement]:
        """Return the statements that make up the entry, in order."""
        return [each for each in statements(text) if each.keys[:2] == self.keys]

    def _read(self, text: str) -> dict[str, Any]:
        """Parse the file. Raises: Invalid if the value at the key of the servers is not a table."""
        value, table = read_toml(text, _HINT), self.server.table
        if not isinstance(value.get(table, {}), dict):
            at = next((each.start for each in statements(text) if each.keys[:1] == (table,)), 0)
            raise invalid_at(text, at, f"`{table}` is no table of servers", _HINT)
        return value

    def _entry(self, text: str) -> Any:
        return self._read(text).get(self.server.table, {}).get(SERVER)

    def _extra(self, text: str) -> dict[str, Any]:
        """Return the keys of the entry that are not connection keys."""
        entry = self._entry(text)
        return {key: entry[key] for key in entry if key not in OWN_KEYS} if isinstance(entry, dict) else {}

    def _with(self, value: dict[str, Any], entry: dict[str, Any] | None) -> dict[str, Any]:
        """Return the value of the file with the entry replaced; None removes it, and its table if that gets empty."""
        table = {name: each for name, each in value.get(self.server.table, {}).items() if name != SERVER}
        table = table if entry is None else {**table, SERVER: entry}
        rest = {key: each for key, each in value.items() if key != self.server.table}
        return {**rest, self.server.table: table} if table else rest

    def _check(self, before: str, after: str, wanted: dict[str, Any]) -> None:
        try:
            found = read_toml(after, _HINT)
        except Invalid as error:
            raise invalid_at(before, 0, f"`{self.server.table}` cannot take a table more", _HINT) from error
        if not found.get(self.server.table, True):
            found.pop(self.server.table)
        if found != wanted:
            raise invalid_at(before, 0, "own entries cannot be changed without risk to the rest", _HINT)


def _lines(entry: dict[str, Any]) -> list[str]:
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]


def _whole_lines(text: str, each: Statement) -> Cut:
    """Return the cut of the lines of a statement; a comment on its last line stays."""
    rest = text[each.end : next_line(text, each.end)]
    if rest.strip():
        return Cut(each.start, each.end)
    return Cut(line_start(text, each.start), next_line(text, each.end))
