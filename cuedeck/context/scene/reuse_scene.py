"""Reuse of a cached scene after a record was added that cannot change it.

Every record changes MEMORY.md, an input of every scene. A record without mentions
cannot change a scene that shows no records. Without this module, the end of every turn
would rebuild the scene to the same bytes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.scene.build_scene import Request, scene_key
from cuedeck.store.cache.kept_scenes import load_scene, rename_scene
from cuedeck.store.files import nofollow
from cuedeck.store.files.fingerprint import print_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cuedeck.engine.workspace import Workspace

_BLOCK = "memory"
_ADDRESS = "record:"


class CarriedScene(NamedTuple):
    """Key of a cached scene, with the inode and size of MEMORY.md before a record was
    added.
    """

    key: str
    inode: int
    size: int


def scene_to_carry(
    workspace: Workspace, memory_path: str, text: str
) -> CarriedScene | None:
    """Return the cached scene that a record with this text cannot change; None if there
    is none.

    The caller adds the record, then calls `carry_scene`. The index may be older than
    the files: a scene cached for the state of the index remains valid for that state.
    """
    from cuedeck.ledger.mention_parser import Reader

    before = print_of(memory_path)
    if before is None or Reader().read(text):
        return None
    key = scene_key(workspace, Request())
    kept = load_scene(workspace.index, key) if key else None
    if kept is None or _ADDRESS in kept[0] or _shows_records(kept[1]):
        return None
    return CarriedScene(key, before.inode, before.size)


def carry_scene(
    workspace: Workspace, memory_path: str, scene: CarriedScene, record_id: str
) -> None:
    """Cache the scene for the current workspace, if the record is the only change of
    MEMORY.md.
    """

    if _added_ids(memory_path, scene) == [record_id]:
        rename_scene(workspace.index, scene.key, scene_key(workspace, Request()))


def _shows_records(report: Mapping[str, Any]) -> bool:
    """Return whether a scene shows anything that depends on the ids or timestamps of
    records.
    """
    refs = (each["ref"] for each in report["unresolved"])
    return any(block["name"] == _BLOCK for block in report["blocks"]) or any(
        _ADDRESS in ref for ref in refs
    )


def _added_ids(memory_path: str, scene: CarriedScene) -> list[str]:
    """Return the ids of the records after the old end of MEMORY.md; empty if anything
    else changed.
    """
    from cuedeck.ledger.records.record_file import parse_line

    try:
        with open(memory_path, "rb", buffering=0, opener=nofollow.opener) as file:
            if os.fstat(file.fileno()).st_ino != scene.inode:
                return []
            file.seek(scene.size)
            added = file.read().decode("utf-8", "surrogateescape")
    except OSError:
        return []
    if added.startswith("\n"):  # the previous line had no line end
        return []
    records = [parse_line(line).record for line in added.removesuffix("\n").split("\n")]
    return [record.id if record else "" for record in records]
