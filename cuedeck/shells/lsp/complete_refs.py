"""Completion of refs, cards, headings, symbols, tags and ids of entries."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.completion import Candidate, complete
from cuedeck.graph.anchors import written
from cuedeck.model.address import name_key, split_anchor
from cuedeck.model.entry_node import CORTEX_KIND, ENTRY_KINDS, is_entry_address
from cuedeck.model.file import PRIORITIES, STATUSES, Link
from cuedeck.model.paths import DOCS
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Target
from cuedeck.parse.ref_spans import DEPENDS_ON
from cuedeck.shells.lsp.hover import describe, markdown

if TYPE_CHECKING:
    from cuedeck.shells.lsp.view import View

_MOST = 50
"""Most candidates of an answer; the client asks again while the person types."""
_REFERENCE = 18
_KINDS = {
    "tags": 14,
    "status": 13,
    "priority": 13,
}
"""Kinds of candidates of the protocol, by the key of the front matter."""
_CLOSED = re.compile(r"^(?:---|\.\.\.)\s*$", re.MULTILINE)
_KEY = re.compile(r"^([A-Za-z_]+)[ \t]*:", re.MULTILINE)
_ITEM = re.compile(r"(?:.*[\[,]|[A-Za-z_]+[ \t]*:|[ \t]*-[ \t]+(?:ref:)?)[ \t]*[\"']?")
TRIGGERS = ("[", "(", "/", "#", ":", "@", "-", " ")


def completion(view: View, params: Any) -> Json:
    """Return the candidates at a position, with the range that they replace."""
    offset = view.offset(params.position)
    form, text = _typed_at(view, offset)
    if not form:
        return {
            "isIncomplete": False,
            "items": [],
        }
    where = view.document.range(offset - len(text), offset)
    data = {
        "uri": view.document.uri,
        "form": form,
    }
    items = []
    for number, (value, help_) in enumerate(
        islice(_candidates(view, form, text), _MOST)
    ):
        item = {
            "label": value,
            "kind": _KINDS.get(form, _REFERENCE),
            "sortText": f"{number:04}",
            "filterText": f"{value} {help_}",
            "textEdit": {
                "range": where,
                "newText": value,
            },
            "data": data,
        }
        items.append(
            {
                **item,
                "detail": help_,
            }
            if help_
            else item
        )
    return {
        "isIncomplete": len(items) >= _MOST,
        "items": items,
    }


def first_lines(view: View, item: Json) -> Json:
    """Return a candidate with the description of its target."""
    target = _target_of(view, item["data"]["form"], item["label"])
    if target is not None:
        item["documentation"] = markdown(describe(view, target))
    return item


def _typed_at(view: View, offset: int) -> tuple[str, str]:
    """Return the form and the begun text before an offset; both are empty where nothing
    is completed. The form is one of running text or a key of the front matter.
    """
    document = view.document
    start = document.starts[document.position(offset)["line"]]
    before = document.source[start:offset]
    for form, (pattern, _) in _FORMS.items():
        match = pattern.search(before)
        if match is not None:
            return form, match[match.lastindex or 0]
    matter = document.source[:offset]
    if not matter.startswith("---") or _CLOSED.search(matter, 3, start):
        return "", ""
    keys = _KEY.findall(matter)
    item = _ITEM.match(before)
    if item is None or not keys or keys[-1] not in _KEYS:
        return "", ""
    return keys[-1], before[item.end() :]


def _target_of(view: View, form: str, ref: str) -> Target | None:
    """Return the target of a ref that is written in a form; None without one."""
    written = form if form in _LINKS else "refs"
    found = view.resolve(
        Link(
            ref,
            0,
            written,
            "",
            False,
        )
    )
    return found if isinstance(found, Target) else None


# --- candidates


_Found = Iterable[Candidate]


def _candidates(view: View, form: str, text: str) -> _Found:
    path, hash_, _ = text.partition("#")
    if hash_:
        yield from _parts(view, form, path)
    elif is_entry_address(text):
        kind, _, start = text.partition(":")
        yield from _entries(view, kind, start)
    else:
        _, listed = _FORMS.get(form) or ("", _KEYS[form])
        yield from listed(view, text)


def _parts(view: View, form: str, path: str) -> _Found:
    """Yield the headings and symbols of the file that is named before `#`."""
    found = _target_of(view, form, path) if path else view.file
    if found is None:
        return
    for each in complete(view.workspace, "address", f"{found.path}#"):
        anchor = split_anchor(each.value)[1]
        yield Candidate(f"{path}#{anchor}", each.help)


def _entries(view: View, kind: str, start: str) -> Sequence[Candidate]:
    if kind == CORTEX_KIND:
        return complete(view.workspace, "cortex", f"{kind}:{start}")
    found = complete(view.workspace, kind, start)
    return [each._replace(value=f"{kind}:{each.value}") for each in found]


def _addresses(view: View, text: str) -> _Found:
    """Yield addresses that begin with a text, and cards and docs whose names contain
    it.
    """
    if "/" not in text:
        yield from _cards(view, text)
    yield from complete(view.workspace, "address", text)
    yield from _kinds(text)


def _names(view: View, text: str) -> _Found:
    """Yield the names of cards and docs that contain a text, for a wiki link."""
    yield from _cards(view, text)
    paths = view.index.paths_named_like(name_key(text), _MOST * 3)
    for path in paths or view.index.paths_of_kind("doc"):
        file = view.index.file(path)
        if file is None or file.kind != "doc":
            continue
        stem = posixpath.splitext(posixpath.basename(path))[0]
        is_unique = len(view.index.named(name_key(stem))) == 1
        name = stem if is_unique else posixpath.splitext(path)[0]
        yield Candidate(name, file.title)
    yield from _kinds(text)


def _relative_paths(view: View, text: str) -> _Found:
    """Yield paths for a Markdown link, relative to the folder of the document."""
    folder = posixpath.dirname(view.path)
    whole = posixpath.normpath(posixpath.join(folder, text))
    if not text or text.endswith("/"):
        whole = f"{whole}/".removeprefix("./")
    for each in complete(view.workspace, "address", whole):
        path = each.value
        if "/" in path or posixpath.splitext(path)[1]:
            slash = "/" if path.endswith("/") else ""
            yield Candidate(
                written(
                    path,
                    "markdown",
                    view.path,
                    view.index,
                )
                + slash,
                each.help,
            )


def _docs(view: View, text: str) -> _Found:
    """Yield docs for `@doc/`, without the folder and the suffix."""
    for folder in (f"{DOCS}/", "docs/"):
        for each in complete(view.workspace, "address", folder + text):
            name = written(
                each.value,
                "mention",
                view.path,
                view.index,
            )
            yield each._replace(value=name)


def _cards(view: View, text: str) -> _Found:
    """Yield the cards whose id or title contains a text, closed ones last."""
    folded = text.casefold()
    for each in complete(view.workspace, "card", ""):
        if folded in f"{each.value} {each.help}".casefold():
            yield each


def _kinds(text: str) -> _Found:
    """Yield the kinds of entries that begin with a text."""
    for kind in ENTRY_KINDS:
        if text and kind.startswith(text):
            yield Candidate(f"{kind}:")


def _tags(view: View, text: str) -> _Found:
    return map(Candidate, view.links.tags())


_KEYS: dict[str, Callable[[View, str], _Found]] = {
    "refs": _addresses,
    DEPENDS_ON: _cards,
    "tags": _tags,
    "status": lambda view, text: map(Candidate, STATUSES),
    "priority": lambda view, text: map(Candidate, PRIORITIES),
}
"""Lists of candidates of the keys of the front matter."""
_FORMS: dict[str, tuple[re.Pattern[str], Callable[[View, str], _Found]]] = {
    "wiki": (re.compile(r"\[\[([^\[\]|\n]*)$"), _names),
    "markdown": (
        re.compile(r"\]\(<?([^()<>\n]*)$|^[ >]*\[[^\]]+\]:[ ]+<?(.*)$"),
        _relative_paths,
    ),
    "mention": (re.compile(r"@doc/([^\s()\[\]]*)$"), _docs),
    "bracket": (re.compile(r"@ref\[([^\[\]\n]*)$"), _addresses),
}
"""Begun refs in running text, and the lists of their candidates."""
_LINKS = ("wiki", "markdown", "mention", DEPENDS_ON)
"""Forms of links; all others are like `refs`."""
