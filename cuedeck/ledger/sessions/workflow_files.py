"""The workflows of a workspace."""

from __future__ import annotations

import os
from collections.abc import Sequence

from cuedeck.ledger.sessions.workflow_file import Step, parse_workflow
from cuedeck.model.errors import ConfigurationError, Invalid, NotFound
from cuedeck.model.paths import WORKFLOWS
from cuedeck.store.files.disk import read_text
from cuedeck.store.workspace_paths import WorkspacePaths


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
            path, error.line, error.problem, error.hint
        ) from None
