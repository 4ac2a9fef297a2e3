"""What a written link points at, as a ref: wiki text, Markdown destinations, front-matter items.

Every function answers with an empty string when the text is no ref of the workspace (a URL, shell syntax).
"""

from __future__ import annotations

import re

from cuedeck.parse.mentions import mention_target

MAX_CHARACTERS = 1_000
"""Longer than any path: such text is no ref, and the patterns below need not fear it."""

LEDGERS = ("card", "decision", "record", "experience", "session", "attempt")

# A scheme is followed at once by its value: `Note: something` and `Type::name` are names, not addresses.
_URL = re.compile(rf"(?!(?:{'|'.join(LEDGERS)}):)[A-Za-z][A-Za-z0-9+.-]*:(?=[^\s:])|//")
# Control characters could forge lines wherever a ref is shown.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_WIKI = re.compile(r"!?\[\[([^\[\]]+)\]\]")
_INLINE = re.compile(r"\[[^\]]*\]\(\s*(?:<([^<>]*)>|([^()\"]*?))(?:\s+\"[^\"]*\")?\s*\)")


def is_url(text: str) -> bool:
    """Tell whether `text` is outside the workspace: `https://…`, `mailto:…`, `//host`."""
    return _URL.match(text) is not None


def wiki_target(inner: str) -> str:
    """Return the ref of what stands between `[[` and `]]`.

    Blanks at the edges make it shell syntax (`[[ -f x ]]`), not a link.
    Example: wiki_target("auth#Login|the flow") == "auth#Login"
    """
    name, pipe, _ = inner.partition("|")
    if name[:1].isspace() or (not pipe and inner[-1:].isspace()):
        return ""
    # In a table the pipe is escaped, and the backslash stays with the name.
    return plain_target(name.rstrip("\\") if pipe else name)


def path_target(destination: str) -> str:
    """Return the ref of a Markdown link's destination, percent escapes undone."""
    if destination.startswith("?"):
        return ""
    ref = plain_target(destination)
    return _unquote(ref) if "%" in ref else ref


def plain_target(text: str) -> str:
    """Return a path or name as the ref it is."""
    ref = text.strip()
    if ref in ("", "#") or len(ref) > MAX_CHARACTERS or _CONTROL.search(ref) or is_url(ref):
        return ""
    return ref


def item_target(text: str) -> str:
    """Return the ref of a front-matter item: a path, a name, `[[wiki]]`, `@doc/…`, `@ref[…]`, `[t](path)`.

    Control characters in it are escaped (`a\\nb.md`): whoever wrote a ref is told that it leads nowhere.
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


def has_control(text: str) -> bool:
    """Tell whether `text` holds characters that no ref does: control characters and line ends."""
    return _CONTROL.search(text) is not None


def _unquote(ref: str) -> str:
    from urllib.parse import unquote

    try:
        text = unquote(ref, errors="strict")
    except UnicodeDecodeError:
        return ref
    return ref if _CONTROL.search(text) or not text.strip() else text
