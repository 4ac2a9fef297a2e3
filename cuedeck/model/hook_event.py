"""Hook event of an agent host, normalised across hosts.

This module has no imports at start-up, because every hook call loads it, including
those with nothing to do.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Stat(Protocol):
        """The fields of `os.stat_result` that are used."""

        @property
        def st_size(self) -> int: ...
        @property
        def st_mtime_ns(self) -> int: ...
        @property
        def st_ctime_ns(self) -> int: ...
        @property
        def st_ino(self) -> int: ...


EVENTS = (
    "session-start",
    "subagent-start",
    "prompt",
    "pre-compact",
    "post-tool",
    "stop",
    "session-end",
)
MESSAGE = "message"
"""Event in the queue for the text of a prompt; no host sends it."""
SCHEMA = 2
"""Version of the state file of a host session."""
FOLDER = "hooks"
"""Folder of these state files, in the private folder of the cache."""
NOTHING, MEMORY, SCENE = range(3)
"""Work of an event: none; lines of the memory or the progress of the work; also a new
scene.
"""
PROGRESS_SECONDS = 300
"""Seconds after which the progress of the work is sent to a session again."""
_LONGEST_NAME = 80
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


class HookEvent:
    """One event of any host; a field that is not given has its default."""

    event: str
    """One of `EVENTS`, `MESSAGE`, or the unknown event that was requested."""
    host: str
    name: str = ""
    """Event name of the host."""
    session: str = ""
    """Id of the session, assigned by the host."""
    agent: str = ""
    """Id of the subagent; empty for the main session."""
    agent_name: str = ""
    """Name of the agent definition that the host runs; empty for its default agent.
    """
    folder: str = ""
    """Working folder of the agent."""
    source: str = ""
    """Source of a session start: `startup`, `resume`, `clear`, `compact` or another
    word of the host.
    """
    prompt: str = ""
    message: str = ""
    """Last message of the agent; of a `MESSAGE`, the text of the prompt."""
    transcript: str = ""
    """Path of the host's transcript file."""
    conversation: str = ""
    """The end of the conversation as JSON Lines, from a host without such files."""
    turn: str = ""
    """Id of the turn, if the host has one; a stop event also gets the turn marker
    written at the last prompt. A prompt for the timeline gets another text that
    identifies it if the host has no id.
    """
    timestamp: str = ""
    """Time of the event as the host wrote it; empty if the host sends none."""
    active: bool = False
    """Whether the turn continues because a hook requested it."""
    role: str = ""
    """Role of the files: `read` or `write`."""
    files: tuple[str, ...] = ()
    """Files that a tool worked on, as the host names them."""
    problem: str = ""
    """Why the input of the host was not read; empty if it was."""
    is_blank: bool = False
    """Whether the host sent a prompt without text: Qwen Code does after each tool.
    """
    id: str = ""
    """Id of the event in the queue; empty if it is not queued."""
    is_retry: bool = False
    """Whether an earlier process started on the event and did not remove it from
    the queue.
    """
    work: int = SCENE
    """The work that the event needs at most."""

    def __init__(self, event: str, host: str, **fields: object) -> None:
        self.event = event
        self.host = host
        for name, value in fields.items():
            if name not in HookEvent.__annotations__:
                raise TypeError(f"a hook event has no field {name}")
            setattr(self, name, value)

    @property
    def is_main(self) -> bool:
        """True for the session that a person talks to."""
        return not self.agent


def file_name(event: HookEvent) -> str:
    """Return the name of the state file of a host session; it is unique per session.

    The name for a subagent ends with the name for its main session.
    """
    main = event.session or event.host
    main_part = f"{plain_name(main)}.json"
    if not event.agent:
        return main_part
    subagent_part = plain_name(f"{main}.{event.agent}")
    return f"{subagent_part}.{main_part}"


def session_name(event: HookEvent) -> str:
    """Return the name of the private files of a host session, without an ending."""
    return file_name(event).removesuffix(".json")


def main_name(name: str) -> str:
    """Return the state file name of the main session to which the given state file
    belongs, possibly the same file.
    """
    return name.split(".", name.count(".") - 1)[-1]


def plain_name(identity: str) -> str:
    """Return an id reduced to letters, digits, `-` and `_`; a checksum keeps changed
    ids distinct.
    """
    plain = "".join(each if each in _PLAIN else "-" for each in identity)[
        :_LONGEST_NAME
    ]
    if plain != identity:
        from zlib import crc32

        plain = f"{plain}-{crc32(identity.encode('utf-8', 'surrogatepass')):08x}"
    return plain


def turn_mark(place: str) -> str:
    """Return the path of the file that marks the current turn, next to the state file
    of the session.
    """
    return f"{place}.turn"


def stat_row(found: Stat) -> list[int]:
    """Return the stat values that change with a file."""
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
