"""Conversion of written links to refs: wiki links, Markdown destinations, front-matter items.

The `*_target` functions return an empty string for text that is not a ref of the workspace (a URL, shell syntax).
"""

from __future__ import annotations

import re

from cuedeck.parse.mentions import mention_target

MAX_CHARACTERS = 1_000
"""Maximum length of a ref, longer than any path; it also bounds the work of the patterns below."""

LEDGERS = ("card", "decision", "record", "experience", "session", "attempt")

# A URL scheme is directly followed by its value: `Note: something` and `Type::name` are names, not URLs.
_URL = re.compile(rf"(?!(?:{'|'.join(LEDGERS)}):)[A-Za-z][A-Za-z0-9+.-]*:(?=[^\s:])|//")
# Control characters could forge lines in any output that contains a ref.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_WIKI = re.compile(r"!?\[\[([^\[\]]+)\]\]")
_INLINE = re.compile(r"\[[^\]]*\]\(\s*(?:<([^<>]*)>|([^()\"]*?))(?:\s+\"[^\"]*\")?\s*\)")


def is_url(text: str) -> bool:
    """Return whether `text` is a URL: `https://…`, `mailto:…`, `//host`."""
    return _URL.match(text) is not None


def wiki_target(inner: str) -> str:
    """Return the ref of a wiki link, given the text between `[[` and `]]`.

    Blanks at the edges mean shell syntax (`[[ -f x ]]`), not a link.
    Example: wiki_target("auth#Login|the flow") == "auth#Login"
    """
    name, pipe, _ = inner.partition("|")
    if name[:1].isspace() or (not pipe and inner[-1:].isspace()):
        return ""
    # In a table the pipe is escaped as `\|`, which leaves a backslash at the end of the name.
    return plain_target(name.rstrip("\\") if pipe else name)


def path_target(destination: str) -> str:
    """Return the ref of a Markdown link destination, percent-decoded."""
    if destination.startswith("?"):
        return ""
    ref = plain_target(destination)
    return _unquote(ref) if "%" in ref else ref


def plain_target(text: str) -> str:
    """Return the ref of a plain path or name."""
    ref = text.strip()
    if ref in ("", "#") or len(ref) > MAX_CHARACTERS or _CONTROL.search(ref) or is_url(ref):
        return ""
    return ref


def item_target(text: str) -> str:
    """Return the ref of a front-matter item: a path, a name, `[[wiki]]`, `@doc/…`, `@ref[…]`, `[t](path)`.

    Control characters are escaped (`a\\nb.md`), so that the ref is reported as dead instead of being ignored.
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
    """Return whether `text` contains control characters or line separators, which a ref must not contain."""
    return _CONTROL.search(text) is not None


def _unquote(ref: str) -> str:
    from urllib.parse import unquote

    try:
        text = unquote(ref, errors="strict")
    except UnicodeDecodeError:
        return ref
    return ref if _CONTROL.search(text) or not text.strip() else text
