"""The entry of CueDeck's MCP server in a host's TOML configuration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cuedeck.agents.edits.managed_block import cut_of, glue_for
from cuedeck.agents.edits.managed_part import Put
from cuedeck.agents.edits.mcp_server import OWN_KEYS, ServerPart, entry_of
from cuedeck.agents.hosts.base import SERVER
from cuedeck.model.errors import Invalid
from cuedeck.model.replaced_entry import Keys
from cuedeck.parse.text_edit import Cut, cut, newline_of
from cuedeck.parse.toml_reader import Statement, read_toml, statements
from cuedeck.text.text_offsets import invalid_at, line_start, next_line

_HINT = "edit the file by hand; nothing was changed"


@dataclass(frozen=True, slots=True)
class TomlServerPart(ServerPart):
    """The managed part for the MCP server of one host with TOML settings."""

    def entry(self, text: str) -> Any:
        return self._read(text).get(self.server.table, {}).get(SERVER)

    def put(self, text: str) -> Put:
        """Append the table of the server to the file."""
        before = self._read(text)
        entry = entry_of(self.server)
        newline = newline_of(text)
        header = f"[{'.'.join(self.keys)}]"
        written = glue_for(text, newline.join([header, *_lines(entry)]), newline)
        self._check(text, text + written, self._with(before, entry))
        return Put(text + written)

    def replace(self, text: str, wanted: Any) -> str:
        own = self._own(text)
        header = _header(own, self.keys)
        if header is None:
            if own and not self._extra(text):
                return self.put(self.without(text, None)).text
            at = own[0].start if own else 0
            raise invalid_at(text, at, f"`{SERVER}` is not a table of its own", _HINT)
        stale = []
        for each in own:
            if each.value >= 0 and len(each.keys) > 2 and each.keys[2] in OWN_KEYS:
                stale.append(each)
        after = cut(text, [_whole_lines(text, each) for each in reversed(stale)])
        newline = newline_of(text)
        at = next_line(after, header.end)
        written = newline.join(_lines(wanted))
        if wanted:
            written += newline
        if not after.endswith(("\n", "\r"), 0, at):
            written = newline + written
        after = after[:at] + written + after[at:]
        entry = {**self._extra(text), **wanted}
        self._check(text, after, self._with(self._read(text), entry))
        return after

    def without(self, text: str, made: frozenset[Keys] | None) -> str:
        """Return the text without the table of the server and its subtables."""
        spans: list[Cut] = []
        for each in self._own(text):
            is_header = each.value < 0
            if spans and not is_header and not text[spans[-1].end : each.start].strip():
                spans[-1] = Cut(spans[-1].start, each.end)
            else:
                spans.append(Cut(each.start, each.end))
        after = cut(text, [cut_of(text, start, end) for start, end in reversed(spans)])
        self._check(text, after, self._with(self._read(text), None))
        return after

    def _own(self, text: str) -> list[Statement]:
        return [each for each in statements(text) if each.keys[:2] == self.keys]

    def _read(self, text: str) -> dict[str, Any]:
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

    def _extra(self, text: str) -> dict[str, Any]:
        entry = self.entry(text)
        if not isinstance(entry, dict):
            return {}
        return {key: value for key, value in entry.items() if key not in OWN_KEYS}

    def _with(
        self, value: dict[str, Any], entry: dict[str, Any] | None
    ) -> dict[str, Any]:
        """Return the value of the file with the entry replaced; None removes it, and
        its table if that gets empty.
        """
        rest = dict(value)
        table = dict(rest.pop(self.server.table, {}))
        table.pop(SERVER, None)
        if entry is not None:
            table[SERVER] = entry
        if table:
            rest[self.server.table] = table
        return rest

    def _check(self, before: str, after: str, wanted: dict[str, Any]) -> None:
        table = self.server.table
        try:
            found = read_toml(after, _HINT)
        except Invalid as error:
            raise invalid_at(
                before, 0, f"no further table can be added to `{table}`", _HINT
            ) from error
        if not found.get(table, True):
            found.pop(table)
        if found != wanted:
            raise invalid_at(
                before,
                0,
                "own entries cannot be changed without risk to the rest",
                _HINT,
            )


def _header(own: Sequence[Statement], keys: Keys) -> Statement | None:
    """Return the header `[table.server]` of the entry, or None."""
    headers = (each for each in own if each.value < 0 and each.keys == keys)
    return next(headers, None)


def _lines(entry: dict[str, Any]) -> list[str]:
    return [
        f"{key} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in entry.items()
    ]


def _whole_lines(text: str, each: Statement) -> Cut:
    """Return the cut of the lines of a statement; a comment on its last line stays."""
    end = next_line(text, each.end)
    if text[each.end : end].strip():
        return Cut(each.start, each.end)
    return Cut(line_start(text, each.start), end)
