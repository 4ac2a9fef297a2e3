"""Start options of the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Start(NamedTuple):
    """Folder, environment and command-line options."""

    folder: str
    environ: Mapping[str, str]
    read_only: bool = False
    compat: bool = False
