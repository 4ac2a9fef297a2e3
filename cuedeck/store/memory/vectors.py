"""What the original keeps of records in a profile that both use: vectors beside their texts."""

from __future__ import annotations

import json

from cuedeck.store.experiences import FOREIGN

VECTORS = ("tmp/memory-embeddings.json", FOREIGN)


def without_vectors(text: str, identity: str, said: str) -> str:
    """Return such a file without what it holds of a record; one that cannot be read is emptied of it by emptying it."""
    try:
        value = json.loads(text)
        rows = next(each for each in value.values() if isinstance(each, list))
    except (ValueError, AttributeError, StopIteration, RecursionError):
        return "" if identity in text or (said and said in text) else text
    kept = [row for row in rows if not _is_of(row, identity, said)]
    if len(kept) == len(rows):
        return text
    rows[:] = kept
    return json.dumps(value, ensure_ascii=False, indent=2)


def _is_of(row: object, identity: str, said: str) -> bool:
    return isinstance(row, dict) and (
        identity in (row.get("recordId"), row.get("id")) or (bool(said) and row.get("text") == said)
    )
