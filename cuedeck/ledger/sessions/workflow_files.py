"""The workflows of a workspace: `.cuedeck/workflows/*.toml`, each with a title and
steps.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.model.errors import ConfigurationError, Invalid, NotFound
from cuedeck.model.paths import WORKFLOWS
from cuedeck.model.settings_schema import LARGEST_BUDGET, SMALLEST_BUDGET
from cuedeck.parse.toml_reader import read_toml
from cuedeck.store.files.disk import read_text
from cuedeck.store.workspace_paths import WorkspacePaths

_HINT = "correct that step"


class Step(NamedTuple):
    """One step of a workflow."""

    name: str
    text: str
    """The instruction of the step."""
    budget: int
    """The token limit of the scene in this step; 0 for the limit of the settings."""


def parse_workflow(text: str) -> tuple[Step, ...]:
    """Return the steps of a workflow. Raises: Invalid for invalid TOML or an invalid
    step.
    """
    table = read_toml(text)
    rows = table.get("step")
    if not isinstance(rows, list) or not rows:
        raise Invalid(
            "the workflow has no `[[step]]`",
            hint='write [[step]], and below it name = "plan"',
        )
    return tuple(_step(row, number) for number, row in enumerate(rows, 1))


def _step(row: Any, number: int) -> Step:
    name = None
    if isinstance(row, Mapping):
        name = row.get("name")
    if not isinstance(name, str) or not name.strip():
        raise Invalid(f"step {number} has no `name`", hint=_HINT)
    text = row.get("text", "")
    if not isinstance(text, str):
        raise Invalid(f"`text` of step {number} must be a string", hint=_HINT)
    budget = row.get("budget", 0)
    if not _is_budget(budget):
        wanted = f"a whole number from {SMALLEST_BUDGET} to {LARGEST_BUDGET:,}"
        raise Invalid(f"`budget` of step {number} must be {wanted}", hint=_HINT)
    return Step(name.strip(), " ".join(text.split()), budget)


def _is_budget(value: object) -> bool:
    if type(value) is not int:
        return False
    return value == 0 or SMALLEST_BUDGET <= value <= LARGEST_BUDGET


def workflow_names(paths: WorkspacePaths) -> Sequence[str]:
    """Return the names of all workflows, sorted."""
    try:
        names = os.listdir(paths.absolute(WORKFLOWS))
    except OSError:
        return ()
    visible = (name for name in names if not name.startswith("."))
    return sorted(
        name.removesuffix(".toml") for name in visible if name.endswith(".toml")
    )


def load_workflow(paths: WorkspacePaths, name: str) -> tuple[Step, ...]:
    """Return the steps of a workflow. Raises: NotFound with the nearest names,
    ConfigurationError for an invalid file.
    """
    known = workflow_names(paths)
    if name not in known:
        import difflib

        near = tuple(difflib.get_close_matches(name, known, 3))
        hint = (
            f"use one of {', '.join(known)}"
            if known
            else "`cuedeck init` creates the workflows bug-fix and feature-development"
        )
        if near:
            hint = f"did you mean `{near[0]}`?"
        raise NotFound(f"there is no workflow `{name}`", hint=hint, candidates=near)
    path = f"{WORKFLOWS}/{name}.toml"
    try:
        return parse_workflow(read_text(paths.absolute(path)) or "")
    except Invalid as error:
        raise ConfigurationError.at(
            path,
            error.line,
            error.problem,
            error.hint,
        ) from None
