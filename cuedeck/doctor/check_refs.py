"""Checks of refs: dead, ambiguous and outside refs, cycles."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from cuedeck.doctor.check_cards import suggest_card
from cuedeck.doctor.check_context import CheckContext, ResolvedLink, check, warning
from cuedeck.graph.anchors import written
from cuedeck.graph.neighbourhood import find_cycles
from cuedeck.graph.resolve_ref import resolve, split_ref
from cuedeck.model.address import split_anchor
from cuedeck.model.cortex_address import (
    SCHEME,
    CortexAddressError,
    is_cortex_address,
    parse_layer_address,
)
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.entry_node import is_entry_address
from cuedeck.model.file import Link
from cuedeck.model.paths import CONFIG, HOME
from cuedeck.model.scene_values import Target, Unresolved
from cuedeck.parse.settings_file import setter_of
from cuedeck.store.files.workspace_files import presence
from cuedeck.work.assumptions.access_policy import command_for

_Problem = tuple[Level, str, str, str]
"""Level, code, message and hint."""


@check("refs", "each ref has exactly one target in the workspace")
def check_refs(context: CheckContext) -> Iterator[Diagnostic]:
    return diagnose_links(context, context.resolved_links)


def diagnose_links(
    context: CheckContext, links: Iterable[ResolvedLink]
) -> Iterator[Diagnostic]:
    """Yield a finding for each of the given links that does not resolve to a single
    target in the workspace.
    """
    for source, link, found in links:
        if isinstance(found, Target):
            continue
        level, code, message, hint = _diagnose(context, found)
        if link.form == "pinned":
            setter = setter_of("scene.pinned", context.workspace.environ)
            if setter != CONFIG:
                source, message = ".", f"{setter}: {message}"
        yield Diagnostic(source, link.line, level, code, message, hint)


def _diagnose(context: CheckContext, found: Unresolved) -> _Problem:
    """Return why a ref is unresolved."""
    name = f"`{found.ref}`"
    suggestion = _suggestion(context, found)
    match found.reason:
        case "anchor":
            return _missing_anchor(context, found, suggestion)
        case "ambiguous":
            hint = f"give one of {', '.join(found.candidates)}"
            return "error", "ambiguous-ref", f"{name} matches several addresses", hint
        case "unreadable":
            file = context.index.file(found.candidates[0])
            message = f"{name} {file.fault if file else 'cannot be read'}"
            return "error", "unread-ref", message, "check the permissions of the file"
        case "superseded" | "rejected" | "secret":
            message = f"{name} is {found.reason}, so scenes do not show it"
            return "warning", "retired-ref", message, suggestion or "remove the ref"
    path = split_anchor(found.ref)[0].strip()
    if found.reason == "outside" or _leaves_workspace(context, found, path):
        hint = "only files of the workspace can be shown in scenes"
        return "warning", "ref-outside", f"{name} is outside the workspace", hint
    if is_cortex_address(path) or found.suggestion.startswith(SCHEME):
        return _missing_in_cortex(name, path, suggestion)
    kind, _, identity = path.partition(":")
    if is_entry_address(path):
        hint = "check the id, or remove the ref"
        return "error", "unknown-record", f"there is no {kind} `{identity}`", hint
    if kind == "card" and identity:
        similar = suggest_card(context, identity)
        hint = "`cuedeck list --status all` lists the cards"
        if similar:
            hint = f"did you mean `card:{similar}`?"
        return "error", "dead-ref", f"{name} is not a card", hint
    reason, place = _unindexed_reason(context, found.source, path)
    if reason:
        # A link in prose may point to an unread file; a ref requests content that the
        # scene cannot show.
        level: Level = "error" if found.form == "refs" else "info"
        hint = "change the ignore rules if scenes should show it"
        if command := command_for(context.paths, context.workspace.settings, place):
            hint = f"`{command}` prints its content"
        return level, "unread-ref", f"{name} is not indexed: {reason}", hint
    hint = suggestion or "correct or remove it"
    return "error", "dead-ref", f"{name} has no target", hint


def _suggestion(context: CheckContext, found: Unresolved) -> str:
    """Return the hint that names the nearest match, for a Markdown link relative to its
    file; empty if there is none.
    """
    if not found.suggestion:
        return ""
    place = found.suggestion, found.form, found.source
    return f"did you mean `{written(*place, context.index)}`?"


def _missing_anchor(
    context: CheckContext, found: Unresolved, suggestion: str
) -> _Problem:
    source, index = found.source, context.index
    path, anchor = split_ref(found.ref, found.form, source, index)
    place = source
    if path:
        link = Link(path, found.line, found.form, view="", pin=False)
        target = resolve(link, source, index)
        place = target.path if isinstance(target, Target) else source
    file = index.file(place)
    hint = suggestion or "correct the anchor, or refer to the whole file"
    if file is not None and not (file.sections or file.symbols or suggestion):
        hint = "the file has no headings: refer to the whole file"
    name = f"`{path}`" if path else "this file"
    return "error", "dead-anchor", f"{name} has no `#{anchor}`", hint


def _missing_in_cortex(name: str, path: str, suggestion: str) -> _Problem:
    message = f"{name} does not exist"
    hint = suggestion or "`cuedeck cortex ls` lists the tree"
    if is_cortex_address(path):
        try:
            parse_layer_address(path)
        except CortexAddressError as error:
            message = f"{name} is not an address: {error.message}"
            hint = error.hint
    return "error", "dead-ref", message, hint


def _leaves_workspace(context: CheckContext, found: Unresolved, path: str) -> bool:
    """Return whether a ref of a file in `.cuedeck/` leaves the workspace when read from
    its root, and names no existing folder of `.cuedeck/` when read from the file.
    """
    is_inside = found.source.startswith(f"{HOME}/") and found.form != "markdown"
    if not is_inside or not _join("", path).startswith("../"):
        return False
    place = _join(posixpath.dirname(found.source), path)
    folder = posixpath.dirname(place)
    return not presence(context.paths, place if folder == HOME else folder)


def _unindexed_reason(context: CheckContext, source: str, path: str) -> tuple[str, str]:
    """Return why the target is not read although it is valid, and its path; both empty
    if the target is missing.

    A path that the ignore rules match need not exist: generated docs are missing from a
    fresh checkout.
    """
    folders: Sequence[str] = ("",)
    if not path.startswith("/"):
        folders = (posixpath.dirname(source), "", HOME)
    for folder in folders:
        place = _join(folder, path)
        if place in (".", "..") or place.startswith("../"):
            continue
        entry = presence(context.paths, place) or presence(context.paths, f"{place}.md")
        if entry == "folder":
            return "the folder is empty or ignored", place
        if entry:
            return "the file is ignored", place
        is_own = place.startswith(f"{HOME}/")
        if not is_own and "/" in place and context.workspace.tree.ignored(place):
            return "the ignore rules exclude this path", place
    return "", ""


def _join(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path.lstrip("/")))


@check("ref-cycles", "no refs form a cycle")
def check_ref_cycles(context: CheckContext) -> Iterator[Diagnostic]:
    edges: dict[tuple[str, str], int] = {}
    for source, link, found in context.resolved_links:
        if link.form == "pinned" or isinstance(found, Unresolved):
            continue
        if found.kind not in ("folder", "binary"):
            edges.setdefault((source, found.path), link.line)
    for cycle in find_cycles(edges):
        message = f"refs form a cycle: {' → '.join(cycle)}"
        hint = "scenes are still built; `cuedeck scene --strict` fails"
        path, target = cycle[:2]
        yield warning(path, "ref-cycle", message, hint, edges[path, target])
