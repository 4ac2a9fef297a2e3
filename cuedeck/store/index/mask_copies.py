"""Update of the index after a change of the secret values: files with copies of them
are read again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.parse.notebook import decode_file
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import look_at
from cuedeck.store.files.ignore_rules import HIDDEN
from cuedeck.store.index.index_update import fill
from cuedeck.store.index.schema import DERIVED, VALUES_CHANGED

if TYPE_CHECKING:
    from cuedeck.model.secret import KnownValues
    from cuedeck.parse.secrets import SecretSearch
    from cuedeck.store.files.fingerprint import FileStamp
    from cuedeck.store.index import Index

_MOST_OF_SETTINGS = 100_000
"""Bytes of the largest ignored file that is searched for values."""


def note_hidden_values(
    index: Index,
    root: str,
    verdicts: Mapping[str, int | None],
    search: SecretSearch | None,
) -> None:
    """Note the secret values of the ignored `.env` files among scanned paths. The index
    stores hashes of them, and nothing else of these files.
    """
    if search is None:
        return
    for path, verdict in verdicts.items():
        if verdict == HIDDEN and path.rpartition("/")[2].startswith(".env"):
            with contextlib.suppress(OSError):
                data = nofollow.read_file(os.path.join(root, path), _MOST_OF_SETTINGS)
                index.note_values(search.search(data.decode("utf-8", "replace")).marks)


def mask_copies(
    index: Index,
    root: str,
    prints: dict[str, FileStamp],
    before: KnownValues | None,
    masking: SecretSearch | None,
) -> Sequence[str]:
    """Read the files again in which copies of secret values must be masked, or no
    longer; return their paths.

    `before` are the values whose copies are masked; None if an update was interrupted,
    so that all values count as new, and others as gone.
    """
    change = index.meta(VALUES_CHANGED)
    index.forget_known_values()
    values = index.known_values()
    known = before.marks if before is not None else ()
    added = values.without(known)
    paths: set[str] = set()
    if before is None or not set(known) <= set(values.marks):
        paths.update(index.copy_paths())
    if added:
        paths.update(_with_copies(index, root, added))
    index.wipe(*DERIVED)
    read = {}
    if paths and masking:
        masking.know(values)
        wanted = [(path, "") for path in sorted(paths)]
        read = fill(index, root, wanted, prints, None, masking)
        # FTS5 has the bytes of removed terms until its parts are merged.
        with index.writing() as database:
            database.execute("INSERT INTO terms (terms) VALUES ('optimize')")
        index.wipe()
    # If another process, or a file that changed meanwhile, has added a value, the next
    # refresh compares all.
    index.end_change(change)
    return list(read)


def _with_copies(index: Index, root: str, values: KnownValues) -> Iterator[str]:
    """Yield the paths of the indexed texts that contain one of the values."""
    for path in index.text_paths():
        data = look_at(os.path.join(root, *path.split("/")))
        if next(values.find(decode_file(path, data).text), None) is not None:
            yield path
