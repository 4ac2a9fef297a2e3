"""Units of the cortex tree: messages of timelines, memories, and resources.

The messages of a day are one file of the index, so that a message has its neighbours in
the conversation; the id of its units is the name of its file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.knowledge.cortex.cortex_places import current_text
from cuedeck.knowledge.cortex.memory_card import parse_card
from cuedeck.knowledge.cortex.message_file import Message, parse_header, parse_message
from cuedeck.knowledge.recall.memory_units import divide, speaker_of, utc_text
from cuedeck.model.cortex_address import DIMENSIONS, CortexAddress, parse_cortex_address
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.recall_values import Unit
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.text_decoding import decode_with_nuls
from cuedeck.store.cortex.cortex_tree import CortexTree, day_addresses

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

_SUFFIX = ".md"


def file_units(paths: WorkspacePaths, path: str) -> list[Unit]:
    """Return the units of a memory or a resource; the header of a memory and superseded
    statements have none.

    Raises: NotFound, StorageError.
    """
    address = parse_cortex_address(path)
    data = CortexTree(paths).read(address)
    decoded = as_shown(address.name, decode_with_nuls(data))
    if decoded.binary:
        return []
    text = current_text(address, decoded.text)
    found = divide(text, CORTEX_KIND).units
    try:
        card = parse_card(decoded.text)
    except ValueError:
        return list(found)
    date = utc_text(card.current.time)
    body_line = parse_header(decoded.text).body_line
    units = []
    for unit in found:
        if unit.end < body_line:
            continue
        title = " > ".join(filter(None, (card.shown_title, unit.title)))
        units.append(unit._replace(title=title, date=date, category=card.kind))
    return units


def day_units(paths: WorkspacePaths, path: str) -> list[Unit]:
    """Return the units of the messages of a day. Raises: NotFound, StorageError."""
    tree = CortexTree(paths)
    day = parse_cortex_address(path)
    messages = list(_messages(tree, day))
    messages.sort(key=lambda each: (each[1].seq, each[0]))
    units: list[Unit] = []
    for name, message in messages:
        units += _message_units(name, message, day.owner)
    return units


def _messages(tree: CortexTree, day: CortexAddress) -> Iterator[tuple[str, Message]]:
    for entry in tree.entries(day):
        if entry.is_folder:
            continue
        text = decode_with_nuls(tree.read(entry.address)).text
        try:
            yield entry.name, parse_message(text)
        except ValueError:
            continue


def _message_units(name: str, message: Message, session: str) -> Iterator[Unit]:
    date = utc_text(message.time)
    author = message.participants[0] if message.participants else message.role
    for unit in divide(message.content, CORTEX_KIND).units:
        yield unit._replace(
            start=unit.start + message.body_line - 1,
            end=unit.end + message.body_line - 1,
            id=name.removesuffix(_SUFFIX),
            date=date,
            speaker=speaker_of(unit.text) or author,
            session=session,
            category=message.role,
        )


def cortex_files(paths: WorkspacePaths) -> Iterator[tuple[str, str]]:
    """Yield the path and the reader of each memory and resource of the cortex tree, and
    of the folder of each day with messages.

    Raises: StorageError.
    """
    tree = CortexTree(paths)
    for dimension in DIMENSIONS:
        top = CortexAddress((dimension,))
        if dimension != "session":
            yield from ((address.path, "cortex") for address in tree.files(top))
            continue
        for entry in tree.entries(top):
            if entry.is_folder:
                for day in day_addresses(tree, entry.address):
                    yield day.path, "timeline"
