"""Only `nofollow` changes files: a call that could follow a link is found in the
source, whoever writes it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source_trees import SourceModule, source_modules

_OS = frozenset([
    "open", "replace", "rename", "renames", "mkdir", "makedirs", "unlink", "remove", "rmdir", "removedirs", "link",
    "symlink", "chmod", "utime", "truncate",
])  # fmt: skip
_WRITING = set("wax+")
_PATHLIB = frozenset(
    ["write_text", "write_bytes", "touch", "symlink_to", "hardlink_to"]
)
_OWN = ("nofollow", "session_notes")
"""Modules with functions of the same names."""
ALLOWED = {
    "store/files/nofollow.py": "the one place that opens, renames and removes",
    "store/files/disk.py": "reads files of users; writes to a device that a person names",
    "store/files/clipboard.py": "/dev/tty",
    "store/git/git_process.py": "a temporary folder of its own, outside of the workspace",
    "store/index/parallel_read.py": "a pipe",
    "store/index/schema.py": "SQLite takes a path only, which `check_database` has checked",
    "shells/hook/responder.py": "the null device",
    "shells/cli/cli_main.py": "the null device",
}
"""Files that may, and why."""


def calls(module: SourceModule) -> Iterator[str]:
    """Yield the calls in a module that could write through a link."""
    for node in module.nodes:
        if isinstance(node, ast.Call) and (found := _name(node)):
            yield f"{module.place}:{node.lineno} {found}"


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in _OS:
            return f"os.{name}"
        case ast.Attribute(value=ast.Name(id="shutil"), attr=name) if name != "which":
            return f"shutil.{name}"
        case ast.Attribute(value=ast.Name(id="sqlite3"), attr="connect"):
            return "sqlite3.connect"
        case ast.Attribute(attr=name) if name in _PATHLIB:
            of = call.func.value
            is_own = isinstance(of, ast.Name) and of.id in _OWN
            return "" if is_own else f".{name}"
        case ast.Name(id="open"):
            return "open" if _writes(call) else ""
    return ""


def _writes(call: ast.Call) -> bool:
    """Return whether a call of `open` gets a path to write to, and no opener that
    refuses links.
    """
    mode = call.args[1] if len(call.args) > 1 else None
    is_writing = isinstance(mode, ast.Constant) and bool(
        set(str(mode.value)) & _WRITING
    )
    is_opened = isinstance(call.args[0], ast.Name) and call.args[0].id == "handle"
    return (
        is_writing
        and not is_opened
        and all(each.arg != "opener" for each in call.keywords)
    )


def test_only_the_allowed_modules_change_files_directly() -> None:
    found = [call for module in source_modules() for call in calls(module)]
    assert [call for call in found if call.partition(":")[0] not in ALLOWED] == []
    assert ALLOWED.keys() == {call.partition(":")[0] for call in found}
