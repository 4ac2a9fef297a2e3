"""Addresses of places as other programs print them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from cuedeck.model.address import split_anchor
from cuedeck.store.files.workspace_files import presence

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

_PRINTED_PLACE = re.compile(r"(.+?):(\d+)(?:-(\d+)|:\d+)?:?")
"""A place as compilers and `grep -n` print it: `path:42`, `path:42-50`, `path:42:7`."""


def address_of_place(paths: WorkspacePaths, text: str) -> str:
    """Return the address of a place that is given as an absolute path or as `path:42`;
    any other text unchanged.
    """
    path, mark, anchor = text.partition("#")
    place = _PRINTED_PLACE.fullmatch(path)
    if place is not None and not mark:
        path, first, last = place.groups()
        mark = "#"
        anchor = f"L{first}-L{last}" if last else f"L{first}"
    if os.path.isabs(path):
        path = paths.shown(path)
    return f"{path}{mark}{anchor}"


def existing_place(paths: WorkspacePaths, text: str) -> str:
    """Return the address of a printed place of an existing file; any other text
    unchanged.
    """
    if presence(paths, split_anchor(text)[0]):
        return text
    address = address_of_place(paths, text)
    path = split_anchor(address)[0].partition("::")[0]
    return address if presence(paths, path) else text
