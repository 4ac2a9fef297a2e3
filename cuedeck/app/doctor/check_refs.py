"""Checks of refs: unresolved refs, ref cycles, and docs without incoming refs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from cuedeck.app.doctor.check_cards import near_card
from cuedeck.app.doctor.check_context import CheckContext, ResolvedLink
from cuedeck.app.own_files import command_for
from cuedeck.graph.resolve_ref import LEDGERS, resolve, split_ref
from cuedeck.model.address import join_anchor, split_anchor
from cuedeck.model.display import quoted
from cuedeck.model.file import UNREADABLE, Diagnostic, Level
from cuedeck.model.paths import CONFIG
from cuedeck.model.scene_values import Target, Unresolved
from cuedeck.parse.parse_file import kind_of
from cuedeck.parse.settings_file import setter_of
from cuedeck.store.fs.workspace_files import presence

_SHOWN = 5
"""Number of candidates in a hint."""


def check_refs(view: CheckContext) -> Iterator[Diagnostic]:
    """Find refs that are dead, ambiguous, or outside the workspace."""
    return unresolved(view, view.leads)


def unresolved(view: CheckContext, leads: Iterable[ResolvedLink]) -> Iterator[Diagnostic]:
    """Yield a finding for each of the given links that does not resolve to a single target in the workspace."""
    for lead in leads:
        if isinstance(lead.found, Unresolved):
            level, code, message, hint = _REASONS[lead.found.reason](view, lead, lead.found)
            setter = setter_of("scene.pinned", view.workspace.environ) if lead.kind == "config" else CONFIG
            if setter == CONFIG:
                yield Diagnostic(lead.source, _line(view, lead), level, code, message, hint)
            else:
                yield Diagnostic(".", 0, level, code, f"{setter}: {message}", hint)


_Told = tuple[Level, str, str, str]
"""Level, code, message and hint of an unresolved ref."""


def _missing(view: CheckContext, lead: ResolvedLink, found: Unresolved) -> _Told:
    path, _ = split_anchor(found.ref)
    ledger = path.partition(":")[0]
    if path.startswith(LEDGERS):
        name = path.removeprefix(ledger + ":")
        return _level(lead), "unknown-record", f"there is no {ledger} `{name}`", "check the id, or remove the ref"
    if ledger == "card":
        near = near_card(view, path[5:])
        hint = f"did you mean `card:{near}`?" if near else "`cuedeck list --status all` lists the cards"
        return _level(lead), "dead-ref", f"`{found.ref}` is not a card", hint
    why = _unread(view, lead.source, path.strip())
    if why:
        own = _own_command(view, lead.source, path.strip())
        hint = f"`{own}` shows what it holds" if own else "change the ignore rules if scenes should show it"
        # A link in prose may point to an unread file; a ref requests content that the scene cannot show.
        level: Level = "error" if lead.link.form == "refs" else "info"
        return level, "unread-ref", f"`{found.ref}` is not indexed: {why}", hint
    if lead.link.form == "markdown" and path in view.labels:
        return "info", "unread-ref", f"`{found.ref}` is a label of {view.labels[path]}, not a path", "refs name files"
    if lead.link.form == "markdown" and path.startswith("/"):
        # In docs of a web site such links are relative to the root of the site, which may differ from the workspace.
        hint = _did_you_mean(view, lead, found) or "make it relative to this file"
        return "warning", "dead-ref", f"`{found.ref}` has no target below the root of the workspace", hint
    hint = _did_you_mean(view, lead, found) or "correct or remove it"
    # Documentation sites link pages without a suffix, and may prefix file names with numbers.
    level = "warning" if _is_prose(lead) and not posixpath.splitext(path)[1] else _level(lead)
    return level, "dead-ref", f"`{found.ref}` has no target", hint


def _anchor(view: CheckContext, lead: ResolvedLink, found: Unresolved) -> _Told:
    path, anchor = split_ref(found.ref, lead.link.form, lead.source, view.index)
    target = _target(view, lead, path)
    where = f"`{path}`" if path else "this file"
    message = f"{where} has no `#{anchor}`"
    file = view.index.file(target) if target else None
    if file is not None and file.kind == "binary":
        return "info", "unread-anchor", f"{where} is not text, so `#{anchor}` means nothing", "refer to the whole file"
    if file is not None and _marked(view, file.path, anchor):
        message = f"{where} marks `#{anchor}` in a form that CueDeck does not support"
        return "info", "unread-anchor", message, "scenes know headings, ^block ids, symbols and lines (#L10-L40)"
    if file is not None and not found.suggestion and not file.sections and not file.symbols:
        hint = "use lines, such as #L10-L40"
        if file.kind in ("card", "doc"):
            hint = "the file has no headings: refer to the whole file"
        level: Level = "warning" if lead.link.form == "markdown" else _level(lead)
        return level, "dead-anchor", message, hint
    return (
        # On a documentation site a folder may be a page.
        "warning" if file is None and _is_prose(lead) else _level(lead),
        "dead-anchor",
        message,
        _did_you_mean(view, lead, found) or "correct it, or refer to the whole file",
    )


def _ambiguous(view: CheckContext, lead: ResolvedLink, found: Unresolved) -> _Told:
    return (
        _level(lead),
        "ambiguous-ref",
        f"`{found.ref}` matches several addresses",
        f"name one: {', '.join(found.candidates)}",
    )


def _outside(view: CheckContext, lead: ResolvedLink, found: Unresolved) -> _Told:
    hint = "only files of the workspace can be shown in scenes"
    return "warning", "ref-outside", f"`{found.ref}` is outside the workspace", hint


def _unreadable(view: CheckContext, lead: ResolvedLink, found: Unresolved) -> _Told:
    file = view.index.file(found.candidates[0])
    why = file.fault if file else "cannot be read"
    return _level(lead), "unread-ref", f"`{found.ref}` {why}", "check the permissions of the file"


_REASONS = {
    "missing": _missing,
    "anchor": _anchor,
    "ambiguous": _ambiguous,
    "outside": _outside,
    UNREADABLE: _unreadable,
}


def _is_prose(lead: ResolvedLink) -> bool:
    """Return whether a link is a Markdown link in a doc, written for readers (perhaps of a site), not for scenes."""
    return lead.kind == "doc" and lead.link.form == "markdown"


def _level(lead: ResolvedLink) -> Level:
    """Return the level of a dead ref: a warning for `[[…]]` in source code, which often is not a link."""
    return "warning" if lead.kind == "source" and lead.link.form == "wiki" else "error"


def _did_you_mean(view: CheckContext, lead: ResolvedLink, found: Unresolved) -> str:
    near = found.suggestion if found.reason == "anchor" else _near_path(found)
    if not near:
        return ""
    path, anchor = split_anchor(near)
    if lead.link.form == "markdown":
        file = view.index.file(path)
        slugs = {section.title: section.slug for section in file.sections} if file else {}
        relative = "" if path == lead.source else posixpath.relpath(path, posixpath.dirname(lead.source))
        is_secret = view.index.holds_secret(anchor)
        near = join_anchor(relative, anchor if is_secret else slugs.get(anchor, anchor))
    return f"did you mean `{near}`?"


def _near_path(found: Unresolved) -> str:
    """Return the nearest path of the kind that the ref's suffix indicates; without a suffix, a card or doc."""
    path, _ = split_anchor(found.ref)
    kind = kind_of(path) if posixpath.splitext(path)[1] else "doc"
    kinds = ("card", "doc") if kind in ("card", "doc") else (kind,)
    return next((near for near in found.candidates if kind_of(split_anchor(near)[0]) in kinds), "")


def _unread(view: CheckContext, source: str, path: str) -> str:
    """Return why the target of an unresolved ref is not read although it is valid; empty if the target is missing.

    A path that the ignore rules match need not exist: generated docs are missing from a fresh checkout.
    """
    for place in _folders(source, path):
        whole = posixpath.normpath(posixpath.join(place, path.lstrip("/")))
        if whole in (".", "..") or whole.startswith("../"):
            continue
        there = presence(view.paths, whole) or presence(view.paths, f"{whole}.md")
        if there:
            return "the folder is empty or ignored" if there == "folder" else "the file is ignored"
        if place != ".cuedeck" and "/" in whole and view.workspace.tree.ignored(whole):
            return "the ignore rules exclude this path"
    return ""


def _own_command(view: CheckContext, source: str, path: str) -> str:
    """Return the command that shows a private file named by a ref; empty if the ref does not name one."""
    wholes = (posixpath.normpath(posixpath.join(place, path.lstrip("/"))) for place in _folders(source, path))
    return next((command for whole in wholes if (command := command_for(view.workspace, whole))), "")


def _folders(source: str, path: str) -> Sequence[str]:
    """Return the base folders for resolving a ref of `source`, in order."""
    return ("",) if path.startswith("/") else (posixpath.dirname(source), "", ".cuedeck")


def _target(view: CheckContext, lead: ResolvedLink, path: str) -> str:
    """Return the path of the file in which the anchor of a link was searched; empty if it does not resolve."""
    if not path:
        return lead.source
    whole = resolve(lead.link._replace(ref=path), lead.source, view.index)
    return whole.path if isinstance(whole, Target) else ""


def _marked(view: CheckContext, path: str, anchor: str) -> bool:
    """Return whether a file defines an anchor explicitly: `<a id="x">`, `{#x}`, `(x)=`, `.. _x:`."""
    name = re.escape(anchor)
    pattern = rf"\b(?:id|name)\s*=\s*[\"']?{name}[\"'\s>/]|\{{[^}}\n]*#{name}[\s}}]|^\({name}\)=|^\.\. _`?{name}`?:"
    return re.search(pattern, view.text(path), re.MULTILINE | re.IGNORECASE) is not None


def _line(view: CheckContext, lead: ResolvedLink) -> int:
    if lead.kind != "config":
        return lead.link.line
    from cuedeck.store.fs.disk import read_bytes

    rows = (read_bytes(view.paths.config) or b"").decode("utf-8", "replace").split("\n")
    return next((number for number, row in enumerate(rows, 1) if lead.link.ref in row), 0)


def check_ref_cycles(view: CheckContext) -> Iterator[Diagnostic]:
    """Find files whose refs form a cycle, with its full path; links within one file do not count."""
    from cuedeck.graph.cycles import find_cycles

    edges: dict[tuple[str, str], int] = {}
    for lead in view.leads:
        if isinstance(lead.found, Target) and lead.found.kind not in ("folder", "binary") and lead.kind != "config":
            edges.setdefault((lead.source, lead.found.path), lead.link.line)
    for circle in find_cycles(edges):
        message = f"refs form a cycle: {' → '.join(circle)}"
        hint = "scenes are still built; `cuedeck scene --strict` fails"
        yield Diagnostic(circle[0], edges[circle[0], circle[1]], "warning", "ref-cycle", message, hint)


def check_unused_docs(view: CheckContext) -> Iterator[Diagnostic]:
    """Find docs of `.cuedeck/docs/` without a ref from another file."""
    reached = {
        lead.found.path for lead in view.leads if isinstance(lead.found, Target) and lead.found.path != lead.source
    }
    folders = tuple(sorted(path for path in reached if path.endswith("/")))
    for file in view.docs:
        if file.path not in reached and not file.path.startswith(folders):
            hint = f"cuedeck card ref add CARD {quoted(file.path)}"
            yield Diagnostic(file.path, 0, "info", "unused-doc", "no card or doc refers to it", hint)
