"""What the doctor says of one card by itself."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from cuedeck.app.doctor.cards import check_dates, check_fields, check_ids, check_titles
from cuedeck.app.doctor.files import check_front_matter, check_readable, check_ref_items
from cuedeck.app.doctor.view import View
from cuedeck.model.node import Diagnostic, File
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from cuedeck.app.project import Project

OWN_CHECKS = (
    check_front_matter,
    check_readable,
    check_fields,
    check_titles,
    check_ids,
    check_dates,
    check_ref_items,
)
"""Checks of what a card itself says."""


class _OneCard(View):
    """A workspace of which these checks see one card."""

    def __init__(self, project: Project, file: File) -> None:
        super().__init__(project, project.settings, (), "", local_now())
        self._file = file

    @cached_property
    def cards(self) -> tuple[File, ...]:
        return (self._file,)

    @cached_property
    def troubles(self) -> tuple[Diagnostic, ...]:
        of_scan = (Diagnostic(*row) for row in self.index.problems())
        return (*self._file.diagnostics, *(each for each in of_scan if each.path == self._file.path))


def own_problems(project: Project, file: File) -> list[Diagnostic]:
    """Return what is wrong with the front matter of a card, by line; where it leads is not looked at.

    Of other cards only those that go by its id are read.
    """
    view = _OneCard(project, file)
    return sorted(each for check in OWN_CHECKS for each in check(view))
