"""Reader of `assumptions.toml`, and an append that keeps every existing byte."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from cuedeck.model.assumption import SHAPES, Assumption, Check, Shape
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import Invalid
from cuedeck.model.paths import ASSUMPTIONS
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
    return Assumption(
        identity,
        text,
        _word(row.get("impact")),
        addresses,
        check,
        start,
    )


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
        path=ASSUMPTIONS,
        line=line,
        level=level,
        code=code,
        message=message,
        hint=hint,
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


_CONTROL = re.compile("[\x00-\x1f\x7f]")
_ONE_LINE = ("path", "address", "name", "key")


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
    try:
        repr(value)
    except ValueError:  # Python refuses to print an integer of more than 4,300 digits
        raise Invalid(
            "a check contains a number that is too large", hint="put it in quotes"
        ) from None
    if len(value) != 1:
        hint = "put its keys into contains = {…}; add one assumption for each kind"
        raise Invalid("a check needs one kind", hint=hint)
    ((kind, rest),) = value.items()
    shape = SHAPES.get(kind)
    if shape is None:
        raise Invalid(f"unknown check `{kind}`", hint=similar_name_hint(kind, SHAPES))
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
    shape = SHAPES.get(kind)
    if shape is None:
        raise Invalid(f"unknown check `{kind}`", hint=similar_name_hint(kind, SHAPES))
    found = re.fullmatch(shape.spelling, rest.strip(), re.DOTALL)
    if not split or found is None:
        raise Invalid(
            f"`{text}` is not a valid check of the kind {kind}",
            hint=f"write {kind}={shape.example}",
        )
    groups = found.groupdict()
    values: dict[str, Any] = {
        key: each for key, each in groups.items() if each is not None
    }
    if "equals" in values:
        values["equals"] = _plain_value(values["equals"])
    return read_check({kind: values})


def check_row(check: Check) -> dict[str, Any]:
    """Return a check as a JSON-serialisable table with its kind as the only key."""
    values = {key: _jsonable(value) for key, value in check.values.items()}
    return {check.kind: values}


def similar_name_hint(word: str, known: Iterable[str]) -> str:
    """Return a hint with the known word most similar to `word`, or with all known
    words.
    """
    names = list(known)
    found = difflib.get_close_matches(word, names, 1, 0.5)
    if found:
        return f"did you mean `{found[0]}`?"
    return f"use one of {', '.join(names)}"


def _check_keys(kind: str, shape: Shape, values: Mapping[str, Any]) -> None:
    for key in values:
        if key not in shape.keys:
            raise Invalid(
                f"{kind} has no key `{key}`", hint=similar_name_hint(key, shape.keys)
            )
    for key in shape.needed:
        if key not in values:
            raise Invalid(
                f"{kind} needs `{key}`", hint=f"its keys: {', '.join(shape.keys)}"
            )
    if shape.choice and sum(key in values for key in shape.choice) != 1:
        raise Invalid(
            f"{kind} needs one of {_listed(shape.choice)}",
            hint="give exactly one of them",
        )


def _check_value(kind: str, key: str, value: Any) -> None:
    if key == "equals":
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


def _jsonable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _jsonable(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_jsonable(each) for each in value]
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, str | bool | int):
        return value
    return str(value)


def _plain_value(text: str) -> Any:
    """Return a command-line value with `true`, `false` and whole numbers converted to
    their types.
    """
    if text in ("true", "false"):
        return text == "true"
    is_whole = re.fullmatch(r"-?(?:0|[1-9]\d{0,17})", text, re.ASCII)
    return int(text) if is_whole else text


def _listed(words: Iterable[str]) -> str:
    return " and ".join(f"`{word}`" for word in words)
