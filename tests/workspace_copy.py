"""A copy of a folder that is restored after each case of a test, which is cheaper than
a new copy of every file.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import NamedTuple


class _Entry(NamedTuple):
    """A file, a folder or a link of the template."""

    place: str
    mode: int
    mtime_ns: int


class WorkspaceCopy:
    """A copy of a folder that does not change."""

    def __init__(self, template: Path, root: Path) -> None:
        self.root = root
        self._template = _entries(str(template))
        self._known: dict[str, tuple[int, ...]] = {}
        """Status of each file and link of the copy after the last `restore`."""

    def restore(self) -> Path:
        """Make the folder equal to the template, including modes and times; return it.

        Files and links that did not change since the last call stay.
        """
        root = str(self.root)
        os.makedirs(root, exist_ok=True)
        present = self._remove_changed(root)
        for name, entry in self._template.items():
            if name not in present:
                place = os.path.join(root, name)
                _copy(entry, place)
                self._known[name] = _signature(os.lstat(place))
        for name, entry in reversed(self._template.items()):
            if stat.S_ISDIR(entry.mode):
                _restore_folder(entry, os.path.join(root, name))
        return self.root

    def _remove_changed(self, root: str) -> set[str]:
        """Remove what changed since the last call; return the names that stay."""
        present = {""}
        pending = [""]
        while pending:
            folder = pending.pop()
            for each in os.scandir(os.path.join(root, folder)):
                name = os.path.join(folder, each.name)
                status = each.stat(follow_symlinks=False)
                entry = self._template.get(name)
                if stat.S_ISDIR(status.st_mode):
                    if entry is not None and stat.S_ISDIR(entry.mode):
                        present.add(name)
                        pending.append(name)
                    else:
                        shutil.rmtree(each.path)
                elif entry is not None and self._known.get(name) == _signature(status):
                    present.add(name)
                else:
                    os.unlink(each.path)
        return present


def _entries(top: str) -> dict[str, _Entry]:
    """Return a folder and the entries below it by relative path, each after its
    parent.
    """
    found = {"": _entry(top, os.lstat(top))}
    pending = [""]
    while pending:
        folder = pending.pop()
        for each in os.scandir(os.path.join(top, folder)):
            name = os.path.join(folder, each.name)
            found[name] = _entry(each.path, each.stat(follow_symlinks=False))
            if each.is_dir(follow_symlinks=False):
                pending.append(name)
    return found


def _entry(place: str, status: os.stat_result) -> _Entry:
    return _Entry(place, status.st_mode, status.st_mtime_ns)


def _signature(status: os.stat_result) -> tuple[int, ...]:
    """Return values of which one differs after any change of a file; no program can set
    the ctime.
    """
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return (status.st_ino, status.st_mode, status.st_size, *times)


def _copy(entry: _Entry, place: str) -> None:
    if stat.S_ISDIR(entry.mode):
        os.mkdir(place)
    else:
        shutil.copy2(entry.place, place, follow_symlinks=False)


def _restore_folder(entry: _Entry, place: str) -> None:
    """Restore mode and time of a folder whose entries are restored."""
    status = os.lstat(place)
    if status.st_mode != entry.mode:
        os.chmod(place, stat.S_IMODE(entry.mode))
    if status.st_mtime_ns != entry.mtime_ns:
        os.utime(place, ns=(status.st_atime_ns, entry.mtime_ns))
