"""Cache of the layers of cards, docs and sources, by the hash of their inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_KEPT = 20_000


def kept_layers(index: Index, key: str) -> tuple[str, str, bool] | None:
    """Return the stored abstract, overview and whether the overview is the whole text;
    None if there are none.
    """
    query = "SELECT abstract, overview, whole FROM layers WHERE hash = ?"
    row = index.recall(query, (key,))
    match row:
        case (str(abstract), str(overview), int(whole)):
            return abstract, overview, bool(whole)
    return None


def keep_layers(
    index: Index, key: str, abstract: str, overview: str, whole: bool
) -> None:
    """Store the layers of a text."""
    index.keep("layers", [(key, abstract, overview, int(whole))], _KEPT)
