"""Checks of refs: unresolved refs, ref cycles, and docs without incoming refs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.doctor.check_cards import suggest_card
from cuedeck.doctor.check_context import CheckContext, ResolvedLink
from cuedeck.graph.resolve_ref import resolve, split_ref
from cuedeck.model.address import join_anchor, split_anchor
from cuedeck.model.cortex_address import (
    SCHEME,
    CortexAddressError,
    is_cortex_address,
    parse_layer_address,
)
from cuedeck.model.diagnostic import UNREADABLE, Diagnostic, Level
from cuedeck.model.entry_node import ENTRY_PREFIXES
from cuedeck.model.paths import CONFIG, HOME
from cuedeck.model.scene_values import Target, Unresolved
from cuedeck.parse.parse_file import kind_of
from cuedeck.parse.settings_file import setter_of
from cuedeck.store.files.disk import read_bytes
from cuedeck.store.files.workspace_files import presence
from cuedeck.work.assumptions.access_policy import command_for

if TYPE_CHECKING:
    from cuedeck.store.index import Index


class _Problem(NamedTuple):
    """Why a ref is unresolved, without its position."""

    level: Level
    code: str
    message: str
    hint: str


def check_refs(context: CheckContext) -> Iterator[Diagnostic]:
    """Find refs that are dead, ambiguous, or outside the workspace."""
    return diagnose_links(context, context.resolved_links)


def diagnose_links(
    context: CheckContext, links: Iterable[ResolvedLink]
) -> Iterator[Diagnostic]:
    """Yield a finding for each of the given links that does not resolve to a single
    target in the workspace.
    """
    for resolved in links:
        if isinstance(resolved.found, Target):
            continue
        problem = _DIAGNOSES[resolved.found.reason](context, resolved, resolved.found)
        setter = (
            setter_of("scene.pinned", context.workspace.environ)
            if resolved.kind == "config"
            else CONFIG
        )
        if setter == CONFIG:
            yield Diagnostic(resolved.source, _line(context, resolved), *problem)
        else:
            yield Diagnostic(
                ".", 0, *problem._replace(message=f"{setter}: {problem.message}")
            )


def _missing_or_outside(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem:
    path, _ = split_anchor(found.ref)
    is_markdown = resolved.link.form == "markdown"
    if not is_markdown and _leaves_workspace(context, resolved.source, path.strip()):
        return _outside(context, resolved, found)
    return _missing(context, resolved, found)


def _missing(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem:
    path, _ = split_anchor(found.ref)
    if path.startswith(ENTRY_PREFIXES) or _is_in_cortex(found):
        return _missing_entry(resolved, found)
    if path.startswith("card:"):
        return _missing_card(context, resolved, found)
    return (
        _unindexed(context, resolved, found)
        or _left_out(context, resolved, found)
        or _label(context, resolved, found)
        or _dead(context, resolved, found)
    )


def _unindexed(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem | None:
    """Describe a ref to an existing file that the index does not contain."""
    path = split_anchor(found.ref)[0].strip()
    reason = _unindexed_reason(context, resolved.source, path)
    if not reason:
        return None
    command = _command_for(context, resolved.source, path)
    hint = "change the ignore rules if scenes should show it"
    if command:
        hint = f"`{command}` prints its content"
    # A link in prose may point to an unread file; a ref requests content that the scene
    # cannot show.
    level: Level = "info"
    if resolved.link.form == "refs":
        level = "error"
    message = f"`{found.ref}` is not indexed: {reason}"
    return _Problem(level, "unread-ref", message, hint)


def _left_out(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem | None:
    """Describe a ref to a file that the sparse checkout leaves out."""
    path = split_anchor(found.ref)[0].strip()
    folder = _left_out_folder(context, resolved, path)
    if not folder:
        return None
    hint = f"`git sparse-checkout add {folder}` brings it"
    if folder == ".":
        hint = "`git sparse-checkout disable` brings all files"
    level: Level = "info"
    if resolved.link.form == "refs":
        level = "warning"
    message = f"`{found.ref}` is not indexed: the sparse checkout leaves it out"
    return _Problem(level, "unread-ref", message, hint)


def _label(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem | None:
    """Describe a link to a label of another file."""
    path, _ = split_anchor(found.ref)
    if resolved.link.form != "markdown" or path not in context.labels:
        return None
    message = f"`{found.ref}` is a label of {context.labels[path]}, not a path"
    return _Problem("info", "unread-ref", message, "use the path of the file")


def _dead(context: CheckContext, resolved: ResolvedLink, found: Unresolved) -> _Problem:
    """Describe a ref without a target."""
    path, _ = split_anchor(found.ref)
    suggestion = _did_you_mean(context, resolved, found)
    if resolved.link.form == "markdown" and path.startswith("/"):
        # In docs of a web site such links are relative to the root of the site, which
        # may differ from the workspace.
        message = f"`{found.ref}` has no target below the root of the workspace"
        hint = suggestion or "make it relative to this file"
        return _Problem("warning", "dead-ref", message, hint)
    level = _level(resolved)
    # Documentation sites link pages without a suffix, and may prefix file names with
    # numbers.
    if _is_prose(resolved) and not posixpath.splitext(path)[1]:
        level = "warning"
    message = f"`{found.ref}` has no target"
    return _Problem(level, "dead-ref", message, suggestion or "correct or remove it")


def _missing_card(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem:
    """Describe a ref that begins with `card:` and names no card."""
    path, _ = split_anchor(found.ref)
    similar = suggest_card(context, path.removeprefix("card:"))
    hint = "`cuedeck list --status all` lists the cards"
    if similar:
        hint = f"did you mean `card:{similar}`?"
    return _Problem(_level(resolved), "dead-ref", f"`{found.ref}` is not a card", hint)


def _is_in_cortex(found: Unresolved) -> bool:
    """Return whether a dead ref is one into the cortex tree."""
    path, _ = split_anchor(found.ref)
    return is_cortex_address(path) or found.suggestion.startswith(SCHEME)


def _missing_entry(resolved: ResolvedLink, found: Unresolved) -> _Problem:
    """Describe a ref without a ledger entry, or without a place of the cortex tree."""
    path, _ = split_anchor(found.ref)
    if not _is_in_cortex(found):
        kind, _, identity = path.partition(":")
        message = f"there is no {kind} `{identity}`"
        hint = "check the id, or remove the ref"
        return _Problem(_level(resolved), "unknown-record", message, hint)
    message, hint = (
        f"`{found.ref}` does not exist",
        "`cuedeck cortex ls` lists the tree",
    )
    if found.suggestion:
        hint = f"did you mean `{found.suggestion}`?"
    if is_cortex_address(path):
        try:
            parse_layer_address(path)
        except CortexAddressError as error:
            message = f"`{found.ref}` is not an address: {error.message}"
            hint = error.hint
    return _Problem(_level(resolved), "dead-ref", message, hint)


def _missing_anchor(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem:
    path, anchor = split_ref(
        found.ref, resolved.link.form, resolved.source, context.index
    )
    name = f"`{path}`" if path else "this file"
    message = f"{name} has no `#{anchor}`"
    target = _target_path(context, resolved, path)
    file = None
    if target:
        file = context.index.file(target)
    if file is None:
        # On a documentation site a folder may be a page.
        level: Level = "warning"
        if not _is_prose(resolved):
            level = _level(resolved)
    elif _has_explicit_anchor(context.text(file.path), anchor):
        message = f"{name} marks `#{anchor}` in a form that CueDeck does not support"
        hint = "use a heading, a ^block id, a symbol or lines (#L10-L40)"
        return _Problem("info", "unread-anchor", message, hint)
    elif found.suggestion or file.sections or file.symbols:
        level = _level(resolved)
    else:
        level = "warning"
        if resolved.link.form != "markdown":
            level = _level(resolved)
        hint = "the file has no headings: refer to the whole file"
        return _Problem(level, "dead-anchor", message, hint)
    hint = (
        _did_you_mean(context, resolved, found)
        or "correct the anchor, or refer to the whole file"
    )
    return _Problem(level, "dead-anchor", message, hint)


def _ambiguous(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem:
    message = f"`{found.ref}` matches several addresses"
    return _Problem(
        _level(resolved),
        "ambiguous-ref",
        message,
        f"give one of {', '.join(found.candidates)}",
    )


def _outside(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem:
    hint = "only files of the workspace can be shown in scenes"
    return _Problem(
        "warning", "ref-outside", f"`{found.ref}` is outside the workspace", hint
    )


def _unreadable(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem:
    file = context.index.file(found.candidates[0])
    fault = file.fault if file else "cannot be read"
    return _Problem(
        _level(resolved),
        "unread-ref",
        f"`{found.ref}` {fault}",
        "check the permissions of the file",
    )


def _retired(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> _Problem:
    hint = (
        f"did you mean `{found.suggestion}`?" if found.suggestion else "remove the ref"
    )
    return _Problem(
        "warning",
        "retired-ref",
        f"`{found.ref}` is {found.reason}, so scenes do not show it",
        hint,
    )


_DIAGNOSES = {
    "missing": _missing_or_outside,
    "anchor": _missing_anchor,
    "ambiguous": _ambiguous,
    "outside": _outside,
    UNREADABLE: _unreadable,
    "superseded": _retired,
    "rejected": _retired,
    "secret": _retired,
}
"""Function that describes an unresolved ref, by the reason."""


def _is_prose(resolved: ResolvedLink) -> bool:
    """Return whether a link is a Markdown link in a doc, written for readers (perhaps
    of a site), not for scenes.
    """
    return resolved.kind == "doc" and resolved.link.form == "markdown"


def _level(resolved: ResolvedLink) -> Level:
    """Return the level of a dead ref: a warning for `[[…]]` in source code, which often
    is not a link.
    """
    if resolved.kind == "source" and resolved.link.form == "wiki":
        return "warning"
    return "error"


def _did_you_mean(
    context: CheckContext, resolved: ResolvedLink, found: Unresolved
) -> str:
    suggestion = found.suggestion
    if found.reason != "anchor":
        suggestion = _similar_path(found)
    if not suggestion:
        return ""
    if resolved.link.form == "markdown":
        suggestion = _markdown_target(suggestion, resolved.source, context.index)
    return f"did you mean `{suggestion}`?" if suggestion else ""


def _markdown_target(address: str, source: str, index: Index) -> str:
    """Return an address as the target of a Markdown link in the file `source`."""
    path, anchor = split_anchor(address)
    relative = (
        "" if path == source else posixpath.relpath(path, posixpath.dirname(source))
    )
    file = index.file(path)
    if file is None or index.holds_secret(anchor):
        return join_anchor(relative, anchor)
    slugs = {section.title: section.slug for section in file.sections}
    return join_anchor(relative, slugs.get(anchor, anchor))


def _similar_path(found: Unresolved) -> str:
    """Return the nearest path of the kind that the ref's suffix indicates; without a
    suffix, a card or doc.
    """
    path, _ = split_anchor(found.ref)
    kind = "doc"
    if posixpath.splitext(path)[1]:
        kind = kind_of(path)
    kinds = ("card", "doc") if kind in ("card", "doc") else (kind,)
    for candidate in found.candidates:
        candidate_path, _ = split_anchor(candidate)
        if kind_of(candidate_path) in kinds:
            return candidate
    return ""


def _unindexed_reason(context: CheckContext, source: str, path: str) -> str:
    """Return why the target of an unresolved ref is not read although it is valid;
    empty if the target is missing.

    A path that the ignore rules match need not exist: generated docs are missing from a
    fresh checkout.
    """
    for folder in _base_folders(source, path):
        candidate = _join(folder, path)
        if candidate in (".", "..") or candidate.startswith("../"):
            continue
        entry = presence(context.paths, candidate) or presence(
            context.paths, f"{candidate}.md"
        )
        if entry:
            return (
                "the folder is empty or ignored"
                if entry == "folder"
                else "the file is ignored"
            )
        if (
            folder != HOME
            and not candidate.startswith(f"{HOME}/")
            and "/" in candidate
            and context.workspace.tree.ignored(candidate)
        ):
            return "the ignore rules exclude this path"
    return ""


def _left_out_folder(context: CheckContext, resolved: ResolvedLink, path: str) -> str:
    """Return the folder that a sparse checkout must include for a ref, `.` for the
    root; empty if the target is not left out.
    """
    if not context.left_out:
        return ""
    is_name = resolved.link.form != "markdown" and "/" not in path
    folders = _base_folders(resolved.source, path)
    wanted = [_join(folder, path) for folder in folders]
    for known in context.left_out:
        whole = known.removesuffix("/")
        plain = whole.removesuffix(".md")
        for candidate in wanted:
            if candidate in (whole, plain) or whole.startswith(f"{candidate}/"):
                return posixpath.dirname(whole) or "."
            if known.endswith("/") and candidate.startswith(known):
                return whole
        if is_name and path in (posixpath.basename(whole), posixpath.basename(plain)):
            return posixpath.dirname(whole) or "."
    return ""


def _leaves_workspace(context: CheckContext, source: str, path: str) -> bool:
    """Return whether a ref of a file in `.cuedeck/` leaves the workspace when read from
    its root, and names no existing folder of `.cuedeck/` when read from the file.
    """
    is_inside = source.startswith(f"{HOME}/")
    if not is_inside or not _join("", path).startswith("../"):
        return False
    candidate = _join(posixpath.dirname(source), path)
    folder = posixpath.dirname(candidate)
    if folder == HOME:
        return not presence(context.paths, candidate)
    return not presence(context.paths, folder)


def _command_for(context: CheckContext, source: str, path: str) -> str:
    """Return the command that shows a private file named by a ref; empty if the ref
    does not name one.
    """
    for folder in _base_folders(source, path):
        command = command_for(context.workspace, _join(folder, path))
        if command:
            return command
    return ""


def _base_folders(source: str, path: str) -> Sequence[str]:
    """Return the base folders for resolving a ref of `source`, in order."""
    if path.startswith("/"):
        return ("",)
    return (posixpath.dirname(source), "", HOME)


def _join(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path.lstrip("/")))


def _target_path(context: CheckContext, resolved: ResolvedLink, path: str) -> str:
    """Return the path of the file in which the anchor of a link was searched; empty if
    it does not resolve.
    """
    if not path:
        return resolved.source
    file = resolve(resolved.link._replace(ref=path), resolved.source, context.index)
    if not isinstance(file, Target):
        return ""
    return file.path


def _has_explicit_anchor(text: str, anchor: str) -> bool:
    """Return whether a text defines an anchor explicitly: `<a id="x">`, `{#x}`, `(x)=`,
    `.. _x:`.
    """
    name = re.escape(anchor)
    pattern = rf"\b(?:id|name)\s*=\s*[\"']?{name}[\"'\s>/]|\{{[^}}\n]*#{name}[\s}}]|^\({name}\)=|^\.\. _`?{name}`?:"
    return re.search(pattern, text, re.MULTILINE | re.IGNORECASE) is not None


def _line(context: CheckContext, resolved: ResolvedLink) -> int:
    if resolved.kind != "config":
        return resolved.link.line

    text = (read_bytes(context.paths.config) or b"").decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n"), 1):
        if resolved.link.ref in line:
            return number
    return 0
