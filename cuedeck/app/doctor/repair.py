"""Safe automatic repairs, planned as steps that can be listed before they are applied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import NamedTuple

from cuedeck.app.doctor.check_cards import Dated, odd_dates
from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.app.doctor.check_layout import GITIGNORE, IGNORED, is_linked, visible_to_git
from cuedeck.app.doctor.doctor_report import Repair
from cuedeck.model.errors import CueDeckError
from cuedeck.model.paths import CARDS, DOCS
from cuedeck.store.fs.disk import read_bytes, user_file, write_atomic
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.fs.stale_temp_files import leftovers, remove
from cuedeck.store.fs.workspace_files import back_up, make_folder, presence, remove_index


class Step(NamedTuple):
    """One planned repair and the function that applies it."""

    path: str
    what: str
    act: Callable[[], None]


def planned(view: CheckContext) -> tuple[Step, ...]:
    """Return the repairs to make, in the order of `REPAIRS`, without changing anything."""
    return tuple(step for plan in REPAIRS for step in plan(view))


def apply(step: Step) -> Repair:
    """Apply one step and return its result; an error is recorded, so that the next steps still run."""
    try:
        step.act()
    except CueDeckError as error:
        return Repair(step.path, step.what, False, error.message)
    return Repair(step.path, step.what, True, "")


def plan_folders(view: CheckContext) -> Iterator[Step]:
    """Create missing folders."""
    for folder in (CARDS, DOCS):
        if not presence(view.paths, folder):
            yield Step(folder, "create the folder", partial(make_folder, view.paths, folder))


def plan_gitignore(view: CheckContext) -> Iterator[Step]:
    """Add the lines that keep generated files out of git."""
    shown = visible_to_git(view)
    if shown and not is_linked(view):
        new = not presence(view.paths, GITIGNORE)
        lines = IGNORED if new else tuple(shown)
        what = f"{'write' if new else 'add'} {', '.join(lines)}"
        yield Step(GITIGNORE, what, partial(_edit, view, GITIGNORE, partial(_with_lines, lines)))


def plan_dates(view: CheckContext) -> Iterator[Step]:
    """Rewrite dates of recognised forms in RFC 3339; other dates are left unchanged."""
    clear = (date for date in odd_dates(view) if date.rewritten)
    for path, dates in groupby(clear, key=lambda date: date.path):
        found = tuple(dates)
        what = ", ".join(f"{date.key}: `{date.written}` becomes `{date.rewritten}`" for date in found)
        yield Step(path, what, partial(_rewrite_dates, view, path, found))


def plan_index(view: CheckContext) -> Iterator[Step]:
    """Delete a corrupt index, which the next command rebuilds."""
    if view.index_fault:
        yield Step(view.paths.shown(view.paths.index), "build the index anew", partial(remove_index, view.paths))


def plan_leftovers(view: CheckContext) -> Iterator[Step]:
    """Remove the temporary files of dead processes."""
    for left in leftovers(view.paths):
        yield Step(left.path, "remove the temporary file", partial(remove, left))


REPAIRS: tuple[Callable[[CheckContext], Iterable[Step]], ...] = (
    plan_folders,
    plan_gitignore,
    plan_dates,
    plan_index,
    plan_leftovers,
)
"""All repairs, in order of application."""


def _edit(view: CheckContext, path: str, change: Callable[[bytes], bytes]) -> None:
    """Change a user file after backing it up."""
    place = user_file(view.paths.root, path)
    data = read_bytes(place) or b""
    changed = change(data)
    if changed != data:
        back_up(view.paths, path)
        write_atomic(place, changed, view.paths.cache)


def _with_lines(lines: Iterable[str], data: bytes) -> bytes:
    end = b"\r\n" if b"\r\n" in data else b"\n"
    head = data + end if data and not data.endswith(b"\n") else data
    return head + b"".join(line.encode() + end for line in lines)


def _rewrite_dates(view: CheckContext, path: str, dates: Iterable[Dated]) -> None:
    from cuedeck.parse.frontmatter import split_front_matter
    from cuedeck.parse.frontmatter_edit import set_key
    from cuedeck.parse.text_decoding import decode

    def change(data: bytes) -> bytes:
        now = split_front_matter(path, decode(data).text)
        for date in dates:
            if now.text(date.key) == date.written:  # else it was edited meanwhile
                data = set_key(data, date.key, date.rewritten)
        return data

    with locked(view.paths, "cards"):
        _edit(view, path, change)
