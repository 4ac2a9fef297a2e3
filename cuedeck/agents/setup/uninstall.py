"""Removal of all that CueDeck wrote outside of repositories."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from cuedeck.agents.hosts import all_hosts
from cuedeck.agents.setup.disconnect import disconnect
from cuedeck.store.capture_consent import FOLDER
from cuedeck.store.files import nofollow
from cuedeck.store.files.private_folder import KEY, state_folders
from cuedeck.store.files.user_cache import user_cache
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.model.ports import Json

_CACHED = re.compile(r"[0-9a-f]{32}|\w+\.[0-9a-f]{8}\.\w+\.ranks")
"""Indexes of folders and unpacked vocabularies; another name is not CueDeck's."""


def uninstall(paths: WorkspacePaths, *, dry_run: bool) -> Json:
    """Remove the entries in the user's own settings of each host, then the state and
    the cache of the user; return them. With `dry_run` nothing is removed.

    A file of a host that cannot be changed becomes a finding. Raises:
    StorageError, OSError.
    """
    places: dict[str, str] = {}
    findings = []
    for host in all_hosts():
        if host.setup.user is None:
            continue
        found = disconnect(paths, host, "user", dry_run=dry_run)
        findings += found["findings"]
        for each in found["files"]:
            # Entries of several hosts are kept until the last of them is removed.
            if each["state"] not in ("absent", "failed", "unchanged"):
                places.setdefault(each["path"], f"set-up of {host.name}")
    own = dict(_own_places())
    for place in () if dry_run else own:
        (nofollow.remove_tree if os.path.isdir(place) else nofollow.unlink)(place)
        with suppress(OSError):  # a folder with other content stays
            nofollow.remove_folder(os.path.dirname(place))
    places |= own
    removed = [{"path": path, "what": what} for path, what in places.items()]
    return {"removed": removed, "findings": findings, "dry_run": dry_run}


def _own_places() -> Iterator[tuple[str, str]]:
    cache = user_cache()
    with suppress(OSError):
        for name in nofollow.list_folder(cache):
            if _CACHED.fullmatch(name):
                yield os.path.join(cache, name), "cache"
    state = next(state_folders())  # the others are those of other environments
    for name in (FOLDER, KEY):
        place = os.path.join(state, name)
        if os.path.lexists(place):
            yield place, "state"
