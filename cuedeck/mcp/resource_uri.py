"""Resource URIs such as `cuedeck://card/2a9f1x`: building and parsing."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote

from cuedeck.model.paths import CARDS

SCHEME = "cuedeck://"
SCENE = f"{SCHEME}scene"
SESSION = f"{SCHEME}session/current"
CARD = f"{SCHEME}card/"
DOC = f"{SCHEME}doc/"
CARD_TEMPLATE = f"{CARD}{{id}}"
DOC_TEMPLATE = f"{DOC}{{+path}}"
_CARDS = f"{CARDS}/"
_LONGEST = 4_000


class Resource(NamedTuple):
    """A parsed resource URI."""

    kind: str
    """`scene`, `session`, `card` or `doc`."""
    name: str = ""
    """Id of a card or address of a doc."""


def parse_uri(uri: str) -> Resource | None:
    """Return the parsed URI; None if it is not a resource URI of this server."""
    if uri in (SCENE, SESSION):
        return Resource("scene" if uri == SCENE else "session")
    for kind, start in (("card", CARD), ("doc", DOC)):
        if uri.startswith(start) and len(start) < len(uri) <= _LONGEST:
            name = _decoded(uri[len(start) :])
            return Resource(kind, name) if name else None
    return None


def card_uri(identity: str) -> str:
    """Return the URI of a card."""
    return CARD + quote(identity, safe="")


def doc_uri(path: str) -> str:
    """Return the URI of a file."""
    return DOC + quote(path, safe="/")


def uris_of(path: str) -> Iterator[str]:
    """Yield the URIs of a file of the workspace."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return
    if path.startswith(_CARDS) and path.endswith(".md"):
        yield card_uri(posixpath.basename(path).removesuffix(".md"))
    yield doc_uri(path)


def _decoded(text: str) -> str:
    """Return a percent-decoded text; empty if it is invalid as a name."""
    try:
        found = unquote(text, errors="strict")
    except UnicodeDecodeError:
        return ""
    return "" if "\0" in found else found.strip()
