"""Completion of refs, cards, headings, symbols, tags and ids of entries."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.context.search.completion import Candidate, complete
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.address import name_key, split_anchor
from cuedeck.model.entry_node import CORTEX_KIND, ENTRY_KINDS, is_entry_address
from cuedeck.model.file import PRIORITIES, STATUSES, Link
from cuedeck.model.paths import DOCS
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Target
from cuedeck.shells.lsp.hover import describe

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
_KEY = re.compile(r"([A-Za-z_]+)[ \t]*:")
_ITEM = re.compile(r"(?:.*[\[,]|[A-Za-z_]+[ \t]*:|[ \t]*-[ \t]+(?:ref:)?)[ \t]*[\"']?")
_FORMS = (
    ("wiki", re.compile(r"\[\[([^\[\]|\n]*)$")),
    ("markdown", re.compile(r"\]\(<?([^()<>\n]*)$|^[ >]*\[[^\]]+\]:[ ]+<?(.*)$")),
    ("mention", re.compile(r"@doc/([^\s()\[\]]*)$")),
    ("bracket", re.compile(r"@ref\[([^\[\]\n]*)$")),
)
_LINK_FORMS = {
    "wiki": "wiki",
    "markdown": "markdown",
    "mention": "mention",
}
"""Form of a link by the form in which it is begun; all others are like `refs`."""
_WORDS = {
    "status": STATUSES,
    "priority": PRIORITIES,
}
TRIGGERS = ("[", "(", "/", "#", ":", "@", "-", " ")


class _Typed(NamedTuple):
    """What a person has begun to write."""

    form: str
    """`wiki`, `markdown`, `mention`, `bracket`, or a key of the front matter."""
    text: str


def completion(view: View, params: Any) -> Json:
    """Return the candidates at a position, with the range that they replace."""
    offset = view.offset(params.position)
    typed = _typed_at(view, offset)
    if typed is None:
        return {
            "isIncomplete": False,
            "items": [],
        }
    where = view.document.range(offset - len(typed.text), offset)
    items = []
    for number, candidate in enumerate(_candidates(view, typed)):
        item = {
            "label": candidate.value,
            "kind": _KINDS.get(typed.form, _REFERENCE),
            "sortText": f"{number:04}",
            "filterText": f"{candidate.value} {candidate.help}",
            "textEdit": {
                "range": where,
                "newText": candidate.value,
            },
            "data": {
                "uri": view.document.uri,
                "form": typed.form,
            },
        }
        if candidate.help:
            item["detail"] = candidate.help
        items.append(item)
        if len(items) >= _MOST:
            break
    return {
        "isIncomplete": len(items) >= _MOST,
        "items": items,
    }


def first_lines(view: View, item: Json) -> Json:
    """Return a candidate with the description of its target."""
    target = _target_of(view, item["data"]["form"], item["label"])
    if target is not None:
        text = describe(view, target)
        item["documentation"] = {
            "kind": "markdown",
            "value": text,
        }
    return item


def _typed_at(view: View, offset: int) -> _Typed | None:
    """Return the begun text before an offset; None where nothing is completed."""
    document = view.document
    number = document.position(offset)["line"]
    before = document.text[document.starts[number] : offset]
    for form, pattern in _FORMS:
        match = pattern.search(before)
        if match is not None:
            return _Typed(form, match[match.lastindex or 0])
    file = view.file
    if file is None or not 0 < number < _front_matter_end(view):
        return None
    item = _ITEM.match(before)
    key = _key_above(view, number)
    if item is None or key not in _KEYS:
        return None
    return _Typed(key, before[item.end() :])


def _front_matter_end(view: View) -> int:
    """Return the line of the rule that closes the front matter; the number of all lines
    while it is not closed, and 0 without front matter.
    """
    if not view.document.line(0).startswith("---"):
        return 0
    for number in range(1, len(view.document.starts)):
        if view.document.line(number).rstrip() in ("---", "..."):
            return number
    return len(view.document.starts)


def _key_above(view: View, number: int) -> str:
    """Return the key of the front matter to which a line belongs."""
    for at in range(number, 0, -1):
        match = _KEY.match(view.document.line(at))
        if match is not None:
            return match[1]
    return ""


def _target_of(view: View, form: str, ref: str) -> Target | None:
    """Return the target of a ref that is written in a form; None without one."""
    if form == "depends_on":
        ref = f"card:{ref}"
    written = _LINK_FORMS.get(form, "refs")
    link = Link(ref, line=0, form=written, view="", pin=False)
    target = resolve(link, view.path, view.index, suggest=False)
    return target if isinstance(target, Target) else None


# --- candidates


_Found = Iterable[Candidate]


def _candidates(view: View, typed: _Typed) -> _Found:
    path, hash_, _ = typed.text.partition("#")
    if hash_ and typed.form not in _WORDS:
        yield from _parts(view, typed.form, path)
    elif is_entry_address(typed.text):
        kind, _, start = typed.text.partition(":")
        yield from _entries(view, kind, start)
    else:
        yield from (_KEYS.get(typed.form) or _FORM_LISTS[typed.form])(view, typed.text)


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
    if kind in ("decision", "assumption", "session", "record", "experience"):
        found = complete(view.workspace, kind, start)
    else:
        found = [Candidate(each) for each in view.index.entries(kind, start)]
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
            relative = posixpath.relpath(path, folder or ".")
            slash = "/" if path.endswith("/") else ""
            yield Candidate(relative + slash, each.help)


def _docs(view: View, text: str) -> _Found:
    """Yield docs for `@doc/`, without the folder and the suffix."""
    for folder in (f"{DOCS}/", "docs/"):
        for each in complete(view.workspace, "address", folder + text):
            name = each.value.removeprefix(folder).removesuffix(".md")
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


def _words(key: str) -> Callable[[View, str], _Found]:
    return lambda view, text: map(Candidate, _WORDS[key])


_KEYS: dict[str, Callable[[View, str], _Found]] = {
    "refs": _addresses,
    "depends_on": _cards,
    "tags": _tags,
    "status": _words("status"),
    "priority": _words("priority"),
}
"""Lists of candidates of the keys of the front matter."""
_FORM_LISTS: dict[str, Callable[[View, str], _Found]] = {
    "wiki": _names,
    "markdown": _relative_paths,
    "mention": _docs,
    "bracket": _addresses,
}
"""Lists of candidates of the forms of refs in running text."""
