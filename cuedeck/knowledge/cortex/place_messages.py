"""Addresses and numbers of the messages that an import adds to a session.

A message of CueDeck keeps its file name and, unless it is taken, its number. All others
follow the messages of the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.cortex.cortex_sessions import TimelineMessage, read_messages
from cuedeck.knowledge.cortex.foreign_session import ForeignMessage, name_ending
from cuedeck.knowledge.cortex.message_file import Message, timeline_names
from cuedeck.knowledge.importers.import_plan import ImportRow, row
from cuedeck.model.cortex_address import TIMELINE, CortexAddress, CortexAddressError
from cuedeck.store.cortex.cortex_tree import day_addresses

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.session_metadata import SessionMetadata
    from cuedeck.knowledge.importers.import_job import CortexImport
    from cuedeck.store.cortex.cortex_tree import CortexTree

_MAX_SEQ = 1_000_000_000
"""Highest number that a message keeps: a header has room for 18 digits."""
_FILE_DEPTH = 3
"""Names of a message below `timeline`: month, day and file."""


class SourceMessage(NamedTuple):
    """A message of the source."""

    path: str
    found: ForeignMessage


class Placement(NamedTuple):
    """The messages of the session after the import."""

    new: list[TimelineMessage]
    known: Mapping[CortexAddress, Message]
    rows: list[ImportRow]


def place_messages(
    job: CortexImport,
    session: CortexAddress,
    sources: Sequence[SourceMessage],
    metadata: SessionMetadata | None,
    reason: str,
) -> Placement:
    """Return the address and the number of each new message; `reason` is that of their
    rows. Raises: StorageError.
    """
    tree = job.tree
    known: dict[CortexAddress, Message] = {}
    for found in read_messages(tree, day_addresses(tree, session)):
        if isinstance(found, TimelineMessage):
            known[found.address] = found.message
    # Not the number in the metadata, which an interrupted import has reserved.
    seq = max((message.seq for message in known.values()), default=0)
    if metadata is not None:
        seq = max(seq, metadata.committed_seq)
    taken = dict(known)
    new: list[TimelineMessage] = []
    rows: list[ImportRow] = []
    for source in sources:
        message = source.found.message
        try:
            address = _free_address(tree, session, source, taken)
        except CortexAddressError as error:
            rows.append(row(source.path, "", "refused", error.message))
            continue
        other = taken.get(address)
        if other is None:
            seq += 1
            if message.seq < _MAX_SEQ:
                seq = max(seq, message.seq)
            numbered = message._replace(seq=seq)
            taken[address] = numbered
            new.append(TimelineMessage(address, numbered))
            rows.append(row(source.path, address.text, "new", reason))
        elif other.content.rstrip("\n") == message.content.rstrip("\n"):
            rows.append(row(source.path, address.text, "same"))
        else:
            problem = "a message with the same id and another text is there"
            rows.append(row(source.path, address.text, "refused", problem))
    return Placement(new, known, rows)


def _free_address(
    tree: CortexTree,
    session: CortexAddress,
    source: SourceMessage,
    taken: Mapping[CortexAddress, Message],
) -> CortexAddress:
    """Return the address of the message with this id, or a free address for it.

    Raises: CortexAddressError if other files have its addresses.
    """
    places = list(_possible_addresses(session, source))
    for place in places:
        there = taken.get(place)
        if there is not None and there.id == source.found.message.id:
            return place
    for place in places:
        if place not in taken and not tree.kind_of(place):
            return place
    raise CortexAddressError("bad_segment", f"{places[-1].text} is another file")


def _possible_addresses(
    session: CortexAddress, source: SourceMessage
) -> Iterator[CortexAddress]:
    """Yield the addresses that a message may have, the best first."""
    timeline = session.child(TIMELINE)
    message = source.found.message
    if message.seq:
        names = source.path.split("/")[-_FILE_DEPTH:]
        with suppress(CortexAddressError):  # a copy that was renamed by hand
            yield _below(timeline, names)
    for short in (True, False):
        ending = name_ending(message.id, short=short)
        yield _below(timeline, timeline_names(message.moment, ending))


def _below(folder: CortexAddress, names: Sequence[str]) -> CortexAddress:
    """Return the address of some names in a folder. Raises: CortexAddressError."""
    for name in names:
        folder = folder.child(name)
    return folder
