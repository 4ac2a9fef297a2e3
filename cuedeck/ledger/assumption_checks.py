"""Parser of assumption checks, as written in assumptions.toml and on the command
line.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from cuedeck.model.assumption import SHAPES, Check, Shape
from cuedeck.model.errors import Invalid
from cuedeck.parse.linear_patterns import compile_pattern
from cuedeck.parse.manifests import read_ranges, split_constraint

_CONTROL = re.compile("[\x00-\x1f\x7f]")
_ONE_LINE = ("path", "address", "name", "key")


def read_check(value: Any) -> Check:
    """Parse the value of the key `check` of an assumption.

    Raises: Invalid if the kind is unknown, or a key is missing, unknown or of the wrong
    type. Example: `{"file_exists": "a.py"}`, `{"kind": "contains", "path": "a.py",
    "text": "x"}`
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
    kind, rest = _split_kind(value)
    shape = None
    if isinstance(kind, str):
        shape = SHAPES.get(kind)
    if shape is None:
        raise Invalid(
            f"unknown check `{kind}`", hint=similar_name_hint(str(kind), SHAPES)
        )
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


def _split_kind(table: dict[Any, Any]) -> tuple[Any, Any]:
    if "kind" in table:
        rest = dict(table)
        kind = rest.pop("kind")
        return kind, rest
    if len(table) == 1:
        ((kind, rest),) = table.items()
        return kind, rest
    kinds = [key for key in table if key in SHAPES]
    if len(kinds) > 1:
        raise Invalid(
            f"a check has one kind, not {_listed(kinds)}",
            hint="add one assumption for each",
        )
    example = kinds[0] if kinds else "contains"
    raise Invalid("a check needs one kind", hint=f"put its keys into {example} = {{…}}")


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
