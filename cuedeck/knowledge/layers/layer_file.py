"""Layers of one text or folder, and layer files: a header of fixed lines, and a body.

The header names the source, the hash of its inputs and the hash of the body, so that a
stale layer and an edited one are recognised. It contains no time. Input hashes are a
Merkle tree: the hash of a file covers its bytes, that of a folder the hashes of its
children, so one changed file changes the hashes of exactly its ancestors.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.model.cortex_address import Level

ABSTRACT_TOKENS = 100
OVERVIEW_TOKENS = 2_000
LIMITS: dict[Level, int] = {"L0": ABSTRACT_TOKENS, "L1": OVERVIEW_TOKENS}
"""Tokens of the body of a layer at most, by level."""
LEVELS: tuple[Level, ...] = ("L0", "L1")
ALGORITHM = "ext6"
"""Name of the rules that compute layers.

A change of these rules that changes a layer needs a new name; the golden files of
`tests/golden/layers` show such a change.
"""
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


@dataclass(frozen=True, slots=True)
class LayerPair:
    """The layers of one text or folder. No text ends with a line break."""

    abstract: str
    """L0."""
    overview: str
    """L1."""
    is_whole: bool = False
    """Whether the overview is the whole text, which fits its limit."""

    def text(self, level: Level) -> str:
        """Return the text of one level."""
        return self.abstract if level == "L0" else self.overview


class LayerFile(NamedTuple):
    """The content of a layer file."""

    level: str
    source: str
    """Address of the file or folder that it describes."""
    input_hash: str
    tokens: int
    body: str
    """Without the line break at its end."""
    generated_by: str = EXTRACTIVE
    """`extractive`, or the name of the summariser command."""
    is_edited: bool = False
    """Whether the body differs from the one that was written with this header."""


def format_layer_file(layer: LayerFile) -> bytes:
    """Return the bytes of a layer file."""
    values = (
        layer.level,
        layer.source,
        layer.input_hash,
        ALGORITHM,
        str(layer.tokens),
        layer.generated_by,
        _body_hash(layer.body),
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
    level, source, input_hash, _, tokens, generated_by, expected = found.groups()
    if level not in LEVELS or not tokens.isascii() or not tokens.isdecimal():
        return None
    body = text[found.end() :].removesuffix("\n")
    is_whole = text.endswith("\n") and _body_hash(body) == expected
    return LayerFile(
        level,
        source,
        input_hash,
        int(tokens),
        body,
        generated_by,
        not is_whole,
    )


def rules_id(encoding: str, secret_rules: str) -> str:
    """Return the text that identifies all inputs of a layer except its files."""
    return "\0".join((ALGORITHM, encoding, secret_rules))


def file_hash(rules: str, address: str, data: bytes) -> str:
    """Return the input hash of the layers of a file."""
    return _digest("file", rules, address, hashlib.sha256(data).hexdigest())


def folder_hash(rules: str, address: str, children: Iterable[tuple[str, str]]) -> str:
    """Return the input hash of the layers of a folder.

    `children` are the names and hashes of its files and folders, in any order; the name
    of a folder ends with a slash.
    """
    rows = [f"{name}\0{value}" for name, value in children]
    rows.sort()
    return _digest("folder", rules, address, "\n".join(rows))


def _body_hash(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _digest(*parts: str) -> str:
    text = "\0".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
