"""What a scan and its readings found goes into the index, all or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.store.index import document_terms
from cuedeck.store.index.rows import confirm, put, put_meta, put_problems, put_verdicts, remove

if TYPE_CHECKING:
    from cuedeck.store.index import Index
    from cuedeck.store.index.read_file import Reading


def take_in(
    index: Index,
    readings: Iterable[Reading],
    gone: Iterable[str] = (),
    verdicts: Mapping[str, int | None] | None = None,
    problems: Iterable[Sequence[object]] | None = None,
    meta: Mapping[str, str] | None = None,
) -> list[str]:
    """Take in what was found; readings are asked for one by one.

    `verdicts` are those that changed, None for one that is gone; `problems` replace the stored ones. The
    generation counts every change of content, so that what was built from an older one can be told apart.
    Returns: the paths that another process changed meanwhile, so that they must be read in full.
    """
    try:
        with index.writing() as database:
            words = document_terms.Intake(database, index.news)
            stale, changed = _put_all(index, readings, words)
            for path in gone:
                changed = True
                index.forget_file(path)
                index.forget_names()
                words.remove(path)
                remove(database, path)
            words.finish()
            put_verdicts(database, verdicts or {})
            if problems is not None:
                put_problems(database, problems)
            put_meta(database, meta or {}, changed=changed)
    except BaseException:
        index.forget()
        raise
    return stale


def _put_all(index: Index, readings: Iterable[Reading], words: document_terms.Intake) -> tuple[list[str], bool]:
    """Put what was read; return the paths that must be read in full, and whether any content is new."""
    stale: list[str] = []
    changed = False
    for reading in readings:
        if reading.data:
            changed = True
            index.forget_file(reading.path)
            if put(index.database, reading):
                index.forget_names()
            words.take(reading.path, reading.facts)
        elif not confirm(index.database, reading):
            stale.append(reading.path)
    return stale, changed
