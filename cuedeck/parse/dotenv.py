"""Names in `.env` files. Their values are never returned."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NAME = re.compile(r"[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=")


def is_env(path: str) -> bool:
    """Return whether a path is a `.env` file: `.env`, `.env.local`, `prod.env`."""
    name = path.rpartition("/")[2].casefold()
    return name.startswith(".env") or name.endswith(".env")


def env_names(text: str) -> Mapping[str, int]:
    """Return the names that a `.env` file sets, each with its first line."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        name = _NAME.match(line)
        if name:
            found.setdefault(name[1], number)
    return found


def names_only(text: str) -> str:
    """Return a `.env` file with only its names, on their original lines."""
    names = [_NAME.match(line) for line in text.split("\n")]
    return "\n".join(f"{name[1]}=" if name else "" for name in names)
