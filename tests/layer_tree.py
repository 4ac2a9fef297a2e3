"""A cortex tree on disk and its layers, for tests."""

from __future__ import annotations

from typing import Any

from sandbox import Sandbox

from cuedeck.knowledge.cortex.cortex_nodes import read_cortex
from cuedeck.knowledge.layers.build_layers import (
    BuildReceipt,
    build_layers,
    layer_status,
    verify_layers,
)

CORTEX = ".cuedeck/cortex"
LONG = " ".join(
    f"Sentence {number} explains how part {number} of the release works."
    for number in range(300)
)
"""A text that exceeds both limits."""


class Layered:
    """The cortex tree of a workspace and its layers."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox

    def write(self, path: str, content: str | bytes) -> None:
        self.sandbox.write(f"{CORTEX}/{path}", content)

    def say(self, name: str, text: str, role: str = "user") -> None:
        """Write a message of the session `default`."""
        header = f"---\nid: {name[-8:]}\nrole: {role}\nseq: 1\n---\n"
        self.write(f"session/default/timeline/2026-11/22/{name}.md", header + text)

    def remove(self, path: str) -> None:
        self.sandbox.place(f"{CORTEX}/{path}").unlink()

    def text(self, path: str) -> str:
        return self.sandbox.place(f"{CORTEX}/{path}").read_text()

    def build(self, **options: Any) -> BuildReceipt:
        return build_layers(self.sandbox.workspace(), **options)

    def status(self) -> dict[str, Any]:
        return layer_status(self.sandbox.workspace())

    def verify(self) -> dict[str, Any]:
        return verify_layers(self.sandbox.workspace())

    def read(self, address: str, level: Any = None) -> dict[str, Any]:
        return read_cortex(self.sandbox.workspace(), address, layer=level)

    def files(self) -> dict[str, bytes]:
        """Return the files of the tree by their paths in it."""
        return {
            name.removeprefix(f"{CORTEX}/"): data
            for name, data in self.sandbox.bytes().items()
            if name.startswith(f"{CORTEX}/")
        }

    def layers(self) -> dict[str, bytes]:
        """Return the layer files by their paths in the tree."""
        return {
            name: data
            for name, data in self.files().items()
            if "/.layers/" in name or name.endswith(("/.abstract.md", "/.overview.md"))
        }
