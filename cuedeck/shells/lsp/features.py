"""The table of features: what the server answers, to clients that announce it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from lsprotocol import types

from cuedeck.model.ports import Json
from cuedeck.shells.lsp import actions, complete_refs, navigation, rename
from cuedeck.shells.lsp.diagnostics import diagnose
from cuedeck.shells.lsp.edits import workspace_edit
from cuedeck.shells.lsp.hover import hover

if TYPE_CHECKING:
    from cuedeck.shells.lsp.editor_workspaces import EditorWorkspaces
    from cuedeck.shells.lsp.view import View


class Asked(Protocol):
    """A server, as its features see it."""

    places: EditorWorkspaces

    async def ask(self, uri: str, act: Callable[[View], Any], /) -> Any:
        """Return the result of a question about a document; None after an error."""
        ...

    async def demand(self, uri: str, act: Callable[[View], Any], /) -> Any:
        """Return the result of a question about a document. Raises: CueDeckError."""
        ...

    def as_json(self, params: Any, /) -> Json:
        """Return an item of the client as JSON."""
        ...


Handler = Callable[[Asked, Any], Awaitable[Any]]


class Feature(NamedTuple):
    """A request of clients."""

    capability: str
    """Capability of a client that sends it."""
    answer: Handler
    options: Any = None


def _about_document(act: Callable[[View, Any], Any]) -> Handler:
    """Return the answer to a question about a document; None if the workspace cannot
    answer it.
    """

    async def answer(server: Asked, params: Any) -> Any:
        return await server.ask(
            params.text_document.uri, lambda view: act(view, params)
        )

    return answer


def _change(act: Callable[[View, Any], Any]) -> Handler:
    """Return the answer to a request for a change, which fails with its reason."""

    async def answer(server: Asked, params: Any) -> Any:
        return await server.demand(
            params.text_document.uri, lambda view: act(view, params)
        )

    return answer


def _resolved(act: Callable[[View, Any], Any]) -> Handler:
    """Return the answer that completes an item of an earlier answer."""

    async def answer(server: Asked, params: Any) -> Any:
        item = server.as_json(params)
        found = await server.ask(item["data"]["uri"], lambda view: act(view, item))
        return found or item

    return answer


async def _search(server: Asked, params: types.WorkspaceSymbolParams) -> Any:
    """Return the symbols of all workspaces of the editor."""
    found: list[Json] = []
    for engine in server.places.engines():
        root = server.places.uri(engine.paths.root, ".cuedeck/config.toml")
        rows = await server.ask(
            root, lambda view: navigation.workspace_symbols(view, params.query)
        )
        found += rows or ()
    return found


async def _rename_files(server: Asked, params: types.RenameFilesParams) -> Any:
    """Return the edits of the refs to files that the editor is about to rename."""
    moved = params.files[0]
    place = server.places.place(moved.new_uri)
    if place is None or len(params.files) > 1:
        return None

    def act(view: View) -> Any:
        if view.file is None:
            return None
        edits = rename.move_edits(view, view.path, place.path)
        return workspace_edit(view, edits)

    return await server.demand(moved.old_uri, act)


async def _pull(server: Asked, params: types.DocumentDiagnosticParams) -> Any:
    """Return the diagnostics of a document; none outside every workspace."""
    found = await server.ask(params.text_document.uri, diagnose)
    return {
        "kind": "full",
        "items": found or [],
    }


_FILES = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*.md"), scheme="file")]
)

FEATURES: Mapping[str, Feature] = {
    types.TEXT_DOCUMENT_DIAGNOSTIC: Feature(
        "text_document.diagnostic",
        _pull,
        types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False
        ),
    ),
    types.TEXT_DOCUMENT_COMPLETION: Feature(
        "text_document.completion",
        _about_document(complete_refs.completion),
        types.CompletionOptions(trigger_characters=complete_refs.TRIGGERS),
    ),
    types.COMPLETION_ITEM_RESOLVE: Feature(
        "text_document.completion", _resolved(complete_refs.first_lines)
    ),
    types.TEXT_DOCUMENT_DEFINITION: Feature(
        "text_document.definition", _about_document(navigation.definition)
    ),
    types.TEXT_DOCUMENT_REFERENCES: Feature(
        "text_document.references", _about_document(navigation.references)
    ),
    types.TEXT_DOCUMENT_HOVER: Feature("text_document.hover", _about_document(hover)),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: Feature(
        "text_document.document_link", _about_document(navigation.document_links)
    ),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: Feature(
        "text_document.document_symbol", _about_document(navigation.document_symbols)
    ),
    types.WORKSPACE_SYMBOL: Feature("workspace.symbol", _search),
    types.TEXT_DOCUMENT_PREPARE_RENAME: Feature(
        "text_document.rename", _about_document(rename.prepare_rename)
    ),
    types.TEXT_DOCUMENT_RENAME: Feature(
        "text_document.rename",
        _change(rename.rename),
        types.RenameOptions(prepare_provider=True),
    ),
    types.WORKSPACE_WILL_RENAME_FILES: Feature(
        "workspace.file_operations.will_rename", _rename_files, _FILES
    ),
    types.TEXT_DOCUMENT_CODE_ACTION: Feature(
        "text_document.code_action",
        _about_document(actions.code_actions),
        types.CodeActionOptions(["quickfix", "refactor"]),
    ),
    types.TEXT_DOCUMENT_CODE_LENS: Feature(
        "text_document.code_lens", _about_document(actions.code_lenses)
    ),
    types.CODE_LENS_RESOLVE: Feature(
        "text_document.code_lens", _resolved(actions.scene_cost)
    ),
    types.TEXT_DOCUMENT_INLAY_HINT: Feature(
        "text_document.inlay_hint", _about_document(actions.inlay_hints)
    ),
}
"""Features by the method of their request."""
