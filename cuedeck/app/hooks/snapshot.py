"""What a scene says at one moment, as far as a session of a host is told when it changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.decisions.log import decisions_of
from cuedeck.app.idle import make_or_idle
from cuedeck.app.scene import Made, write_scene
from cuedeck.app.sessions.assumed import assumed
from cuedeck.app.sessions.files import remember
from cuedeck.memory.decisions import standing
from cuedeck.model.host_session import Given, Shown

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def see(project: Project, *, writes: bool = True) -> Made:
    """Return the scene, where no card is active the one that says so; with `writes` bring SCENE.md up to date."""
    made = make_or_idle(project)
    if writes:
        write_scene(project, made.text)
    return made


def failing(project: Project) -> Sequence[Mapping[str, Any]]:
    """Look at every assumption anew; return those that fail, as a resume does. Brings the index up to date."""
    project.refresh()
    return assumed(project)


def snapshot(project: Project, made: Made, failed: Iterable[Mapping[str, Any]]) -> Given:
    """Return what a scene that was just made says, and which assumptions fail.

    The lines of its files are kept, so that a later look can count what changed.
    """
    visits = [each for each in made.report["visits"] if each["kind"] != "folder"]
    files: dict[str, Shown] = {}
    for each in visits:  # the linked ones stand first
        files.setdefault(each["path"], Shown(each["tier"], project.index.hash(each["path"])))
    remember(project, {path: shown.hash for path, shown in files.items()})
    decisions = tuple(each.id for each in standing(decisions_of(project)))
    failing_ids = tuple(each["id"] for each in failed)
    return Given(made.report["receipt"], made.report["card"] or "", files, decisions, failing_ids)
