"""Tools for memory files, with the names that ClawCode and the gateway of CursorClaw
give them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.memory.memory_file_address import daily_logs
from cuedeck.model.address import format_lines, join_anchor, split_anchor
from cuedeck.model.errors import Invalid
from cuedeck.shells.mcp.tool_base import Arguments, Tool
from cuedeck.shells.mcp.tool_result import FIRST_PAGE, cut_json_page, offset
from cuedeck.shells.tool_fields import CURSOR, LONGEST_ADDRESS, Field

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace

_NO_FILE = "none"
"""The hash of a missing file."""
_PROFILE = Field("profile", also=("profileId",))


def _memory_get(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    """Read lines of a file; `path` may be a citation such as `notes.md#L3-L9`."""
    from cuedeck.context.search.read_address import prefer_memory, read_address

    path, anchor = split_anchor(given["path"])
    start, count = given["from"], given["lines"]
    if anchor and (start or count):
        raise Invalid(
            "`path` has lines already", hint="omit `from` and `lines`, or the anchor"
        )
    if start or count:
        start = start or 1
        anchor = format_lines(start, start + count - 1) if count else f"L{start}-"
    path = prefer_memory(workspace, path)
    found = read_address(workspace, join_anchor(path, anchor))
    first, last = found["lines"]
    shown, after = _page(workspace, found["text"], given[CURSOR.name])
    whole = {} if after else {key: found[key] for key in ("hash",) if key in found}
    return {
        "path": found["path"],
        "from": first,
        "lines": max(0, last - first + 1),
        "content": shown,
        **whole,
        **after,
    }


def _list_logs(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    return {"files": daily_logs(workspace, given["profile"])}


def _get_file(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    """Read a memory file; the hash comes with the last page, so that a caller that
    writes the text back has all of it.
    """
    from cuedeck.knowledge.memory.read_memory_file import read_whole_file

    found = read_whole_file(workspace, given["path"], given["profile"])
    shown, after = _page(workspace, found["text"], given[CURSOR.name])
    whole = {} if after else {"hash": found["hash"]}
    return {"path": found["path"], "content": shown, **whole, **after}


def _page(
    workspace: LiveWorkspace, text: str, cursor: str
) -> tuple[str, dict[str, str]]:
    """Return a page of a text, and the cursor of the next one if there is one. Raises:
    Invalid.
    """
    start = offset(cursor)
    if start > len(text):
        raise Invalid("`cursor` is beyond the end of the text", hint=FIRST_PAGE)
    shown = cut_json_page(text, start, workspace.counter())
    end = start + len(shown)
    return shown, {"next": str(end)} if end < len(text) else {}


def _write_file(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.knowledge.memory.write_memory_file import write_memory_file

    file, content = given["path"], given["content"]
    known = given["hash"] or _NO_FILE
    answer = write_memory_file(workspace, file, content, known, given["profile"])
    return {"ok": True, **answer}


def _tool(
    name: str, title: str, about: str, fields: tuple[Field, ...], run: Any
) -> Tool:
    return Tool(
        name, title, about, fields, run, writes=run is _write_file, is_seed=True
    )


_PATH = Field(
    "path",
    required=True,
    about="MEMORY.md, memory/2026-11-21.md …",
    longest=LONGEST_ADDRESS,
)
MEMORY_FILES = (
    _tool(
        "memory_get",
        "Read lines of memory",
        "Read lines of a memory file or of another hit of `recall`.",
        (
            Field(
                "path",
                required=True,
                about="path, also with #L3-L9",
                longest=LONGEST_ADDRESS,
            ),
            Field("from", "number", about="first line", least=1),
            Field("lines", "number", about="how many", least=1),
            CURSOR,
        ),
        _memory_get,
    ),
    _tool(
        "memory.listLogs",
        "List daily logs",
        "List the daily logs of memory, the newest first.",
        (_PROFILE,),
        _list_logs,
    ),
    _tool(
        "memory.getFile",
        "Read a memory file",
        "Read a whole memory file; `hash` is the version that `memory.writeFile` needs.",
        (_PATH, _PROFILE, CURSOR),
        _get_file,
    ),
    _tool(
        "memory.writeFile",
        "Write a memory file",
        "Replace the whole text of a memory file. Keep each `<secret:…>` of "
        "`memory.getFile` as it is. A record cannot be removed: use `forget`.",
        (
            _PATH,
            Field("content", required=True, longest=0),
            Field(
                "hash",
                about="of `memory.getFile`; needed unless the file is new",
                also=("if_hash",),
            ),
            _PROFILE,
        ),
        _write_file,
    ),
)
"""The tools, in listing order."""
