"""Commit of a session: its new messages become memories of user and agent, and the
layers of all changed folders are built.

A commit reads the messages after those of the last commit, writes the memory cards,
and records the last message that it read. Nothing that it writes depends on the clock,
and a card that contains a line of a message is not given it again. A commit that was
killed therefore writes the same bytes when it is repeated, and a second commit changes
nothing. The session stays active.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.cortex.change_cards import CardChange, change_cards
from cuedeck.app.cortex.cortex_sessions import (
    TimelineMessage,
    UnreadableMessage,
    find_metadata,
    load_for_change,
    read_messages,
    seq_and_address,
    session_address,
    write_metadata,
)
from cuedeck.app.cortex.session_owners import (
    NO_OWNERS,
    SessionOwners,
    owners_of,
    with_owners,
)
from cuedeck.app.hooks.process_pending import process_hook_events
from cuedeck.app.layers.build_layers import build_marked_layers
from cuedeck.app.layers.layer_status import layer_status
from cuedeck.app.recall.mask_units import mask_spans
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.cortex_address import TIMELINE, CortexAddress
from cuedeck.records.cortex.extract_markers import (
    Extraction,
    SourceMessage,
    extract_memories,
)
from cuedeck.records.cortex.memory_card import Outcome, format_card
from cuedeck.records.cortex.memory_time import format_second
from cuedeck.records.cortex.session_metadata import Commit
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.dirty_journal import DirtyJournal
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.fs.write_files import write_files

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.records.cortex.session_metadata import SessionMetadata

LOCK = "cortex-commit"
"""Family of the lock of a commit; messages can be added meanwhile."""


class _Batch(NamedTuple):
    """The messages of a session that no commit has read."""

    messages: Sequence[TimelineMessage]
    """In the order of the session."""
    unreadable: Sequence[UnreadableMessage]
    times: Mapping[int, str]
    """Time of each message by its number; it never decreases, even if a clock did."""


def commit_session(
    workspace: Workspace, identity: str = "", owners: SessionOwners = NO_OWNERS
) -> dict[str, Any]:
    """Write the memories that the new messages of a session state to the folders of its
    user and its agent; return the receipt.

    Prompts and answers in the queue of hook events become messages first. An empty id
    means `cortex.session`. Raises: NotFound; Invalid if the session has another user or
    agent; Locked, StorageError, ConfigurationError.
    """
    tree = CortexTree(workspace.paths)
    session = session_address(workspace, identity)
    process_hook_events(workspace)
    with locked(workspace.paths, LOCK):
        metadata = with_owners(find_metadata(tree, session), owners)
        batch = _read_batch(tree, session, metadata)
        extraction = extract_memories(_masked_sources(workspace, batch))
        with tree.writing() as writer:
            known = load_for_change(tree, writer, session) or metadata
            metadata = with_owners(known, owners)
            kept = owners_of(metadata, workspace.settings.cortex)
            changed = change_cards(
                tree,
                kept,
                extraction.memories,
                batch.times,
            )
            DirtyJournal(workspace.paths).mark(changed.folders)
            texts = {}
            for place, change in changed.cards.items():
                texts[place] = format_card(change.card).encode()
            # All cards are durable before the metadata say that they are committed.
            write_files(writer.contents(texts), writer.scratch)
            if batch.messages:
                metadata = _committed(metadata, batch, len(changed.cards))
            if metadata != known or batch.messages:
                write_metadata(writer, session, metadata)
        layers = build_marked_layers(workspace)
        # Files that were changed by hand are not in the journal of the build.
        stale_layers = layer_status(workspace)["stale"]
    left_out = _left_out(batch, extraction)
    for place in changed.foreign:
        row = {"address": place.text, "reason": "a file without a memory is there"}
        left_out.append(row)
    return {
        "session": session.name,
        "address": session.text,
        "status": metadata.status,
        "seq": metadata.committed_seq,
        "messages": len(batch.messages),
        **_receipt(changed.cards),
        "layers": layers.as_json(),
        "stale_layers": stale_layers,
        "left_out": left_out,
        "user_id": kept.user,
        "agent_id": kept.agent,
    }


def _read_batch(
    tree: CortexTree, session: CortexAddress, metadata: SessionMetadata
) -> _Batch:
    """Return the messages after the last commit. Raises: StorageError."""
    timeline = session.child(TIMELINE)
    days = []
    for name in metadata.uncommitted_days:
        month, _, day = name.partition("/")
        folder = timeline.child(month)
        days.append(folder.child(day))
    messages: list[TimelineMessage] = []
    unreadable: list[UnreadableMessage] = []
    for found in read_messages(tree, days):
        if isinstance(found, UnreadableMessage):
            unreadable.append(found)
        elif found.message.seq > metadata.committed_seq:
            messages.append(found)
    messages.sort(key=seq_and_address)
    latest = ""
    if metadata.commits:
        latest = metadata.commits[-1].time
    times = {}
    for each in messages:
        moment = format_second(each.message.moment)
        latest = max(latest, moment)
        times[each.message.seq] = latest
    return _Batch(
        messages=messages,
        unreadable=unreadable,
        times=times,
    )


def _masked_sources(workspace: Workspace, batch: _Batch) -> Iterator[SourceMessage]:
    """Yield the messages with secrets masked: a file may be written by hand. The number
    of lines stays the same.
    """
    for address, message in batch.messages:
        secrets = workspace.find_secrets(message.content)
        content = mask_spans(message.content, secrets)
        yield SourceMessage(address.text, message._replace(content=content))


def _committed(
    metadata: SessionMetadata, batch: _Batch, memories: int
) -> SessionMetadata:
    """Return the metadata after a commit."""
    last = batch.messages[-1].message.seq
    commit = Commit(
        seq=last,
        messages=len(batch.messages),
        time=batch.times[last],
        memories=memories,
    )
    days = metadata.uncommitted_days
    if metadata.last_seq <= last:  # no message was added while the commit ran
        days = ()
    return replace(
        metadata,
        commits=(*metadata.commits, commit),
        uncommitted_days=days,
    )


def _receipt(
    cards: Mapping[CortexAddress, CardChange],
) -> dict[str, list[dict[str, str]]]:
    """Return the changed cards by what happened to them."""
    made: list[dict[str, str]] = []
    updated: list[dict[str, str]] = []
    reused: list[dict[str, str]] = []
    rows: dict[Outcome, list[dict[str, str]]] = {
        "made": made,
        "superseded": updated,
        "older": updated,
        "repeated": reused,
        "known": reused,
    }
    for place, change in cards.items():
        row = {
            "address": place.text,
            "kind": change.card.kind,
            "key": change.card.key,
            "title": change.card.shown_title,
        }
        rows[change.outcome].append(row)
    return {"made": made, "updated": updated, "reused": reused}


def _left_out(batch: _Batch, extraction: Extraction) -> list[dict[str, str]]:
    """Return the messages and lines from which no memory was made, with reasons."""
    rows = []
    for unreadable in batch.unreadable:
        row = {
            "address": unreadable.address.text,
            "reason": unreadable.reason,
        }
        rows.append(row)
    for left in extraction.left_out:
        anchor = format_lines(left.line, left.line)
        row = {
            "address": join_anchor(left.source, anchor),
            "reason": left.reason,
        }
        rows.append(row)
    return rows
