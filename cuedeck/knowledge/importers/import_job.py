"""Source and target of an import, and the import of a file as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.importers.import_plan import (
    RESOURCE,
    ImportRow,
    mapped_address,
    row,
)
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError, Invalid, NotFound
from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.files.foreign_folder import ForeignFile, ForeignFolder


class CortexImport(NamedTuple):
    """The source and the target of an import."""

    workspace: Workspace
    folder: ForeignFolder
    top: str
    """Folder of the dimensions in the source, such as `tenants/ana`; may be empty."""
    dry_run: bool
    created: dict[CortexAddress, bytes]
    """Digests of the files that this import has created, or would have created."""

    @property
    def tree(self) -> CortexTree:
        """The tree of the workspace."""
        return CortexTree(self.workspace.paths)

    def path(self, *names: str) -> str:
        """Return a path in the source."""
        return "/".join(filter(None, (self.top, *names)))

    def owner_folder(self, path: str) -> str:
        """Return the folder of the owner of a file, such as `tenants/ana/user/ben`."""
        dimension = self.path("user")
        depth = dimension.count("/") + 2
        names = path.split("/")
        return "/".join(names[:depth])

    def below_owner(self, path: str) -> str:
        """Return the part of a path below the folder of its owner."""
        folder = self.owner_folder(path)
        return path.removeprefix(f"{folder}/")

    def masked_text(self, path: str) -> str:
        """Return a text of the source, unchanged except that its secrets are masked.
        Raises: Invalid, StorageError.
        """
        text: str = mask_to_keep(self.folder.exact_text(path), self.workspace)
        return text

    @contextmanager
    def writing(self) -> Iterator[CortexWriter | None]:
        """Hold the lock of the tree and yield a writer; None in a dry run."""
        if self.dry_run:
            yield None
            return
        with self.tree.writing() as writer:
            yield writer


def import_resource(
    job: CortexImport, writer: CortexWriter | None, file: ForeignFile
) -> ImportRow:
    """Import a file that is neither message nor memory, with its text unchanged.

    Raises: StorageError for the target.
    """
    below = file.path.removeprefix(f"{job.top}/" if job.top else "")
    folder, reason = RESOURCE, ""
    if below.startswith("resources/"):
        folder, below = CortexAddress(("resources",)), below.removeprefix("resources/")
    else:
        reason = "the tree has no such category"
    mapped = mapped_address(folder, below)
    reason = mapped.reason or reason
    try:
        data = job.masked_text(file.path).encode()
    except CueDeckError as error:
        return row(file.path, "", "refused", error.message)
    return add_file(job, writer, file.path, mapped.address, data, reason)


def add_file(
    job: CortexImport,
    writer: CortexWriter | None,
    source: str,
    address: CortexAddress,
    data: bytes,
    reason: str = "",
) -> ImportRow:
    """Create a file unless one exists; return the row. Raises: StorageError."""
    digest = _digest(data)
    # Two names of the source may be equal in Unicode form NFC.
    known = job.created.get(address)
    try:
        if known is None:
            there = job.tree.read(address)
            known = _digest(there)
    except NotFound:
        if _has_file_above(job, address):
            problem = "a file has the address of its folder"
            return row(source, address.text, "refused", problem)
        job.created[address] = digest
        if writer is not None:
            writer.create(address, data)
        return row(source, address.text, "new", reason)
    except Invalid:
        return row(source, address.text, "refused", "a folder has this address")
    if known == digest:
        return row(source, address.text, "same", reason)
    return row(source, address.text, "refused", "a file with other content is there")


def _has_file_above(job: CortexImport, address: CortexAddress) -> bool:
    """Return whether a folder of an address is a file, or will be one."""
    folder = address.parent
    while folder is not None:
        if folder in job.created or job.tree.kind_of(folder) == "file":
            return True
        folder = folder.parent
    return False


def _digest(data: bytes) -> bytes:
    return sha256(data).digest()
