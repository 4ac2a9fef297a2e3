"""Parser of front-matter `refs`: a single value or a list of paths, names, links and mappings."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.model.display import abbreviate
from cuedeck.model.errors import Invalid
from cuedeck.model.file import Diagnostic, Link
from cuedeck.parse.frontmatter import FrontMatter
from cuedeck.parse.link_target import has_control, is_url, item_target

_PINNED: Mapping[str, bool] = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
    "": False,
}
_VIEWS = ("full", "")
_KEYS = ("ref", "view", "pin")
_SHAPES = 'write a path, a quoted "[[name]]" or {ref: path, view: full, pin: true}'


def parse_refs(path: str, matter: FrontMatter) -> tuple[tuple[Link, ...], tuple[Diagnostic, ...]]:
    """Return the links of the key `refs` in order, and diagnostics for its invalid items."""
    value = matter.values.get("refs")
    if value is None or value == "":
        return (), ()
    items = value if isinstance(value, list) else [value]
    links: list[Link] = []
    found: list[Diagnostic] = []
    for item, line in zip(items, matter.ref_lines, strict=True):
        link, problems = _parse_item(item, line)
        if link is not None:
            links.append(link)
        found.extend(Diagnostic(path, line, "warning", "bad-ref", message, hint) for message, hint in problems)
    return tuple(links), tuple(found)


def read_back(text: str) -> str:
    """Return the ref that `text` gives as an item of `refs`.

    Raises: Invalid if it is not a ref or contains control characters.
    """
    if has_control(text.strip()):
        raise Invalid("a ref cannot contain control characters", hint="rename the file, or refer to its folder")
    ref = item_target(text)
    if not ref:
        message, hint = _no_ref(text)
        raise Invalid(message, hint=hint)
    return ref


def _parse_item(item: object, line: int) -> tuple[Link | None, list[tuple[str, str]]]:
    if isinstance(item, str):
        ref = item_target(item)
        return (Link(ref, line, "refs", "", False), []) if ref else (None, [_no_ref(item)])
    if not isinstance(item, dict):
        return None, [("an item of `refs` is a list", 'put a wiki link in quotes: "[[name]]"')]
    text = item.get("ref")
    ref = item_target(text) if isinstance(text, str) else ""
    if not ref:
        return None, [_no_ref(text) if isinstance(text, str) else ("an item of `refs` names no `ref`", _SHAPES)]
    problems = [(f"`{abbreviate(key)}` is no key of a ref", _SHAPES) for key in item if key not in _KEYS]
    view, pin = item.get("view", ""), item.get("pin", "")
    if view not in _VIEWS:
        problems.append(("`view` of a ref can only be `full`", "leave it out, or write view: full"))
    pinned = _PINNED.get(pin.strip().lower()) if isinstance(pin, str) else None
    if pinned is None:
        problems.append(("`pin` of a ref is neither true nor false", "write pin: true"))
    return Link(ref, line, "refs", "full" if view == "full" else "", bool(pinned)), problems


def _no_ref(text: str) -> tuple[str, str]:
    if is_url(text.strip()):
        return (
            "a URL is no ref; only files of the workspace are read",
            "move it into the text; `/` before the path of a file tells it apart",
        )
    return "an item of `refs` is no ref", _SHAPES
