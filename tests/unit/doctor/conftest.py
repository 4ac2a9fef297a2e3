"""A small workspace on disk, healthy until a test plants something in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sandbox import Sandbox

from cuedeck.doctor.examine import Finding, Report, examine, repair_workspace
from cuedeck.doctor.repair import Repair
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace
from cuedeck.parse.gitignore import IGNORE_LINES
from cuedeck.store.workspace_paths import WorkspacePaths


class Place(Sandbox):
    """The workspace of one test."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, {})
        for folder in ("cards", "docs", "cache"):
            (root / ".cuedeck" / folder).mkdir(parents=True)
        self.write(".cuedeck/.gitignore", "\n".join(IGNORE_LINES) + "\n")

    @property
    def index(self) -> str:
        """Return the path of the index in the workspace."""
        return str(Path(WorkspacePaths(str(self.root)).index).relative_to(self.root))

    @property
    def recall_index(self) -> str:
        """Return the path of the index of recall in the workspace."""
        place = Path(WorkspacePaths(str(self.root)).recall_index)
        return str(place.relative_to(self.root))

    def workspace(self) -> Workspace:
        """Open the workspace again, with the variables of the test."""
        self._workspaces.append(open_workspace(str(self.root), self.environ))
        return self._workspaces[-1]

    def examine(self) -> Report:
        """Run every check on every file."""
        return examine(self.workspace(), everything=True)

    def found(self, check: str = "") -> list[Finding]:
        """Return the findings of one check, or of all checks if none is named."""
        return [
            finding
            for finding in self.examine().findings
            if check in ("", finding.check)
        ]

    def repair(self, *, dry_run: bool = False) -> tuple[Report, tuple[Repair, ...]]:
        """Run the repairs."""
        return repair_workspace(self.workspace(), dry_run=dry_run)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path / "workspace")
    yield made
    made.close()
