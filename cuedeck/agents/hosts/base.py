"""Description of an agent host: the one value `HOST` that each host module declares.

Every hook call imports this module, so it imports nothing; the values that only set-up
needs are in `setup_types` and are built on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass
    from typing import Any, Literal

    from cuedeck.agents.hosts.setup_types import Setup

    Shape = Literal["grouped", "flat"]
    """`grouped`: an event contains groups with a matcher and its commands; `flat`: an
    event contains the commands.
    """
else:

    def dataclass(cls: type) -> type:
        """Give a class an initialiser of its fields; the module `dataclasses` is slow
        to import.
        """
        names = tuple(cls.__annotations__)

        def initialise(self: Any, *values: Any, **named: Any) -> None:
            self.__dict__.update(zip(names, values, strict=False), **named)

        cls.__init__ = initialise
        return cls


PROGRAM = "cuedeck"
SERVER = "cuedeck"
"""Name of the MCP server in every host."""
STARTS = "startup|resume|clear|compact"
"""Matcher of all sources of a session start."""
CERTAIN, LIKELY, POSSIBLE, UNLIKELY = 3, 2, 1, 0
"""Results of `Hooks.recognise`: a field or event name of this host alone; the folder of
its conversations; a field that a few hosts have; nothing that indicates the host."""
REQUEST_KEYS: Mapping[str, tuple[str, ...]] = {
    "name": ("hook_event_name",),
    # Copilot CLI names a subagent as the session of its own events.
    "session": ("parent_agent_id", "session_id"),
    "agent": ("agent_id",),
    "agent_name": ("agent_type",),
    "folder": ("cwd",),
    "source": ("source", "trigger"),
    "prompt": ("prompt",),
    "message": ("last_assistant_message",),
    "transcript": ("transcript_path",),
    "conversation": ("conversation",),
    "turn": ("turn_id",),
    "timestamp": ("timestamp",),
    "active": ("stop_hook_active",),
    "tool": ("tool_name",),
    "input": ("tool_input",),
}
"""JSON keys that most hosts use for each field of a request."""


NO_KEYS: Mapping[str, tuple[str, ...]] = {}


def _is_unlikely(request: Mapping[str, object]) -> int:
    return UNLIKELY


@dataclass
class Event:
    """A host event that triggers a hook."""

    name: str
    """Event name of the host."""
    hook: str
    """Event name of `cuedeck hook`."""
    timeout: int
    """Timeout in the unit of the host."""
    matcher: str = ""
    """Filter on the event; empty if the host has no matcher or every occurrence
    counts.
    """
    context: bool = False
    """Whether the response can add context for the agent."""


@dataclass
class Transcript:
    """Names in the conversation files of a host."""

    agent: tuple[str, ...] = ("assistant",)
    """Values of `role` or `type` in messages of the agent."""
    user: tuple[str, ...] = ("user", "human")
    """Values of `role` or `type` in messages of the user."""
    containers: tuple[str, ...] = ("message",)
    """Members of a row that may contain the message."""
    skipped: tuple[str, ...] = ()
    """Flags of rows that belong to no message of user or agent."""
    places: tuple[str, ...] = ()
    """Patterns of the files in the home folder, `~/…`."""
    folders: tuple[str, ...] = ()
    """Folders that contain files, besides that of the host's user settings."""


@dataclass
class Hooks:
    """Hooks of a host: their configuration, the format of requests and responses, and
    the tools they report.
    """

    path: str
    """Configuration file in the repository."""
    shape: Shape
    events: tuple[Event, ...]
    respond: Callable[[str, Mapping[str, str] | None], object]
    """Return the response to an event as a JSON value, or as the plain text to print.

    The arguments are the event name of `cuedeck hook` and the members `hookEventName`
    and `additionalContext`; None without a text for the agent.
    """
    fixed: tuple[tuple[str, int], ...] = ()
    """Members that the file must have in addition to the hooks."""
    typed: bool = True
    """Whether each command has a `type` member."""
    named: bool = False
    """Whether each command has a name, by which the host lists it."""
    recognise: Callable[[Mapping[str, object]], int] = staticmethod(_is_unlikely)
    """Return the certainty that a request without a host name is from this host:
    `CERTAIN` to `UNLIKELY`.
    """
    keys: Mapping[str, tuple[str, ...]] = NO_KEYS
    """JSON keys of request fields that are looked up after `REQUEST_KEYS`."""
    folder_variables: tuple[str, ...] = ("CLAUDE_PROJECT_DIR",)
    """Environment variables with the folder of the project, used if a request names
    none.
    """
    reads: tuple[str, ...] = ()
    """Tools that read files, and events about a file that was read."""
    writes: tuple[str, ...] = ()
    """Tools that write files, and events about a file that was written."""
    shells: tuple[str, ...] = ()
    """Tools that run a command line."""
    transcript: Transcript = Transcript()
    restores_context: bool = False
    """Whether a resumed session restores the conversation including earlier texts of
    hooks.
    """
    find_compaction: Callable[[bytes], str] | None = None
    """Return the id of the last compaction that a transcript shows, or an empty string.

    For hosts that announce an automatic compaction before each request, whether or not
    one follows.
    """
    local_path: str = ""
    """Configuration file for one checkout; empty if the host has none."""
    user_path: str = ""
    """Configuration file of the user; `~/` is the home folder."""
    run_by: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Other hosts that also run the hooks of these files, with the files of their own
    hooks.
    """
    is_shared: bool = False
    """Whether another host has the same configuration files."""

    def context_name(self, hook: str) -> str:
        """Return the host's name of an event whose response can add context; empty for
        any other event.
        """
        for event in self.events:
            if event.hook == hook and event.context:
                return event.name
        return ""

    def waits_for_prompt(self, hook: str) -> bool:
        """Return whether the host ignores the response to this event, and accepts
        context with a prompt.
        """
        return not self.context_name(hook) and bool(self.context_name("prompt"))

    def announces_compaction(self, source: str) -> bool:
        """Return whether a compaction follows a pre-compact event from this source."""
        return self.find_compaction is None or source == "manual"

    def keeps_context(self, source: str) -> bool:
        """Return whether a session start restores the conversation unchanged."""
        return self.restores_context and source == "resume"


@dataclass
class Host:
    """A program that runs a coding agent."""

    name: str
    title: str
    setup: Setup
    hooks: Hooks | None = None
    """None for a host that runs no commands on events."""
    shares: str = ""
    """Name of the host whose hook files this one runs; empty for its own."""
    program: str = ""
    """Name of its program, if it is another one."""
