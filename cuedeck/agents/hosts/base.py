"""Description of an agent host: the one value `HOST` that each host module declares.

Every hook call imports this module, so it imports nothing; the values that only set-up
needs are in `setup_types` and are built on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from cuedeck.agents.hosts.setup_types import Setup

    Shape = Literal["grouped", "flat"]
    """`grouped`: an event contains groups with a matcher and its commands; `flat`: an
    event contains the commands.
    """

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


def _is_unlikely(request: Mapping[str, object]) -> int:
    return UNLIKELY


class Event:
    """A host event that triggers a hook."""

    def __init__(
        self,
        name: str,
        hook: str,
        timeout: int,
        matcher: str = "",
        *,
        context: bool = False,
    ) -> None:
        self.name = name
        """Event name of the host."""
        self.hook = hook
        """Event name of `cuedeck hook`."""
        self.timeout = timeout
        """Timeout in the unit of the host."""
        self.matcher = matcher
        """Filter on the event; empty if the host has no matcher or every occurrence
        counts.
        """
        self.context = context
        """Whether the response can add context for the agent."""


class Transcript:
    """Names in the conversation files of a host."""

    def __init__(
        self,
        *,
        agent: tuple[str, ...] = ("assistant",),
        user: tuple[str, ...] = ("user", "human"),
        containers: tuple[str, ...] = ("message",),
        skipped: tuple[str, ...] = (),
        places: tuple[str, ...] = (),
        folders: tuple[str, ...] = (),
    ) -> None:
        self.places = places
        """Patterns of the files in the home folder, `~/…`."""
        self.folders = folders
        """Folders that contain files, besides that of the host's user settings."""
        self.agent = agent
        """Values of `role` or `type` in messages of the agent."""
        self.user = user
        """Values of `role` or `type` in messages of the user."""
        self.containers = containers
        """Members of a row that may contain the message."""
        self.skipped = skipped
        """Flags of rows that belong to no message of user or agent."""


class Hooks:
    """Hooks of a host: their configuration, the format of requests and responses, and
    the tools they report.
    """

    def __init__(
        self,
        path: str,
        shape: Shape,
        events: tuple[Event, ...],
        respond: Callable[[str, Mapping[str, str] | None], object],
        *,
        fixed: tuple[tuple[str, int], ...] = (),
        typed: bool = True,
        named: bool = False,
        recognise: Callable[[Mapping[str, object]], int] = _is_unlikely,
        keys: Mapping[str, tuple[str, ...]] | None = None,
        folder_variables: tuple[str, ...] = ("CLAUDE_PROJECT_DIR",),
        reads: tuple[str, ...] = (),
        writes: tuple[str, ...] = (),
        shells: tuple[str, ...] = (),
        transcript: Transcript | None = None,
        restores_context: bool = False,
        find_compaction: Callable[[bytes], str] | None = None,
        local_path: str = "",
        user_path: str = "",
        run_by: tuple[tuple[str, tuple[str, ...]], ...] = (),
        is_shared: bool = False,
    ) -> None:
        self.path = path
        """Configuration file in the repository."""
        self.local_path = local_path
        """Configuration file for one checkout; empty if the host has none."""
        self.user_path = user_path
        """Configuration file of the user; `~/` is the home folder."""
        self.run_by = run_by
        """Other hosts that also run the hooks of these files, with the files of their
        own hooks.
        """
        self.is_shared = is_shared
        """Whether another host has the same configuration files."""
        self.shape = shape
        self.events = events
        self.respond = respond
        """Return the response to an event as a JSON value, or as the plain text to
        print.

        The arguments are the event name of `cuedeck hook` and the members
        `hookEventName` and `additionalContext`; None without a text for the agent.
        """
        self.fixed = fixed
        """Members that the file must have in addition to the hooks."""
        self.typed = typed
        """Whether each command has a `type` member."""
        self.named = named
        """Whether each command has a name, by which the host lists it."""
        self.recognise = recognise
        """Return the certainty that a request without a host name is from this host:
        `CERTAIN` to `UNLIKELY`.
        """
        self.keys: Mapping[str, tuple[str, ...]] = keys or {}
        """JSON keys of request fields that are looked up after `REQUEST_KEYS`."""
        self.folder_variables = folder_variables
        """Environment variables with the folder of the project, used if a request names
        none.
        """
        self.reads = reads
        """Tools that read files, and events about a file that was read."""
        self.writes = writes
        """Tools that write files, and events about a file that was written."""
        self.shells = shells
        """Tools that run a command line."""
        self.transcript = transcript or Transcript()
        self.restores_context = restores_context
        """Whether a resumed session restores the conversation including earlier texts
        of hooks.
        """
        self.find_compaction = find_compaction
        """Return the id of the last compaction that a transcript shows, or an empty
        string.

        For hosts that announce an automatic compaction before each request, whether or
        not one follows.
        """

    def context_name(self, hook: str) -> str:
        """Return the host's name of an event whose response can add context; empty for
        any other event.
        """
        return next(
            (
                event.name
                for event in self.events
                if event.hook == hook and event.context
            ),
            "",
        )

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


class Host:
    """A program that runs a coding agent."""

    def __init__(
        self,
        name: str,
        title: str,
        setup: Setup,
        hooks: Hooks | None = None,
        *,
        shares: str = "",
    ) -> None:
        self.name = name
        self.title = title
        self.hooks = hooks
        """None for a host that runs no commands on events."""
        self.shares = shares
        """Name of the host whose hook files this one runs; empty for its own."""
        self.setup = setup
