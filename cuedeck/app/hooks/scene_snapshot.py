"""What a scene says at one moment, as far as a session of a host is told when it changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.decisions.decision_repository import decisions_of
from cuedeck.app.scene.build_scene import BuiltScene, write_scene
from cuedeck.app.scene.no_active_card import make_or_idle
from cuedeck.app.sessions.session_working_set import remember
from cuedeck.app.sessions.sync_scene import session_assumptions
from cuedeck.model.agent_session import Given, Shown
from cuedeck.records.decision_log import accepted_decisions

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def snapshot_scene(project: Workspace, *, writes: bool = True) -> BuiltScene:
    """Return the scene, where no card is active the one that says so; with `writes` bring SCENE.md up to date."""
    made = make_or_idle(project)
    if writes:
        write_scene(project, made.text)
    return made


def failing(project: Workspace) -> Sequence[Mapping[str, Any]]:
    """Look at every assumption anew; return those that fail, as a resume does. Brings the index up to date."""
    project.refresh()
    return session_assumptions(project)


def snapshot(project: Workspace, made: BuiltScene, failed: Iterable[Mapping[str, Any]]) -> Given:
    """Return what a scene that was just made says, and which assumptions fail.

    The lines of its files are kept, so that a later look can count what changed.
    """
    visits = [each for each in made.report["visits"] if each["kind"] != "folder"]
    files: dict[str, Shown] = {}
    for each in visits:  # the linked ones stand first
        files.setdefault(each["path"], Shown(each["tier"], project.index.hash(each["path"])))
    remember(project, {path: shown.hash for path, shown in files.items()})
    decisions = tuple(each.id for each in accepted_decisions(decisions_of(project)))
    failing_ids = tuple(each["id"] for each in failed)
    return Given(made.report["receipt"], made.report["card"] or "", files, decisions, failing_ids)
