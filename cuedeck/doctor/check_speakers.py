"""Check of stored conversations: texts of a host, a tool or a subagent that an earlier
version stored as words of the user.
"""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext
from cuedeck.knowledge.cortex.card_places import read_card
from cuedeck.knowledge.cortex.memory_card import MemoryCard
from cuedeck.knowledge.cortex.message_file import Message, parse_message
from cuedeck.ledger.experiences.experience_repository import experiences_of
from cuedeck.ledger.records.memory_files import EXPERIENCES, MemoryFiles
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.record_lookup import every_record, file_names
from cuedeck.model.address import split_anchor
from cuedeck.model.cortex_address import (
    TIMELINE,
    CortexAddress,
    CortexAddressError,
    parse_cortex_address,
)
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import quoted
from cuedeck.parse.own_words import divide, is_host_text, own_words_in_place
from cuedeck.store.cortex.cortex_tree import CortexTree

_USER = "User: "
"""Beginning of the record of a message of the user."""
_CODE = "host-text"
_EMPTY_MESSAGES = frozenset(
    [
        "", "heartbeat_ok", "noted", "i see", "understood", "got it", "acknowledged",
        "you're welcome", "you’re welcome", "entendido", "de acuerdo", "compris",
        "d'accord", "verstanden", "понятно", "зрозуміло",
    ]
)  # fmt: skip
"""Messages that state nothing."""
_DECORATION = "*_`.!\"' \t\r\n"


def check_speakers(context: CheckContext) -> Iterator[Diagnostic]:
    """Find messages, memories, records and experiences with texts of a host."""
    try:
        yield from _check_tree(CortexTree(context.paths))
        yield from _check_records(memory_of(context.workspace))
    except CueDeckError:
        return  # other checks report it


def _check_tree(tree: CortexTree) -> Iterator[Diagnostic]:
    for folder, entries in tree.walk(None):
        if folder is None or folder.dimension == "resources":
            continue
        for entry in entries:
            place = folder.child(entry.name)
            if entry.is_folder:
                continue
            if TIMELINE in folder.parts:
                message = _message_at(tree, place)
                if message is not None and _has_host_text(message):
                    yield _finding(place, "a text of the host in a message of the user")
            elif folder.dimension != "session" and _is_of_host(tree, place):
                yield _finding(place, "a memory that the user did not state")


def _finding(place: CortexAddress, what: str) -> Diagnostic:
    hint = f"`cuedeck cortex forget {quoted(place.text)}` deletes it"
    return Diagnostic(place.path, 0, "warning", _CODE, what, hint)


def _message_at(tree: CortexTree, place: CortexAddress) -> Message | None:
    try:
        return parse_message(tree.read(place).decode("utf-8", "replace"))
    except (ValueError, CueDeckError):
        return None


def _has_host_text(message: Message) -> bool:
    if message.role != "user":
        return False
    return any(each.kind == "marker" for each in divide(message.content))


def _is_of_host(tree: CortexTree, place: CortexAddress) -> bool:
    """Return whether a statement of a memory quotes a line of a message of the user
    that contains no own words.
    """
    try:
        card: MemoryCard | None = read_card(tree, place)
    except ValueError:
        return False
    if card is None:
        return False
    statements = (card.current, *card.superseded)
    sources = [source for each in statements for source in each.sources]
    return any(_quotes_host(tree, source) for source in sources)


def _quotes_host(tree: CortexTree, source: str) -> bool:
    address, anchor = split_anchor(source)
    number = anchor.removeprefix("L").partition("-")[0]
    try:
        message = _message_at(tree, parse_cortex_address(address))
    except CortexAddressError:
        return False
    if message is None or message.role != "user" or not number.isdecimal():
        return False
    lines = own_words_in_place(message.content).split("\n")
    at = int(number) - message.body_line
    return 0 <= at < len(lines) and not lines[at].strip()


def _check_records(memory: MemoryFiles) -> Iterator[Diagnostic]:
    ids = set()
    for identity, found in every_record(memory, file_names(memory)).items():
        record = found.record
        if record.category != "turn-summary" or not _is_stray(record.text):
            continue
        ids.add(identity)
        hint = f"`cuedeck memory forget {quoted(identity)}` deletes it"
        message = "a record of a text of the host, or of a formula"
        yield Diagnostic(
            memory.path(found.names[0]), 0, "warning", _CODE, message, hint
        )
    for experience in experiences_of(memory).read().experiences:
        if experience.record in ids or _is_stray(experience.text):
            hint = f"`cuedeck experience forget {quoted(experience.id)}` deletes it"
            message = "an experience from a text of the host, or from a formula"
            path = memory.path(EXPERIENCES)
            line = experience.line
            yield Diagnostic(path, line, "warning", _CODE, message, hint)


def _is_stray(text: str) -> bool:
    """Return whether a recorded message has a text of the host, or states nothing."""
    if not text.startswith(_USER):
        is_empty = text.strip(_DECORATION).casefold() in _EMPTY_MESSAGES
        return is_empty or is_host_text(text)
    passages = divide(text.removeprefix(_USER))
    return any(each.kind == "marker" for each in passages)
