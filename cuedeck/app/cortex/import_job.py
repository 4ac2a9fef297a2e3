"""Source and target of an import, and the import of a file as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.cortex.import_plan import RESOURCE, ImportRow, mapped_address, row
from cuedeck.app.mask_answers import mask_to_keep
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError, Invalid, NotFound
from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.fs.foreign_folder import ForeignFile, ForeignFolder


class CortexImport(NamedTuple):
    """The source and the target of an import."""

    workspace: Workspace
    folder: ForeignFolder
    top: str
    """Folder of the dimensions in the source, such as `tenants/ana`; may be empty."""
    dry_run: bool

    @property
    def tree(self) -> CortexTree:
        """The tree of the workspace."""
        return CortexTree(self.workspace.paths)

    def path(self, *names: str) -> str:
        """Return a path in the source."""
        return "/".join(filter(None, (self.top, *names)))

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
    return add_file(job.tree, writer, file.path, mapped.address, data, reason)


def add_file(
    tree: CortexTree,
    writer: CortexWriter | None,
    source: str,
    address: CortexAddress,
    data: bytes,
    reason: str = "",
) -> ImportRow:
    """Create a file unless one exists; return the row. Raises: StorageError."""
    try:
        known = tree.read(address)
    except NotFound:
        if writer is not None:
            writer.create(address, data)
        return row(source, address.text, "new", reason)
    except Invalid:
        return row(source, address.text, "refused", "a folder has this address")
    if known == data:
        return row(source, address.text, "same", reason)
    return row(source, address.text, "refused", "a file with other content is there")
