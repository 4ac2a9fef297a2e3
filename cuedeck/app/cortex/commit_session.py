"""Commit of a session: its new messages become memories of user and agent, and the
layers of all changed folders are built.

A commit reads the messages after those of the last commit, writes the memory cards,
and records the last message that it read. Nothing that it writes depends on the clock,
and a card that contains a line of a message is not given it again. A commit that was
killed therefore writes the same bytes when it is repeated, and a second commit changes
nothing. The session stays active.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.cortex.cortex_sessions import (
    TimelineMessage,
    UnreadableMessage,
    find_metadata,
    load_for_change,
    read_messages,
    session_address,
    write_metadata,
)
from cuedeck.app.layers.build_layers import build_marked_layers
from cuedeck.app.mask_answers import mask_to_keep
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.cortex_address import TIMELINE, CortexAddress
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.parse.timestamps import format_moment
from cuedeck.records.cortex.extract_markers import (
    ExtractedMemory,
    SourceMessage,
    extract_memories,
)
from cuedeck.records.cortex.memory_card import (
    PLACES,
    MemoryCard,
    MemoryKind,
    Outcome,
    Statement,
    add_statement,
    format_card,
    parse_card,
)
from cuedeck.records.cortex.memory_key import memory_name
from cuedeck.records.cortex.owner_name import owner_address
from cuedeck.records.cortex.session_metadata import Commit
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.dirty_journal import DirtyJournal
from cuedeck.store.fs.file_lock import locked

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.app.workspace import Workspace
    from cuedeck.records.cortex.session_metadata import SessionMetadata

LOCK = "cortex-commit"
"""Family of the lock of a commit; messages can be added meanwhile."""
_LISTS: dict[Outcome, str] = {
    "made": "made",
    "superseded": "updated",
    "older": "updated",
    "repeated": "reused",
    "known": "reused",
}
"""List of the receipt for each outcome."""
_RANKS = tuple(_LISTS)
"""Outcomes of the statements of one card: the first of these counts."""


class _Batch(NamedTuple):
    """The messages of a session that no commit has read."""

    messages: Sequence[TimelineMessage]
    """In the order of the session."""
    unreadable: Sequence[UnreadableMessage]
    times: Mapping[int, str]
    """Time of each message by its number; it never decreases, even if a clock did."""


class _Change(NamedTuple):
    """A card with the statements of a commit added."""

    card: MemoryCard
    outcome: Outcome
    """What the commit did to the card as a whole."""


def commit_session(workspace: Workspace, identity: str = "") -> dict[str, Any]:
    """Write the memories that the new messages of a session state; return the receipt.

    An empty id means `cortex.session`. Raises: NotFound, Locked, StorageError,
    ConfigurationError.
    """
    tree = CortexTree(workspace.paths)
    session = session_address(workspace, identity)
    with locked(workspace.paths, LOCK):
        metadata = find_metadata(tree, session)
        batch = _read_batch(tree, session, metadata)
        extraction = extract_memories(_masked_sources(workspace, batch))
        with tree.writing() as writer:
            changes, foreign = _change_cards(
                workspace, tree, extraction.memories, batch.times
            )
            folders = {CortexAddress(place.parts[:-1]) for place in changes}
            DirtyJournal(workspace.paths).mark(sorted(folders, key=_text))
            for place, change in changes.items():
                writer.write(place, format_card(change.card).encode())
            metadata = load_for_change(tree, writer, session) or metadata
            if batch.messages:
                metadata = _committed(metadata, batch, len(changes))
                write_metadata(writer, session, metadata)
        layers = build_marked_layers(workspace)
    left_out = [
        *(_left_out(each.address.text, each.reason) for each in batch.unreadable),
        *(_left_out_line(*each) for each in extraction.left_out),
        *(_left_out(each.text, "a file without a memory is there") for each in foreign),
    ]
    return {
        "session": session.name,
        "address": session.text,
        "status": metadata.status,
        "seq": metadata.committed_seq,
        "messages": len(batch.messages),
        **_receipt(changes),
        "layers": layers.as_json(),
        "left_out": left_out,
    }


def _read_batch(
    tree: CortexTree, session: CortexAddress, metadata: SessionMetadata
) -> _Batch:
    """Return the messages after the last commit. Raises: StorageError."""
    timeline = session.child(TIMELINE)
    days = []
    for name in metadata.uncommitted_days:
        month, _, day = name.partition("/")
        days.append(timeline.child(month).child(day))
    messages: list[TimelineMessage] = []
    unreadable: list[UnreadableMessage] = []
    for found in read_messages(tree, days):
        if isinstance(found, UnreadableMessage):
            unreadable.append(found)
        elif found.message.seq > metadata.committed_seq:
            messages.append(found)
    messages.sort(key=_seq)
    latest = metadata.commits[-1].time if metadata.commits else ""
    times = {}
    for each in messages:
        latest = max(latest, _second(each.message.moment))
        times[each.message.seq] = latest
    return _Batch(messages, unreadable, times)


def _masked_sources(workspace: Workspace, batch: _Batch) -> Iterator[SourceMessage]:
    """Yield the messages with secrets masked: a file may be written by hand."""
    for address, message in batch.messages:
        content: str = mask_to_keep(message.content, workspace)
        yield SourceMessage(address.text, message._replace(content=content))


def _change_cards(
    workspace: Workspace,
    tree: CortexTree,
    memories: Iterable[ExtractedMemory],
    times: Mapping[int, str],
) -> tuple[dict[CortexAddress, _Change], list[CortexAddress]]:
    """Return the cards of some memories by address, sorted, and the addresses of files
    that are no cards, which stay as they are. Raises: StorageError.
    """
    changes: dict[CortexAddress, _Change] = {}
    cards: dict[CortexAddress, MemoryCard | None] = {}
    foreign: set[CortexAddress] = set()
    for memory in memories:
        place = _card_address(workspace, memory.kind, memory.key)
        try:
            if place not in cards:
                cards[place] = _read_card(tree, place)
        except ValueError:
            foreign.add(place)
            continue
        line = join_anchor(memory.source, format_lines(memory.line, memory.line))
        statement = Statement(memory.text, times[memory.seq], (line,))
        card, outcome = add_statement(cards[place], memory.kind, memory.key, statement)
        cards[place] = card
        known = changes.get(place)
        if known is not None:
            outcome = min(known.outcome, outcome, key=_RANKS.index)
        changes[place] = _Change(card, outcome)
    ordered = sorted(changes, key=_text)
    return {place: changes[place] for place in ordered}, sorted(foreign, key=_text)


def _card_address(workspace: Workspace, kind: MemoryKind, key: str) -> CortexAddress:
    """Return the address of the card of a memory."""
    dimension, category = PLACES[kind]
    settings = workspace.settings.cortex
    owner = settings.user if dimension == "user" else settings.agent
    return owner_address(dimension, owner).child(category).child(memory_name(key))


def _read_card(tree: CortexTree, place: CortexAddress) -> MemoryCard | None:
    """Return an existing card, or None. Raises: ValueError for another file;
    StorageError.
    """
    try:
        return parse_card(tree.read(place).decode())
    except NotFound:
        return None
    except Invalid:  # a folder
        raise ValueError from None


def _committed(
    metadata: SessionMetadata, batch: _Batch, memories: int
) -> SessionMetadata:
    """Return the metadata after a commit."""
    last = batch.messages[-1].message.seq
    commit = Commit(last, len(batch.messages), batch.times[last], memories)
    # Days stay if messages were added while the commit ran.
    days = metadata.uncommitted_days if metadata.last_seq > last else ()
    return replace(metadata, commits=(*metadata.commits, commit), uncommitted_days=days)


def _receipt(
    changes: Mapping[CortexAddress, _Change],
) -> dict[str, list[dict[str, str]]]:
    receipt: dict[str, list[dict[str, str]]] = {"made": [], "updated": [], "reused": []}
    for place, (card, outcome) in changes.items():
        row = {"address": place.text, "kind": card.kind, "key": card.key}
        receipt[_LISTS[outcome]].append(row)
    return receipt


def _left_out(address: str, reason: str) -> dict[str, str]:
    return {"address": address, "reason": reason}


def _left_out_line(source: str, line: int, reason: str) -> dict[str, str]:
    return _left_out(join_anchor(source, format_lines(line, line)), reason)


def _second(moment: datetime) -> str:
    """Return a time as RFC 3339 in UTC, to the second."""
    return f"{format_moment(moment)[:19]}Z"


def _seq(found: TimelineMessage) -> tuple[int, str]:
    return found.message.seq, found.address.text


def _text(address: CortexAddress) -> str:
    return address.text
