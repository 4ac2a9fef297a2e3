"""Reading of the prepared data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Rows = Sequence[Mapping[str, Any]]


def read_rows(folder: Path, kind: str) -> Rows:
    """Return the rows of `KIND.jsonl`, which `prepare` wrote."""
    with (folder / f"{kind}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
