"""Hints of errors for MCP clients: names of tools in place of shell commands."""

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
    "session list": "`session`",
    "session show": "`read` with `session:ID`",
    "session checkpoint": "`session` with action `checkpoint`",
    "decision show": "`read` with `decision:ID`",
    "find": "`find`",
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
"""Tool for each command; commands without a tool are left unchanged."""
_NAMES = "|".join(sorted(_TOOLS, key=len, reverse=True))
_COMMAND = re.compile(rf"`cuedeck ({_NAMES})\b(?! --repair)[^`]*`|(?<!`)\bcuedeck ({_NAMES})\b(?! --repair)[^;`]*")


def for_clients(hint: str) -> str:
    """Return a hint with commands replaced by tools."""
    return _COMMAND.sub(lambda found: _TOOLS[found[1] or found[2]], hint)
