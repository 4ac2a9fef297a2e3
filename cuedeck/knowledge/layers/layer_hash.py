"""Input hashes of layers: a Merkle tree over the files and folders of the cortex tree.

The hash of a file covers its bytes, that of a folder the hashes of its children, so one
changed file changes the hashes of exactly its ancestors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

ALGORITHM = "ext3"
"""Name of the rules that compute layers.

A change of these rules that changes a layer needs a new name; the golden files of
`tests/golden/layers` show such a change.
"""


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


def body_hash(body: str) -> str:
    """Return the hash by which an edit of the body of a layer is recognised."""
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _digest(*parts: str) -> str:
    text = "\0".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
