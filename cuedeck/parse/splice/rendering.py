"""The text of a new card file."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.parse.splice.quoting import STRICT_KEYS, quote


def render_card(fields: Sequence[tuple[str, str | tuple[str, ...]]], body: str) -> str:
    """Return the text of a new card file.

    A tuple is written as a block list, an empty one as `[]`. The body follows after a blank line and ends
    with a newline.

    Order: as given.
    Raises: Invalid for a value that is not valid Unicode text.
    """
    lines = ["---"]
    for key, value in fields:
        if isinstance(value, str):
            lines.append(f"{quote(key)}: {quote(value, strict=key in STRICT_KEYS)}")
        elif value:
            lines += [f"{quote(key)}:", *(f"  - {quote(item)}" for item in value)]
        else:
            lines.append(f"{quote(key)}: []")
    lines.append("---")
    if body:
        lines += ["", body.removesuffix("\n")]
    return "\n".join(lines) + "\n"
