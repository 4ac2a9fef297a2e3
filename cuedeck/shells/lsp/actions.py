"""Code actions, code lenses, inlay hints, and the commands behind them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.suggest_refs import suggest
from cuedeck.model.address import join_anchor, split_anchor
from cuedeck.model.errors import CueDeckError
from cuedeck.model.file import CLOSED
from cuedeck.model.paths import DOCS
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Unresolved
from cuedeck.parse.frontmatter_edit import add_item
from cuedeck.parse.text_edit import swaps_between
from cuedeck.shells.lsp.edits import replace, workspace_edit
from cuedeck.shells.lsp.hover import entries_about

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
            missing = view.resolve(span)
            if isinstance(missing, Unresolved):
                found += _repairs(view, span, missing)
    wanted = params.context.only or ("refactor",)
    is_asked = params.context.trigger_kind != types.CodeActionTriggerKind.Automatic
    if is_asked and "refactor" in wanted and _is_in_refs(view, start):
        found += _suggested(view)
    return found


def _repairs(view: View, span: RefSpan, missing: Unresolved) -> Iterator[Json]:
    for address in missing.candidates[:_MOST_SUGGESTED]:
        written = _like(view, span, address)
        edit = replace(
            view.document,
            span.start,
            span.end,
            written,
        )
        yield _action(
            f"Replace by `{written}`",
            "quickfix",
            workspace_edit(view, {view.path: [edit]}),
        )
    path = _missing_doc(view, span)
    creates = "create" in (
        view.capability("workspace.workspace_edit.resource_operations") or ()
    )
    if missing.reason == "missing" and path and creates:
        title = posixpath.basename(path).removesuffix(".md").replace("-", " ")
        start = {
            "line": 0,
            "character": 0,
        }
        text = {
            "range": {
                "start": start,
                "end": start,
            },
            "newText": f"# {title}\n",
        }
        create = {
            "kind": "create",
            "uri": view.uri(path),
        }
        edit = workspace_edit(view, {path: [text]}, create)
        edit["documentChanges"].reverse()  # the file is created first
        yield _action(f"Create {path}", "quickfix", edit)


def _like(view: View, span: RefSpan, address: str) -> str:
    """Return an address as it is written in the form of a ref."""
    path, anchor = split_anchor(address)
    if span.link.form == "markdown":
        near = posixpath.relpath(path, posixpath.dirname(view.path))
        return join_anchor("" if path == view.path else near, anchor)
    if span.link.form == "mention":
        for folder in (f"{DOCS}/", "docs/"):
            path = path.removeprefix(folder)
        return join_anchor(path.removesuffix(".md"), anchor)
    return address


def _missing_doc(view: View, span: RefSpan) -> str:
    """Return the path of the doc that a dead ref asks for; empty for another file."""
    path = split_anchor(span.link.ref)[0]
    suffix = posixpath.splitext(path)[1]
    if not path or ":" in path or suffix not in ("", ".md"):
        return ""
    path = path.removesuffix(".md") + ".md"
    if span.link.form == "markdown":
        path = posixpath.join(posixpath.dirname(view.path), path)
    elif "/" not in path or span.link.form == "mention":
        path = f"{DOCS}/{path}"
    path = posixpath.normpath(path.lstrip("/"))
    return "" if path.startswith("../") else path


def _is_in_refs(view: View, offset: int) -> bool:
    """Return whether an offset is in the front matter of a card."""
    file = view.file
    if file is None or file.card is None:
        return False
    line: int = view.document.position(offset)["line"]
    return line + 1 < file.body


def _suggested(view: View) -> Iterator[Json]:
    """Yield an action for each ref that `suggest` proposes for the card."""
    if view.file is None or view.file.card is None:
        return
    text = view.document.text
    data = text.encode("utf-8", "surrogatepass")
    found = suggest(view.workspace, view.path, _MOST_SUGGESTED)
    for row in found["suggestions"]:
        changed = add_item(data, "refs", row["address"])
        wanted = changed.decode("utf-8", "surrogatepass")
        edits = []
        for swap in swaps_between(text, wanted):
            edits.append(
                replace(
                    view.document,
                    swap.start,
                    swap.end,
                    swap.text,
                )
            )
        yield _action(
            f"Add the ref `{row['address']}`: {row['why']}",
            "refactor",
            workspace_edit(view, {view.path: edits}),
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
    titles = [each.start for each in file.sections if each.level == 1]
    where = view.document.line_range(titles[0] if titles else 1)
    uri = view.document.uri
    lenses: list[Json] = [
        {
            "range": where,
            "data": {"uri": uri},
        }
    ]
    commands = []
    if not view.is_active:
        commands.append(("activate", ACTIVATE))
    if file.card.status not in CLOSED:
        commands.append(("done", DONE))
    for title, command in commands:
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
            "title": _cost(view) or "no scene",
            "command": "",
        },
    }


def _cost(view: View) -> str:
    """Return the tokens of the scene of a card as it is on disk; empty without one."""
    try:
        with view.index.as_stored():
            report = make_scene(view.workspace, Request(card=view.path)).report
    except CueDeckError:
        return ""
    state = "active · " if view.is_active else ""
    return f"{state}scene: {report['tokens']:,} of {report['budget']:,} tokens"


def inlay_hints(view: View, params: Any) -> list[Json]:
    """Return the cost of a card behind its title, and behind definitions in code the
    decisions and failed attempts about them.
    """
    file = view.file
    if file is None:
        return []
    rows: list[tuple[int, str, str]] = []
    if file.card is not None and view.is_active:
        titles = [each.start for each in file.sections if each.level == 1]
        rows.append((titles[0] if titles else 1, _cost(view), ""))
    if file.kind == "source":
        rows += _entry_hints(view)
    hints = []
    for line, label, tooltip in rows:
        if label and params.range.start.line < line <= params.range.end.line + 1:
            end = view.document.line_range(line)["end"]
            hint = {
                "position": end,
                "label": label,
                "paddingLeft": True,
            }
            hints.append(
                {
                    **hint,
                    "tooltip": tooltip,
                }
                if tooltip
                else hint
            )
    return hints


def _entry_hints(view: View) -> Iterator[tuple[int, str, str]]:
    """Yield line, label and tooltip for each definition that a stale decision or a
    failed attempt is about; for the whole file at its first line.
    """
    lines = {"": 1}
    for symbol in view.file.symbols if view.file else ():
        lines[symbol.name] = symbol.head
    for entry in entries_about(view, view.path):
        is_stale = entry["mark"] != "fresh"
        if entry["kind"] == "decision" and not is_stale:
            continue
        word = f"{entry['mark']} decision" if is_stale else "failed attempt"
        if entry["kind"] == "attempt":
            word = "failed attempt"
        for address in entry["places"]:
            path, anchor = split_anchor(address)
            if path == view.path and anchor in lines:
                yield lines[anchor], f"{word} {entry['id']}", entry["line"]
