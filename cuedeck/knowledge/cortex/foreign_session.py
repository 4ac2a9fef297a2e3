"""Messages of cortex-mem, of its migration tool, and of another CueDeck tree.

A message of CueDeck is kept byte for byte; those of others get Unix line ends. The
migration tool splits a daily log into paragraphs and writes each as a file with front
matter. It invents the times, so that their order is wrong from the 25th paragraph on;
the number at the end of the id is the order of the log.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cuedeck.knowledge.cortex.header_lines import parse_header, text_field
from cuedeck.knowledge.cortex.memory_time import format_second
from cuedeck.knowledge.cortex.message_file import ROLES, Message, parse_message
from cuedeck.model.formatting import abbreviate
from cuedeck.text.timestamps import format_moment, moment_of

_NUMBERED = re.compile(r"\d{8}_(?P<number>\d{4,9})")
_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")


class ForeignMessage(NamedTuple):
    """A message with its place in the order of its session."""

    message: Message
    order: tuple[str, int]
    """Time, and number among the messages with invented times of the same day; for a
    message of CueDeck an empty time and its number.
    """


def parse_foreign_message(text: str) -> ForeignMessage:
    """Return the message in a file of cortex-mem, of its migration tool, or of CueDeck.

    Raises: ValueError with the line or the field that is wrong.
    """
    text = text.removeprefix("\ufeff")
    plain = text.replace("\r\n", "\n")
    if not text.startswith("---"):
        message = parse_message(plain)
    elif "timestamp" in parse_header(text).fields:
        message = _parse_migrated(plain)
    else:
        message = parse_message(text)
    if not _ID.fullmatch(message.id):
        raise ValueError("its id has characters other than letters, digits, - and _")
    if not message.content.strip():
        raise ValueError("it has no text")
    if message.seq:
        return ForeignMessage(message, ("", message.seq))
    moment = format_moment(message.moment)
    numbered = _NUMBERED.fullmatch(message.id)
    if numbered is not None:
        return ForeignMessage(message, (moment[:10], int(numbered["number"])))
    return ForeignMessage(message, (moment, 0))


def name_ending(identity: str, *, short: bool) -> str:
    """Return the end of the name of a message's file: the first digits of a UUID, as in
    cortex-mem, or the whole id.
    """
    ending = identity.replace("_", "-")
    if short and not _NUMBERED.fullmatch(identity):
        return ending[:8].rstrip("-")
    return ending


def _parse_migrated(text: str) -> Message:
    headed = parse_header(text)
    fields = headed.fields
    time = text_field(fields, "timestamp")
    moment = moment_of(time)
    if moment is None:
        raise ValueError(f"timestamp must be RFC 3339, got `{abbreviate(time)}`")
    written = text_field(fields, "role")
    role = next((each for each in ROLES if each == written), None)
    if role is None:
        raise ValueError(f"role must be one of {', '.join(ROLES)}")
    return Message(
        id=text_field(fields, "id"),
        role=role,
        seq=0,
        time=format_second(moment),
        participants=(),
        content=headed.body.rstrip("\n"),
        body_line=headed.body_line,
    )
