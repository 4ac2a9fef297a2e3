"""Rename of headings, docs and cards, with all refs to them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.active_card import active_id
from cuedeck.graph.anchors import find_anchor, quoted
from cuedeck.model.address import join_anchor, name_key, split_anchor
from cuedeck.model.errors import Invalid
from cuedeck.model.file import File, Section
from cuedeck.model.paths import ACTIVE, CARDS
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Target
from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.ref_spans import RefSpan
from cuedeck.parse.text_edit import Swap
from cuedeck.shells.lsp.editor_workspaces import path_in
from cuedeck.shells.lsp.edits import Edits, workspace_edit

if TYPE_CHECKING:
    from cuedeck.shells.lsp.view import View

_SIMPLE_TITLE = re.compile(r"[\w .&()+/-]+")
_CARD_ID = re.compile(r"[A-Za-z0-9][\w.-]*")
_ID = re.compile(r"^id:\s*[\"']?([^\s\"']+)", re.MULTILINE)


class _Subject(NamedTuple):
    """A heading or a file to rename."""

    path: str
    section: Section | None
    """The heading; None for the file itself."""
    start: int
    end: int
    """Offsets of the name at the position of the client."""

    @property
    def name(self) -> str:
        if self.section is not None:
            return self.section.title
        return _stem(self.path)


def prepare_rename(view: View, params: Any) -> Json | None:
    """Return the range and the name at a position; None if nothing can be renamed."""
    subject = _subject_at(view, view.offset(params.position))
    if subject is None:
        return None
    where = view.document.range(subject.start, subject.end)
    return {
        "range": where,
        "placeholder": subject.name,
    }


def rename(view: View, params: Any) -> Json:
    """Return the edits for a new name. Raises: Invalid."""
    subject = _subject_at(view, view.offset(params.position))
    if subject is None:
        raise Invalid(
            "only headings, docs and cards can be renamed here",
            hint="place the cursor on a heading, a ref or the id of a card",
        )
    name = params.new_name.strip()
    if not name or "\n" in name or "[" in name or "]" in name:
        raise Invalid(f"`{name}` is not a name", hint="give one line without brackets")
    path, section, *_ = subject
    if section is not None:
        return workspace_edit(
            view,
            _rename_heading(
                view,
                path,
                section,
                name,
            ),
        )
    new = _new_path(path, name)
    if view.index.file(new) is not None:
        raise Invalid(f"{new} already exists", hint="give another name")
    move = {
        "kind": "rename",
        "oldUri": view.uri(path),
        "newUri": view.uri(new),
    }
    return workspace_edit(
        view,
        _move_edits(view, {path: new}),
        move,
    )


def rename_files(view: View, params: Any) -> Json:
    """Return the edits of the refs to files and folders that the editor is about to
    rename.
    """
    moves = {}
    root = view.workspace.paths.root
    for each in params.files:
        old, new = path_in(root, each.old_uri), path_in(root, each.new_uri)
        for path in (old, *view.index.folder(old)):
            if new and view.index.file(path) is not None:
                moves[path] = new + path.removeprefix(old)
    return workspace_edit(view, _move_edits(view, moves))


def _subject_at(view: View, offset: int) -> _Subject | None:
    """Return what to rename at an offset: the heading or id there, or the target of a
    ref: its file, or with the offset in the anchor its heading.
    """
    document = view.document
    span = view.span_at(offset)
    if span is None:
        number = document.position(offset)["line"]
        return _subject_on(
            view,
            document.line(number),
            number,
        )
    found = view.resolve(span.link)
    file = view.index.file(found.path) if isinstance(found, Target) else None
    if file is None or file.kind not in ("card", "doc"):
        return None
    start, end = span.label
    mark = -1
    if span.start <= offset <= span.end:
        start, end = span.start, span.end
        mark = document.source.find("#", start, end)
    if mark < 0 or offset < mark:
        return _Subject(
            file.path,
            None,
            start,
            end if mark < 0 else mark,
        )
    assert isinstance(found, Target)
    for section in file.sections:
        if section.start == found.start and not found.whole:
            return _Subject(
                file.path,
                section,
                mark + 1,
                end,
            )
    return None


def _subject_on(view: View, text: str, number: int) -> _Subject | None:
    """Return the heading or the card whose name is on a line of the document."""
    begin = view.document.starts[number]
    for section in view.file.sections if view.file else ():
        if section.start == number + 1 and section.title in text:
            start = begin + text.index(section.title)
            return _Subject(
                view.path,
                section,
                start,
                start + len(section.title),
            )
    match = _ID.match(text)
    card = view.file.card if view.file else None
    if card is None or match is None or match[1] != card.id:
        return None
    return _Subject(
        view.path,
        None,
        begin + match.start(1),
        begin + match.end(1),
    )


def _new_path(path: str, name: str) -> str:
    """Return the path of a renamed file. Raises: Invalid."""
    if path.startswith(f"{CARDS}/"):
        if not _CARD_ID.fullmatch(name):
            raise Invalid(
                f"`{name}` is not the id of a card",
                hint="use letters, digits, `-`, `_` and `.`",
            )
        return f"{CARDS}/{name.removesuffix('.md')}.md"
    suffix = posixpath.splitext(path)[1]
    new = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    if new.startswith("../"):
        raise Invalid(f"`{name}` leaves the workspace", hint="give another name")
    return new if new.endswith(suffix) else new + suffix


_Renamed = Callable[[str, RefSpan, Target], str]
"""Returns the new ref, given the path of its file, its position and its target."""


def _edits(view: View, paths: Iterable[str], renamed: _Renamed) -> Edits:
    """Return the edits of the refs in files, in those that link them, and of the
    dependencies of cards.
    """
    sources = [*paths]
    for path in paths:
        sources += [each.path for each in view.links.links_to(view.index, path)]
    for card in view.index.files("card"):
        if card.card is not None and card.card.depends_on:
            sources.append(card.path)
    edits: Edits = {}
    for source in dict.fromkeys(sources):
        for span in view.spans_of(source):
            target = view.resolve(span.link, source)
            if not isinstance(target, Target):
                continue
            ref = renamed(source, span, target)
            if ref == span.link.ref:
                continue
            if span.link.form == "markdown":
                ref = quoted(ref)
            elif span.link.form == "mention":
                ref = ref.replace(" ", "-")
            swap = Swap(span.start, span.end, ref)
            swaps = edits.setdefault(source, [])
            if swap not in swaps:  # links that share a definition
                swaps.append(swap)
    return edits


# --- headings


def _rename_heading(
    view: View,
    path: str,
    heading: Section,
    title: str,
) -> Edits:
    """Return the edits of a heading, and of the refs that no longer lead to their
    headings then.
    """
    document = view.document_of(path)
    old = view.index.file(path)
    assert old is not None
    text = document.line(heading.start - 1)
    if heading.title not in text:
        raise Invalid("the heading has markup", hint="change it and its refs by hand")
    start = document.starts[heading.start - 1] + text.index(heading.title)
    end = start + len(heading.title)
    changed = document.source[:start] + title + document.source[end:]
    new = parse_file(path, changed.encode("utf-8", "surrogatepass"))
    if len(new.sections) != len(old.sections):
        raise Invalid(f"`{title}` is not a heading", hint="give another name")
    stems = name_key(posixpath.basename(path)), name_key(_stem(path))

    def renamed(source: str, span: RefSpan, target: Target) -> str:
        name, anchor = split_anchor(span.link.ref)
        if target.path != path:
            return span.link.ref
        if name_key(name) == name_key(old.title) and name_key(name) not in stems:
            name = new.title
        if anchor and not target.whole:
            anchor = _anchor_after(
                anchor,
                target,
                old,
                new,
            )
        return join_anchor(name, anchor)

    edits = _edits(view, [path], renamed)
    swap = Swap(start, end, title)
    edits.setdefault(path, []).append(swap)
    return edits


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _anchor_after(
    anchor: str,
    target: Target,
    old: File,
    new: File,
) -> str:
    """Return the anchor that leads to the same heading after the change of one."""
    for before, after in zip(old.sections, new.sections, strict=True):
        if before.start != target.start:
            continue
        names = [anchor]
        is_title = anchor != before.slug or before.slug == before.title
        if is_title and _SIMPLE_TITLE.fullmatch(after.title):
            names.append(after.title)
        for name in names:
            places = find_anchor(new, name)
            if len(places) == 1 and places[0].start == after.start:
                return name
        return after.slug
    return anchor


# --- files


def _move_edits(view: View, moves: dict[str, str]) -> Edits:
    """Return the edits of all refs when files move: those to them, their own relative
    links, and the ids of cards. `moves` has the new paths by the old ones.
    """

    def renamed(source: str, span: RefSpan, target: Target) -> str:
        name, anchor = split_anchor(span.link.ref)
        form = span.link.form
        near = moves.get(source, source)
        is_near = posixpath.dirname(near) == posixpath.dirname(source)
        if not name or (target.path not in moves and (is_near or form != "markdown")):
            return span.link.ref
        new = moves.get(target.path, target.path)
        name = _moved_name(
            name,
            form,
            near,
            target.path,
            new,
        )
        return join_anchor(name, anchor)

    edits = _edits(view, moves, renamed)
    active = active_id(view.workspace.paths)
    for path, new in moves.items():
        if not path.startswith(f"{CARDS}/"):
            continue
        file, document = view.index.file(path), view.document_of(path)
        body = document.offset(file.body - 1, 0) if file is not None else 0
        match = _ID.search(document.source, 0, body)
        if match is not None:
            swap = Swap(*match.span(1), _stem(new))
            edits.setdefault(path, []).append(swap)
        if active == _stem(path):
            edits[ACTIVE] = [Swap(0, len(active), _stem(new))]
    return edits


def _moved_name(
    name: str,
    form: str,
    source: str,
    path: str,
    new: str,
) -> str:
    """Return the path or name in a ref to a file after it moved, in the style in which
    it is written; a title or an alias stays.
    """
    suffix = posixpath.splitext(path)[1]
    ending = suffix if name.endswith(suffix) else ""
    bare = name.removesuffix(suffix)
    moved = new.removesuffix(suffix)
    if form == "markdown" and not name.startswith("/"):
        return posixpath.relpath(moved, posixpath.dirname(source)) + ending
    if "/" in bare:
        # The folder in which the path is looked up.
        base = path.removesuffix(suffix).removesuffix(bare.lstrip("/"))
        slash = "/" if bare.startswith("/") else ""
        return slash + moved.removeprefix(base) + ending
    prefix = "card:" if bare.startswith("card:") else ""
    is_card = path.startswith(f"{CARDS}/")
    is_id = is_card and _stem(path).startswith(bare.removeprefix(prefix))
    if is_id or name_key(bare) == name_key(_stem(path)):
        return prefix + posixpath.basename(moved) + ending
    return name
