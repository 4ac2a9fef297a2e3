"""Simple baseline systems for comparison with CueDeck, computed from the tree and the
history before the commit.

Each yields pieces of text, best first. All know what CueDeck knows: the words of the
card and the entry file, which they do not show again, except for the one that packs
everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from benchmarks.scenes.baselines.cochange import cochange
from benchmarks.scenes.baselines.imports import imports
from benchmarks.scenes.baselines.pack import pack
from benchmarks.scenes.baselines.words import files, functions
from benchmarks.scenes.cases import Case
from benchmarks.scenes.snapshot import Snapshot

Baseline = Callable[[Case, Snapshot], Iterator[str]]

BASELINES: Mapping[str, Baseline] = {
    "repomix": pack,
    "bm25-files": files,
    "bm25-functions": functions,
    "imports": imports,
    "cochange": cochange,
}
