"""Which files a tool of an agent worked on."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_READ = frozenset(["read", "readfile", "readmanyfiles", "notebookread", "view", "beforereadfile"])
_WRITE = frozenset([
    "edit", "multiedit", "write", "writefile", "notebookedit", "replace", "applypatch", "create", "createfile",
    "editfile", "editfiles", "afterfileedit", "replacestringinfile", "multireplacestringinfile", "inserteditintofile",
    "strreplace", "strreplaceeditor", "editnotebookfile", "searchreplace", "delete", "deletefile",
])  # fmt: skip
"""Names of tools, in lower case and without what parts their words."""
_SHELL = frozenset(["bash", "shell", "shellcommand", "localshell", "execcommand"])
"""Tools that run a command line; Codex has no other tool that reads files."""
_PATHS = (
    "file_path", "filePath", "absolute_path", "absolutePath", "notebook_path", "notebookPath", "target_file", "path",
    "files", "paths", "file_paths", "filePaths", "include", "replacements", "edits",
)  # fmt: skip
"""Members that name files: a text, a list of them, or a list of objects with such members."""
_PATCHES = ("command", "input", "patch")
_MARKS = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
_BEGIN = "*** Begin Patch"
_MOST = 50
_COMMANDS = ("command", "cmd")
_LONGEST_COMMAND = 4_000
_MOST_WORDS = 200
"""Words of a command line that are looked up on the disk."""
_MOST_READ = 20
_NESTED = frozenset(["-c", "-lc", "-ic"])
"""Options of a shell whose argument is a command line."""


def tool_files(name: str, value: object, folder: str = "") -> tuple[str, tuple[str, ...]]:
    """Return whether a tool read or wrote, and the files it names; nothing of a tool that does neither.

    Of a command line the words count that are files, relative to `folder`, where the command runs.
    """
    plain = name.replace("_", "").replace("-", "").replace(".", "").lower()
    role = "read" if plain in _READ else "write" if plain in _WRITE else ""
    if plain in _SHELL and isinstance(value, dict):
        found = tuple(_shell_files(value, folder))
        return ("read", found) if found else ("", ())
    if not role or not isinstance(value, dict):
        return "", ()
    if value.get("command") == "view":  # one tool of an editor both looks and changes
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
    """Return the files that a command line names and that exist, but for targets of a redirection."""
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
    """Return the words of a command line, with those of a command line inside it in its place."""
    found: list[str] = []
    for word in words:
        found += _words(word) if found and found[-1] in _NESTED else [word]
    return found


def _words(text: object) -> list[str]:
    """Return the words of a command line as a shell splits them; none of one that cannot be split."""
    if not isinstance(text, str) or len(text) > _LONGEST_COMMAND:
        return []
    import shlex  # only the tool of a shell pays for it

    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:  # a quotation that is not closed
        return []


def _patched(text: str) -> Iterator[str]:
    for line in text.splitlines():
        for mark in _MARKS:
            if line.startswith(mark):
                yield line[len(mark) :].strip()
