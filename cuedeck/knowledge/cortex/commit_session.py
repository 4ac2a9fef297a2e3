"""Commit of sessions: statements become memories of user and agent, and the layers of
all changed folders are built.

The statements are those that hooks captured from the conversations of hosts, and those
in the messages of a session of the cortex tree. A commit reads what no commit has read,
writes the memory cards, and records how far it read. Nothing that it writes depends on
the clock, and a card that contains a sentence of one place is not given it again. A
commit that was killed therefore writes the same bytes when it is repeated, and a second
commit changes nothing. The session stays active.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.agents.hooks.process_pending import process_hook_events
from cuedeck.knowledge.cortex.change_cards import (
    CardChange,
    ChangedCards,
    change_cards,
    merge_changes,
    write_cards,
)
from cuedeck.knowledge.cortex.cortex_sessions import (
    TimelineMessage,
    UnreadableMessage,
    find_metadata,
    load_for_change,
    read_messages,
    read_metadata,
    seq_and_address,
    session_address,
    write_metadata,
)
from cuedeck.knowledge.cortex.extract_memories import (
    ExtractedMemory,
    Said,
    extract_memories,
)
from cuedeck.knowledge.cortex.memory_card import STATEMENT, Outcome
from cuedeck.knowledge.cortex.memory_time import format_second, utc_second
from cuedeck.knowledge.cortex.session_metadata import Commit
from cuedeck.knowledge.cortex.session_owners import (
    NO_OWNERS,
    SessionOwners,
    owners_of,
    with_owners,
)
from cuedeck.knowledge.layers.build_layers import build_layers, layer_status
from cuedeck.knowledge.recall.mask_units import mask_spans
from cuedeck.knowledge.statements.extract import extract_statements
from cuedeck.ledger.statements.statement_files import StatementFiles, statement_paths
from cuedeck.ledger.statements.statement_rows import is_statement, parse_statement
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.cortex_address import TIMELINE, CortexAddress
from cuedeck.model.statement import Spoken
from cuedeck.parse.own_words import own_words_in_place
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.files.file_lock import locked

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.cortex.session_metadata import SessionMetadata
    from cuedeck.model.ledger_entry import LedgerEntry

LOCK = "cortex-commit"
"""Family of the lock of a commit; messages can be added meanwhile."""
_LINE_START = re.compile(r"\n(?=\s*[A-ZÀ-ÞА-ЯЁІЇЄҐ])")
"""The beginning of a line of a message that continues no sentence."""


class _Batch(NamedTuple):
    """The messages of a session that no commit has read."""

    messages: Sequence[TimelineMessage]
    """In the order of the session."""
    unreadable: Sequence[UnreadableMessage]
    times: Mapping[int, str]
    """Time of each message by its number; it never decreases, even if a clock did."""


class _Committed(NamedTuple):
    """Statements of hosts that became memories."""

    statements: int
    sessions: int
    changed: ChangedCards


def commit_session(
    workspace: Workspace, identity: str = "", owners: SessionOwners = NO_OWNERS
) -> dict[str, Any]:
    """Write the memories that the new messages of a session state to the folders of its
    user and its agent, and those of new statements of the session of a host with this
    id; return the receipt.

    Prompts and answers in the queue of hook events become messages first. An empty id
    means `cortex.session` and the sessions of all hosts. Raises: NotFound; Invalid if
    the session has another user or agent; Locked, StorageError, ConfigurationError.
    """
    tree = CortexTree(workspace.paths)
    session = session_address(workspace, identity)
    process_hook_events(workspace)
    with locked(workspace.paths, LOCK):
        spoken = _commit_statements(workspace, tree, identity and session.name)
        if spoken.sessions and read_metadata(tree, session) is None:
            return _receipt(workspace, session, None, spoken.changed, spoken.statements)
        metadata = with_owners(find_metadata(tree, session), owners)
        batch = _read_batch(tree, session, metadata)
        memories = list(extract_memories(_said(workspace, batch)))
        with tree.writing() as writer:
            known = load_for_change(tree, writer, session) or metadata
            metadata = with_owners(known, owners)
            kept = owners_of(metadata, workspace.settings.cortex)
            changed = change_cards(tree, kept, memories)
            write_cards(writer, changed)
            # All cards are durable before the metadata say that they are committed.
            if batch.messages:
                metadata = _committed(metadata, batch, len(changed.cards))
            if metadata != known or batch.messages:
                write_metadata(writer, session, metadata)
        changed = merge_changes(spoken.changed, changed)
        receipt = _receipt(workspace, session, metadata, changed, spoken.statements)
    left_out = [
        {"address": each.address.text, "reason": each.reason}
        for each in batch.unreadable
    ]
    left_out += receipt["left_out"]
    return {**receipt, "messages": len(batch.messages), "left_out": left_out}


def commit_statements(workspace: Workspace) -> int:
    """Write the memories in the new statements of the sessions of all hosts; return the
    number of changed cards. Raises: Locked if another commit runs; StorageError,
    ConfigurationError.
    """
    if not statement_paths(workspace.paths):
        return 0
    with locked(workspace.paths, LOCK, patience_seconds=0):
        changed = _commit_statements(workspace, CortexTree(workspace.paths)).changed
        if changed.cards:
            build_layers(workspace)
    return len(changed.cards)


def _commit_statements(
    workspace: Workspace, tree: CortexTree, session: str = ""
) -> _Committed:
    """Write the cards of the new statements of the session of a host, or of all."""
    files = StatementFiles(workspace.paths)
    own = [files.path(session)] if session else files.paths()
    new = {path: files.uncommitted(path) for path in own}
    settings = workspace.settings.cortex
    memories: list[ExtractedMemory] = []
    count = 0
    for rows in new.values():
        said = [_said_by_host(row) for row in rows if is_statement(row.value)]
        count += len(said)
        memories += extract_memories(said)
    # A timeline that is on has the same conversations.
    timeline = read_metadata(tree, session_address(workspace, ""))
    owners = SessionOwners(settings.user, settings.agent)
    if timeline is not None and settings.timeline:
        owners = owners_of(timeline, settings)
    with tree.writing() as writer:
        changed = change_cards(tree, owners, memories)
        write_cards(writer, changed)
    for path, rows in new.items():
        if rows:
            files.commit(path, rows)
    sessions = sum(path in files.paths() for path in own)
    return _Committed(count, sessions, changed)


def _said_by_host(row: LedgerEntry) -> Said:
    place = f"{STATEMENT}{row.id}"
    time = utc_second(row.timestamp)
    return Said(parse_statement(row.value), lambda sentence: place, time)


def _receipt(
    workspace: Workspace,
    session: CortexAddress,
    metadata: SessionMetadata | None,
    changed: ChangedCards,
    statements: int,
) -> dict[str, Any]:
    """Build the layers; return the receipt of a commit."""
    layers = build_layers(workspace)
    settings = workspace.settings.cortex
    owners = SessionOwners(settings.user, settings.agent)
    if metadata is not None:
        owners = owners_of(metadata, settings)
    reason = "a file without a memory is there"
    return {
        "session": session.name,
        "address": session.text if metadata is not None else "",
        "status": metadata.status if metadata is not None else "",
        "seq": metadata.committed_seq if metadata is not None else 0,
        "messages": 0,
        "statements": statements,
        **_changes(changed.cards),
        "layers": layers.as_json(),
        "stale_layers": layer_status(workspace)["stale"],
        "left_out": [
            {"address": each.text, "reason": reason} for each in changed.foreign
        ],
        "user_id": owners.user,
        "agent_id": owners.agent,
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


def _said(workspace: Workspace, batch: _Batch) -> Iterator[Said]:
    """Yield the statements in messages, with secrets masked: a file may be written by
    hand.
    """
    options = ""
    for address, message in batch.messages:
        secrets = workspace.find_secrets(message.content)
        # The number of lines stays the same.
        content = mask_spans(message.content, secrets)
        spoken = Spoken(message.seq, "", (content,))
        if message.role == "user":
            content = own_words_in_place(content)
        elif message.role != "assistant":
            continue
        spaced = _LINE_START.sub("\n\n", content)
        spoken = Spoken(message.seq, "", (spaced,))
        if message.role == "user":
            spoken = Spoken(message.seq, spaced, options=options)
        options = "" if message.role == "user" else content
        place = partial(_line_of, address, message.body_line, content)
        for statement in extract_statements(spoken):
            yield Said(statement, place, batch.times[message.seq])


def _line_of(
    address: CortexAddress, first_line: int, content: str, sentence: str
) -> str:
    """Return the address of the line of a message on which a sentence begins."""
    words = sentence.split()
    found: list[tuple[str, int]] = []
    for number, line in enumerate(content.split("\n"), first_line):
        found += [(word, number) for word in line.split()]
    texts = [word for word, _ in found]
    number = first_line
    for at in range(len(texts) - len(words) + 1):
        if texts[at : at + len(words)] == words:
            number = found[at][1]
            break
    return join_anchor(address.text, format_lines(number, number))


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


def _changes(
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
