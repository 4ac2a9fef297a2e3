"""Parsing of hook requests from stdin into a `HookEvent`, for every host."""

from __future__ import annotations

import json
import os

from cuedeck.model.hook_event import CONTEXT_EVENTS, HookEvent, without_hook_context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HOSTS = tuple(CONTEXT_EVENTS)
"""Known hosts; the first one is assumed for unknown hosts."""
_CURSOR = ("conversation_id", "cursor_version", "workspace_roots", "generation_id")
_VSCODE = ("sessionId", "hookEventName", "toolName", "toolArgs")
_GEMINI = frozenset(["BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "PreCompress", "BeforeModel"])
_QWEN = "/.qwen/"
"""Part of the transcript path of each conversation in Qwen Code."""
_WORDS = {
    "name": ("hook_event_name", "hookEventName"),
    "session": ("session_id", "sessionId", "conversation_id"),
    "agent": ("agent_id", "agentId"),
    "source": ("source", "trigger"),
    "prompt": ("prompt", "userPrompt", "initialPrompt"),
    "message": ("last_assistant_message", "prompt_response", "lastAssistantMessage", "response"),
    "transcript": ("transcript_path", "transcriptPath"),
    "turn": ("turn_id", "generation_id", "turnId"),
}
"""JSON keys of each field in the formats of the hosts; the first one present is used."""


def parse(data: bytes, event: str, host: str) -> HookEvent:
    """Return the event; an empty event if the input is not a JSON object."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return HookEvent("", host if host in HOSTS else HOSTS[0])
    words = {name: _word(value, names) for name, names in _WORDS.items()}
    words["prompt"] = without_hook_context(words["prompt"])
    folder = _word(value, ("cwd",)) or _first(value.get("workspace_roots"))
    role, files = tool_files(*_tool(value), folder) if event == "post-tool" else ("", ())
    active = value.get("stop_hook_active") is True or value.get("stopHookActive") is True
    found = host if host in HOSTS else guess(value)
    return HookEvent(event, found, folder=folder, active=active, role=role, files=files, **words)


def guess(value: Mapping[str, object]) -> str:
    """Return the host that uses this request format."""
    name = _word(value, _WORDS["name"])
    if any(key in value for key in _CURSOR):
        return "cursor"
    if any(key in value for key in _VSCODE):
        return "vscode"
    if _QWEN in _word(value, _WORDS["transcript"]):
        return "qwen"
    if name in _GEMINI or "timestamp" in value:
        return "gemini"
    rollout = _word(value, ("transcript_path",))
    if "turn_id" in value or "/.codex/" in rollout or (name == "SessionStart" and "permission_mode" in value):
        return "codex"
    return "claude"


def _tool(value: Mapping[str, object]) -> tuple[str, object]:
    """Return the name and the input of a tool; for an event about one file, the name and input of the event."""
    name = _word(value, ("tool_name", "toolName"))
    if not name:
        return _word(value, _WORDS["name"]), value
    given = next((value[key] for key in ("tool_input", "toolInput", "toolArgs") if key in value), None)
    if isinstance(given, str):  # a patch, or JSON encoded as a string
        try:
            return name, json.loads(given)
        except (ValueError, RecursionError):
            return name, {"input": given}
    return name, given


def _word(value: Mapping[str, object], names: tuple[str, ...]) -> str:
    return next((found for name in names if isinstance(found := value.get(name), str) and found), "")


def _first(value: object) -> str:
    return next((each for each in value if isinstance(each, str)), "") if isinstance(value, list) else ""


_READ = frozenset(["read", "readfile", "readmanyfiles", "notebookread", "view", "beforereadfile"])
_WRITE = frozenset([
    "edit", "multiedit", "write", "writefile", "notebookedit", "replace", "applypatch", "create", "createfile",
    "editfile", "editfiles", "afterfileedit", "replacestringinfile", "multireplacestringinfile", "inserteditintofile",
    "strreplace", "strreplaceeditor", "editnotebookfile", "searchreplace", "delete", "deletefile",
])  # fmt: skip
"""Names of tools that write files; as in `_READ`, in lower case without separators."""
_SHELL = frozenset(["bash", "shell", "shellcommand", "localshell", "execcommand"])
"""Tools that run a command line; Codex has no other tool that reads files."""
_PATHS = (
    "file_path", "filePath", "absolute_path", "absolutePath", "notebook_path", "notebookPath", "target_file", "path",
    "files", "paths", "file_paths", "filePaths", "include", "replacements", "edits",
)  # fmt: skip
"""Keys that name files: a string, a list of strings, or a list of objects with such keys."""
_PATCHES = ("command", "input", "patch")
_MARKS = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
_BEGIN = "*** Begin Patch"
_MOST = 50
_COMMANDS = ("command", "cmd")
_LONGEST_COMMAND = 4_000
_MOST_WORDS = 200
"""Maximum number of words of a command line that are looked up on disk."""
_MOST_READ = 20
_NESTED = frozenset(["-c", "-lc", "-ic"])
"""Options of a shell whose argument is a command line."""


def tool_files(name: str, value: object, folder: str = "") -> tuple[str, tuple[str, ...]]:
    """Return `read` or `write` and the files of a tool call; empty for a tool that does neither.

    In a command line, words that are existing files relative to `folder` count; `folder` is its working directory.
    """
    plain = name.replace("_", "").replace("-", "").replace(".", "").lower()
    role = "read" if plain in _READ else "write" if plain in _WRITE else ""
    if plain in _SHELL and isinstance(value, dict):
        found = tuple(_shell_files(value, folder))
        return ("read", found) if found else ("", ())
    if not role or not isinstance(value, dict):
        return "", ()
    if value.get("command") == "view":  # this editor tool both reads and writes
        role = "read"
    found = tuple(dict.fromkeys(each for each in _named(value) if each and "\0" not in each))[:_MOST]
    return (role, found) if found else ("", ())


def _named(value: Mapping[str, object]) -> Iterator[str]:
    for name in _PATHS:
        found = value.get(name)
        for each in found if isinstance(found, list) else [found]:
            if isinstance(each, str):
                yield each
            elif isinstance(each, dict):
                yield from _named({key: each[key] for key in _PATHS[:8] if isinstance(each.get(key), str)})
    for name in _PATCHES:
        found = value.get(name)
        for each in found if isinstance(found, list) else [found]:
            if isinstance(each, str) and _BEGIN in each:
                yield from _patched(each)


def _shell_files(value: Mapping[str, object], folder: str) -> list[str]:
    """Return the existing files that a command line names, except targets of a redirection."""
    given = next((value[name] for name in _COMMANDS if name in value), None)
    words = [each for each in given if isinstance(each, str)] if isinstance(given, list) else _words(given)
    place = value.get("workdir")
    place = os.path.join(folder, place) if isinstance(place, str) else folder
    found: dict[str, None] = {}
    before = ""
    for word in _flat(words)[:_MOST_WORDS]:
        path = os.path.join(place, word)
        if before == "cd":
            place = path
        elif not before.startswith(">") and not word.startswith("-") and "\0" not in word and os.path.isfile(path):
            found[path] = None
        before = word
    return list(found)[:_MOST_READ]


def _flat(words: list[str]) -> list[str]:
    """Return the words of a command line, with nested command lines replaced by their words."""
    found: list[str] = []
    for word in words:
        found += _words(word) if found and found[-1] in _NESTED else [word]
    return found


def _words(text: object) -> list[str]:
    """Return the words of a command line as a shell splits them; empty if it cannot be split."""
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


def _patched(text: str) -> Iterator[str]:
    for line in text.splitlines():
        for mark in _MARKS:
            if line.startswith(mark):
                yield line[len(mark) :].strip()
