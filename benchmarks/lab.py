"""The environment of a run: its temporary folder, its workspaces, and the start of
processes.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from types import TracebackType

from benchmarks.process import Launch
from benchmarks.workspace import DOCS_PER_SOURCE, Workspace, write_workspace


class Lab:
    """One run. Workspaces are made when first asked for and removed, like everything
    else, at its end.
    """

    def __init__(self, docs_per_source: int = DOCS_PER_SOURCE) -> None:
        self._docs_per_source = docs_per_source
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="cuedeck-benchmarks-"))
        self.launch = Launch(self.folder)
        self._workspaces: dict[int, Workspace] = {}
        self._started = time.monotonic()

    def __enter__(self) -> Lab:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def workspace(self, docs: int) -> Workspace:
        """Return the workspace of this size, with no index yet when it is new."""
        if docs not in self._workspaces:
            self.say(f"{docs:,} docs: generating")
            self._workspaces[docs] = write_workspace(
                os.path.join(self.folder, f"docs-{docs}"),
                docs,
                docs_per_source=self._docs_per_source,
            )
        return self._workspaces[docs]

    def indexed(self, docs: int) -> Workspace:
        """Return the workspace of this size with an up-to-date index and SCENE.md."""
        workspace = self.workspace(docs)
        self.launch.run(self.launch.cuedeck("scene"), workspace.root)
        return workspace

    def discard(self, docs: int) -> None:
        """Remove a workspace that is no longer needed."""
        workspace = self._workspaces.pop(docs, None)
        if workspace is not None:
            shutil.rmtree(workspace.root)

    def say(self, text: str) -> None:
        """Print progress to stderr."""
        print(
            f"{time.monotonic() - self._started:6.1f} s  {text}",
            file=sys.stderr,
            flush=True,
        )
