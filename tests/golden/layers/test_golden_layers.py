"""Layers of a small cortex tree, compared byte for byte.

A difference means that the rules of layers changed: then the name of the algorithm in
`knowledge/layers/layer_file.py` must change, too. After that, write the expected files
again and review the difference:
`CUEDECK_ACCEPT=1 python -m pytest -n0 tests/golden/layers && git diff tests/golden`
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from sandbox import Sandbox, sandbox

from cuedeck.knowledge.layers.build_layers import build_layers

__all__ = ["sandbox"]

HERE = Path(__file__).parent
TREE = HERE / "tree"
EXPECTED = HERE / "expected"
_LAYERS = (".abstract.md", ".overview.md")


def fill(sandbox: Sandbox) -> None:
    """Copy the tree; `.txt` after `.py` keeps tools away from the sources in it."""
    for place in sorted(TREE.rglob("*")):
        if place.is_file():
            path = place.relative_to(TREE).as_posix().removesuffix(".txt")
            # Git may have changed the line ends of the checkout.
            data = place.read_bytes().replace(b"\r\n", b"\n")
            sandbox.write(f".cuedeck/cortex/{path}", data)


def built(sandbox: Sandbox) -> dict[str, bytes]:
    """Return the layer files by their paths in the tree."""
    found = {}
    for name, data in sandbox.bytes().items():
        if name.startswith(".cuedeck/cortex/"):
            path = name.removeprefix(".cuedeck/cortex/")
            if "/.layers/" in path or path.endswith(_LAYERS):
                found[path.replace(".layers/", "layers/").replace("/.", "/")] = data
    return found


def test_layers_equal_the_expected_files(sandbox: Sandbox) -> None:
    fill(sandbox)
    build_layers(sandbox.workspace())
    found = built(sandbox)
    if os.environ.get("CUEDECK_ACCEPT"):
        shutil.rmtree(EXPECTED, ignore_errors=True)
        for path, data in found.items():
            place = EXPECTED / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    expected = {
        place.relative_to(EXPECTED).as_posix(): place.read_bytes()
        for place in EXPECTED.rglob("*")
        if place.is_file()
    }
    assert found == expected
