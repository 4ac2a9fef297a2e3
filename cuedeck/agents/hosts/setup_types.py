"""Values that describe the files, limits and settings of an agent host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

READ_ONLY_TOOLS = ("scene", "read", "find", "recall", "experiences", "doctor")
"""Tools of the server that change nothing."""
START = (("command", "cuedeck"), ("args", ("mcp",)))
STDIO = (("type", "stdio"), *START)
STDIO_IN_FOLDER = (*STDIO[:2], ("args", ("mcp", "-C", "${workspaceFolder}")))
"""Entry for hosts that may start servers in any folder."""

SERVER_OFF = "the server is switched off"
OTHERS_ALLOWED = "only other servers are allowed"

Test = Literal["is", "lists", "lacks"]
Form = Literal["project", "local", "user"]
"""`project`: files that a repository contains; `local`: this checkout alone, nothing
that git would commit; `user`: the user's own settings of the host.
"""
PROJECT = "{project}"
"""In `Server.above`: the folder of the main worktree, as Claude Code stores projects.
"""


class Server(NamedTuple):
    """Configuration of the servers that a host starts."""

    path: str
    table: str
    """The member, or the TOML table, that maps names to servers."""
    entry: tuple[tuple[str, str | tuple[str, ...]], ...]
    above: tuple[str, ...] = ()
    """Members that contain `table`, outermost first."""
    added: tuple[tuple[str, Any], ...] = ()
    """Members of a new entry in addition to `entry`; they belong to the user."""


class FormFiles(NamedTuple):
    """The files of one form of set-up; `~/` is the home folder."""

    hooks: str = ""
    """The file of the hooks, and of the permissions; empty for no hooks."""
    server: Server | None = None


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


class Switch(NamedTuple):
    """A host setting that can prevent CueDeck from working."""

    files: tuple[str, ...]
    keys: tuple[str, ...]
    message: str = "all hooks are switched off"
    test: Test = "is"
    """Whether the setting has a value, or whether a list of names contains CueDeck or
    lacks it.
    """
    value: bool = False


class Borrowed(NamedTuple):
    """Files of another host whose hooks this host also runs."""

    files: tuple[str, ...]
    keys: tuple[str, ...] = ()
    """The setting that must be on; empty if the host runs these hooks unless the user
    turns that off in the host.
    """
    settings: tuple[str, ...] = ()


class Trust(NamedTuple):
    """The file in which a host stores trusted folders and hooks."""

    path: str
    folders: tuple[str, ...]
    """Keys of the table of folders."""
    level: tuple[str, str]
    """Key and value in the entry of a trusted folder."""
    hooks: tuple[str, ...]
    """Keys of the table of trusted hooks; a hook has the key `<path of the hook
    file>:<hook id>`.
    """
    hook_id: Callable[[str, int, int], str]
    """Return the id of a hook from the event name, the index of the group and the index
    of the command.
    """
    hint: str


class RuleFile(NamedTuple):
    """A file that imports the scene into each session, for a host that accepts no text
    from hooks.
    """

    path: str
    head: tuple[str, ...]
    """First lines of the file."""


class Setup(NamedTuple):
    """What `cuedeck setup` changes and checks for one host."""

    instructions: str
    """The file that the host reads at the start of a session."""
    next_step: str
    """Next step for the user; `{folder}` is replaced by the workspace folder."""
    server_step: str = ""
    """Next step for the server, if set-up registered it."""
    server: Server | None = None
    """Configuration of the servers in the workspace; None if the host has none."""
    local: FormFiles | None = None
    """Files of the host for one checkout; None if its files in the workspace are used,
    which git must then ignore.
    """
    user: FormFiles | None = None
    """The user's own settings; None if the host has none."""
    plugin: str = ""
    """Text of the plugin that runs the hooks; empty if the file of the hooks is a list
    of commands.
    """
    hooks_too: tuple[str, ...] = ()
    """Files whose hooks the host also runs, if not just those of its other forms; `~/`
    is the home folder, `*` matches any name.
    """
    borrowed: Borrowed | None = None
    switches: tuple[Switch, ...] = ()
    instructions_named: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Settings that may name other instruction files: pattern of the settings file and
    keys; the first match wins.
    """
    trust: Trust | None = None
    allow: Allow | None = None
    """Location of the list of allowed tools, used if `setup` is asked to allow them."""
    asks: str = ""
    """Instructions for allowing tools in a host without such a setting."""
    read_instead: str = ""
    """A file that the host reads instead of the instructions if it exists."""
    rule: RuleFile | None = None
