"""What to do next in the words of a client: the tools it has, for the commands that a person would type."""

from __future__ import annotations

import re

_TOOLS = {
    "open": "`find`, or `cards` for the tasks,",
    "list": "`cards`",
    "card new": "`cards` with action `create`",
    "card activate": "`cards` with action `activate` and an id",
    "card done": "`cards` with action `done` and an id",
    "card show": "`read` with its id",
    "read": "`read`",
    "scene": "`scene`",
    "why": "`scene` with `explain`",
    "session start": "`session` with action `start`",
    "session close": "`session` with action `close`",
    "session note": "`session` with action `note`",
    "session status": "`session`",
    "resume": "`session` with action `resume`",
    "progress": "`session` with action `progress`",
    "attempt add": "`session` with action `attempt`",
    "decide": "`decide`",
    "decision list": "`find`",
    "attempt list": "`find`",
    "assumption add": "`assume`",
    "assumption check": "`doctor`",
    "memory add": "`remember`",
    "remember": "`remember`",
    "memory list": "`recall`",
    "experience query": "`experiences`",
    "doctor": "`doctor`",
}
"""Tools by the words of a command; what no tool does is left to a person."""
_NAMES = "|".join(sorted(_TOOLS, key=len, reverse=True))
_COMMAND = re.compile(rf"`cuedeck ({_NAMES})\b(?! --repair)[^`]*`|(?<!`)\bcuedeck ({_NAMES})\b(?! --repair)[^;`]*")


def for_clients(hint: str) -> str:
    """Return a hint that names tools instead of commands."""
    return _COMMAND.sub(lambda found: _TOOLS[found[1] or found[2]], hint)
