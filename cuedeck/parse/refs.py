"""Refs as they are written: wiki links, Markdown destinations, mentions, and the items
of front-matter `refs`.

The `*_target` functions return an empty string for text that is not a ref of the
workspace (a URL, shell syntax). Mentions are `@doc/api#Login` and
`@ref[docs/api.md#Error Handling]`: `@doc/` refers to a doc and ends at a blank or a
closing bracket or quote; a heading of several words needs `@ref[…]` or its slug.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.entry_node import CORTEX_KIND, ENTRY_KINDS
from cuedeck.model.errors import Invalid
from cuedeck.model.file import Link
from cuedeck.model.formatting import abbreviate

if TYPE_CHECKING:
    from cuedeck.parse.frontmatter import FrontMatter

MAX_CHARACTERS = 1_000
"""Maximum length of a ref, longer than any path; it also bounds the work of the
patterns below.
"""

# A URL scheme is directly followed by its value: `Note: something` and `Type::name` are
# names, not URLs.
_URL = re.compile(
    rf"(?!(?:{'|'.join(('card', *ENTRY_KINDS))}):)[A-Za-z][A-Za-z0-9+.-]*:(?=[^\s:])|//"
)
# Control characters could forge lines in any output that contains a ref.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_WIKI = re.compile(r"!?\[\[([^\[\]]+)\]\]")
_INLINE = re.compile(
    r"\[[^\]]*\]\(\s*(?:<([^<>]*)>|([^()\"]*?))(?:\s+\"[^\"]*\")?\s*\)"
)
# The `@` precedes the lookbehinds so that the scan can jump from one `@` to the next.
# The lookbehinds reject a match inside a word or after a slash: mail addresses and URLs
# contain such text.
_MENTION = re.compile(
    r"@(?<![^\W_]@)(?<![/\\@.:-]@)(?:doc/(?P<doc>[^\s()\[\]{}<>\"'`|,;“”‘’«»、。，；）」』]+)|ref\[(?P<ref>[^\[\]\n]+)\])"
)
# Punctuation that ends a sentence or an emphasis is not part of the mention.
_TRAILING = ".,;:!?*_~#…"
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


def is_url(text: str) -> bool:
    """Return whether `text` is a URL: `https://…`, `mailto:…`, `//host`."""
    return _URL.match(text) is not None


@lru_cache(10_000)
def wiki_target(inner: str) -> str:
    """Return the ref of a wiki link, given the text between `[[` and `]]`.

    Blanks at the edges mean shell syntax (`[[ -f x ]]`), not a link; neither is a
    matrix (`[[1, 2], [3, 4]]`).
    Example: wiki_target("auth#Login|the flow") == "auth#Login"
    """
    name, pipe, _ = inner.partition("|")
    if name[:1].isspace() or (not pipe and inner[-1:].isspace()):
        return ""
    before, closing, _ = name.partition("]")
    if closing and "[" not in before:
        return ""
    # In a table the pipe is escaped as `\|`, which leaves a backslash at the end of the
    # name.
    return plain_target(name.rstrip("\\") if pipe else name)


def path_target(destination: str) -> str:
    """Return the ref of a Markdown link destination, percent-decoded."""
    if destination.startswith("?"):
        return ""
    ref = plain_target(destination)
    if ref.startswith(f"{CORTEX_KIND}:"):  # decoded once, by the parser of addresses
        return ref
    if "%" in ref:
        return _unquote(ref)
    return ref


def plain_target(text: str) -> str:
    """Return the ref of a plain path or name."""
    ref = text.strip()
    if (
        ref in ("", "#")
        or len(ref) > MAX_CHARACTERS
        or _CONTROL.search(ref)
        or is_url(ref)
    ):
        return ""
    return ref


def item_target(text: str) -> str:
    """Return the ref of a front-matter item: a path, a name, `[[wiki]]`, `@doc/…`,
    `@ref[…]`, `[t](path)`.

    Control characters are escaped (`a\\nb.md`), so that the ref is reported as dead
    instead of being ignored.
    """
    text = text.strip()
    if len(text) > MAX_CHARACTERS:
        return ""
    text = _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)
    if text.startswith("@"):
        return plain_target(mention_target(text))
    if wiki := _WIKI.fullmatch(text):
        return wiki_target(wiki.group(1).strip())
    if inline := _INLINE.fullmatch(text):
        return path_target(inline.group(1) or inline.group(2) or "")
    return plain_target(text)


def _unquote(ref: str) -> str:
    from urllib.parse import unquote

    try:
        text = unquote(ref, errors="strict")
    except UnicodeDecodeError:
        return ref
    if _CONTROL.search(text) or not text.strip():
        return ref
    return text


class Mention(NamedTuple):
    """One mention in a text."""

    offset: int
    """The offset of the `@`, in characters."""
    target: str
    """`api#Login` for `@doc/api#Login`; the text in the brackets for `@ref[…]`."""


def has_mentions(text: str) -> bool:
    """Return whether `text` may contain a mention: a cheap test before the full
    scan.
    """
    return "@doc/" in text or "@ref[" in text


def find_mentions(text: str) -> Iterator[Mention]:
    """Yield the mentions of `text` in order. The caller must exclude code and
    comments.
    """
    for match in _MENTION.finditer(text):
        target = _target(match)
        if target:
            yield Mention(match.start(), target)


def mention_target(text: str) -> str:
    """Return the target if the whole text is one mention, else an empty string.

    Blanks are allowed here, because the end is known: `@doc/api#Error Handling`.
    """
    if text.startswith("@doc/"):
        return text[5:].strip().rstrip("#")
    match = _MENTION.fullmatch(text)
    return _target(match) if match else ""


def _target(match: re.Match[str]) -> str:
    doc: str | None = match["doc"]
    if doc is not None:
        return doc.rstrip(_TRAILING)
    return match["ref"].strip()


def parse_refs(
    path: str, matter: FrontMatter
) -> tuple[tuple[Link, ...], tuple[Diagnostic, ...]]:
    """Return the links of the key `refs` in order, and diagnostics for its invalid
    items.
    """
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
        found.extend(
            Diagnostic(
                path=path,
                line=line,
                level="warning",
                code="bad-ref",
                message=message,
                hint=hint,
            )
            for message, hint in problems
        )
    return tuple(links), tuple(found)


def read_back(text: str) -> str:
    """Return the ref that `text` gives as an item of `refs`.

    Raises: Invalid if it is not a ref or contains control characters.
    """
    if _CONTROL.search(text.strip()) is not None:
        raise Invalid(
            "a ref cannot contain control characters",
            hint="rename the file, or refer to its folder",
        )
    ref = item_target(text)
    if not ref:
        message, hint = _no_ref(text)
        raise Invalid(message, hint=hint)
    return ref


def _parse_item(item: object, line: int) -> tuple[Link | None, list[tuple[str, str]]]:
    if isinstance(item, str):
        ref = item_target(item)
        return (
            (Link(ref, line, "refs", "", False), []) if ref else (None, [_no_ref(item)])
        )
    if not isinstance(item, dict):
        return None, [
            ("an item of `refs` is a list", 'put a wiki link in quotes: "[[name]]"')
        ]
    text = item.get("ref")
    ref = ""
    if isinstance(text, str):
        ref = item_target(text)
    if not ref:
        return None, [
            _no_ref(text)
            if isinstance(text, str)
            else ("an item of `refs` has no `ref`", _SHAPES)
        ]
    problems = [
        (f"`{abbreviate(key)}` is not a key of a ref", _SHAPES)
        for key in item
        if key not in _KEYS
    ]
    view, pin = item.get("view", ""), item.get("pin", "")
    if view not in _VIEWS:
        problems.append(
            (
                f"`view` of a ref must be `full`, got `{abbreviate(str(view))}`",
                "omit it, or write view: full",
            )
        )
    pinned = None
    if isinstance(pin, str):
        pinned = _PINNED.get(pin.strip().lower())
    if pinned is None:
        problems.append(
            (
                f"`pin` of a ref must be true or false, got `{abbreviate(str(pin))}`",
                "write pin: true",
            )
        )
    return Link(
        ref, line, "refs", "full" if view == "full" else "", bool(pinned)
    ), problems


def _no_ref(text: str) -> tuple[str, str]:
    if is_url(text.strip()):
        return (
            "a URL is not a ref; only files of the workspace are read",
            "move it into the text; if it is the path of a file, put `/` before it",
        )
    return "an item of `refs` is not a ref", _SHAPES
