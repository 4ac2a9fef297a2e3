"""Resolution of an id given in full or as a unique prefix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from posixpath import commonprefix

from cuedeck.model.errors import Ambiguous, NotFound

SHORTEST = 8
"""Characters of a UUID that a person sees, if they are unique."""
_UUID = r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"


def short_ids(text: str, known: Iterable[str]) -> str:
    """Return a text with each UUID in it cut to its shortest unique prefix among the
    known ids, of at least eight characters. `pick` accepts such a prefix.
    """
    by_start: dict[str, list[str]] = {}
    for identity in known:
        by_start.setdefault(identity[:SHORTEST], []).append(identity)

    def shorten(found: re.Match[str]) -> str:
        identity = found[0]
        length = SHORTEST
        for rival in by_start.get(identity[:SHORTEST], ()):
            if rival != identity:
                length = max(length, len(commonprefix((identity, rival))) + 1)
        return identity[:length]

    return re.sub(_UUID, shorten, text)


def has_long_id(text: str) -> bool:
    """Return whether a text contains a UUID."""
    return re.search(_UUID, text) is not None


def pick(text: str, known: Sequence[str], kind: str, listing: str = "") -> str:
    """Return the id in `known` that `text` names: in full, after `kind:`, or as a
    unique prefix.

    `listing` is the command that lists the ids, by default `cuedeck <kind> list`.
    Raises: NotFound with the nearest ids, Ambiguous with the candidates.
    """
    wanted = text.strip().removeprefix(f"{kind}:")
    if wanted in known:
        return wanted
    begun = []
    for each in known:
        if wanted and each.startswith(wanted):
            begun.append(each)
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise Ambiguous(
            f"`{text}` is ambiguous",
            hint="give more characters",
            candidates=tuple(begun),
        )
    # Only an unknown id needs the comparison, and hooks import this module.
    import difflib

    near = difflib.get_close_matches(wanted, known, 3, 0.5)
    hint = (
        f"did you mean `{near[0]}`?"
        if near
        else f"`{listing or f'cuedeck {kind} list'}` lists the {kind}s"
    )
    raise NotFound(f"there is no {kind} `{text}`", hint=hint, candidates=tuple(near))
