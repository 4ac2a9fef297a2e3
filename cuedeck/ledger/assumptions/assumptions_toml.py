"""Reader of `assumptions.toml`, and an append that keeps every existing byte."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.ledger.assumptions.assumption_checks import read_check, similar_name_hint
from cuedeck.model.assumption import Assumption, Check
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import Invalid
from cuedeck.model.paths import ASSUMPTIONS
from cuedeck.parse.text_decoding import BOM, decode_exactly
from cuedeck.parse.toml_reader import read_toml

_KEYS = ("id", "text", "impact", "affects", "check")
_HEADER = re.compile(r"[ \t]*\[\[[ \t]*[\"']?assumption[\"']?[ \t]*\]\]")
_KEY = re.compile(r"[ \t]*\[?[ \t]*(?:assumption\.)?[\"']?([\w-]+)")
_EXAMPLE = '[[assumption]] with id = "uses-react" and text = "The project uses React"'


class Assumptions(NamedTuple):
    """The parsed content of assumptions.toml, in file order."""

    items: tuple[Assumption, ...]
    faults: tuple[Diagnostic, ...]


def parse_assumptions(data: bytes) -> Assumptions:
    """Parse assumptions.toml. An invalid assumption becomes a diagnostic and does not
    hide the others.
    """
    faults: list[Diagnostic] = []
    try:
        text = decode_exactly(data).removeprefix(BOM)
    except Invalid as error:
        return _unread("bad-encoding", error)
    try:
        table = read_toml(text)
    except Invalid as error:
        return _unread("bad-toml", error)
    for key in table:
        if key != "assumption":
            fault = _fault(
                0,
                "warning",
                "unknown-key",
                f"unknown key `{key}`",
                f"write {_EXAMPLE}",
            )
            faults.append(fault)
    rows = table.get("assumption", [])
    if not isinstance(rows, list):
        faults.append(
            _fault(
                0,
                "error",
                "bad-value",
                "`assumption` must be a list of tables",
                f"write {_EXAMPLE}",
            )
        )
        rows = []
    items: dict[str, Assumption] = {}
    places = _places(text, len(rows))
    for row, lines in zip(rows, places, strict=True):
        found = _read(row, lines, items, faults)
        if found is not None:
            items[found.id] = found
    return Assumptions(tuple(items.values()), tuple(faults))


def format_assumption(wanted: Assumption) -> str:
    """Return the TOML of one assumption."""
    rows = [
        "[[assumption]]",
        f"id = {_quoted(wanted.id)}",
        f"text = {_quoted(wanted.text)}",
    ]
    if wanted.impact:
        rows.append(f"impact = {_quoted(wanted.impact)}")
    if wanted.affects:
        addresses = ", ".join(map(_quoted, wanted.affects))
        rows.append(f"affects = [{addresses}]")
    if wanted.check is not None:
        rows.append(f"check = {_format_check(wanted.check)}")
    return "\n".join(rows) + "\n"


def add_assumption(data: bytes, wanted: Assumption) -> bytes:
    """Return the file with one assumption appended; all existing bytes are kept.

    Raises: Invalid if the file is not valid TOML, or if the appended assumption is not
    read back as the last one.
    """
    before = parse_assumptions(data)
    for fault in before.faults:
        if fault.code in ("bad-toml", "bad-encoding"):
            raise Invalid.on(
                fault.line, fault.message, "nothing was added; correct the file first"
            ).in_file(ASSUMPTIONS)
    newline = "\r\n" if b"\r\n" in data else "\n"
    text = format_assumption(wanted)
    if data:
        text = f"\n{text}" if data.endswith(b"\n") else f"\n\n{text}"
    added = data + text.replace("\n", newline).encode()
    after = parse_assumptions(added).items
    is_added = len(after) == len(before.items) + 1
    if not is_added or after[-1].id != wanted.id:
        raise Invalid(
            f"cannot add to {ASSUMPTIONS}",
            hint=f"each assumption must be written as {_EXAMPLE}",
        )
    return added


def _unread(code: str, error: Invalid) -> Assumptions:
    """Return the content of a file that cannot be parsed: one fault."""
    fault = _fault(
        error.line,
        "error",
        code,
        error.problem,
        error.hint,
    )
    return Assumptions((), (fault,))


class _Report:
    """Reports the faults of one assumption with the lines of its keys."""

    def __init__(self, lines: Mapping[str, int], faults: list[Diagnostic]) -> None:
        self.start = lines.get("", 0)
        """First line of the assumption."""
        self.identity = ""
        """Id of the assumption, with which messages begin, once it is known."""
        self._lines = lines
        self._faults = faults

    def add(
        self, key: str, code: str, message: str, hint: str, level: Level = "error"
    ) -> None:
        """Add a fault at the line of a key, or at the first line."""
        if self.identity:
            message = f"`{self.identity}`: {message}"
        line = self._lines.get(key, self.start)
        self._faults.append(_fault(line, level, code, message, hint))


def _read(
    row: Any,
    lines: Mapping[str, int],
    known: Mapping[str, Assumption],
    faults: list[Diagnostic],
) -> Assumption | None:
    """Parse one assumption, or return None if its id or text is missing or its id is
    already used.
    """
    report = _Report(lines, faults)
    if not isinstance(row, dict):
        message = "an assumption must be a table"
        report.add(
            "",
            "bad-value",
            message,
            f"write {_EXAMPLE}",
        )
        return None
    identity = _read_id(row, known, report)
    if not identity:
        return None
    text = _word(row.get("text"))
    if not text:
        hint = 'write text = "The project uses React"'
        report.add(
            "text",
            "missing-text",
            f"`{identity}` has no text",
            hint,
        )
        return None
    report.identity = identity
    for key in row:
        if key not in _KEYS:
            message = f"unknown key `{key}`"
            hint = similar_name_hint(key, _KEYS)
            report.add(key, "unknown-key", message, hint, "warning")
    return Assumption(
        id=identity,
        text=text,
        impact=_read_impact(row, report),
        affects=_read_affects(row, report),
        check=_read_check(row, report),
        line=report.start,
    )


def _read_id(
    row: Mapping[str, Any], known: Mapping[str, Assumption], report: _Report
) -> str:
    """Return the id of an assumption; empty if it is missing or already used."""
    identity = _word(row.get("id"))
    if not identity:
        hint = 'write id = "uses-react"'
        report.add(
            "id",
            "missing-id",
            "an assumption needs an id",
            hint,
        )
        return ""
    if identity in known:
        line = known[identity].line
        owner = f"line {line}" if line else "another"
        hint = f"{owner} already has it; use another id here"
        report.add(
            "id",
            "repeated-id",
            f"the id `{identity}` is taken",
            hint,
        )
        return ""
    return identity


def _read_impact(row: Mapping[str, Any], report: _Report) -> str:
    """Return the impact of an assumption; empty if it is not a string."""
    impact = row.get("impact", "")
    if isinstance(impact, str):
        return _word(impact)
    message = "`impact` must be a string"
    report.add(
        "impact",
        "bad-value",
        message,
        "put it in quotes",
    )
    return ""


def _read_affects(row: Mapping[str, Any], report: _Report) -> tuple[str, ...]:
    """Return the addresses that an assumption affects; none if they are no strings."""
    affects = _texts(row.get("affects", []))
    if affects is None:
        message = "`affects` must be a list of strings"
        report.add(
            "affects",
            "bad-value",
            message,
            'write ["a.py"]',
        )
        return ()
    return tuple(filter(str.strip, affects))


def _read_check(row: Mapping[str, Any], report: _Report) -> Check | None:
    """Return the check of an assumption; None if it has none or an invalid one."""
    if "check" not in row:
        return None
    try:
        return read_check(row["check"])
    except Invalid as error:
        report.add(
            "check",
            "bad-check",
            error.message,
            error.hint,
        )
        return None


def _texts(value: Any) -> list[str] | None:
    """Return a string or a list of strings as a list; None for any other value."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        return None
    if not all(isinstance(each, str) for each in value):
        return None
    return value


def _places(text: str, count: int) -> Sequence[Mapping[str, int]]:
    """Return the line of each key of each assumption; the empty key maps to the line of
    its header.
    """
    found: list[dict[str, int]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if _HEADER.match(line):
            found.append({"": number})
            continue
        key = _KEY.match(line)
        if key and found:
            found[-1].setdefault(key[1], number)
    if len(found) == count:
        return found
    return [{}] * count


def _word(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    return " ".join(value.split())


def _fault(line: int, level: Level, code: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(
        path=ASSUMPTIONS, line=line, level=level, code=code, message=message, hint=hint
    )


def _format_check(check: Check) -> str:
    values = list(check.values.values())
    if len(values) == 1 and isinstance(values[0], str):
        return f"{{{check.kind} = {_format_value(values[0])}}}"
    fields = ", ".join(
        f"{key} = {_format_value(value)}" for key, value in check.values.items()
    )
    return f"{{{check.kind} = {{{fields}}}}}"


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return _quoted(str(value))


def _quoted(text: str) -> str:
    # JSON and TOML share their escapes, except that TOML also requires one for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
