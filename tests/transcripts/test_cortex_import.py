"""`cortex import` as a command: its table, and a process that is killed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from crash_runner import KILLED, NO_CRASH, CrashRunner, crash_points
from foreign_memory import contents, plant_clawcode, plant_cortex, plant_cursorclaw
from sandbox import Sandbox
from shared_process import sandbox
from workspace_copy import WorkspaceCopy

__all__ = ["sandbox"]


def test_the_dry_run_and_the_receipt_have_the_same_table(
    sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = plant_cortex(tmp_path_factory.mktemp("foreign"))
    plan = sandbox.ok("cortex", "import", "--dry-run", str(source)).out
    done = sandbox.ok("cortex", "import", str(source)).out
    again = sandbox.ok("cortex", "import", str(source)).out
    table = plan.partition("\n\n")[0]
    assert table == done.partition("\n\n")[0]
    assert table.startswith("ACTION    SOURCE")
    assert "Nothing was written: this was a dry run." in plan
    assert "cortex: 9 new, 0 same, 0 merged, 1 refused, 2 left out" in plan
    assert "next: cuedeck layers build\nnext: cuedeck cortex commit s1\n" in done
    assert "cortex: 0 new, 9 same, 0 merged, 1 refused, 2 left out" in again
    assert "next:" not in again
    answer = sandbox.answer("cortex", "import", str(source), "--json")
    assert answer["counts"]["same"] == 9
    assert set(answer["rows"][0]) == {"source", "target", "action", "reason"}


def test_layers_are_built_anew(
    sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = plant_cortex(tmp_path_factory.mktemp("foreign"))
    sandbox.ok("cortex", "import", str(source))
    sandbox.ok("cortex", "commit", "s1")
    sandbox.ok("layers", "build")
    layer = sandbox.place(".cuedeck/cortex/session/s1/.abstract.md").read_text()
    assert "Ana chose an editor" not in layer
    found = sandbox.ok("recall", "vim").out
    assert "cortex" in found


@pytest.mark.parametrize("plant", [plant_cortex, plant_cursorclaw, plant_clawcode])
def test_an_import_completes_a_killed_one(
    crash_runner: CrashRunner,
    shared_runner: CrashRunner,
    tmp_path_factory: pytest.TempPathFactory,
    plant: Callable[[Path], Path],
) -> None:
    top = tmp_path_factory.mktemp("crash").resolve()
    source = plant(top / "foreign")
    template = top / "before"
    template.mkdir()
    shared_runner.ok(template, ["init"], ["cortex", "add", "--session", "s1", "one"])
    command = ["cortex", "import", str(source)]
    workspace = WorkspaceCopy(template, top / "work")
    root = workspace.restore()
    shared_runner.ok(root, command)
    wanted = _kept(root)
    assert wanted != _kept(template)
    result = crash_runner.run(workspace.restore(), command, plan=NO_CRASH)
    plans = crash_points(result.writes)
    assert len(plans) > 5
    for plan in plans:
        workspace.restore()
        assert crash_runner.run(root, command, plan=plan).signal == KILLED
        shared_runner.ok(root, command)
        assert _kept(root) == wanted, plan


def _kept(root: Path) -> dict[str, bytes | str]:
    """Return the files outside the cache."""
    found = contents(root / ".cuedeck")
    return {name: found[name] for name in found if not name.startswith("cache/")}
