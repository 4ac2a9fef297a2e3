"""Rename of headings, docs and cards, with all refs to them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from cuedeck.engine.active_card import active_id
from cuedeck.graph.anchors import find_anchor
from cuedeck.model.address import join_anchor, name_key, split_anchor
from cuedeck.model.errors import Invalid
from cuedeck.model.file import File, Section
from cuedeck.model.paths import ACTIVE, CARDS
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Target
from cuedeck.parse.frontmatter_edit import set_key
from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.ref_spans import RefSpan
from cuedeck.parse.text_edit import swaps_between
from cuedeck.shells.lsp.document import Document
from cuedeck.shells.lsp.edits import Edits, replace, workspace_edit

if TYPE_CHECKING:
    from cuedeck.shells.lsp.view import View

_UNQUOTED = "/#.-_~&+()!,;=@:'*"
_SIMPLE_TITLE = re.compile(r"[\w .&()+/-]+")
_CARD_ID = re.compile(r"[A-Za-z0-9][\w.-]*")
_ID = re.compile(r"id:\s*[\"']?([^\s\"']+)")


class _Subject(NamedTuple):
    """A heading or a file to rename."""

    path: str
    section: int
    """Number of the heading in its file; -1 for the file itself."""
    start: int
    end: int
    """Offsets of the name at the position of the client."""
    name: str


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
    if subject.section >= 0:
        return workspace_edit(view, _rename_heading(view, subject, name))
    new = _new_path(subject.path, name)
    if view.index.file(new) is not None:
        raise Invalid(f"{new} already exists", hint="give another name")
    move = {
        "oldUri": view.uri(subject.path),
        "newUri": view.uri(new),
    }
    return workspace_edit(
        view,
        move_edits(view, subject.path, new),
        {
            "kind": "rename",
            **move,
        },
    )


def _subject_at(view: View, offset: int) -> _Subject | None:
    span = view.span_at(offset)
    if span is not None:
        return _target_subject(view, span, offset)
    document = view.document
    number = document.position(offset)["line"]
    text = document.line(number)
    begin = document.starts[number]
    for at, section in enumerate(view.file.sections if view.file else ()):
        if section.start == number + 1 and section.title in text:
            start = begin + text.index(section.title)
            end = start + len(section.title)
            return _Subject(
                view.path,
                at,
                start,
                end,
                section.title,
            )
    card = view.file.card if view.file else None
    match = _ID.match(text)
    if card is not None and match and match[1] == card.id:
        start, end = match.span(1)
        return _Subject(
            view.path,
            -1,
            begin + start,
            begin + end,
            card.id,
        )
    return None


def _target_subject(view: View, span: RefSpan, offset: int) -> _Subject | None:
    """Return the file of a ref, or with the position in its anchor the heading."""
    found = view.resolve(span)
    file = view.index.file(found.path) if isinstance(found, Target) else None
    if file is None or file.kind not in ("card", "doc"):
        return None
    start, end = span.label
    mark = -1
    if span.start <= offset <= span.end:
        start, end = span.start, span.end
        mark = view.document.text[start:end].find("#")
    if mark < 0 or offset < start + mark:
        end = end if mark < 0 else start + mark
        stem = posixpath.basename(file.path).removesuffix(".md")
        return _Subject(
            file.path,
            -1,
            start,
            end,
            stem,
        )
    assert isinstance(found, Target)
    for at, section in enumerate(file.sections):
        if section.start == found.start and not found.whole:
            return _Subject(
                file.path,
                at,
                start + mark + 1,
                end,
                section.title,
            )
    return None


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


# --- headings


def _rename_heading(view: View, subject: _Subject, title: str) -> Edits:
    """Return the edits of a heading, and of the refs that no longer lead to their
    headings then.
    """
    path = subject.path
    document = view.document_of(path)
    old = view.index.file(path)
    assert old is not None
    heading = old.sections[subject.section]
    text = document.line(heading.start - 1)
    if heading.title not in text:
        raise Invalid("the heading has markup", hint="change it and its refs by hand")
    start = document.starts[heading.start - 1] + text.index(heading.title)
    end = start + len(heading.title)
    changed = document.text[:start] + title + document.text[end:]
    new = parse_file(path, changed.encode("utf-8", "surrogatepass"))
    if len(new.sections) != len(old.sections):
        raise Invalid(f"`{title}` is not a heading", hint="give another name")
    edits = {
        path: [
            replace(
                document,
                start,
                end,
                title,
            )
        ]
    }
    for ref in _refs_to(view, path):
        name, anchor = split_anchor(ref.span.link.ref)
        if name_key(name) == name_key(old.title) and name_key(name) not in _stems(path):
            name = new.title
        if anchor and not ref.target.whole:
            anchor = _anchor_after(
                anchor,
                ref.target,
                old,
                new,
            )
        ref.rewrite(join_anchor(name, anchor), edits)
    return edits


def _stems(path: str) -> tuple[str, ...]:
    """Return the names of a file that do not depend on its title."""
    name = posixpath.basename(path)
    return name_key(name), name_key(posixpath.splitext(name)[0])


def _anchor_after(anchor: str, target: Target, old: File, new: File) -> str:
    """Return the anchor that leads to the same heading after the change of one."""
    for before, after in zip(old.sections, new.sections, strict=True):
        if before.start != target.start:
            continue
        if _leads_to(new, anchor, after):
            return anchor
        is_title = anchor != before.slug or before.slug == before.title
        if is_title and _SIMPLE_TITLE.fullmatch(after.title):
            return after.title if _leads_to(new, after.title, after) else after.slug
        return after.slug
    return anchor


def _leads_to(file: File, anchor: str, section: Section) -> bool:
    places = find_anchor(file, anchor)
    return len(places) == 1 and places[0].start == section.start


class _Ref(NamedTuple):
    """A written ref to a file."""

    path: str
    document: Document
    span: RefSpan
    target: Target

    def rewrite(self, ref: str, edits: Edits) -> None:
        """Add the edit that replaces the ref, unless it stays."""
        span = self.span
        if ref == span.link.ref:
            return
        if span.link.form == "markdown" and " " in ref:
            ref = quote(ref, safe=_UNQUOTED)
        elif span.link.form == "mention":
            ref = ref.replace(" ", "-")
        edit = replace(
            self.document,
            span.start,
            span.end,
            ref,
        )
        rows = edits.setdefault(self.path, [])
        if edit not in rows:  # links that share a definition
            rows.append(edit)


def _refs_to(view: View, path: str) -> Iterator[_Ref]:
    """Yield the written refs to a file, with the dependencies on a card."""
    sources = dict.fromkeys(each.path for each in view.links_to(path))
    for card in view.index.files("card"):
        if card.card is not None and card.card.depends_on:
            sources[card.path] = None
    for source in sources:
        document = view.document_of(source)
        for span in view.spans_of(source, document):
            target = view.resolve(span, source)
            if isinstance(target, Target) and target.path == path:
                yield _Ref(source, document, span, target)


# --- files


def move_edits(view: View, path: str, new: str) -> Edits:
    """Return the edits of all refs when a file moves: those to it, its own relative
    links, and the id of a card.
    """
    edits: Edits = {}
    for ref in _refs_to(view, path):
        name, anchor = split_anchor(ref.span.link.ref)
        if name:
            source = new if ref.path == path else ref.path
            moved = _moved_name(
                name,
                ref.span.link.form,
                source,
                path,
                new,
            )
            ref.rewrite(join_anchor(moved, anchor), edits)
    if posixpath.dirname(path) != posixpath.dirname(new):
        _move_own_links(
            view,
            path,
            new,
            edits,
        )
    if path.startswith(f"{CARDS}/"):
        _change_id(
            view,
            path,
            new,
            edits,
        )
    return edits


def _move_own_links(view: View, path: str, new: str, edits: Edits) -> None:
    """Add the edits of the relative links in a file that moves to another folder."""
    document = view.document_of(path)
    for span in view.spans_of(path, document):
        target = view.resolve(span, path)
        name, anchor = split_anchor(span.link.ref)
        if span.link.form != "markdown" or name.startswith("/"):
            continue
        if isinstance(target, Target) and target.path != path:
            near = posixpath.relpath(target.path, posixpath.dirname(new))
            ref = _Ref(path, document, span, target)
            ref.rewrite(join_anchor(near, anchor), edits)


def _moved_name(name: str, form: str, source: str, path: str, new: str) -> str:
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
    stem = posixpath.basename(path.removesuffix(suffix))
    prefix = "card:" if bare.startswith("card:") else ""
    is_card = path.startswith(f"{CARDS}/")
    is_id = is_card and stem.startswith(bare.removeprefix(prefix))
    if is_id or name_key(bare) == name_key(stem):
        return prefix + posixpath.basename(moved) + ending
    return name


def _change_id(view: View, path: str, new: str, edits: Edits) -> None:
    """Add the edits of the front matter and of the pointer to the active card."""
    document = view.document_of(path)
    file = view.index.file(path)
    identity = posixpath.basename(new).removesuffix(".md")
    old = posixpath.basename(path).removesuffix(".md")
    if file is not None and file.card is not None and _has_id(document):
        data = document.text.encode("utf-8", "surrogatepass")
        changed = set_key(data, "id", identity).decode("utf-8", "surrogatepass")
        for swap in swaps_between(document.text, changed):
            edit = replace(
                document,
                swap.start,
                swap.end,
                swap.text,
            )
            edits.setdefault(path, []).append(edit)
    if active_id(view.workspace.paths) == old:
        pointer = Document(
            "",
            old,
            None,
            "utf-8",
        )
        edits[ACTIVE] = [
            replace(
                pointer,
                0,
                len(old),
                identity,
            )
        ]


def _has_id(document: Document) -> bool:
    for number in range(1, len(document.starts)):
        line = document.line(number)
        if _ID.match(line):
            return True
        if line.rstrip() in ("---", "..."):
            return False
    return False
