"""The state of a scene that an agent session was given, for comparison at later
events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.context.scene.build_scene import BuiltScene, write_scene
from cuedeck.context.scene.no_active_card import make_or_idle
from cuedeck.ledger.decisions.decision_log import accepted_decisions
from cuedeck.model.agent_session import Given, Shown
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.text.plain_text import plain_line
from cuedeck.work.decisions.decision_repository import decisions_of
from cuedeck.work.sessions.scene_context import failing_assumptions
from cuedeck.work.sessions.session_working_set import keep_file_versions

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

LONGEST_REASON = 300
"""Maximal number of characters of a match reason or a change."""


def current_scene(workspace: Workspace, *, writes: bool = True) -> BuiltScene:
    """Return the scene, or the one for no active card; with `writes` update
    SCENE.md.
    """
    made = make_or_idle(workspace)
    if writes:
        write_scene(workspace, made.text)
    return made


def check_assumptions(workspace: Workspace) -> Sequence[Mapping[str, Any]]:
    """Update the index, check all assumptions and return the failing ones."""
    workspace.refresh()
    return failing_assumptions(workspace)


def scene_snapshot_of(
    workspace: Workspace, made: BuiltScene, failed: Iterable[Mapping[str, Any]]
) -> Given:
    """Return the state of a scene that was just built, with its failing assumptions.

    The lines of its files are stored, so that a later comparison can count changed
    lines.
    """
    files: dict[str, Shown] = {}
    for each in made.report["visits"]:  # explicitly linked files come first
        if each["kind"] not in ("folder", *ENTRY_KINDS):
            files.setdefault(
                each["path"], Shown(each["tier"], workspace.index.hash(each["path"]))
            )
    keep_file_versions(workspace, {path: shown.hash for path, shown in files.items()})
    decisions = tuple(
        each.id for each in accepted_decisions(decisions_of(workspace.ledgers))
    )
    failing_ids = tuple(each["id"] for each in failed)
    return Given(
        made.report["receipt"], made.report["card"] or "", files, decisions, failing_ids
    )


def shorten_line(text: str) -> str:
    """Return a text on one line, cut to `LONGEST_REASON` characters; `…` marks the
    cut.
    """
    line = plain_line(text)
    if len(line) <= LONGEST_REASON:
        return line
    return line[: LONGEST_REASON - 1].rstrip() + "…"
