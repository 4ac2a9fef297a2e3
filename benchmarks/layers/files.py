"""Rank at which BM25 over a layer finds the file of a query: link texts for documents,
commit subjects for sources.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from benchmarks.layers.bm25 import Bm25, reciprocal_rank
from benchmarks.layers.data import Rows
from benchmarks.layers.estimate import BytesBySize
from cuedeck.knowledge.layers.compute_layers import LayerContext, layers_of_text
from cuedeck.knowledge.layers.layer_file import LayerPair

HELD_OUT = {
    "docs": (
        "Aider-AI+aider",
        "astral-sh+uv",
        "basicmachines-co+basic-memory",
        "encode+httpx",
        "modelcontextprotocol+python-sdk",
        "prettier+prettier",
        "spf13+cobra",
        "tiangolo+fastapi",
    ),
    "sources": (
        "basicmachines-co+basic-memory",
        "modelcontextprotocol+python-sdk",
        "oraios+serena",
    ),
}
"""Repositories that no parameter was chosen on."""
_COUNT = BytesBySize()
_CONTEXT = LayerContext(_COUNT, lambda text: (), "")

View = Callable[[str, str], str]
"""Makes the searched text from the path and the text of a file."""


class Found(NamedTuple):
    """Mean reciprocal rank of a view."""

    mrr: float
    tokens: float
    """Mean size of the searched text."""
    queries: int


class LayerViews:
    """The layers of the product, computed once for each file."""

    def __init__(self, kind: str) -> None:
        self._kind = "doc" if kind == "docs" else "source"
        self._pairs: dict[tuple[str, str], LayerPair] = {}

    def views(self) -> Mapping[str, View]:
        """Return the compared views by name."""
        return {
            "path": lambda path, text: path,
            "first 100": lambda path, text: _COUNT.cut(text, 100),
            "L0": lambda path, text: self._pair(path, text).abstract,
            "first 2,000": lambda path, text: _COUNT.cut(text, 2_000),
            "L1": lambda path, text: self._pair(path, text).overview,
            "full text": lambda path, text: text,
        }

    def _pair(self, path: str, text: str) -> LayerPair:
        key = (path, text)
        if key not in self._pairs:
            self._pairs[key] = layers_of_text(_CONTEXT, path, self._kind, text)
        return self._pairs[key]


def measure(rows: Rows, kind: str, view: View, part: str) -> Found:
    """Return the ranks in a part of the repositories: `tuned`, `held-out` or `all`."""
    files: dict[str, dict[str, str]] = defaultdict(dict)
    queries: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for row in rows:
        repository = row["repo"]
        if part != "all" and (repository in HELD_OUT[kind]) != (part == "held-out"):
            continue
        if "query" in row:
            queries[repository].append((row["query"], row["paths"]))
        else:
            files[repository][row["path"]] = row["text"]
    ranks: list[float] = []
    sizes: list[int] = []
    for repository in sorted(queries):
        texts = {path: view(path, text) for path, text in files[repository].items()}
        sizes += [_COUNT.count(text) for text in texts.values()]
        ranks += _ranks(Bm25(texts), queries[repository])
    return Found(sum(ranks) / len(ranks), sum(sizes) / len(sizes), len(ranks))


def _ranks(index: Bm25, queries: list[tuple[str, list[str]]]) -> Iterator[float]:
    ranked: dict[str, list[str]] = {}
    for query, paths in queries:
        if query not in ranked:
            ranked[query] = index.rank(query)
        yield reciprocal_rank(ranked[query], paths)
