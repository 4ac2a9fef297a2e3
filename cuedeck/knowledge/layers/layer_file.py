"""Layer files: a header of fixed lines, then the body.

The header names the source, the hash of its inputs and the hash of the body, so that a
stale layer and an edited one are recognised. It contains no time.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cuedeck.knowledge.layers.layer_hash import ALGORITHM, body_hash
from cuedeck.knowledge.layers.layer_values import Level

EXTRACTIVE = "extractive"
"""Producer of a layer that was computed without a command."""
_FIELDS = (
    "layer",
    "source",
    "input_hash",
    "algorithm",
    "tokens",
    "generated_by",
    "body_hash",
)
_HEADER = re.compile(
    "---\n" + "".join(rf"{name}: ([^\n]*)\n" for name in _FIELDS) + "---\n\n"
)


class LayerFile(NamedTuple):
    """The content of a layer file."""

    level: Level
    source: str
    """Address of the file or folder that it describes."""
    input_hash: str
    algorithm: str
    tokens: int
    generated_by: str
    """`extractive`, or the name of the summariser command."""
    body: str
    """Without the line break at its end."""
    is_edited: bool = False
    """Whether the body differs from the one that was written with this header."""


def new_layer_file(
    level: Level,
    source: str,
    input_hash: str,
    body: str,
    tokens: int,
    generated_by: str = EXTRACTIVE,
) -> LayerFile:
    """Return the layer file of a computed body."""
    return LayerFile(level, source, input_hash, ALGORITHM, tokens, generated_by, body)


def format_layer_file(layer: LayerFile) -> bytes:
    """Return the bytes of a layer file."""
    values = (
        layer.level,
        layer.source,
        layer.input_hash,
        layer.algorithm,
        str(layer.tokens),
        layer.generated_by,
        body_hash(layer.body),
    )
    rows = [f"{name}: {value}\n" for name, value in zip(_FIELDS, values, strict=True)]
    text = f"---\n{''.join(rows)}---\n\n{layer.body}\n"
    return text.encode("utf-8", "replace")


def parse_layer_file(data: bytes) -> LayerFile | None:
    """Return the content of a layer file, or None if another program wrote it or its
    header is damaged.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    found = _HEADER.match(text)
    if found is None:
        return None
    level, source, input_hash, algorithm, tokens, generated_by, expected = (
        found.groups()
    )
    if level not in ("L0", "L1") or not tokens.isascii() or not tokens.isdecimal():
        return None
    body = text[found.end() :].removesuffix("\n")
    is_whole = text.endswith("\n") and body_hash(body) == expected
    return LayerFile(
        "L0" if level == "L0" else "L1",
        source,
        input_hash,
        algorithm,
        int(tokens),
        generated_by,
        body,
        is_edited=not is_whole,
    )
