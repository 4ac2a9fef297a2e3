"""Workflows as data: `.cuedeck/workflows/*.toml`, each a name and its steps."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from cuedeck.model.scene import SMALLEST_BUDGET


class Step(NamedTuple):
    """One step of a workflow."""

    name: str
    text: str
    """What is done in it."""
    budget: int
    """Token limit of the scene in this step; 0 for the one of the settings."""


class Workflow(NamedTuple):
    """Steps in their order; the first has the number 1."""

    name: str
    title: str
    steps: tuple[Step, ...]


def parse_workflow(text: str, name: str) -> Workflow:
    """Read a workflow that its file names `name`. Raises: ValueError with what is wrong."""
    table = tomllib.loads(text)
    rows = table.get("step")
    if not isinstance(rows, list) or not rows:
        raise ValueError("it has no `[[step]]`")
    title = table.get("title", "")
    steps = tuple(_step(row, number) for number, row in enumerate(rows, 1))
    return Workflow(name, title if isinstance(title, str) and title else name, steps)


def _step(row: Any, number: int) -> Step:
    if not isinstance(row, Mapping) or not isinstance(row.get("name"), str) or not row["name"].strip():
        raise ValueError(f"step {number} has no `name`")
    text, budget = row.get("text", ""), row.get("budget", 0)
    if not isinstance(text, str):
        raise ValueError(f"`text` of step {number} must be a string")
    if isinstance(budget, bool) or not isinstance(budget, int) or (budget and budget < SMALLEST_BUDGET):
        raise ValueError(f"`budget` of step {number} must be a whole number from {SMALLEST_BUDGET} on")
    return Step(row["name"].strip(), " ".join(text.split()), budget)
