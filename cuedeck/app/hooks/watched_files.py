"""What is looked at before a session of a host is told anything: while none of it changes there is no news."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.app.scene.blocks.blocks_fingerprint import EXPERIENCES, LEDGERS, MEMORY
from cuedeck.model.paths import HOME, OPEN_SESSION, SCENE, SESSIONS, ledger_path
from cuedeck.store.git.head import find_repository, follow_head
from cuedeck.store.ledgers.agent_sessions import print_as_indexed, print_at

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.agent_session import HostSession, StatRow

_FOREIGN = (f"{HOME}/active", f"{HOME}/config.toml", EXPERIENCES)
"""Files that no hook writes."""
_JOURNAL = ledger_path("assumptions")
_ENDINGS = (".json", ".json.lz4")


def look(project: Workspace) -> dict[str, StatRow]:
    """Return the prints of what others write. To be asked before the scene is made, so that no change is lost."""
    ledgers = (path for path in LEDGERS if path != _JOURNAL)
    return {place: print_now(project, place) for place in (*_FOREIGN, *ledgers, *_heads(project))}


def look_at_own(project: Workspace) -> dict[str, StatRow]:
    """Return the prints of what hooks write themselves."""
    identity = project.sessions.pointed()
    session = [f"{SESSIONS}/{identity}{ending}" for ending in _ENDINGS] if identity else []
    return {place: print_now(project, place) for place in (OPEN_SESSION, *session, MEMORY, _JOURNAL)}


def look_at_scene(project: Workspace, visits: Iterable[Mapping[str, Any]]) -> dict[str, StatRow]:
    """Return the prints of SCENE.md and of the files it shows, as they were when it was made of them."""
    paths = dict.fromkeys(each["path"] for each in visits)
    # A history or a memory that is not read to its end has the next event look again, which reads on.
    scene = None if project.is_unfinished else print_now(project, SCENE)
    return {SCENE: scene} | {path: print_as_indexed(project.index, project.workspace, path) for path in paths}


def without_secrets(project: Workspace, known: HostSession) -> HostSession:
    """Return what is kept of a session of a host: no name in it is a secret.

    A place of such a name stands masked, with no print, so that it is always looked at anew.
    """
    from cuedeck.app.mask_answers import mask_value

    places = list(known.prints)
    names = mask_value(places, project)
    pairs = zip(places, names, strict=True)
    prints = {name: known.prints[place] if name == place else None for place, name in pairs}
    given = known.given
    if given is not None:
        paths = list(given.files)
        told = zip(paths, mask_value(paths, project), strict=True)
        files = {path: given.files[path] for path, name in told if path == name}
        given = given._replace(files=files, card=mask_value(given.card, project))
    return replace(known, prints=prints, given=given)


def print_now(project: Workspace, place: str) -> StatRow:
    """Return what the system says of a file now."""
    return print_at(os.path.join(project.workspace.root, place))


def _heads(project: Workspace) -> list[str]:
    """Return the files that change when HEAD moves."""
    root = project.workspace.root
    repository = find_repository(root)
    if repository is None:
        return []
    names = (*follow_head(repository).refs, "packed-refs", "shallow", "reftable/tables.list")
    places = [os.path.join(repository.private, "HEAD"), *(os.path.join(repository.common, name) for name in names)]
    inside = os.path.join(root, "")
    return [place.removeprefix(inside) for place in places]
