"""What a host told a hook, as a value. Nothing is imported: a hook that has nothing to do pays for this module."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    class Stat(Protocol):
        """What the system says of a file."""

        @property
        def st_size(self) -> int: ...
        @property
        def st_mtime_ns(self) -> int: ...
        @property
        def st_ctime_ns(self) -> int: ...
        @property
        def st_ino(self) -> int: ...


EVENTS = ("session-start", "prompt", "pre-compact", "post-tool", "stop", "session-end")
CONTEXT_EVENTS: Mapping[str, Mapping[str, str]] = {
    "claude": {"session-start": "SessionStart", "prompt": "UserPromptSubmit", "pre-compact": "PreCompact"},
    "codex": {"session-start": "SessionStart", "prompt": "UserPromptSubmit"},
    "gemini": {"session-start": "SessionStart", "prompt": "BeforeAgent"},
    "cursor": {},
    "vscode": {"session-start": "SessionStart", "prompt": "UserPromptSubmit"},
    "qwen": {"prompt": "UserPromptSubmit"},
}
"""By host: the events whose answer can tell the agent something, and what the host calls them."""
KEEPING_CONTEXT = frozenset(["claude", "codex", "qwen"])
"""Hosts that restore the whole conversation, earlier briefs included, when a person resumes a session.

Gemini CLI restores it without the texts of hooks.
"""
SCHEMA = 1
"""Of the file that is kept for each session of a host."""
FOLDER = ("cache", "hooks")
"""Where these files are, below `.cuedeck`."""
PROGRESS_SECONDS = 300
"""Seconds after which a session is told again how far its work is."""
SHORTEST_QUESTION = 12
"""Characters of a prompt from which on it may ask for experiences: `yes`, `go on` and `continue` do not."""
_LONGEST_NAME = 80
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


class HookEvent:
    """One event of a host, whatever host it is."""

    __slots__ = (
        "active",
        "agent",
        "event",
        "files",
        "folder",
        "host",
        "id",
        "is_retry",
        "message",
        "name",
        "prompt",
        "role",
        "same",
        "session",
        "source",
        "transcript",
        "turn",
    )

    def __init__(
        self,
        event: str,
        host: str,
        *,
        name: str = "",
        session: str = "",
        agent: str = "",
        folder: str = "",
        source: str = "",
        prompt: str = "",
        message: str = "",
        transcript: str = "",
        turn: str = "",
        active: bool = False,
        role: str = "",
        files: tuple[str, ...] = (),
    ) -> None:
        self.event = event
        """One of `EVENTS`, or what was asked for instead."""
        self.host = host
        self.name = name
        """What the host calls the event."""
        self.session = session
        """Id of the session, by the host."""
        self.agent = agent
        """Id of the subagent; empty for the main session."""
        self.folder = folder
        """The folder the agent works in."""
        self.source = source
        """Of a start: `startup`, `resume`, `clear`, `compact` or what else the host says."""
        self.prompt = prompt
        self.message = message
        """What the agent said last."""
        self.transcript = transcript
        """The file in which the host keeps the conversation."""
        self.turn = turn
        """Id of the turn, by hosts that have one; of a stop also by who heard it."""
        self.active = active
        """Whether a turn goes on because a hook wanted it to."""
        self.role = role
        """Of the files: `read` or `write`."""
        self.files = files
        """Files a tool worked on, as the host names them."""
        self.id = ""
        """Id of the event in the queue; empty for one that is not queued."""
        self.is_retry = False
        """Whether an earlier process began to process the event and did not remove it from the queue."""
        self.same = False
        """Whether all files are as they were when the session was last told of them; set by who looked."""

    @property
    def is_main(self) -> bool:
        """True for the session a human talks to."""
        return not self.agent

    @property
    def is_heard(self) -> bool:
        """Whether the host lets any hook tell the agent something; SCENE.md is kept true for all of them."""
        return bool(CONTEXT_EVENTS.get(self.host))

    @property
    def compacts(self) -> bool:
        """Return whether a pre-compact event announces a compaction.

        Gemini CLI fires its event before each request to the model and looks at its threshold afterwards.
        """
        return self.host != "gemini" or self.source == "manual"

    @property
    def keeps_context(self) -> bool:
        """Return whether a start resumes a conversation that the host restores as it was."""
        return self.source == "resume" and self.host in KEEPING_CONTEXT

    @property
    def may_answer(self) -> bool:
        """Return whether the host reads the answer to this event, or to none at all."""
        known = CONTEXT_EVENTS.get(self.host)
        return not known or self.event in known

    @property
    def asks(self) -> bool:
        """True for a prompt that may ask for experiences."""
        return self.is_main and len(self.prompt.strip()) >= SHORTEST_QUESTION


def file_name(told: HookEvent) -> str:
    """Return the name of the file that is kept for a session of a host; two sessions never share one.

    That of a subagent ends with that of the main session it belongs to.
    """
    main = told.session or told.host
    return f"{_as_plain(f'{main}.{told.agent}')}.{_as_plain(main)}.json" if told.agent else f"{_as_plain(main)}.json"


def main_name(name: str) -> str:
    """Return the name of the file of the main session that the session of a file belongs to, be it the same."""
    return name.split(".", name.count(".") - 1)[-1]


def _as_plain(identity: str) -> str:
    """Return an id as letters, digits, `-` and `_`."""
    plain = "".join(each if each in _PLAIN else "-" for each in identity)[:_LONGEST_NAME]
    if plain != identity:
        from zlib import crc32

        plain = f"{plain}-{crc32(identity.encode('utf-8', 'surrogatepass')):08x}"
    return plain


def turn_mark(place: str) -> str:
    """Return the file beside that of a session that says which turn began last."""
    return f"{place}.turn"


def stat_row(found: Stat) -> list[int]:
    """Return what changes with a file."""
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
