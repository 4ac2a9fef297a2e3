"""Reader of `assumptions.toml`, and an append that keeps every existing byte."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.model.assumption import SHAPES, Assumption, Check, Shape
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import Invalid
from cuedeck.model.paths import ASSUMPTIONS
from cuedeck.model.ports import Json, JsonView
from cuedeck.parse.linear_patterns import compile_pattern
from cuedeck.parse.manifests import read_ranges, split_constraint
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
    code = "bad-encoding"
    try:
        text = decode_exactly(data).removeprefix(BOM)
        code = "bad-toml"
        table = read_toml(text)
    except Invalid as error:
        return Assumptions((), (_fault(error.line, code, error.problem, error.hint),))
    hint = f"write {_EXAMPLE}"
    for key in table:
        if key != "assumption":
            faults.append(_fault(0, "unknown-key", f"unknown key `{key}`", hint))
    rows = table.get("assumption", [])
    if not isinstance(rows, list):
        message = "`assumption` must be a list of tables"
        faults.append(_fault(0, "bad-value", message, hint))
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
                fault.line,
                fault.message,
                "nothing was added; correct the file first",
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
        faults.append(_fault(lines.get(key, start), code, message, hint))

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
            message = f"{start_of}unknown key `{key}`"
            report(key, "unknown-key", message, f"use one of {', '.join(_KEYS)}")
    impact = row.get("impact", "")
    if not isinstance(impact, str):
        message = f"{start_of}`impact` must be a string"
        report("impact", "bad-value", message, "put it in quotes")
    affects = row.get("affects", [])
    affects = [affects] if isinstance(affects, str) else affects
    if not isinstance(affects, list) or set(map(type, affects)) - {str}:
        message = f"{start_of}`affects` must be a list of strings"
        report("affects", "bad-value", message, 'write ["a.py"]')
        affects = []
    check = None
    try:
        check = read_check(row["check"]) if "check" in row else None
    except Invalid as error:
        report("check", "bad-check", f"{start_of}{error.message}", error.hint)
    addresses = tuple(filter(str.strip, affects))
    return Assumption(identity, text, _word(impact), addresses, check, start)


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


def _fault(line: int, code: str, message: str, hint: str) -> Diagnostic:
    level: Level = "warning" if code == "unknown-key" else "error"
    return Diagnostic(ASSUMPTIONS, line, level, code, message, hint)


def _format_check(check: Check) -> str:
    rows = []
    for key, value in check.values.items():
        # The numbers of JSON are those of TOML.
        written = _quoted(value) if isinstance(value, str) else json.dumps(value)
        rows.append(f"{key} = {written}")
    rest = f"{{{', '.join(rows)}}}"
    if len(rows) == 1:
        rest = rows[0].partition(" = ")[2]
    return f"{{{check.kind} = {rest}}}"


def _quoted(text: str) -> str:
    # JSON and TOML share their escapes, except that TOML also requires one for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


_CONTROL = re.compile("[\x00-\x1f\x7f]")
_ONE_LINE = ("path", "address", "name", "key")
_LARGEST = 2**63
"""The numbers of a check are smaller."""


def read_check(value: Any) -> Check:
    """Parse the value of the key `check` of an assumption.

    Raises: Invalid if the kind is unknown, or a key is missing, unknown or of the wrong
    type. Example: `{"file_exists": "a.py"}`, `{"contains": {"path": "a.py",
    "text": "x"}}`
    """
    if not isinstance(value, dict):
        raise Invalid(
            "a check must be a table", hint='write check = {file_exists = "src/app.py"}'
        )
    if len(value) != 1:
        hint = "put its keys into contains = {…}; add one assumption for each kind"
        raise Invalid("a check needs one kind", hint=hint)
    ((kind, rest),) = value.items()
    shape = _shape_of(kind)
    if isinstance(rest, str):
        rest = {shape.needed[0]: rest}
    if not isinstance(rest, dict):
        raise Invalid(
            f"{kind} must be a table or a string",
            hint=f"its keys: {', '.join(shape.keys)}",
        )
    _check_keys(kind, shape, rest)
    for key, each in rest.items():
        _check_value(kind, key, each)
    return Check(kind, {key: rest[key] for key in shape.keys if key in rest})


def spelled_check(text: str) -> Check:
    """Parse a check given as a command-line option.

    Raises: Invalid if the kind is unknown or its arguments are malformed.
    Example: `contains=src/api.py:router.get`
    """
    kind, split, rest = text.partition("=")
    kind = kind.strip()
    shape = _shape_of(kind)
    found = re.fullmatch(shape.spelling, rest.strip(), re.DOTALL)
    if not split or found is None:
        raise Invalid(
            f"`{text}` is not a valid check of the kind {kind}",
            hint=f"write {kind}={shape.example}",
        )
    groups = found.groupdict()
    values: Json = {key: each for key, each in groups.items() if each is not None}
    if "equals" in values:
        values["equals"] = _plain_value(values["equals"])
    return read_check({kind: values})


def _shape_of(kind: str) -> Shape:
    if kind not in SHAPES:
        hint = f"use one of {', '.join(SHAPES)}"
        raise Invalid(f"unknown check `{kind}`", hint=hint)
    return SHAPES[kind]


def _check_keys(kind: str, shape: Shape, values: JsonView) -> None:
    hint = f"its keys: {', '.join(shape.keys)}"
    for key in values:
        if key not in shape.keys:
            raise Invalid(f"{kind} has no key `{key}`", hint=hint)
    for key in shape.needed:
        if key not in values:
            raise Invalid(f"{kind} needs `{key}`", hint=hint)
    if shape.choice and sum(key in values for key in shape.choice) != 1:
        names = " and ".join(f"`{key}`" for key in shape.choice)
        raise Invalid(f"{kind} needs one of {names}", hint="give exactly one of them")


def _check_value(kind: str, key: str, value: Any) -> None:
    if key == "equals":
        is_number = isinstance(value, int | float) and abs(value) < _LARGEST
        if not is_number and not isinstance(value, str):
            problem = f"{kind}: `equals` must be a text, a number, true or false"
            raise Invalid(problem, hint="put it in quotes")
        return
    if not isinstance(value, str) or not value.strip():
        raise Invalid(
            f"{kind}: `{key}` must be a string that is not empty",
            hint="put it in quotes",
        )
    if key in _ONE_LINE and _CONTROL.search(value):
        raise Invalid(f"{kind}: `{key}` contains a control character", hint="remove it")
    if key == "regex":
        compile_pattern(value)
    if kind == "dependency" and key == "name":
        read_ranges(split_constraint(value)[1] or "*")


def _plain_value(text: str) -> Any:
    """Return a command-line value with `true`, `false` and whole numbers converted to
    their types.
    """
    if text in ("true", "false"):
        return text == "true"
    is_whole = re.fullmatch(r"-?(?:0|[1-9]\d{0,17})", text, re.ASCII)
    return int(text) if is_whole else text
