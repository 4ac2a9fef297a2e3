"""The ignore file of the user, which git applies to every repository.

It is the file that `core.excludesFile` names in the user's own settings of git, by
default `git/ignore` in the folder of settings. Settings of the repository are not read:
they may name any file. Settings that others include are not read either.
"""

from __future__ import annotations

import os
import re

from cuedeck.store.files.disk import look_at
from cuedeck.store.files.nofollow import LARGEST_SMALL_FILE

_SECTION = re.compile(r"(?m)^[ \t]*\[")
_CORE = re.compile(r"core[ \t]*\]", re.I)
_FILE = re.compile(r"(?im)^[ \t]*excludesfile[ \t]*=[ \t]*(.*?)[ \t]*$")


def user_excludes() -> str:
    """Return the path of the ignore file of the user; the file may be missing."""
    home = os.path.expanduser("~")
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    folder = os.path.join(folder, "git")
    settings = [os.path.join(home, ".gitconfig"), os.path.join(folder, "config")]
    chosen = os.environ.get("GIT_CONFIG_GLOBAL")
    if chosen is not None:
        settings = [chosen]
    for place in settings:
        named = _named_in(place)
        if named:
            return os.path.expanduser(named)
    return os.path.join(folder, "ignore")


def _named_in(place: str) -> str:
    """Return the value of `core.excludesFile` in a settings file; empty without one."""
    if not os.path.isfile(place):
        return ""
    text = look_at(place, LARGEST_SMALL_FILE).decode("utf-8", "surrogateescape")
    found = ""
    for section in _SECTION.split(text):
        if _CORE.match(section):
            for value in _FILE.findall(section):
                found = value.strip('"')
    return found
