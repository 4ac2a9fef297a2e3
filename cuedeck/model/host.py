"""The hosts CueDeck connects to: where each keeps hooks, servers and instructions, and what it allows."""

from __future__ import annotations

from typing import Literal, NamedTuple

PROGRAM = "cuedeck"
SERVER = "cuedeck"
"""The name of the server in every host."""
READ_ONLY_TOOLS = ("scene", "read", "find", "recall", "experiences", "doctor")
"""Tools of the server that change nothing."""

Shape = Literal["grouped", "flat"]
"""`grouped`: an event holds groups of a matcher and its commands; `flat`: an event holds the commands."""
Test = Literal["is", "lists", "lacks"]


class Event(NamedTuple):
    """A moment at which a host runs a hook."""

    name: str
    """As the host calls it."""
    hook: str
    """As `cuedeck hook` calls it."""
    timeout: int
    """In the unit of the host."""
    matcher: str = ""
    """What it is limited to; empty where the host has no matcher, or every occasion counts."""


class Hooks(NamedTuple):
    """How a host keeps hooks."""

    path: str
    shape: Shape
    events: tuple[Event, ...]
    fixed: tuple[tuple[str, int], ...] = ()
    """Members the file must have beside the hooks."""
    typed: bool = True
    """Whether each command says that it is one."""
    named: bool = False
    """Whether each command has a name, by which the host lists it."""


class Server(NamedTuple):
    """How a host keeps the servers it starts."""

    path: str
    table: str
    """The member, or the TOML table, that holds them by name."""
    entry: tuple[tuple[str, str | tuple[str, ...]], ...]


class Allow(NamedTuple):
    """The setting of a host that lists the tools which it runs without asking."""

    path: str
    keys: tuple[str, ...]
    """Where the list is in the file."""
    rule: str
    """How the host names a tool of the server; `{}` stands for the name of the tool."""

    @property
    def rules(self) -> tuple[str, ...]:
        """Return one rule for each tool that changes nothing."""
        return tuple(self.rule.format(tool) for tool in READ_ONLY_TOOLS)


class Limit(NamedTuple):
    """How long an instruction file may be."""

    size: int
    unit: Literal["characters", "bytes"]
    outcome: str
    """What the host does with a longer one."""
    files: tuple[str, ...] = ()
    """Settings that may change it, the first that does wins; `~/` stands for the home folder."""
    key: str = ""


class Switch(NamedTuple):
    """A setting of the host that keeps CueDeck from working."""

    files: tuple[str, ...]
    keys: tuple[str, ...]
    test: Test
    value: bool | str
    message: str


class Borrowed(NamedTuple):
    """Files of another host whose hooks are run as well."""

    files: tuple[str, ...]
    keys: tuple[str, ...] = ()
    """The setting that must be on for it; empty where it is so unless the person says otherwise in the host."""
    settings: tuple[str, ...] = ()
    hint: str = ""


class Host(NamedTuple):
    """A program that runs a coding agent."""

    name: str
    title: str
    hooks: Hooks | None
    """None for a host that runs no commands at its events."""
    server: Server | None
    """None for a host whose servers are not kept in the workspace."""
    instructions: str
    """The file it reads at the start of a session."""
    next_step: str
    """What a person does next; `{folder}` stands for that of the workspace."""
    limit: Limit | None = None
    hooks_too: tuple[str, ...] = ()
    """Further files whose hooks it runs as well; `~/` stands for the home folder, `*` for any name."""
    borrowed: Borrowed | None = None
    servers_too: tuple[str, ...] = ()
    """Further files whose servers it starts as well, or instead."""
    switches: tuple[Switch, ...] = ()
    imports: bool = False
    """Whether the instructions may import other files by `@path`."""
    instructions_named: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Settings that may name other instructions, with the file they stand in; the first that does wins."""
    trust: str = ""
    """The file in which it keeps the folders and the hooks that a person trusts, where it has one."""
    allow: Allow | None = None
    """Where tools are allowed, when `setup` is asked to."""
    asks: str = ""
    """How a person allows tools in a host without such a setting."""
    read_instead: str = ""
    """A file that, where it is, is read in the place of the instructions."""
    rule: str = ""
    """A file of its own that puts the scene into each session, for a host that takes no text from hooks."""
