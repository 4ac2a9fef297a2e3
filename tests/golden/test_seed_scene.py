"""The example scene of the seed documents at several budgets, compared byte for byte.
After a change of the layout, write the expected files again and review the difference:
`CUEDECK_ACCEPT=1 python -m pytest -n0 tests/golden && git diff tests/golden`
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import seed_workspace
from memory import build

HERE = Path(__file__).parent
# The scene is complete, has the last visit only in the map, has depth 2 only in the
# map, omits depth 2, or has only the line of the card.
BUDGETS = (8_000, 560, 420, 300, 200)


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("budget", BUDGETS)
def test_seed_scene_equals_the_expected_file(budget: int, encoding: str) -> None:
    place = HERE / f"seed-{budget}-{encoding}.md"
    text = build(seed_workspace.FILES, budget, encoding=encoding).text
    if os.environ.get("CUEDECK_ACCEPT"):
        place.write_text(text, encoding="utf-8", newline="\n")
    assert text.encode() == place.read_bytes()


def test_every_expected_file_is_used() -> None:
    known = {
        f"seed-{budget}-{encoding}.md"
        for budget in BUDGETS
        for encoding in ("o200k_base", "cl100k_base")
    }
    assert {path.name for path in HERE.glob("*.md")} == known
