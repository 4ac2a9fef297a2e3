"""Code actions, code lenses, inlay hints, and the commands behind them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.diff_scenes import written_size
from cuedeck.context.scene.suggest_refs import suggest
from cuedeck.graph.anchors import written
from cuedeck.model.address import split_anchor
from cuedeck.model.errors import CueDeckError
from cuedeck.model.file import CLOSED, File, Link
from cuedeck.model.paths import DOCS
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Unresolved
from cuedeck.parse.frontmatter_edit import add_item
from cuedeck.parse.text_edit import Swap, swaps_between
from cuedeck.shells.lsp.edits import can_operate, workspace_edit
from cuedeck.shells.lsp.hover import entries_about
from cuedeck.shells.lsp.view import title_line

if TYPE_CHECKING:
    from cuedeck.parse.ref_spans import RefSpan
    from cuedeck.shells.lsp.view import View

ACTIVATE, DONE, INIT = "cuedeck.activate", "cuedeck.done", "cuedeck.init"
COMMANDS = {
    ACTIVATE: "card activate",
    DONE: "card done",
    INIT: "init",
}
"""Operation of each command of the protocol."""
_MOST_SUGGESTED = 5


def code_actions(view: View, params: Any) -> list[Json]:
    """Return the repairs of dead refs in a range, and refs that the card lacks."""
    start = view.offset(params.range.start)
    end = view.offset(params.range.end)
    found: list[Json] = []
    for span in view.spans:
        if span.touches(start, end):
            missing = view.resolve(span.link)
            if isinstance(missing, Unresolved):
                found += _repairs(view, span, missing)
    wanted = params.context.only or ("refactor",)
    is_asked = params.context.trigger_kind != types.CodeActionTriggerKind.Automatic
    if is_asked and "refactor" in wanted:
        found += _suggested(view, params.range.start.line)
    return found


def _repairs(view: View, span: RefSpan, missing: Unresolved) -> Iterator[Json]:
    for address in missing.candidates[:_MOST_SUGGESTED]:
        instead = written(
            address,
            span.link.form,
            view.path,
            view.index,
        )
        edit = {view.path: [Swap(span.start, span.end, instead)]}
        yield _action(
            f"Replace by `{instead}`",
            "quickfix",
            workspace_edit(view, edit),
        )
    path = _missing_doc(view, span.link)
    if missing.reason == "missing" and path and can_operate(view, "create"):
        title = posixpath.basename(path).removesuffix(".md").replace("-", " ")
        create = {
            "kind": "create",
            "uri": view.uri(path),
        }
        text = {path: [Swap(0, 0, f"# {title}\n")]}
        changes = workspace_edit(view, text, create)
        changes["documentChanges"].reverse()  # the file is created first
        yield _action(
            f"Create {path}",
            "quickfix",
            changes,
        )


def _missing_doc(view: View, link: Link) -> str:
    """Return the path of the doc that a dead ref asks for; empty for another file."""
    path = split_anchor(link.ref)[0]
    suffix = posixpath.splitext(path)[1]
    if not path or ":" in path or suffix not in ("", ".md"):
        return ""
    path = path.removesuffix(".md") + ".md"
    if link.form == "markdown":
        path = posixpath.join(posixpath.dirname(view.path), path)
    elif "/" not in path or link.form == "mention":
        path = f"{DOCS}/{path}"
    path = posixpath.normpath(path.lstrip("/"))
    return "" if path.startswith("../") else path


def _suggested(view: View, line: int) -> Iterator[Json]:
    """Yield an action for each ref that `suggest` proposes for the card, at a line of
    its front matter.
    """
    file = view.file
    if file is None or file.card is None or line + 1 >= file.body:
        return
    text, data = view.document.source, view.document.data
    found = suggest(view.workspace, view.path, _MOST_SUGGESTED)
    for row in found["suggestions"]:
        changed = add_item(data, "refs", row["address"])
        swaps = swaps_between(text, changed.decode("utf-8", "surrogatepass"))
        title = f"Add the ref `{row['address']}`: {row['why']}"
        edit = workspace_edit(view, {view.path: [*swaps]})
        yield _action(
            title,
            "refactor",
            edit,
        )


def _action(title: str, kind: str, edit: Json) -> Json:
    return {
        "title": title,
        "kind": kind,
        "edit": edit,
    }


# --- lenses, hints and commands


def code_lenses(view: View, params: Any) -> list[Json]:
    """Return the lenses of a card: the tokens of its scene, and changes of its
    status.
    """
    file = view.file
    if file is None or file.card is None:
        return []
    where = view.document.line_range(title_line(file))
    uri = view.document.uri
    lenses: list[Json] = [
        {
            "range": where,
            "data": {"uri": uri},
        }
    ]
    commands = {}
    if not view.is_active:
        commands["activate"] = ACTIVATE
    if file.card.status not in CLOSED:
        commands["done"] = DONE
    for title, command in commands.items():
        run = {
            "title": title,
            "command": command,
            "arguments": [uri],
        }
        lenses.append(
            {
                "range": where,
                "command": run,
            }
        )
    return lenses


def scene_cost(view: View, lens: Json) -> Json:
    """Return a lens with the tokens of the scene of the card."""
    return {
        **lens,
        "command": {
            "title": _cost(view),
            "command": "",
        },
    }


def _cost(view: View) -> str:
    """Return the tokens of the scene of a card as it is on disk."""
    size = None
    if view.is_active:  # its scene is built after a save
        size = written_size(view.workspace.paths, view.path)
    try:
        if size is None:
            with view.index.as_stored():
                report = make_scene(view.workspace, Request(card=view.path)).report
            size = report["tokens"], report["budget"]
    except CueDeckError:
        return "no scene"
    state = "active · " if view.is_active else ""
    return f"{state}scene: {size[0]:,} of {size[1]:,} tokens"


def inlay_hints(view: View, params: Any) -> list[Json]:
    """Return the cost of a card behind its title, and behind definitions in code the
    decisions and failed attempts about them.
    """
    file = view.file
    rows: list[tuple[int, str, str]] = []
    if file is not None and file.card is not None and view.is_active:
        rows.append((max(1, title_line(file)), _cost(view), "the scene of this card"))
    if file is not None and file.kind == "source":
        rows += _entry_hints(view, file)
    hints = []
    for line, label, tooltip in rows:
        if params.range.start.line < line <= params.range.end.line + 1:
            end = view.document.line_range(line)["end"]
            hint = {
                "position": end,
                "label": label,
                "tooltip": tooltip,
            }
            hints.append(
                {
                    **hint,
                    "paddingLeft": True,
                }
            )
    return hints


def _entry_hints(view: View, file: File) -> Iterator[tuple[int, str, str]]:
    """Yield line, label and tooltip for each definition that a stale decision or a
    failed attempt is about; for the whole file at its first line.
    """
    lines = {"": 1}
    for symbol in file.symbols:
        lines[symbol.name] = symbol.head
    for entry in entries_about(view, view.path):
        word = "failed attempt"
        if entry["kind"] == "decision":
            word = f"{entry['mark']} decision"
        if word == "fresh decision":
            continue
        for address in entry["places"]:
            path, anchor = split_anchor(address)
            if path == view.path and anchor in lines:
                yield lines[anchor], f"{word} {entry['id']}", entry["line"]
