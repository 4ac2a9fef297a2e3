"""Parsing of hook requests from stdin into a `HookEvent`, for every host."""

from __future__ import annotations

import json
import os

from cuedeck.agents.hosts import (
    DEFAULT_HOST,
    all_hosts,
    find_hooks,
    hooks_of,
    recognise,
)
from cuedeck.agents.hosts.base import REQUEST_KEYS
from cuedeck.model.hook_event import HookEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cuedeck.agents.hosts.base import Hooks

_TEXTS = ("name", "session", "agent", "agent_name", "source", "prompt", "message", "transcript",
          "conversation", "turn", "timestamp")  # fmt: skip
"""Fields of a request that are texts of the event."""


def parse(data: bytes, event: str, host: str) -> HookEvent:
    """Return the event; an empty event if the input is not a JSON object.

    `host` selects the format of the response. The request is read in the format of the
    host that sent it, because a host may run the hooks of another one.
    """
    known = host if find_hooks(host) is not None else ""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return HookEvent("", known or DEFAULT_HOST)
    sender = known
    if not known or not _text(value, hooks_of(known), "session"):
        sender = recognise(value, known or DEFAULT_HOST)
    hooks = hooks_of(sender)
    texts = {field: _text(value, hooks, field) for field in _TEXTS}
    is_sent = any(isinstance(value.get(key), str) for key in _keys(hooks, "prompt"))
    is_blank = event == "prompt" and is_sent and not texts["prompt"].strip()
    texts["prompt"] = _without_host_texts(texts["prompt"])
    folder = _text(value, hooks, "folder")
    role = ""
    files: tuple[str, ...] = ()
    if event == "post-tool":
        role, files = tool_files(*_tool(value, hooks), folder, sender)
    active = any(value.get(key) is True for key in _keys(hooks, "active"))
    request = HookEvent(
        event,
        known or sender,
        folder=folder,
        active=active,
        role=role,
        files=files,
        **texts,
    )
    request.is_blank = is_blank
    return request


def _without_host_texts(prompt: str) -> str:
    if "<" not in prompt and not prompt.lstrip().startswith("["):
        return prompt
    # Most prompts contain no marker.
    from cuedeck.parse.own_words import without_host_texts

    return without_host_texts(prompt)


def _keys(hooks: Hooks, field: str) -> tuple[str, ...]:
    return REQUEST_KEYS[field] + hooks.keys.get(field, ())


def _text(value: Mapping[str, object], hooks: Hooks, field: str) -> str:
    """Return a field of a request; for a list, its first text; empty if it is
    missing.
    """
    for key in _keys(hooks, field):
        found = value.get(key)
        for each in found if isinstance(found, list) else (found,):
            if isinstance(each, str) and each:
                return each
    return ""


def _tool(value: Mapping[str, object], hooks: Hooks) -> tuple[str, object]:
    """Return the name and the input of a tool; for an event about one file, the name
    and input of the event.
    """
    name = _text(value, hooks, "tool")
    if not name:
        return _text(value, hooks, "name"), value
    given = next((value[key] for key in _keys(hooks, "input") if key in value), None)
    if isinstance(given, str):  # a patch, or JSON encoded as a string
        try:
            return name, json.loads(given)
        except (ValueError, RecursionError):
            return name, {"input": given}
    return name, given


_MOST = 50
_COMMANDS = ("command", "cmd")
_LONGEST_COMMAND = 4_000
_MOST_WORDS = 200
"""Maximum number of words of a command line that are looked up on disk."""
_MOST_READ = 20
_NESTED = frozenset(["-c", "-lc", "-ic"])
"""Options of a shell whose argument is a command line."""


def tool_files(
    name: str, value: object, folder: str = "", host: str = DEFAULT_HOST
) -> tuple[str, tuple[str, ...]]:
    """Return `read` or `write` and the files of a tool call; empty for a tool that does
    neither.

    In a command line, words that are existing files relative to `folder` count;
    `folder` is its working directory.
    """
    role = _tool_role(name, host)
    if not role or not isinstance(value, dict):
        return "", ()
    if role == "shell":
        found = tuple(_shell_files(value, folder))
        return ("read", found) if found else ("", ())
    if value.get("command") == "view":  # this editor tool both reads and writes
        role = "read"
    # Most events name no files.
    from cuedeck.parse.tool_files import named_files

    named = [each for each in named_files(value) if each and "\0" not in each]
    found = tuple(dict.fromkeys(named))[:_MOST]
    return (role, found) if found else ("", ())


def _tool_role(name: str, host: str) -> str:
    """Return `read`, `write` or `shell`; empty for a tool that no host declares.

    The host's own tools are searched first, then those of all others, because hosts use
    tools of one another, and one may run the hooks of another.
    """
    plain = _plain(name)
    for hooks in _all_hooks(host):
        roles = (
            ("read", hooks.reads),
            ("write", hooks.writes),
            ("shell", hooks.shells),
        )
        for role, tools in roles:
            if plain in map(_plain, tools):
                return role
    return ""


def _all_hooks(host: str) -> Iterator[Hooks]:
    yield hooks_of(host)
    for other in all_hosts():  # loaded for a tool of another host alone
        if other.hooks is not None:
            yield other.hooks


def _plain(tool: str) -> str:
    """Return the name of a tool in lower case without separators, which differ between
    versions of a host.
    """
    return tool.replace("_", "").replace("-", "").replace(".", "").lower()


def _shell_files(value: Mapping[str, object], folder: str) -> list[str]:
    """Return the existing files that a command line names, except targets of a
    redirection.
    """
    command = next((value[name] for name in _COMMANDS if name in value), None)
    words = _words(command)
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
    workdir = value.get("workdir")
    place = os.path.join(folder, workdir) if isinstance(workdir, str) else folder
    found: dict[str, None] = {}
    before = ""
    for word in _flat(words)[:_MOST_WORDS]:
        path = os.path.join(place, word)
        is_option = word.startswith("-")
        is_target = before.startswith(">")
        if before == "cd":
            place = path
        elif (
            not is_option
            and not is_target
            and "\0" not in word
            and os.path.isfile(path)
        ):
            found[path] = None
        before = word
    return list(found)[:_MOST_READ]


def _flat(words: list[str]) -> list[str]:
    """Return the words of a command line, with nested command lines replaced by their
    words.
    """
    found: list[str] = []
    for word in words:
        found += _words(word) if found and found[-1] in _NESTED else [word]
    return found


def _words(text: object) -> list[str]:
    """Return the words of a command line as a shell splits them; empty if it cannot be
    split.
    """
    if not isinstance(text, str) or len(text) > _LONGEST_COMMAND:
        return []
    import shlex  # imported only for shell tools

    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:  # unclosed quotation
        return []
