"""A few kills at random moments; `python -m benchmarks.kills` does more of them."""

from __future__ import annotations

import pytest

from benchmarks import kills
from benchmarks.kills import bench
from benchmarks.process import Launch

pytestmark = pytest.mark.slow


class LaunchWithBytecode(Launch):
    """Starts processes that use the bytecode next to the sources: to compile all
    modules takes several times as long as the kills.
    """

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        del self.environ["PYTHONPYCACHEPREFIX"]


def test_nothing_acknowledged_is_lost_when_commands_are_killed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "Launch", LaunchWithBytecode)
    assert kills.main(["--what", "sessions", "--count", "2"]) == 0
    answer = dict(
        line.rsplit(maxsplit=1)
        for line in capsys.readouterr().out.splitlines()
        if "%" not in line
    )
    assert (answer["kills"], answer["lost"], answer["errors"]) == ("2", "0", "0")
    assert int(answer["acknowledged"]) >= 2
