"""Source and target of an import, the copy of a file as a whole, and the rows of the
receipt: what happens to each file or line of the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, get_args

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.model.cortex_address import CortexAddress, CortexAddressError
from cuedeck.model.errors import CueDeckError, NotFound
from cuedeck.model.formatting import replace_surrogates
from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.files.foreign_folder import ForeignFolder

Action = Literal["new", "same", "merged", "refused", "left out"]

RESOURCES = CortexAddress(("resources",))
IMPORTED = RESOURCES.child("imported")
"""Folder for files that have no place of their own in the tree."""
_MAX_ENDING = 12
"""Characters of the longest suffix that a mapped name keeps."""


@dataclass(slots=True)
class ImportJob:
    """The source, the target and the receipt of an import."""

    workspace: Workspace
    folder: ForeignFolder
    dry_run: bool
    writer: CortexWriter | None = None
    """Writer of the tree inside `writing`; None in a dry run."""
    rows: list[dict[str, str]] = field(default_factory=list)

    @property
    def tree(self) -> CortexTree:
        """The tree of the workspace."""
        return CortexTree(self.workspace.paths)

    def add(
        self, source: str, target: str, action: Action, reason: str = "", line: int = 0
    ) -> None:
        """Add the outcome of a file, or of a line of it; the target is an address or a
        workspace-relative path, empty if nothing is written.
        """
        shown = replace_surrogates(source)
        if line:
            shown += f"#L{line}"
        row = {"source": shown, "target": target, "action": action, "reason": reason}
        self.rows.append(row)

    @contextmanager
    def refusing(self, path: str, problem: str = "") -> Iterator[None]:
        """Add a row for a file whose content is invalid, with the problem."""
        try:
            yield
        except (CueDeckError, ValueError) as error:
            self.add(path, "", "refused", f"{problem}{error}")

    def answer(self) -> dict[str, Any]:
        """Return the rows, sorted by file, and their numbers by action as JSON."""
        rows = sorted(self.rows, key=lambda each: each["source"].partition("#L")[0])
        counts = dict.fromkeys(get_args(Action), 0)
        for row in rows:
            counts[row["action"]] += 1
        return {"rows": rows, "counts": counts}

    def text(self, path: str) -> str:
        """Return the exact text of a file with its secrets masked.

        Raises: StorageError, Invalid.
        """
        return mask_to_keep(self.folder.text(path), self.workspace)

    def lines(self, path: str) -> str:
        """Return the text of a file without byte order mark and carriage returns."""
        return self.text(path).removeprefix("\ufeff").replace("\r\n", "\n")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock of the tree, except in a dry run."""
        if self.dry_run:
            yield
            return
        with self.tree.writing() as self.writer:
            yield

    def copy_resource(self, path: str) -> None:
        """Copy a file that is neither message nor memory."""
        dimension, _, name = path.partition("/")
        if dimension == "resources":
            self.copy(path, RESOURCES, name)
        else:
            self.copy(path, IMPORTED, path, "the tree has no such category")

    def copy(
        self, source: str, folder: CortexAddress, name: str, reason: str = ""
    ) -> None:
        """Copy a file to a path below a folder, unless a file is there, with its
        secrets masked. A name that no address can have is replaced by its hash.
        """
        address = folder
        changes = []
        for part in name.split("/"):
            try:
                below = address.child(part)
                if below.name != part:
                    changes.append("a name is written in Unicode form NFC")
            except CortexAddressError as error:
                data = part.encode("utf-8", "surrogateescape")
                name = sha256(data).hexdigest()[:16]
                stem, _, ending = part.rpartition(".")
                is_plain = ending.isascii() and ending.isalnum()
                if stem and is_plain and len(ending) <= _MAX_ENDING:
                    name = f"{name}.{ending}"
                below = address.child(name)
                changes.append(error.message)
            address = below
        reason = "; ".join(dict.fromkeys(changes)) or reason
        with self.refusing(source):
            data = self.text(source).encode()
            try:
                is_same = self.tree.read(address) == data
            except NotFound:
                if self.writer is not None:
                    self.writer.create(address, data)
                self.add(source, address.text, "new", reason)
                return
            if is_same:
                self.add(source, address.text, "same", reason)
            else:
                reason = "a file with other content is there"
                self.add(source, address.text, "refused", reason)
