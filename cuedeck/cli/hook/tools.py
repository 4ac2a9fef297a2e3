"""Which files a tool of an agent worked on."""

from __future__ import annotations

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
_PATHS = (
    "file_path", "filePath", "absolute_path", "absolutePath", "notebook_path", "notebookPath", "target_file", "path",
    "files", "paths", "file_paths", "filePaths", "include", "replacements", "edits",
)  # fmt: skip
"""Members that name files: a text, a list of them, or a list of objects with such members."""
_PATCHES = ("command", "input", "patch")
_MARKS = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
_BEGIN = "*** Begin Patch"
_MOST = 50


def tool_files(name: str, value: object) -> tuple[str, tuple[str, ...]]:
    """Return whether a tool read or wrote, and the files it names; nothing of a tool that does neither."""
    plain = name.replace("_", "").replace("-", "").replace(".", "").lower()
    role = "read" if plain in _READ else "write" if plain in _WRITE else ""
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


def _patched(text: str) -> Iterator[str]:
    for line in text.splitlines():
        for mark in _MARKS:
            if line.startswith(mark):
                yield line[len(mark) :].strip()
