"""How the server was started."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Start(NamedTuple):
    """The folder, the environment and the options of the command."""

    folder: str
    environ: Mapping[str, str]
    read_only: bool = False
    compat: bool = False
