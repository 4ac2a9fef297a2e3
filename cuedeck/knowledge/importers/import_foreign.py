"""Import of the memory of another program: its kind is found by what the folder
contains.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.importers.import_cortex import import_cortex
from cuedeck.knowledge.importers.import_job import (
    KINDS,
    CortexImport,
    ForeignKind,
    answer_rows,
)
from cuedeck.knowledge.importers.import_memory import import_memory
from cuedeck.ledger.records.memory_files import DIARY, FOREIGN_EXPERIENCES, PRIMARY
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.model.cortex_address import DIMENSIONS
from cuedeck.model.errors import Ambiguous, CueDeckError, Invalid, NotFound
from cuedeck.model.formatting import quoted
from cuedeck.model.paths import HOME
from cuedeck.store.files.foreign_folder import ForeignFolder
from cuedeck.store.files.nofollow import is_below

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.workspace_paths import WorkspacePaths

TENANTS = "tenants"
_LOG = re.compile(r"\d{4}-\d{2}-\d{2}.*\.md")
_CLAWCODE_FILES = (
    ".dreams/short-term-recall.json",
    "memory/.dreams/short-term-recall.json",
    "memory/MEMORY.md",
    "agent-config.json",
    DIARY,
)
"""Files that only ClawCode writes in these places."""
_CURSORCLAW_FILES = (
    "LONGMEMORY.md",
    "memory/MEMORY-archive.md",
    "tmp/memory-embeddings.json",
    FOREIGN_EXPERIENCES,
)
"""Files that only CursorClaw writes."""


def import_foreign(
    workspace: Workspace,
    place: str,
    kind: str = "",
    tenant: str = "",
    *,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Import the folder at an absolute path; return the rows of the receipt.

    An empty `kind` means that the content decides. With `dry_run` nothing is written.
    The source is never written. Raises: NotFound, Ambiguous, Invalid, Locked,
    StorageError, ConfigurationError.
    """
    folder = ForeignFolder(place)
    _check_source(workspace.paths, workspace.settings, folder)
    chosen = _chosen_kind(folder, kind)
    if tenant and chosen != "cortex":
        raise Invalid(f"a folder of {chosen} has no tenants", hint="omit --tenant")
    top = _top(folder, tenant) if chosen == "cortex" else ""
    job = CortexImport(workspace, folder, top, dry_run, {})
    rows = import_cortex(job) if chosen == "cortex" else import_memory(job, chosen)
    return {
        "source": folder.root,
        "kind": chosen,
        "tenant": tenant or None,
        "dry_run": dry_run,
        **answer_rows(rows),
    }


def foreign_kinds(folder: ForeignFolder) -> list[ForeignKind]:
    """Return the kinds of which a folder has files."""
    found: list[ForeignKind] = []
    if _has_dimension(folder, "") or _tenants(folder):
        found.append("cortex")
    is_profile = any(map(folder.has_file, _CURSORCLAW_FILES))
    is_profile = is_profile or _has_records(folder, PRIMARY)
    is_clawcode = any(map(folder.has_file, _CLAWCODE_FILES))
    is_clawcode = is_clawcode or any(map(_LOG.fullmatch, folder.names()))
    if not is_profile and not is_clawcode:
        logs = [name for name in folder.names("memory") if _LOG.fullmatch(name)]
        is_profile = any(_has_records(folder, f"memory/{name}") for name in logs)
        is_clawcode = not is_profile and (bool(logs) or folder.has_file(PRIMARY))
    if is_clawcode:
        found.append("clawcode")
    if is_profile:
        found.append("cursorclaw")
    return found


def _chosen_kind(folder: ForeignFolder, kind: str) -> ForeignKind:
    """Return the kind to import. Raises: Invalid, NotFound, Ambiguous."""
    if kind:
        for each in KINDS:
            if each == kind:
                return each
        raise Invalid(
            f"`{kind}` is not a kind of source", hint=f"use one of {', '.join(KINDS)}"
        )
    found = foreign_kinds(folder)
    if not found:
        raise NotFound(
            f"{folder.root} contains no memory of a known program",
            hint="give the folder that contains MEMORY.md, a folder memory/, or the "
            f"folders {', '.join(DIMENSIONS)}",
        )
    if len(found) > 1:
        raise Ambiguous(
            f"{folder.root} contains files of several programs",
            hint=f"choose one, for example --from {found[0]}",
            candidates=tuple(found),
        )
    return found[0]


def _top(folder: ForeignFolder, tenant: str) -> str:
    """Return the folder of the dimensions. Raises: NotFound, Ambiguous."""
    tenants = _tenants(folder)
    if tenant:
        if tenant not in tenants:
            raise NotFound(
                f"there is no tenant {tenant}",
                hint="use one of these" if tenants else "omit --tenant",
                candidates=tuple(tenants),
            )
        return f"{TENANTS}/{tenant}"
    if tenants:
        raise Ambiguous(
            f"{folder.root} contains tenants",
            hint=f"choose one: --tenant {quoted(tenants[0])}; to import the folders "
            "next to them, move the tenants away",
            candidates=tuple(tenants),
        )
    return ""


def _tenants(folder: ForeignFolder) -> list[str]:
    return [
        name
        for name in folder.names(TENANTS)
        if _has_dimension(folder, f"{TENANTS}/{name}/")
    ]


def _has_dimension(folder: ForeignFolder, prefix: str) -> bool:
    return any(folder.has_folder(f"{prefix}{name}") for name in DIMENSIONS)


def _has_records(folder: ForeignFolder, path: str) -> bool:
    if not folder.has_file(path):
        return False
    try:
        return bool(parse_records(folder.text(path)).records)
    except CueDeckError:
        return False


def _check_source(
    paths: WorkspacePaths, settings: Settings, folder: ForeignFolder
) -> None:
    """Raise Invalid if the folder is a memory of this workspace."""
    root = os.path.realpath(paths.root)
    home = os.path.join(root, HOME)
    if folder.root == home or is_below(folder.root, home):
        raise Invalid(
            f"{paths.shown(folder.root)} is the memory of this workspace",
            hint="give a folder outside .cuedeck/",
        )
    for profile in settings.profile:
        if folder.root == os.path.realpath(paths.absolute(profile.root)):
            raise Invalid(
                f"{profile.root} is the profile {profile.id}, which is used in place",
                hint=f"cuedeck memory list --profile {quoted(profile.id)}",
            )
