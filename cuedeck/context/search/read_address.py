"""Reading the text of an address."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from cuedeck.context.search.symbol_addresses import symbols_named
from cuedeck.engine.citations import address_of_place
from cuedeck.graph.address_lookup import resolve_address
from cuedeck.knowledge.memory.read_memory_file import (
    memory_file_at,
    parse_memory_address,
    possible_splits,
    read_memory_file,
)
from cuedeck.knowledge.recall.recall_sources import EXTRA, read_extra
from cuedeck.model.address import join_anchor, split_anchor
from cuedeck.model.cortex_address import is_cortex_address
from cuedeck.model.entry_node import CORTEX_KIND, is_entry_address
from cuedeck.model.errors import NotFound, StorageError
from cuedeck.model.formatting import quoted
from cuedeck.model.paths import HOME
from cuedeck.model.ports import Json
from cuedeck.parse.fence import NumberedLine, number_lines
from cuedeck.store.files.workspace_files import presence

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.scene_values import Target
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.files.tree import Tree
    from cuedeck.store.workspace_paths import WorkspacePaths


def read_address(workspace: Workspace, text: str, *, numbers: bool = False) -> Json:
    """Return the masked text of an address, with its lines and token count.

    With `numbers`, each line of a file begins with its number in the file, as in a
    scene. A memory file has its hash, too. Raises: NotFound with the nearest matches,
    Ambiguous with the candidates, StorageError for an unreadable file.
    """
    if text.startswith(EXTRA):
        return read_extra(workspace, text, numbers=numbers)
    if is_cortex_address(text.strip()):
        return _read_cortex(workspace, text, numbers=numbers)
    workspace.refresh()
    splits = _memory_splits(text)
    for path, anchor in splits:
        found = memory_file_at(workspace, path)
        if found is not None:
            return _read_memory(workspace, *found, anchor, numbers=numbers)
    try:
        return workspace.settled(lambda: _read(workspace, text, numbers=numbers))
    except NotFound:
        # A path is looked up below `.cuedeck/`, too, after all files of the workspace.
        splits += _memory_splits(address_of_place(workspace.paths, text))
        for path, anchor in splits:
            found = memory_file_at(workspace, prefer_memory(workspace, path))
            if found is not None:
                return _read_memory(workspace, *found, anchor, numbers=numbers)
        raise


def _memory_splits(text: str) -> list[tuple[str, str]]:
    """Return the ways to split an address into a normalised path and an anchor."""
    return [
        (posixpath.normpath(path), anchor)
        for path, anchor in possible_splits(text.strip())
    ]


def prefer_memory(workspace: Workspace, path: str) -> str:
    """Return the path of an existing memory file below `.cuedeck/` that is given
    without this folder, such as `MEMORY.md`; any other path unchanged.
    """
    below = f"{HOME}/{path}"
    found = memory_file_at(workspace, below)
    if found is None:
        return path
    memory, name = found
    return path if memory.print(name) is None else below


def _read_memory(
    workspace: Workspace, memory: MemoryFiles, name: str, anchor: str, *, numbers: bool
) -> Json:
    lines = parse_memory_address(memory, join_anchor(name, anchor)).lines
    answer = read_memory_file(workspace, memory, name, lines)
    if numbers and answer["text"]:
        rows = answer["text"].removesuffix("\n").split("\n")
        numbered = [
            NumberedLine(number, row)
            for number, row in enumerate(rows, answer["lines"][0])
        ]
        printed = [f"{row}\n" for row in number_lines([numbered])]
        answer["text"] = "".join(printed)
    counter = workspace.counter()
    tokens = counter.count(answer["text"])
    counter.save()
    return {**answer, "tokens": tokens}


def resolve_readable(workspace: Workspace, text: str) -> Target:
    """Return the target of an address entered by a user.

    Raises: the errors of `resolve_address`, with symbols of that name as candidates;
    StorageError for an unreadable file.
    """
    try:
        target = resolve_address(text, workspace.index)
    except NotFound as error:
        address = address_of_place(workspace.paths, text)
        try:
            target = resolve_address(address, workspace.index)
        except NotFound:
            hidden = _hidden_file(
                workspace.paths, workspace.settings, workspace.tree, address
            )
            raise (
                hidden
                or symbols_named(workspace.corpus, workspace.index, text)
                or error
            ) from None
    file = workspace.index.file(target.path)
    if file is not None and file.fault:
        raise StorageError(f"{file.path} {file.fault}", hint="check its permissions")
    return target


def _hidden_file(
    paths: WorkspacePaths, settings: Settings, tree: Tree, text: str
) -> NotFound | None:
    """Return the error for a file that is private to CueDeck or that the ignore rules
    exclude.
    """
    from cuedeck.work.assumptions.access_policy import command_for

    path = posixpath.normpath(split_anchor(text)[0])
    if path.startswith(".."):
        return None
    command = command_for(paths, settings, path)
    if command:
        return NotFound(
            f"`{path}` is private to CueDeck and has no address",
            hint=f"see `{command}`",
        )
    if not presence(paths, path) or not tree.ignored(path):
        return None
    rules = "a rule of .cuedeckignore, .ignore or files.ignore"
    hint = f"{rules}, or the one `git check-ignore -v -- {quoted(path)}` names"
    return NotFound(f"`{path}` is not indexed: the ignore rules exclude it", hint=hint)


def _read(workspace: Workspace, text: str, *, numbers: bool) -> Json:
    target = resolve_readable(workspace, text)
    mask = workspace.answer_mask()
    path = target.path
    lines = [target.start, target.end]
    if target.kind == CORTEX_KIND:
        return _read_cortex(workspace, target.address, numbers=numbers)
    if is_entry_address(target.address):
        from cuedeck.context.search.ledger_entries import LedgerEntries

        shown = LedgerEntries(workspace).shown(target.address)
        path, body = shown.path, mask.plain(shown.text())
        lines = [shown.line, shown.line]
    elif target.kind == "folder":
        body = "".join(
            f"{file}\n" for file in workspace.index.folder(target.path.rstrip("/"))
        )
    elif target.kind == "binary":
        body = ""
    else:
        spans = [(target.start, target.end)]
        body = mask.lines(path, spans)[0]
        if numbers:
            rows = number_lines(mask.numbered(path, spans))
            body = "".join(f"{row}\n" for row in rows)
    counter = workspace.counter()
    tokens = counter.count(body)
    counter.save()
    return {
        "address": target.address,
        "path": path,
        "kind": target.kind,
        "lines": lines,
        "tokens": tokens,
        "text": body,
    }


def _read_cortex(workspace: Workspace, text: str, *, numbers: bool) -> Json:
    from cuedeck.knowledge.cortex.cortex_nodes import (
        read_cortex,  # loads parsers and layers
    )

    return read_cortex(workspace, text, numbers=numbers)
