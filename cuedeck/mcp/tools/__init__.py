"""The table of all tools; one module for each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.app.server.listed_tools import has_experiences
from cuedeck.mcp.tool_base import Tool
from cuedeck.mcp.tools.assume_tool import ASSUME
from cuedeck.mcp.tools.cards_tool import CARDS
from cuedeck.mcp.tools.compat_tools import SEEDS
from cuedeck.mcp.tools.decide_tool import DECIDE
from cuedeck.mcp.tools.doctor_tool import DOCTOR
from cuedeck.mcp.tools.experiences_tool import EXPERIENCES
from cuedeck.mcp.tools.find_tool import FIND
from cuedeck.mcp.tools.memory_tools import FORGET, RECALL, REMEMBER
from cuedeck.mcp.tools.read_tool import READ
from cuedeck.mcp.tools.scene_tool import SCENE
from cuedeck.mcp.tools.session_tool import SESSION

if TYPE_CHECKING:
    from cuedeck.mcp.start_options import Start

TOOLS = (SCENE, READ, FIND, CARDS, SESSION, DECIDE, ASSUME, REMEMBER, RECALL, FORGET, EXPERIENCES, DOCTOR)
"""All tools, in listing order."""


def callable_tools(*, read_only: bool) -> Mapping[str, Tool]:
    """Return the callable tools by name, including those of the original documents."""
    chosen = ((tool.read_only() if read_only else tool) for tool in (*TOOLS, *SEEDS))
    return {tool.name: tool for tool in chosen if tool is not None}


def listed_tools(start: Start) -> Sequence[Tool]:
    """Return the listed tools: those of the original documents on request, experiences if enabled.

    Tools that are not listed can still be called; the experiences tool then reports that it is disabled.
    """
    callable_ = callable_tools(read_only=start.read_only)
    known = [callable_[tool.name] for tool in (*TOOLS, *SEEDS) if tool.name in callable_]
    shown = [tool for tool in known if start.compat or not tool.is_seed]
    if has_experiences(start.folder, start.environ):
        return shown
    return [tool for tool in shown if tool.run is not EXPERIENCES.run]


def is_known(name: str) -> bool:
    """Return whether a tool of this name exists, callable or not."""
    return any(tool.name == name for tool in (*TOOLS, *SEEDS))
