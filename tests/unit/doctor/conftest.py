"""A small workspace on disk, healthy until a test plants something in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from cuedeck.doctor.examine import Finding, Report, examine, repair_workspace
from cuedeck.doctor.repair import Repair
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace
from cuedeck.parse.gitignore import IGNORE_LINES
from cuedeck.store.workspace_paths import WorkspacePaths


class Place:
    """The workspace of one test."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environ: dict[str, str] = {}
        self.contexts = ExitStack()
        for folder in ("cards", "docs", "cache"):
            (root / ".cuedeck" / folder).mkdir(parents=True)
        self.write(".cuedeck/.gitignore", "\n".join(IGNORE_LINES) + "\n")

    def write(self, path: str, content: str | bytes = "") -> Path:
        """Write a file, with the folders above it."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return place

    @property
    def index(self) -> str:
        """Return the path of the index in the workspace."""
        return str(Path(WorkspacePaths(str(self.root)).index).relative_to(self.root))

    @property
    def recall_index(self) -> str:
        """Return the path of the index of recall in the workspace."""
        place = Path(WorkspacePaths(str(self.root)).recall_index)
        return str(place.relative_to(self.root))

    def card(self, identity: str = "abc123", *fields: str, body: str = "") -> Path:
        """Write a card; a title is given unless the fields hold one."""
        titled = any(field.startswith("title:") for field in fields)
        rows = [
            "---",
            *([] if titled else [f"title: The card {identity}"]),
            *fields,
            "---",
            "",
            body,
            "",
        ]
        return self.write(f".cuedeck/cards/{identity}.md", "\n".join(rows))

    def hold(self, context: AbstractContextManager[object]) -> None:
        """Stay in a context until the test is over."""
        self.contexts.enter_context(context)

    def workspace(self) -> Workspace:
        """Open the workspace again, as a new command does."""
        return open_workspace(str(self.root), self.environ)

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

    def bytes(self) -> dict[str, bytes]:
        """Return every file but the cache."""
        files = (path for path in sorted(self.root.rglob("*")) if path.is_file())
        kept = ((path.relative_to(self.root).as_posix(), path) for path in files)
        return {
            name: path.read_bytes()
            for name, path in kept
            if not name.startswith(".cuedeck/cache/")
        }


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path / "workspace")
    with made.contexts:
        yield made
