"""Units of the cortex tree: messages of timelines, memories, and resources.

The messages of a day are one file of the index, so that a message has its neighbours in
the conversation; the id of its units is the name of its file. A new message is added
after the others, and nothing else is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cuedeck.knowledge.cortex.cortex_places import current_text
from cuedeck.knowledge.cortex.header_lines import parse_header
from cuedeck.knowledge.cortex.memory_card import parse_card
from cuedeck.knowledge.cortex.message_file import Message, parse_message
from cuedeck.knowledge.recall.memory_units import divide, speaker_of, utc_text
from cuedeck.knowledge.recall.recall_sources import Source
from cuedeck.model.cortex_address import DIMENSIONS, CortexAddress, parse_cortex_address
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.recall_values import Unit
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.text_decoding import decode_with_nuls
from cuedeck.store.cortex.cortex_tree import CortexTree, day_addresses, sum_of_folder
from cuedeck.store.cortex.recall_state import list_day, read_with_state
from cuedeck.store.files.file_growth import Known
from cuedeck.store.files.fingerprint import is_settled
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.knowledge.recall.recall_sources import Source
    from cuedeck.store.cache.recall_index import FileState
    from cuedeck.store.files.file_growth import Known
    from cuedeck.store.workspace_paths import WorkspacePaths

_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class CortexUnits:
    """The units of a file or of a day that are new."""

    known: Known
    units: Sequence[Unit]
    is_addition: bool = False
    """Whether the units follow the stored ones; otherwise they replace them."""


def read_units(
    paths: WorkspacePaths, source: Source, state: FileState | None
) -> CortexUnits:
    """Return the units of a source of the cortex tree: a file, or a day.

    Raises: FileNotFoundError, NotFound, StorageError.
    """
    if source.reader == "timeline":
        return day_units(paths, source.path, state.known if state else None)
    return file_units(paths, source.path)


def file_units(paths: WorkspacePaths, path: str) -> CortexUnits:
    """Return the units of a memory or a resource; the header of a memory and superseded
    statements have none.

    Raises: FileNotFoundError, NotFound, StorageError.
    """
    address = parse_cortex_address(path)
    data, known = read_with_state(CortexTree(paths), address)
    decoded = as_shown(address.name, decode_with_nuls(data))
    if decoded.binary:
        return CortexUnits(known, ())
    text = current_text(address, decoded.text)
    found = divide(text, CORTEX_KIND).units
    try:
        card = parse_card(decoded.text)
    except ValueError:
        return CortexUnits(known, found)
    date = utc_text(card.current.time)
    body_line = parse_header(decoded.text).body_line
    units = []
    for unit in found:
        if unit.end < body_line:
            continue
        title = " > ".join(filter(None, (card.shown_title, unit.title)))
        units.append(unit._replace(title=title, date=date, category=card.kind))
    return CortexUnits(known, units)


def day_units(paths: WorkspacePaths, path: str, state: Known | None) -> CortexUnits:
    """Return the units of the new messages of a day, or of all of them if a known one
    changed. Raises: FileNotFoundError, StorageError.
    """
    tree = CortexTree(paths)
    day = parse_cortex_address(path)
    listing = list_day(tree, day, state)
    new = listing.names[listing.unchanged :]
    messages = list(_messages(tree, day, new))
    messages.sort(key=lambda each: (each[1].seq, each[0]))
    units: list[Unit] = []
    for name, message in messages:
        units += _message_units(name, message, day.owner)
    return CortexUnits(listing.known, units, listing.unchanged > 0)


def _messages(
    tree: CortexTree, day: CortexAddress, names: Sequence[str]
) -> Iterator[tuple[str, Message]]:
    for name in names:
        text = decode_with_nuls(tree.read(day.child(name))).text
        try:
            yield name, parse_message(text)
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


def cortex_sources(paths: WorkspacePaths) -> Mapping[str, Source]:
    """Return the files of the cortex tree by path: each memory and resource, and the
    folder of each day with messages.

    Raises: StorageError.
    """
    return dict(_walk(paths))


def _walk(paths: WorkspacePaths) -> Iterator[tuple[str, Source]]:
    for path, reader in _files(paths):
        place = paths.absolute(path)
        check = edit_check(place) if reader == "timeline" else None
        yield path, Source(path, place, reader, "cortex", is_edited=check)


def _files(paths: WorkspacePaths) -> Iterator[tuple[str, str]]:
    """Yield the path and the reader of each memory and resource, and of the folder of
    each day with messages.

    Raises: StorageError.
    """
    tree = CortexTree(paths)
    for dimension in DIMENSIONS:
        top = CortexAddress((dimension,))
        if dimension == "session":
            for entry in tree.entries(top):
                if entry.is_folder:
                    for day in day_addresses(tree, top.child(entry.name)):
                        yield day.path, "timeline"
            continue
        for folder, entries in tree.walk(top):
            above = folder.path if folder is not None else ""
            for entry in entries:
                if above and not entry.is_folder:
                    yield f"{above}/{entry.name}", "cortex"


def edit_check(place: str) -> Callable[[Known], bool]:
    """Return the function that compares the messages in the folder of a day with a
    state; a folder that was deleted meanwhile counts as unchanged.
    """

    def check(known: Known) -> bool:
        try:
            found = sum_of_folder(place)
        except OSError:
            return False
        return found.total != known.rest or not is_settled(found, known.checked_ns)

    return check
