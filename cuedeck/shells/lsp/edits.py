"""Edits of several files, in the form that the client announced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.model.errors import Invalid
from cuedeck.model.ports import Json
from cuedeck.shells.call import Answer, emit

if TYPE_CHECKING:
    from cuedeck.shells.lsp.document import Document
    from cuedeck.shells.lsp.view import View

Edits = dict[str, list[Json]]
"""Ranges with their new texts, by path."""
_CHANGES = "workspace.workspace_edit.document_changes"
_OPERATIONS = "workspace.workspace_edit.resource_operations"


def replace(document: Document, start: int, end: int, text: str) -> Json:
    """Return the edit that replaces the characters between two offsets."""
    return {
        "range": document.range(start, end),
        "newText": text,
    }


def workspace_edit(view: View, edits: Edits, *operations: Json) -> Json:
    """Return the edits of files by path, then operations such as the rename of a file.

    Raises: Invalid if the client cannot do an operation, or if a text contains a
    secret, which would be written with a placeholder.
    """
    for each in operations:
        if each["kind"] not in (view.capability(_OPERATIONS) or ()):
            raise Invalid(
                f"this editor cannot {each['kind']} files",
                hint="do it on the command line, then save the refs",
            )
    used = {path: list(each) for path, each in sorted(edits.items()) if each}
    answer: Json = {}
    if not (operations or view.capability(_CHANGES)):
        answer["changes"] = {view.uri(path): each for path, each in used.items()}
    else:
        changes: list[Json] = []
        for path, rows in used.items():
            document = view.document_of(path)
            identity = {
                "uri": view.uri(path),
                "version": document.version,
            }
            changes.append(
                {
                    "textDocument": identity,
                    "edits": rows,
                }
            )
        answer["documentChanges"] = [*changes, *operations]
    if emit(Answer(answer), view.workspace).value != answer:
        raise Invalid(
            "the change contains a secret, so it was not made",
            hint="remove the secret from the names first",
        )
    return answer
