"""Calls of operations for the page, with arguments from a form or from JSON. Secrets
are masked once, in the complete answer to the browser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.engine.mask_answers import error_report, mask_value
from cuedeck.model.errors import CueDeckError, Invalid, NotFound, Stale
from cuedeck.model.ports import Json, JsonView
from cuedeck.shells.call import Call, Raw
from cuedeck.shells.operation import COMMANDS, OPERATIONS, Operation, load
from cuedeck.shells.tool_fields import field_of, read_arguments

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

READS = frozenset(
    re.split(
        r",\s+",
        """assumption list, attempt list, capture status, card deps, card list, card show,
    card validate, config check, config show, cortex abstract, cortex explore,
    cortex ls, cortex overview, cortex read, cortex search, cortex sessions,
    cortex tree, decision list, decision show, dream diary, dream status,
    experience list, experience query, find, layers status, layers verify, list,
    memory context, memory integrity, memory list, memory read, memory show,
    memory stats, progress list, read, recall, scene diff, session list, session show,
    session status, why""",
    )
)
"""Operations that write nothing; the only ones of a server that only reads."""
_NOT_SERVED = (
    "backfill", "completion", "exchange", "hook", "lsp", "mcp", "open", "setup", "start", "watch", "web",
)  # fmt: skip
"""Operations that do not end, need a terminal, read or change files of the user outside
the workspace, or send data to another machine."""
_SHOWN = {
    "card edit": ("card show", "name", "card"),
    "memory edit": ("memory show", "identity", ""),
}
"""For operations that replace fields: the one that shows them, the parameter that names
the entry, and the part of the answer.
"""
_NOT_GIVEN = frozenset(("allow_secret", "copy", "folder", "out", "to_stdout"))
"""Parameters that lead out of the workspace, or that only a terminal has."""


class Asking:
    """Runs operations on the workspace of an engine, in its thread."""

    def __init__(self, workspace: LiveWorkspace) -> None:
        self.workspace = workspace

    def __call__(self, name: str, /, **given: Any) -> Json:
        """Return the value of an operation; of one that fails, an object with the key
        `error`, so that the rest of a page is shown.
        """
        try:
            return self.run(operation_of(name), given)
        except CueDeckError as error:
            return {"error": self.report(error)}

    def memory(self) -> MemoryFiles:
        """Return the memory of the workspace."""
        return _PageCall(self.workspace).memory()

    def report(self, error: CueDeckError) -> Json:
        """Return an error with masked secrets."""
        return error_report(error, self.workspace)

    def run(self, operation: Operation, given: JsonView) -> Json:
        """Return the value of an operation. Raises: CueDeckError."""
        answer = operation.answer(_PageCall(self.workspace), given)
        if isinstance(answer, int):
            return {}
        value: Json | list[Json] = answer.value
        if isinstance(value, Raw):
            value = json.loads(value)
        return {"rows": value} if isinstance(value, list) else value

    def check_seen(self, name: str, given: JsonView, seen: Mapping[str, str]) -> None:
        """Compare fields of an entry with the texts that the person saw before they
        changed them. Raises: Stale if one differs, Invalid if no field is given.
        """
        if name not in _SHOWN:
            return
        show, key, part = _SHOWN[name]
        if not given.keys() - {key}:
            raise Invalid("no field was changed", hint="change one, then save")
        found = self.run(operation_of(show), {key: given.get(key, "")})
        found = mask_value(found, self.workspace, is_answer=True)
        current = found[part] if part else found
        for field, text in seen.items():
            if str(current.get(field) or "") != text.replace("\r\n", "\n"):
                raise Stale(
                    f"the {field} was changed meanwhile, so nothing was written",
                    hint="reload the page, then change it again",
                )


class _PageCall(Call):
    """The call of an operation by a page."""

    def __init__(self, workspace: LiveWorkspace) -> None:
        super().__init__()
        self.opened: LiveWorkspace = workspace
        self.json = True

    @property
    def start(self) -> str:
        """The folder of the workspace: the page has no current folder."""
        return self.opened.paths.root


def operation_of(name: str) -> Operation:
    """Return an operation that the page may call. Raises: NotFound."""
    first = name.partition(" ")[0]
    if first in COMMANDS and name not in _NOT_SERVED:
        load(name)
        if name in OPERATIONS:
            return OPERATIONS[name]
    raise NotFound(
        f"the page has no operation `{name[:60]}`", hint="`cuedeck help all` lists all"
    )


def arguments_of(operation: Operation, given: JsonView) -> Json:
    """Return the arguments of an operation from JSON, or from the texts of a form.

    Raises: Invalid, which names the argument.
    """
    fields = []
    for param in operation.params():
        if param.name not in _NOT_GIVEN:
            field = field_of(param.name, param, param.help)
            fields.append(field._replace(required=param.is_required))
    values = read_arguments(fields, given)
    return {name: value for name, value in values.items() if name in given}
