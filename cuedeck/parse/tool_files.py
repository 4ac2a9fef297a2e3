"""Files that the input of a tool names, for every host."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_ONE_PATH = """
    file_path filePath absolute_path absolutePath notebook_path notebookPath target_file
    path
"""
_SEVERAL = """
    files paths file_paths filePaths include replacements edits
"""
_ONE = tuple(_ONE_PATH.split())
_PATHS = (*_ONE, *_SEVERAL.split())
"""Keys that name files: a string, a list of strings, or a list of objects with such
keys.
"""
_PATCHES = ("command", "input", "patch", "patchText")
_MARKS = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
_BEGIN = "*** Begin Patch"


def named_files(value: Mapping[str, object]) -> Iterator[str]:
    """Yield the paths in the input of a tool, also those in patches."""
    for found in _values(value, _PATHS):
        if isinstance(found, str):
            yield found
        elif isinstance(found, dict):
            paths = {key: found[key] for key in _ONE if isinstance(found.get(key), str)}
            yield from named_files(paths)
    for found in _values(value, _PATCHES):
        if isinstance(found, str) and _BEGIN in found:
            yield from _patched(found)


def _values(value: Mapping[str, object], keys: tuple[str, ...]) -> Iterator[object]:
    for key in keys:
        found = value.get(key)
        if isinstance(found, list):
            yield from found
        else:
            yield found


def _patched(text: str) -> Iterator[str]:
    for line in text.splitlines():
        for mark in _MARKS:
            if line.startswith(mark):
                yield line[len(mark) :].strip()
