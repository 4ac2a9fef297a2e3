"""Agent hosts: the locations of hooks, servers and instructions, and the limits of each host."""

from __future__ import annotations

from typing import Literal, NamedTuple

PROGRAM = "cuedeck"
SERVER = "cuedeck"
"""Name of the MCP server in every host."""
READ_ONLY_TOOLS = ("scene", "read", "find", "recall", "experiences", "doctor")
"""Tools of the server that change nothing."""

Shape = Literal["grouped", "flat"]
"""`grouped`: an event contains groups with a matcher and its commands; `flat`: an event contains the commands."""
Test = Literal["is", "lists", "lacks"]


class Event(NamedTuple):
    """A host event that triggers a hook."""

    name: str
    """Event name of the host."""
    hook: str
    """Event name of `cuedeck hook`."""
    timeout: int
    """Timeout in the unit of the host."""
    matcher: str = ""
    """Filter on the event; empty if the host has no matcher or every occurrence counts."""


class Hooks(NamedTuple):
    """Hook configuration of a host."""

    path: str
    shape: Shape
    events: tuple[Event, ...]
    fixed: tuple[tuple[str, int], ...] = ()
    """Members that the file must have in addition to the hooks."""
    typed: bool = True
    """Whether each command has a `type` member."""
    named: bool = False
    """Whether each command has a name, by which the host lists it."""


class Server(NamedTuple):
    """Configuration of the servers that a host starts."""

    path: str
    table: str
    """The member, or the TOML table, that maps names to servers."""
    entry: tuple[tuple[str, str | tuple[str, ...]], ...]


class Allow(NamedTuple):
    """The host setting that lists the tools allowed without confirmation."""

    path: str
    keys: tuple[str, ...]
    """Keys that lead to the list in the file."""
    rule: str
    """Pattern of a tool name in the host; `{}` is replaced by the tool."""

    @property
    def rules(self) -> tuple[str, ...]:
        """Return one rule for each tool that changes nothing."""
        return tuple(self.rule.format(tool) for tool in READ_ONLY_TOOLS)


class Limit(NamedTuple):
    """Size limit of an instruction file."""

    size: int
    unit: Literal["characters", "bytes"]
    outcome: str
    """Behaviour of the host if the file is longer."""
    files: tuple[str, ...] = ()
    """Settings files that may change the limit, highest precedence first; `~/` is the home folder."""
    key: str = ""


class Switch(NamedTuple):
    """A host setting that can prevent CueDeck from working."""

    files: tuple[str, ...]
    keys: tuple[str, ...]
    test: Test
    value: bool | str
    message: str


class Borrowed(NamedTuple):
    """Files of another host whose hooks this host also runs."""

    files: tuple[str, ...]
    keys: tuple[str, ...] = ()
    """The setting that must be on; empty if the host runs these hooks unless the user turns that off in the host."""
    settings: tuple[str, ...] = ()
    hint: str = ""


class Host(NamedTuple):
    """A program that runs a coding agent."""

    name: str
    title: str
    hooks: Hooks | None
    """None for a host that runs no commands on events."""
    server: Server | None
    """None for a host whose server configuration is outside the workspace."""
    instructions: str
    """The file that the host reads at the start of a session."""
    next_step: str
    """Next step for the user; `{folder}` is replaced by the workspace folder."""
    limit: Limit | None = None
    hooks_too: tuple[str, ...] = ()
    """Further files whose hooks the host also runs; `~/` is the home folder, `*` matches any name."""
    borrowed: Borrowed | None = None
    servers_too: tuple[str, ...] = ()
    """Further files whose servers the host starts in addition or instead."""
    switches: tuple[Switch, ...] = ()
    imports: bool = False
    """Whether the instructions may import other files with `@path`."""
    instructions_named: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Settings that may name other instruction files: pattern of the settings file and keys; the first match wins."""
    trust: str = ""
    """The file in which the host stores trusted folders and hooks; empty if it has none."""
    allow: Allow | None = None
    """Location of the list of allowed tools, used if `setup` is asked to allow them."""
    asks: str = ""
    """Instructions for allowing tools in a host without such a setting."""
    read_instead: str = ""
    """A file that the host reads instead of the instructions if it exists."""
    rule: str = ""
    """A separate rule file that brings the scene into each session, for a host that takes no text from hooks."""
