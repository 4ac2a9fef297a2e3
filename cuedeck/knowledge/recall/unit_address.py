"""Address, file and citation of a unit of the index of recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.entry_node import CORTEX_KIND, ENTRY_KINDS
from cuedeck.model.recall_values import Unit
from cuedeck.parse.fence import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.model.file import Cell


def address_of(path: str, unit: Unit, cells: Sequence[Cell] = ()) -> str:
    """Return the address of a unit: that of its ledger entry, else its lines."""
    if unit.kind in ENTRY_KINDS and unit.kind != CORTEX_KIND and unit.id:
        return f"{unit.kind}:{unit.id}"
    return citation(path, unit, cells)


def unit_path(path: str, unit: Unit) -> str:
    """Return the path of the file that contains a unit; `path` is that of the file of
    the index, which is the folder of a day for a message.
    """
    if unit.kind == CORTEX_KIND and unit.id:
        return f"{path}/{unit.id}.md"
    return path


def citation(path: str, unit: Unit, cells: Sequence[Cell] = ()) -> str:
    """Return the place of a unit as `read` opens it: `path#L3-L5`, in a notebook
    `path#cell 3:1-9`, or the address of an entry of a ledger of JSON or TOML. `path` is
    that of the file of the unit.
    """
    if unit.kind == CORTEX_KIND:
        # Most workspaces have no cortex tree.
        from cuedeck.model.cortex_address import parse_cortex_address

        address = parse_cortex_address(path).text
        return join_anchor(address, format_lines(unit.start, unit.end))
    if unit.kind in ENTRY_KINDS and unit.kind != "record":
        return f"{unit.kind}:{unit.id}"
    return join_anchor(path, format_lines(unit.start, unit.end, cells))


def printable_citation(place: str) -> str:
    """Return a citation for text: blanks replace the line breaks and other control
    characters that the name of a file may contain, so that `read` cannot open it.
    """
    return place if place.isprintable() else fold(place, len(place))
