"""Checks of the cortex tree: foreign files, messages, metadata and layers."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext, check, failure, warning
from cuedeck.knowledge.cortex.cortex_sessions import METADATA
from cuedeck.knowledge.cortex.message_file import parse_message
from cuedeck.knowledge.cortex.session_metadata import parse_session_metadata
from cuedeck.knowledge.layers.tree_layers import FOREIGN, TreeLayers
from cuedeck.model.cortex_address import TIMELINE, CortexAddress
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import CORTEX
from cuedeck.store.cortex.cortex_tree import CortexEntry, CortexTree
from cuedeck.store.files.workspace_files import presence

_SESSION_PARTS = 2
_DAY_PARTS = 5
"""Parts of the address of a day: session, id, timeline, month, day."""
_STRAYS = {
    "link": (
        "the tree contains no links, so it is not read",
        "copy the target into the tree, or remove the link",
    ),
    "not_a_file": ("it is neither a file nor a folder", "remove it"),
    "bad_dimension": (
        "the tree has the folders resources, user, agent and session only",
        "move it below resources/",
    ),
    "bad_category": (
        "no address has this category, so it is not read",
        "move it below resources/, or into a category of the user or agent",
    ),
}
"""Message and hint for a name that no address has, by the reason."""
_NO_ADDRESS = ("no address can name it, so it is not read", "rename it")


@check("cortex", "each file of the cortex tree has an address")
def check_cortex(context: CheckContext) -> Iterator[Diagnostic]:
    tree = CortexTree(context.paths)
    try:
        for folder, entries in tree.walk(None):
            yield from _check_folder(tree, folder, entries)
    except StorageError as error:
        yield failure(CORTEX, "unreadable", error.message, error.hint)


def _check_folder(
    tree: CortexTree, folder: CortexAddress | None, entries: list[CortexEntry]
) -> Iterator[Diagnostic]:
    path = folder.path if folder else CORTEX
    strays = tree.strays(folder)
    if folder is None:
        files = [each.name for each in entries if not each.is_folder]
        strays |= dict.fromkeys(files, "bad_dimension")
    for name, reason in strays.items():
        message, hint = _STRAYS.get(reason, _NO_ADDRESS)
        yield warning(f"{path}/{name}", "cortex-stray", message, hint)
    if folder is None or folder.dimension != "session":
        return
    depth = len(folder.parts)
    if depth == _SESSION_PARTS:
        yield from _check_metadata(tree, folder)
    for entry in entries:
        yield from _check_entry(tree, entry, depth)


def _check_entry(
    tree: CortexTree, entry: CortexEntry, depth: int
) -> Iterator[Diagnostic]:
    place = entry.address
    is_day = depth == _DAY_PARTS
    if is_day == entry.is_folder:
        message = f"only folders belong here; messages are below {TIMELINE}/"
        if is_day:
            message = "a day contains messages, no folders"
        yield warning(place.path, "cortex-stray", message, "move it below resources/")
    elif is_day:
        try:
            parse_message(tree.read(place).decode("utf-8", "replace"))
        except ValueError as error:
            message = f"it is not read as a message: {error}"
            hint = "correct the header, or move the file below resources/"
            yield warning(place.path, "bad-message", message, hint)


def _check_metadata(tree: CortexTree, session: CortexAddress) -> Iterator[Diagnostic]:
    data = tree.read_reserved(session, METADATA)
    if data is None:
        return
    path = f"{session.path}/{METADATA}"
    hint = "the next message writes it again from the messages and keeps the old file"
    try:
        metadata = parse_session_metadata(data)
    except ValueError as error:
        yield failure(
            path, "bad-metadata", f"the metadata cannot be read: {error}", hint
        )
        return
    if metadata.thread_id != session.name:
        message = f"the metadata are those of the session `{metadata.thread_id}`"
        hint = f"set thread_id to {session.name}, or rename the folder"
        yield warning(path, "bad-metadata", message, hint)


@check("layers", "each layer file of the cortex tree is complete")
def check_layers(context: CheckContext) -> Iterator[Diagnostic]:
    if not presence(context.paths, CORTEX):
        return
    layers = TreeLayers(context.workspace)
    try:
        folders = layers.folders()
    except StorageError:
        return  # the other check reports it
    hint = "delete it; `cuedeck layers build` makes a new one"
    for folder in folders:
        for row in layers.rows(folder):
            if row.reason == FOREIGN:
                yield warning(
                    f"{row.folder.path}/{row.file}",
                    "foreign-layer",
                    f"the layer is not used: {row.reason}",
                    hint,
                )
