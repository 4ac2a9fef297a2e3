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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.agents.hooks.process_pending import process_hook_events
from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.cortex.change_cards import (
    CardChange,
    CardChanges,
    add_memories,
    write_cards,
)
from cuedeck.knowledge.cortex.cortex_sessions import (
    NO_OWNERS,
    SessionOwners,
    TimelineMessage,
    UnreadableMessage,
    no_session,
    owners_of,
    read_messages,
    read_metadata,
    seq_and_address,
    session_address,
    with_owners,
    write_metadata,
)
from cuedeck.knowledge.cortex.extract_memories import Said, extract_memories
from cuedeck.knowledge.cortex.memory_card import STATEMENT, Outcome
from cuedeck.knowledge.cortex.session_metadata import Commit
from cuedeck.knowledge.layers.build_layers import build_layers
from cuedeck.knowledge.statements.extract import extract_statements
from cuedeck.ledger.statement_files import (
    StatementFiles,
    is_statement,
    parse_statement,
    statement_paths,
)
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.cortex_address import TIMELINE, CortexAddress
from cuedeck.model.statement import Spoken
from cuedeck.parse.own_words import own_words_in_place
from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter
from cuedeck.text.timestamps import format_second, utc_second

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.cortex.session_metadata import SessionMetadata
    from cuedeck.model.entry_node import LedgerEntry

_LINE_START = re.compile(r"\n(?=\s*[A-ZÀ-ÞА-ЯЁІЇЄҐ])")
"""The beginning of a line of a message that continues no sentence."""


class _Batch(NamedTuple):
    """The messages of a session that no commit has read."""

    messages: Sequence[TimelineMessage]
    """In the order of the session."""
    left_out: list[dict[str, str]]
    """Address and reason of each other file."""
    times: Mapping[int, str]
    """Time of each message by its number; it never decreases, even if a clock did."""


def commit_session(
    workspace: Workspace,
    identity: str = "",
    owners: SessionOwners = NO_OWNERS,
) -> dict[str, Any]:
    """Write the memories that the new messages of a session state to the folders of its
    user and its agent, and those of new statements of the session of a host with this
    id; return the receipt.

    Prompts and answers in the queue of hook events become messages first. An empty id
    means `cortex.session` and the sessions of all hosts. Raises: NotFound; Invalid if
    the session has another user or agent; Locked, StorageError, ConfigurationError.
    """
    tree = CortexTree(workspace.paths)
    session = session_address(workspace.find_secrets, workspace.settings, identity)
    process_hook_events(workspace)
    settings = workspace.settings.cortex
    left_out: list[dict[str, str]] = []
    messages = 0
    with tree.writing() as writer:
        known = read_metadata(tree, session, writer)
        changes = CardChanges(tree)
        host = identity and session.name
        statements = _commit_statements(workspace, writer, changes, host)
        if known is None and statements is None:
            raise no_session(tree, session)
        kept = SessionOwners(settings.user, settings.agent)
        metadata = known
        if known is not None:
            metadata = with_owners(known, owners)
            batch = _read_batch(tree, session, metadata)
            messages = len(batch.messages)
            kept = owners_of(metadata, settings)
            memories = list(extract_memories(_said(workspace.masked, batch)))
            add_memories(changes, kept.user, kept.agent, memories)
            write_cards(writer, changes)
            # All cards are durable before the metadata say that they are committed.
            if messages:
                stated = {(each.kind, each.key) for each in memories}
                last = batch.messages[-1].message.seq
                commit = Commit(
                    last, len(batch.messages), batch.times[last], len(stated)
                )
                metadata = replace(
                    metadata, commits=(*metadata.commits, commit), uncommitted_days=()
                )
            if metadata != known:
                write_metadata(writer, session, metadata)
            left_out = batch.left_out
    layers = build_layers(workspace)
    reason = "a file without a memory is there"
    left_out += [{"address": each.text, "reason": reason} for each in changes.foreign]
    return {
        "session": session.name,
        "address": session.text if metadata is not None else "",
        "status": metadata.status if metadata is not None else "",
        "seq": metadata.committed_seq if metadata is not None else 0,
        "messages": messages,
        "statements": statements or 0,
        **_changes(changes.cards),
        "layers": asdict(layers),
        "left_out": left_out,
        "user_id": kept.user,
        "agent_id": kept.agent,
    }


def commit_statements(workspace: Workspace) -> int:
    """Write the memories in the new statements of the sessions of all hosts; return the
    number of changed cards. Raises: Locked if another commit runs; StorageError,
    ConfigurationError.
    """
    if not statement_paths(workspace.paths):
        return 0
    tree = CortexTree(workspace.paths)
    with tree.writing(patience_seconds=0) as writer:
        changes = CardChanges(tree)
        _commit_statements(workspace, writer, changes, "")
    if changes.cards:
        build_layers(workspace)
    return len(changes.cards)


def _commit_statements(
    workspace: Workspace,
    writer: CortexWriter,
    changes: CardChanges,
    session: str,
) -> int | None:
    """Write the cards of the new statements of the session of a host, or of all; return
    the number of statements, None without such a session.
    """
    files = StatementFiles(workspace.paths)
    own = [files.path(session)] if session else files.paths()
    new = {path: files.uncommitted(path) for path in own}
    settings = workspace.settings.cortex
    # A timeline that is on has the same conversations.
    tree = CortexTree(workspace.paths)
    timeline = read_metadata(
        tree, session_address(workspace.find_secrets, workspace.settings, "")
    )
    owners = SessionOwners(settings.user, settings.agent)
    if timeline is not None and settings.timeline:
        owners = owners_of(timeline, settings)
    masked = partial(mask_to_keep, workspace=workspace)
    count = 0
    for rows in new.values():
        said = [_said_by_host(masked, row) for row in rows if is_statement(row.value)]
        count += len(said)
        add_memories(changes, owners.user, owners.agent, extract_memories(said))
    write_cards(writer, changes)
    for path, rows in new.items():
        if rows:
            files.commit(path, rows)
    return count if any(path in files.paths() for path in own) else None


def _said_by_host(masked: Callable[[str], str], row: LedgerEntry) -> Said:
    # It was written when the settings may have named fewer secrets.
    statement = parse_statement(row.value)
    statement = replace(statement, text=masked(statement.text))
    place = f"{STATEMENT}{row.id}"
    return Said(statement, lambda sentence: place, utc_second(row.timestamp))


def _read_batch(
    tree: CortexTree,
    session: CortexAddress,
    metadata: SessionMetadata,
) -> _Batch:
    timeline = session.child(TIMELINE)
    days = []
    for name in metadata.uncommitted_days:
        month, _, day = name.partition("/")
        folder = timeline.child(month)
        days.append(folder.child(day))
    messages: list[TimelineMessage] = []
    left_out: list[dict[str, str]] = []
    for found in read_messages(tree, days):
        if isinstance(found, UnreadableMessage):
            left_out.append({"address": found.address.text, "reason": found.reason})
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
    return _Batch(messages, left_out, times)


def _said(masked: Callable[[str], str], batch: _Batch) -> Iterator[Said]:
    """Yield the statements in messages, with secrets masked: a file may be written by
    hand.
    """
    options = ""
    for address, message in batch.messages:
        content = masked(message.content)
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
    address: CortexAddress,
    first_line: int,
    content: str,
    sentence: str,
) -> str:
    """Return the address of the line of a message on which a sentence begins."""
    words = r"\s+".join(map(re.escape, sentence.split()))
    found = re.search(rf"(?<!\S){words}(?!\S)", content)
    number = first_line + content.count("\n", 0, found.start() if found else 0)
    return join_anchor(address.text, format_lines(number, number))


def _changes(
    cards: Mapping[CortexAddress, CardChange],
) -> dict[str, list[dict[str, str]]]:
    """Return the changed cards by what happened to them."""
    found: dict[str, list[dict[str, str]]] = {"made": [], "updated": [], "reused": []}
    names: dict[Outcome, str] = {"made": "made", "superseded": "updated"}
    names |= {"older": "updated", "repeated": "reused", "known": "reused"}
    for place, change in cards.items():
        card = change.card
        row = {"address": place.text, "kind": card.kind, "key": card.key}
        found[names[change.outcome]].append({**row, "title": card.shown_title})
    return found
