"""Row `resume`: `cuedeck resume` as a whole process with a large, unchanged working
set.
"""

from __future__ import annotations

import json
import os

from benchmarks.figure import Figure
from benchmarks.lab import Lab
from benchmarks.oneshot import measure_alternating
from benchmarks.workspace import Workspace

FILES = 200
MOST_STARTS = 8
_BAR_AT = 1_000


def measure(lab: Lab, docs: int) -> list[Figure]:
    """Resume a session with unchanged files, alternating with an interpreter that does
    nothing.
    """
    workspace = lab.indexed(docs)
    launch = lab.launch
    files = _start_session(lab, workspace)
    lab.say(f"{docs:,} docs: a session of {files} files is resumed again and again")
    figure = measure_alternating(lab, workspace, "resume", launch.cuedeck("resume"))
    answer = json.loads(
        launch.run(launch.cuedeck("resume", "--json"), workspace.root).stdout
    )
    launch.run(launch.cuedeck("session", "close"), workspace.root)
    figure = figure._replace(
        note=f"{files} files, {'un' if answer['unchanged'] else ''}changed"
    )
    return [figure.against(MOST_STARTS) if docs <= _BAR_AT else figure]


def _start_session(lab: Lab, workspace: Workspace) -> int:
    """Start a session and record that the first docs were read; return their number."""
    launch = lab.launch
    launch.run(launch.cuedeck("session", "start"), workspace.root)
    found = sorted(
        os.path.join(folder, name)
        for folder, _, names in os.walk(os.path.join(workspace.root, "docs"))
        for name in names
    )
    files = [os.path.relpath(place, workspace.root) for place in found[:FILES]]
    launch.run(launch.cuedeck("session", "touch", *files), workspace.root)
    launch.run(launch.cuedeck("resume"), workspace.root)
    return len(files)
