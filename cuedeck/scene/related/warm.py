"""What one scene worked out and the next may use; nothing in it changes what a scene says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cuedeck.recall.tally import Tally
from cuedeck.scene.kept import Kept
from cuedeck.scene.related.reading import Readings

if TYPE_CHECKING:
    from cuedeck.model.scene import Shown, Span
    from cuedeck.scene.related.heard import Heard
    from cuedeck.scene.related.past import Past
    from cuedeck.scene.related.stock import Stock

Points = Mapping[int, int]
Nodes = dict[tuple["Span", ...], "Shown"]


@dataclass(slots=True)
class Warm:
    """What is kept from scene to scene of one workspace."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    chunks: dict[str, tuple[object, dict[str, Points]]] = field(default_factory=dict)
    """By query: what its points depend on, and the points of each file's chunks."""
    readings: Readings = field(default_factory=Readings)
    past: Past | None = None
    heard: Heard | None = None
    stock: Stock | None = None
    nodes: Kept[Nodes] = field(default_factory=lambda: Kept(dict))
    """By path: the node of each choice of lines."""
    behind: dict[str, None] | None = None
    """Paths that changed since the ranking that is kept; None when all may have."""

    def note(self, changed: Iterable[str] | None) -> None:
        """Take note that these files may differ from now on, and that others came or went; None: all may."""
        paths = None if changed is None else dict.fromkeys(changed)
        for tally in self.tallies.values():
            tally.note(paths)
        for _, points in self.chunks.values():
            if paths is None:
                points.clear()
            for path in paths or ():
                points.pop(path, None)
        if self.past is not None:
            self.past.forget(paths)
        if paths is None or self.behind is None:
            self.behind = None
        else:
            self.behind.update(paths)
