"""Checks of refs: dead, ambiguous and outside refs, cycles, docs without a ref."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from cuedeck.doctor.check_cards import suggest_card
from cuedeck.doctor.check_context import (
    CheckContext,
    ResolvedLink,
    check,
    note,
    warning,
)
from cuedeck.graph.neighbourhood import find_cycles
from cuedeck.graph.resolve_ref import resolve, split_ref
from cuedeck.model.address import join_anchor, split_anchor
from cuedeck.model.cortex_address import (
    SCHEME,
    CortexAddressError,
    is_cortex_address,
    parse_layer_address,
)
from cuedeck.model.diagnostic import UNREADABLE, Diagnostic, Level
from cuedeck.model.entry_node import is_entry_address
from cuedeck.model.file import File
from cuedeck.model.formatting import quoted
from cuedeck.model.paths import CONFIG, HOME
from cuedeck.model.scene_values import Target, Unresolved
from cuedeck.parse.parse_file import kind_of
from cuedeck.parse.settings_file import setter_of
from cuedeck.store.files.disk import read_bytes
from cuedeck.store.files.workspace_files import presence
from cuedeck.work.assumptions.access_policy import command_for


class _Problem(NamedTuple):
    """Why a ref is unresolved, without its position."""

    level: Level
    code: str
    message: str
    hint: str


@check("refs", "each ref has exactly one target in the workspace")
def check_refs(context: CheckContext) -> Iterator[Diagnostic]:
    return diagnose_links(context, context.resolved_links)


def diagnose_links(
    context: CheckContext, links: Iterable[ResolvedLink]
) -> Iterator[Diagnostic]:
    """Yield a finding for each of the given links that does not resolve to a single
    target in the workspace.
    """
    for each in links:
        if isinstance(each.found, Target):
            continue
        problem = _DIAGNOSES[each.found.reason](_DeadRef(context, each, each.found))
        setter = CONFIG
        if each.kind == "config":
            setter = setter_of("scene.pinned", context.workspace.environ)
        if setter == CONFIG:
            yield Diagnostic(each.source, _line(context, each), *problem)
        else:
            message = f"{setter}: {problem.message}"
            yield Diagnostic(".", 0, *problem._replace(message=message))


def _line(context: CheckContext, resolved: ResolvedLink) -> int:
    if resolved.kind != "config":
        return resolved.link.line
    text = (read_bytes(context.paths.config) or b"").decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n"), 1):
        if resolved.link.ref in line:
            return number
    return 0


class _DeadRef:
    """A ref that does not resolve to a single target."""

    def __init__(
        self, context: CheckContext, resolved: ResolvedLink, found: Unresolved
    ) -> None:
        self.context = context
        self.source = resolved.source
        self.kind = resolved.kind
        self.link = resolved.link
        self.found = found
        self.name = f"`{found.ref}`"
        self.path = split_anchor(found.ref)[0]
        self.is_markdown = resolved.link.form == "markdown"

    @property
    def is_in_cortex(self) -> bool:
        return is_cortex_address(self.path) or self.found.suggestion.startswith(SCHEME)

    @cached_property
    def places(self) -> Sequence[str]:
        """The paths that it may mean, in order of resolution."""
        path = self.path.strip()
        folders = (posixpath.dirname(self.source), "", HOME)
        return [_join(each, path) for each in (("",) if path[:1] == "/" else folders)]

    @property
    def suggestion(self) -> str:
        """The hint that names the nearest match; empty if there is none."""
        suggestion = self.found.suggestion
        if self.found.reason != "anchor":
            suggestion = self._similar_path()
        if suggestion and self.is_markdown:
            suggestion = self._markdown_target(suggestion)
        return f"did you mean `{suggestion}`?" if suggestion else ""

    def _similar_path(self) -> str:
        """Return the nearest path of the kind that the ref's suffix indicates; without
        a suffix, a card or doc.
        """
        kind = kind_of(self.path) if posixpath.splitext(self.path)[1] else "doc"
        kinds = ("card", "doc") if kind in ("card", "doc") else (kind,)
        for candidate in self.found.candidates:
            if kind_of(split_anchor(candidate)[0]) in kinds:
                return candidate
        return ""

    def _markdown_target(self, address: str) -> str:
        path, anchor = split_anchor(address)
        relative = ""
        if path != self.source:
            relative = posixpath.relpath(path, posixpath.dirname(self.source))
        file = self.context.index.file(path)
        if file is None or self.context.index.holds_secret(anchor):
            return join_anchor(relative, anchor)
        slugs = {section.title: section.slug for section in file.sections}
        return join_anchor(relative, slugs.get(anchor, anchor))

    def leaves_workspace(self) -> bool:
        """Return whether a ref of a file in `.cuedeck/` leaves the workspace when read
        from its root, and names no existing folder of `.cuedeck/` when read from the
        file.
        """
        path = self.path.strip()
        is_inside = self.source.startswith(f"{HOME}/")
        if not is_inside or not _join("", path).startswith("../"):
            return False
        place = _join(posixpath.dirname(self.source), path)
        folder = posixpath.dirname(place)
        return not presence(self.context.paths, place if folder == HOME else folder)

    def unindexed_reason(self) -> str:
        """Return why the target is not read although it is valid; empty if the target
        is missing.

        A path that the ignore rules match need not exist: generated docs are missing
        from a fresh checkout.
        """
        paths = self.context.paths
        for place in self.places:
            if place in (".", "..") or place.startswith("../"):
                continue
            entry = presence(paths, place) or presence(paths, f"{place}.md")
            if entry == "folder":
                return "the folder is empty or ignored"
            if entry:
                return "the file is ignored"
            is_own = place.startswith(f"{HOME}/")
            if (
                not is_own
                and "/" in place
                and self.context.workspace.tree.ignored(place)
            ):
                return "the ignore rules exclude this path"
        return ""

    def left_out_folder(self) -> str:
        """Return the folder that a sparse checkout must include for it, `.` for the
        root; empty if the target is not left out.
        """
        for known in self.context.left_out:
            whole = known.removesuffix("/")
            for place in self.places:
                is_file = place in (whole, whole.removesuffix(".md"))
                if is_file or whole.startswith(f"{place}/"):
                    return posixpath.dirname(whole) or "."
                if known.endswith("/") and place.startswith(known):
                    return whole
        return ""


def _join(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path.lstrip("/")))


def _missing(ref: _DeadRef) -> _Problem:
    if not ref.is_markdown and ref.leaves_workspace():
        return _outside(ref)
    if is_entry_address(ref.path) or ref.is_in_cortex:
        return _missing_entry(ref)
    if ref.path.startswith("card:"):
        similar = suggest_card(ref.context, ref.path.removeprefix("card:"))
        hint = "`cuedeck list --status all` lists the cards"
        if similar:
            hint = f"did you mean `card:{similar}`?"
        return _Problem("error", "dead-ref", f"{ref.name} is not a card", hint)
    hint = ref.suggestion or "correct or remove it"
    dead = _Problem("error", "dead-ref", f"{ref.name} has no target", hint)
    return _unindexed(ref) or dead


def _unindexed(ref: _DeadRef) -> _Problem | None:
    """Describe a ref to a file that exists or is in a sparse checkout, and that the
    index does not contain.
    """
    reason, hint = ref.unindexed_reason(), ""
    # A link in prose may point to an unread file; a ref requests content that the scene
    # cannot show.
    level: Level = "error" if ref.link.form == "refs" else "info"
    if reason:
        hint = "change the ignore rules if scenes should show it"
        commands = (command_for(ref.context.workspace, each) for each in ref.places)
        command = next(filter(None, commands), "")
        if command:
            hint = f"`{command}` prints its content"
    elif folder := ref.left_out_folder():
        reason = "the sparse checkout leaves it out"
        hint = f"`git sparse-checkout add {folder}` brings it"
        if folder == ".":
            hint = "`git sparse-checkout disable` brings all files"
        level = "warning" if ref.link.form == "refs" else "info"
    else:
        return None
    return _Problem(level, "unread-ref", f"{ref.name} is not indexed: {reason}", hint)


def _missing_entry(ref: _DeadRef) -> _Problem:
    if not ref.is_in_cortex:
        kind, _, identity = ref.path.partition(":")
        message = f"there is no {kind} `{identity}`"
        hint = "check the id, or remove the ref"
        return _Problem("error", "unknown-record", message, hint)
    message = f"{ref.name} does not exist"
    hint = "`cuedeck cortex ls` lists the tree"
    if ref.found.suggestion:
        hint = f"did you mean `{ref.found.suggestion}`?"
    if is_cortex_address(ref.path):
        try:
            parse_layer_address(ref.path)
        except CortexAddressError as error:
            message = f"{ref.name} is not an address: {error.message}"
            hint = error.hint
    return _Problem("error", "dead-ref", message, hint)


def _missing_anchor(ref: _DeadRef) -> _Problem:
    index = ref.context.index
    path, anchor = split_ref(ref.found.ref, ref.link.form, ref.source, index)
    target: Target | Unresolved | None = None
    if path:
        target = resolve(ref.link._replace(ref=path), ref.source, index)
    file = index.file(target.path if isinstance(target, Target) else ref.source)
    hint = ref.suggestion or "correct the anchor, or refer to the whole file"
    if file is not None and not (file.sections or file.symbols or ref.suggestion):
        hint = "the file has no headings: refer to the whole file"
    name = f"`{path}`" if path else "this file"
    return _Problem("error", "dead-anchor", f"{name} has no `#{anchor}`", hint)


def _ambiguous(ref: _DeadRef) -> _Problem:
    message = f"{ref.name} matches several addresses"
    hint = f"give one of {', '.join(ref.found.candidates)}"
    return _Problem("error", "ambiguous-ref", message, hint)


def _outside(ref: _DeadRef) -> _Problem:
    hint = "only files of the workspace can be shown in scenes"
    message = f"{ref.name} is outside the workspace"
    return _Problem("warning", "ref-outside", message, hint)


def _unreadable(ref: _DeadRef) -> _Problem:
    file = ref.context.index.file(ref.found.candidates[0])
    fault = file.fault if file else "cannot be read"
    hint = "check the permissions of the file"
    return _Problem("error", "unread-ref", f"{ref.name} {fault}", hint)


def _retired(ref: _DeadRef) -> _Problem:
    suggestion = ref.found.suggestion
    hint = f"did you mean `{suggestion}`?" if suggestion else "remove the ref"
    message = f"{ref.name} is {ref.found.reason}, so scenes do not show it"
    return _Problem("warning", "retired-ref", message, hint)


_DIAGNOSES: Mapping[str, Callable[[_DeadRef], _Problem]] = {
    "missing": _missing,
    "anchor": _missing_anchor,
    "ambiguous": _ambiguous,
    "outside": _outside,
    UNREADABLE: _unreadable,
    "superseded": _retired,
    "rejected": _retired,
    "secret": _retired,
}
"""Function that describes an unresolved ref, by the reason."""


@check("ref-cycles", "no refs form a cycle")
def check_ref_cycles(context: CheckContext) -> Iterator[Diagnostic]:
    edges: dict[tuple[str, str], int] = {}
    for resolved in context.resolved_links:
        if resolved.kind == "config" or isinstance(resolved.found, Unresolved):
            continue
        if resolved.found.kind not in ("folder", "binary"):
            edges.setdefault((resolved.source, resolved.found.path), resolved.link.line)
    for cycle in find_cycles(edges):
        message = f"refs form a cycle: {' → '.join(cycle)}"
        hint = "scenes are still built; `cuedeck scene --strict` fails"
        path, target = cycle[:2]
        line = edges[path, target]
        yield warning(path, "ref-cycle", message, hint, line)


@check("unused-docs", "each doc of .cuedeck/docs/ is the target of a ref")
def check_unused_docs(context: CheckContext) -> Iterator[Diagnostic]:
    unused = _without(context.docs, context.resolved_links)
    if unused and not context.everything:
        others: list[ResolvedLink] = []
        for file in context.index.files():
            others += context.resolve_links(file, suggest=False)
        unused = _without(unused, others)
    for file in unused:
        hint = f"cuedeck card ref add CARD {quoted(file.path)}"
        yield note(file.path, "unused-doc", "no card or doc refers to it", hint)


def _without(docs: Iterable[File], links: Iterable[ResolvedLink]) -> Sequence[File]:
    targets = set()
    for each in links:
        if isinstance(each.found, Target) and each.found.path != each.source:
            targets.add(each.found.path)
    folders = tuple(sorted(path for path in targets if path.endswith("/")))
    found = []
    for file in docs:
        if file.path not in targets and not file.path.startswith(folders):
            found.append(file)
    return found
