"""Files of environment variables: the names they set, never the values."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NAME = re.compile(r"[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=")


def is_env(path: str) -> bool:
    """Tell whether a path is that of a file of variables: `.env`, `.env.local`, `prod.env`."""
    name = path.rpartition("/")[2].casefold()
    return name.startswith(".env") or name.endswith(".env")


def env_names(text: str) -> Mapping[str, int]:
    """Return the names that a file of variables sets, each with its first line."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if name := _NAME.match(line):
            found.setdefault(name[1], number)
    return found


def names_only(text: str) -> str:
    """Return a file of variables without its values, names on the lines where they stand."""
    rows = ((line, _NAME.match(line)) for line in text.split("\n"))
    return "\n".join(f"{name[1]}=" if name else "" for _, name in rows)
