"""Import of a cortex-mem tree into the cortex tree.

The target of a file depends on the file and its name only. A file that exists at the
target is compared and never replaced; a memory is added to the card of its key. So a
repeated import changes nothing, and a killed one is completed by the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.cortex.cortex_sessions import METADATA
from cuedeck.knowledge.cortex.owner_name import owner_name
from cuedeck.knowledge.importers.import_cards import INDEX, import_owner
from cuedeck.knowledge.importers.import_job import CortexImport, import_resource
from cuedeck.knowledge.importers.import_plan import ImportRow, row
from cuedeck.knowledge.importers.import_session import import_session
from cuedeck.model.cortex_address import DIMENSIONS
from cuedeck.store.cortex.layer_store import FILE_LAYERS

if TYPE_CHECKING:
    from cuedeck.store.files.foreign_folder import ForeignFile

LAYERS = (".abstract.md", ".overview.md", FILE_LAYERS)
"""Names of files and folders with layers."""
_LAYER_REASON = "a layer; `cuedeck layers build` makes new layers"


class _Group(NamedTuple):
    """The files of one owner."""

    identity: str
    """Empty for files that no owner has."""
    files: list[ForeignFile]


def import_cortex(job: CortexImport) -> list[ImportRow]:
    """Import a cortex-mem tree; return the rows. Raises: Locked, StorageError,
    ConfigurationError.
    """
    rows: list[ImportRow] = []
    for dimension in DIMENSIONS:
        top = job.path(dimension)
        groups: dict[str, _Group] = {}
        for file in job.folder.files(top):
            owner, separator, _ = file.path.removeprefix(f"{top}/").partition("/")
            identity = ""
            name = ""
            if separator:
                # Two folders may be of one owner: an id in NFC, and the same in NFD.
                identity = owner
                name = owner_name(identity).name
            new = _Group(identity, [])
            group = groups.setdefault(name, new)
            group.files.append(file)
        for name in sorted(groups):
            group = groups[name]
            identity = group.identity
            files = _readable(group.files, rows)
            if dimension == "session" and identity:
                rows += import_session(job, identity, files)
            elif (dimension == "user" or dimension == "agent") and identity:
                rows += import_owner(job, dimension, identity, files)
            else:
                rows += _import_resources(job, files)
    return rows


def _readable(files: Sequence[ForeignFile], rows: list[ImportRow]) -> list[ForeignFile]:
    """Return the files that can be read; add a row for each other name."""
    found = []
    for file in files:
        name = file.path.rsplit("/", 1)[-1]
        if name in LAYERS:
            rows.append(row(file.path, "", "left out", _LAYER_REASON))
        elif file.problem:
            rows.append(row(file.path, "", "refused", file.problem))
        elif name.startswith(".") and name not in (INDEX, METADATA):
            rows.append(row(file.path, "", "left out", "a hidden file is not read"))
        else:
            found.append(file)
    return found


def _import_resources(
    job: CortexImport, files: Sequence[ForeignFile]
) -> Iterator[ImportRow]:
    with job.writing() as writer:
        for file in files:
            yield import_resource(job, writer, file)
