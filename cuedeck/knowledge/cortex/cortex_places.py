"""Places of the cortex tree that addresses and refs name: a file, a folder, or lines of
a file.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.graph.anchors import Place, find_anchor
from cuedeck.knowledge.cortex.memory_card import HISTORY, parse_card
from cuedeck.model.address import join_anchor, split_anchor
from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    LayerName,
    parse_cortex_address,
    parse_layer_address,
)
from cuedeck.model.errors import NotFound, StorageError
from cuedeck.model.formatting import quoted
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.text_decoding import decode, decode_with_nuls
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.layer_store import read_layer_data
from cuedeck.store.index.schema import CORTEX_PLACES

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import File
    from cuedeck.store.cortex.cortex_tree import EntryKind
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

_MOST_NEAR = 5
_MOST_COMPARED = 3_000
"""Maximum number of names in a folder that are compared with a missing one."""


class CortexPlace(NamedTuple):
    """An existing file or folder, as a ref names it."""

    address: CortexAddress
    kind: EntryKind
    anchor: str = ""
    """Lines or heading, as written."""
    layer: LayerName | None = None
    """Layer that the query of the address names."""

    @property
    def text(self) -> str:
        """Canonical address with layer and anchor."""
        query = f"?layer={self.layer}" if self.layer else ""
        return join_anchor(self.address.text + query, self.anchor)


class CortexFile(NamedTuple):
    """The decoded text of a file with its parsed structure."""

    text: str
    """Line ends are \\n; secrets are not masked."""
    parsed: File


def find_place(paths: WorkspacePaths, text: str) -> CortexPlace:
    """Return the place that an address names; `.md` may be omitted.

    Raises: CortexAddressError, NotFound with the nearest addresses, StorageError.
    """
    written, anchor = split_anchor(text.strip())
    wanted, layer = parse_layer_address(written)
    tree = CortexTree(paths)
    for address in spellings(wanted):
        kind = tree.kind_of(address)
        if kind:
            return CortexPlace(address, kind, anchor.strip(), layer)
    near = near_addresses(paths, wanted)
    folder = _nearest_folder(tree, wanted)
    hint = "`cuedeck cortex ls` lists the tree"
    if near:
        hint = f"did you mean `{near[0]}`?"
    elif folder is not None:
        hint = f"`cuedeck cortex ls {quoted(folder.text)}` lists the folder"
    raise NotFound(f"{wanted.text} does not exist", hint=hint, candidates=tuple(near))


def near_addresses(paths: WorkspacePaths, address: CortexAddress) -> list[str]:
    """Return up to five existing addresses that are most similar to a missing one, best
    first: names in its nearest existing folder. Raises: StorageError.
    """
    import difflib

    tree = CortexTree(paths)
    folder = _nearest_folder(tree, address)
    wanted = address.parts[len(folder.parts) if folder else 0]
    entries = tree.entries(folder)[:_MOST_COMPARED]
    names = {entry.name: entry.address.text for entry in entries}
    near = difflib.get_close_matches(wanted, names, _MOST_NEAR, 0.6)
    return [names[name] for name in near]


def _nearest_folder(tree: CortexTree, address: CortexAddress) -> CortexAddress | None:
    folder = address.parent
    while folder is not None and tree.kind_of(folder) != "folder":
        folder = folder.parent
    return folder


def read_file(
    paths: WorkspacePaths, address: CortexAddress, *, has_history: bool = True
) -> CortexFile:
    """Return the text of a file, parsed as Markdown; a binary file has no text. Without
    `has_history`, a memory of a user or an agent has no superseded statements.

    Raises: NotFound, Invalid for a folder, StorageError.
    """
    from cuedeck.parse.parse_file import parse_doc  # Markdown and YAML load slowly

    data = CortexTree(paths).read(address)
    decoded = as_shown(address.name, decode_with_nuls(data))
    text = decoded.text if has_history else current_text(address, decoded.text)
    if text != decoded.text:
        decoded = decode(text.encode("utf-8", "replace"))
    return CortexFile(text, parse_doc(address.path, len(data), decoded))


def current_text(address: CortexAddress, text: str) -> str:
    """Return the text of a memory without superseded statements; the text of any other
    file unchanged.
    """
    if address.dimension not in ("user", "agent") or HISTORY not in text:
        return text
    try:
        parse_card(text)
    except ValueError:
        return text
    return text.partition(HISTORY)[0]


def find_lines(file: CortexFile, anchor: str) -> Place | None:
    """Return the lines that an anchor names; None if there are none or several."""
    if not anchor:
        return Place(1, max(file.parsed.lines, 1), "")
    places = find_anchor(file.parsed, anchor)
    if len(places) != 1:
        return None
    start, end, name = places[0]
    return Place(start, end, name)


def cut_lines(text: str, start: int, end: int) -> str:
    """Return some lines of a text, each with its line end."""
    rows = text.split("\n")[start - 1 : end]
    return "".join(f"{row}\n" for row in rows)


def spellings(address: CortexAddress) -> list[CortexAddress]:
    """Return an address, and the same with the suffix that people omit."""
    found = [address]
    if address.parent is not None and not address.name.endswith(".md"):
        with suppress(CortexAddressError):
            found.append(address.parent.child(f"{address.name}.md"))
    return found


MOST = 500
"""Maximum number of stored places; above it only those of the last scene are kept, and
the other scenes are built again.
"""


class CortexInputs:
    """Places looked up since the settings were read."""

    def __init__(self) -> None:
        self._places: dict[CortexAddress, None] = {}

    def note(self, address: CortexAddress) -> None:
        """Note a place, existing or not."""
        self._places[address] = None

    def take(self) -> list[CortexAddress]:
        """Return the noted places and forget them."""
        found = list(self._places)
        self._places.clear()
        return found


def store_inputs(workspace: Workspace) -> None:
    """Add the places looked up by the scene that was just built to the stored ones."""
    new = [address.text for address in workspace.cached(CortexInputs).take()]
    stored = _stored(workspace.index)
    if set(new) <= set(stored):
        return
    merged = sorted({*stored, *new})
    if len(merged) > MOST:
        merged = sorted(set(new))
    workspace.index.set_meta(CORTEX_PLACES, json.dumps(merged, ensure_ascii=False))


def state_of_inputs(index: Index, paths: WorkspacePaths) -> object:
    """Return a value that changes whenever a stored place changes."""
    tree = CortexTree(paths)
    return [_state(tree, text) for text in _stored(index)]


def _stored(index: Index) -> list[str]:
    text = index.meta(CORTEX_PLACES)
    return json.loads(text) if text else []


def _state(tree: CortexTree, text: str) -> object:
    """Return the hash of a file with its overview, which may be edited by hand, or of
    the names, sizes and times of everything in a folder.
    """
    digest = hashlib.sha256()
    try:
        for address in spellings(parse_cortex_address(text)):
            kind = tree.kind_of(address)
            digest.update(kind.encode())
            if kind == "file" and address.parent is not None:
                digest.update(tree.read(address))
                digest.update(read_layer_data(tree, address.parent, address.name, "L1"))
            elif kind == "folder":
                digest.update(read_layer_data(tree, address, "", "L1"))
                for folder, entries in tree.walk(address):
                    rows = [each[: 2 if each.is_folder else None] for each in entries]
                    digest.update(repr((folder, rows)).encode())
    except (CortexAddressError, StorageError):  # the scene and `doctor` report it
        return text, "unreadable"
    return text, digest.hexdigest()
