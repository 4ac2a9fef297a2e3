"""Reader of `assumptions.toml`, and an append that keeps every existing byte."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.ledger.assumption_checks import read_check, similar_name_hint
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
            message = f"unknown key `{key}`"
            hint = f"write {_EXAMPLE}"
            faults.append(_fault(0, "warning", "unknown-key", message, hint))
    rows = table.get("assumption", [])
    if not isinstance(rows, list):
        message = "`assumption` must be a list of tables"
        faults.append(_fault(0, "error", "bad-value", message, f"write {_EXAMPLE}"))
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
    fault = _fault(error.line, "error", code, error.problem, error.hint)
    return Assumptions((), (fault,))


def _read(
    row: Any,
    lines: Mapping[str, int],
    known: Mapping[str, Assumption],
    faults: list[Diagnostic],
) -> Assumption | None:
    """Parse one assumption, or return None if its id or text is missing or its id is
    already used; add its faults, each with the line of its key.
    """
    start = lines.get("", 0)

    def report(key: str, code: str, message: str, hint: str) -> None:
        level: Level = "warning" if code == "unknown-key" else "error"
        faults.append(_fault(lines.get(key, start), level, code, message, hint))

    if not isinstance(row, dict):
        report("", "bad-value", "an assumption must be a table", f"write {_EXAMPLE}")
        return None
    identity, text = _word(row.get("id")), _word(row.get("text"))
    if not identity:
        hint = 'write id = "uses-react"'
        report("id", "missing-id", "an assumption needs an id", hint)
        return None
    if identity in known:
        line = known[identity].line
        owner = f"line {line}" if line else "another"
        hint = f"{owner} already has it; use another id here"
        report("id", "repeated-id", f"the id `{identity}` is taken", hint)
        return None
    if not text:
        hint = 'write text = "The project uses React"'
        report("text", "missing-text", f"`{identity}` has no text", hint)
        return None
    start_of = f"`{identity}`: "
    for key in row:
        if key not in _KEYS:
            hint = similar_name_hint(key, _KEYS)
            report(key, "unknown-key", f"{start_of}unknown key `{key}`", hint)
    if not isinstance(row.get("impact", ""), str):
        message = f"{start_of}`impact` must be a string"
        report("impact", "bad-value", message, "put it in quotes")
    affects = _texts(row.get("affects", []))
    if affects is None:
        message = f"{start_of}`affects` must be a list of strings"
        report("affects", "bad-value", message, 'write ["a.py"]')
    check = None
    try:
        check = read_check(row["check"]) if "check" in row else None
    except Invalid as error:
        report("check", "bad-check", f"{start_of}{error.message}", error.hint)
    addresses = tuple(filter(str.strip, affects or ()))
    return Assumption(identity, text, _word(row.get("impact")), addresses, check, start)


def _texts(value: Any) -> list[str] | None:
    """Return a string or a list of strings as a list; None for any other value."""
    texts = [value] if isinstance(value, str) else value
    is_valid = isinstance(texts, list) and all(isinstance(each, str) for each in texts)
    return texts if is_valid else None


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
