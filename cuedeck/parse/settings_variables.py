"""Environment variables that set values of the settings, `CUEDECK_<SECTION>__<KEY>`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cuedeck.model.settings_schema import find_key

_PREFIX = "CUEDECK_"
_WHOLE = r"-?[0-9]{1,18}"
_NUMBER = r"-?[0-9]{1,18}(?:\.[0-9]+)?"
_BOOLEANS = {"true": True, "false": False}


def variable_name(full: str) -> str:
    """Return the name of the variable that sets a key `section.name`."""
    name = full.upper().replace(".", "__")
    return f"{_PREFIX}{name}"


def read_variables(
    environ: Mapping[str, str],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each variable of the settings, also of an unknown key, and its
    value as a table of config.toml.
    """
    for variable in sorted(environ):
        if not variable.startswith(_PREFIX):
            continue
        full = variable.removeprefix(_PREFIX).lower()
        section, separator, name = full.partition("__")
        if not separator:
            continue
        key = find_key(section, name)
        kind = type(key.default) if key is not None else str
        value = _parse_value(environ[variable], kind)
        yield variable, {section: {name: value}}


def _parse_value(text: str, kind: type) -> Any:
    """Return the value of a variable as `kind`; the text itself if it has another form.
    The items of a list are separated by commas.
    """
    if kind is int and re.fullmatch(_WHOLE, text):
        return int(text)
    if kind is float and re.fullmatch(_NUMBER, text):
        return float(text)
    if kind is bool:
        return _BOOLEANS.get(text.lower(), text)
    if kind is tuple:
        items = [item.strip() for item in text.split(",")]
        return [item for item in items if item]
    return text
