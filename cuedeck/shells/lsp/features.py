"""The table of features: what the server answers, to clients that announce it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

from cuedeck.shells.lsp import actions, complete_refs, navigation, rename
from cuedeck.shells.lsp.diagnostics import diagnose, report
from cuedeck.shells.lsp.hover import hover

if TYPE_CHECKING:
    from cuedeck.shells.lsp.view import View


class Feature(NamedTuple):
    """A request of clients."""

    capability: str
    """Capability of a client that sends it."""
    answer: Callable[[View, Any], Any]
    """Answers from the view of the document; an item that the client sends back is
    JSON.
    """
    options: Any = None
    nothing: Any = None
    """The answer outside every workspace, and after an error of the workspace."""


CHANGES = (types.TEXT_DOCUMENT_RENAME, types.WORKSPACE_WILL_RENAME_FILES)
"""Requests that fail with the reason of an error."""
_RENAMED = [
    types.FileOperationFilter(types.FileOperationPattern(glob, kind), scheme="file")
    for glob, kind in (
        ("**/*.md", types.FileOperationPatternKind.File),
        ("**", types.FileOperationPatternKind.Folder),
    )
]
"""Files and folders whose refs follow a rename by the editor."""

FEATURES: Mapping[str, Feature] = {
    types.TEXT_DOCUMENT_DIAGNOSTIC: Feature(
        "text_document.diagnostic",
        diagnose,
        types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False
        ),
        report(),
    ),
    types.TEXT_DOCUMENT_COMPLETION: Feature(
        "text_document.completion",
        complete_refs.completion,
        types.CompletionOptions(trigger_characters=complete_refs.TRIGGERS),
    ),
    types.COMPLETION_ITEM_RESOLVE: Feature(
        "text_document.completion", complete_refs.first_lines
    ),
    types.TEXT_DOCUMENT_DEFINITION: Feature(
        "text_document.definition", navigation.definition
    ),
    types.TEXT_DOCUMENT_REFERENCES: Feature(
        "text_document.references", navigation.references
    ),
    types.TEXT_DOCUMENT_HOVER: Feature("text_document.hover", hover),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: Feature(
        "text_document.document_link", navigation.document_links
    ),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: Feature(
        "text_document.document_symbol", navigation.document_symbols
    ),
    types.WORKSPACE_SYMBOL: Feature("workspace.symbol", navigation.workspace_symbols),
    types.TEXT_DOCUMENT_PREPARE_RENAME: Feature(
        "text_document.rename", rename.prepare_rename
    ),
    types.TEXT_DOCUMENT_RENAME: Feature(
        "text_document.rename",
        rename.rename,
        types.RenameOptions(prepare_provider=True),
    ),
    types.WORKSPACE_WILL_RENAME_FILES: Feature(
        "workspace.file_operations.will_rename",
        rename.rename_files,
        types.FileOperationRegistrationOptions(_RENAMED),
    ),
    types.TEXT_DOCUMENT_CODE_ACTION: Feature(
        "text_document.code_action",
        actions.code_actions,
        types.CodeActionOptions(["quickfix", "refactor"]),
    ),
    types.TEXT_DOCUMENT_CODE_LENS: Feature(
        "text_document.code_lens", actions.code_lenses
    ),
    types.CODE_LENS_RESOLVE: Feature("text_document.code_lens", actions.scene_cost),
    types.TEXT_DOCUMENT_INLAY_HINT: Feature(
        "text_document.inlay_hint", actions.inlay_hints
    ),
}
"""Features by the method of their request."""
