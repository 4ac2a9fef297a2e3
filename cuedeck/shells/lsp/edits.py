"""Edits of several files, in the form that the client announced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.model.errors import Invalid
from cuedeck.model.ports import Json
from cuedeck.parse.text_edit import Swap
from cuedeck.shells.call import Answer, emit

if TYPE_CHECKING:
    from cuedeck.shells.lsp.view import View

Edits = dict[str, list[Swap]]
"""Replacements in the texts of files, by path."""
_CHANGES = "workspace.workspace_edit.document_changes"
_OPERATIONS = "workspace.workspace_edit.resource_operations"


def can_operate(view: View, kind: str) -> bool:
    """Return whether the client can create or rename files."""
    return kind in (view.capability(_OPERATIONS) or ())


def workspace_edit(view: View, edits: Edits, *operations: Json) -> Json:
    """Return the edits of files by path, then operations such as the rename of a file.

    Raises: Invalid if the client cannot do an operation, or if a text contains a
    secret, which would be written with a placeholder.
    """
    for each in operations:
        if not can_operate(view, each["kind"]):
            raise Invalid(
                f"this editor cannot {each['kind']} files",
                hint="do it on the command line, then save the refs",
            )
    answer: Json = {"changes": {}}
    changes: list[Json] = []
    for path, swaps in sorted(edits.items()):
        document = view.document_of(path)
        rows = []
        for start, end, text in swaps:
            rows.append(
                {
                    "range": document.range(start, end),
                    "newText": text,
                }
            )
        identity = {
            "uri": document.uri,
            "version": document.version,
        }
        changes.append(
            {
                "textDocument": identity,
                "edits": rows,
            }
        )
        answer["changes"][document.uri] = rows
    if operations or view.capability(_CHANGES):
        answer = {"documentChanges": [*changes, *operations]}
    if emit(Answer(answer), view.workspace).value != answer:
        raise Invalid(
            "the change contains a secret, so it was not made",
            hint="remove the secret from the names first",
        )
    return answer
