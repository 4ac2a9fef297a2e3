"""Source and target of an import, the import of a file as a whole, and the rows of the
receipt: what happens to each file or line of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.model.cortex_address import CortexAddress, CortexAddressError
from cuedeck.model.errors import CueDeckError, NotFound
from cuedeck.model.formatting import replace_surrogates
from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.files.foreign_folder import ForeignFile, ForeignFolder

ForeignKind = Literal["cortex", "clawcode", "cursorclaw"]
Action = Literal["new", "same", "merged", "refused", "left out"]

KINDS: tuple[ForeignKind, ...] = get_args(ForeignKind)
ACTIONS: tuple[Action, ...] = get_args(Action)
RESOURCE = CortexAddress(("resources",)).child("imported")
"""Folder for files that have no place of their own in the tree."""
_MAX_ENDING = 12
"""Characters of the longest suffix that a mapped name keeps."""


class ImportRow(NamedTuple):
    """The outcome of a file, or of a line of it."""

    source: str
    """Path in the source folder, for a line with `#L7`."""
    target: str
    """Address or workspace-relative path; empty if nothing is written."""
    action: Action
    """`refused` for invalid or different content, `left out` for files without data."""
    reason: str = ""


def row(
    source: str, target: str, action: Action, reason: str = "", line: int = 0
) -> ImportRow:
    """Return a row; bytes in the path that are not UTF-8 are replaced."""
    shown = replace_surrogates(source)
    if line:
        shown += f"#L{line}"
    return ImportRow(shown, target, action, reason)


def answer_rows(rows: Iterable[ImportRow]) -> dict[str, Any]:
    """Return rows, sorted by file, and their numbers by action as JSON."""
    listed = sorted(rows, key=lambda each: each.source.partition("#L")[0])
    counts = dict.fromkeys(ACTIONS, 0)
    for each in listed:
        counts[each.action] += 1
    return {"rows": [each._asdict() for each in listed], "counts": counts}


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
        depth = self.path("user").count("/") + 2
        return "/".join(path.split("/")[:depth])

    def below_owner(self, path: str) -> str:
        """Return the part of a path below the folder of its owner."""
        return path.removeprefix(f"{self.owner_folder(path)}/")

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
    """Import a file that is neither message nor memory, with its text unchanged."""
    below = file.path.removeprefix(f"{job.top}/" if job.top else "")
    if below.startswith("resources/"):
        folder = CortexAddress(("resources",))
        return copy_file(job, writer, file.path, folder, below[len("resources/") :])
    reason = "the tree has no such category"
    return copy_file(job, writer, file.path, RESOURCE, below, reason)


def copy_file(
    job: CortexImport,
    writer: CortexWriter | None,
    source: str,
    folder: CortexAddress,
    name: str,
    reason: str = "",
) -> ImportRow:
    """Create a file at a path below a folder unless one exists; return the row.

    A name that no address can have is replaced by its hash.
    """
    address = folder
    changes = []
    for part in name.split("/"):
        try:
            below = address.child(part)
            if below.name != part:
                changes.append("a name is written in Unicode form NFC")
        except CortexAddressError as error:
            below = address.child(_hashed(part))
            changes.append(error.message)
        address = below
    reason = "; ".join(dict.fromkeys(changes)) or reason
    try:
        data = job.masked_text(source).encode()
        # Two names of the source may be equal in Unicode form NFC.
        known = job.created.get(address) or sha256(job.tree.read(address)).digest()
    except NotFound:
        job.created[address] = sha256(data).digest()
        try:
            if writer is not None:
                writer.create(address, data)
        except CueDeckError as error:  # a file has the address of its folder
            return row(source, address.text, "refused", error.message)
        return row(source, address.text, "new", reason)
    except CueDeckError as error:
        return row(source, "", "refused", error.message)
    if known == sha256(data).digest():
        return row(source, address.text, "same", reason)
    return row(source, address.text, "refused", "a file with other content is there")


def _hashed(name: str) -> str:
    digest = sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    stem, dot, ending = name.rpartition(".")
    is_ending = ending.isascii() and ending.isalnum() and len(ending) <= _MAX_ENDING
    return f"{digest}.{ending}" if stem and dot and is_ending else digest
