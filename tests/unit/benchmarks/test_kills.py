"""A few kills at random moments; `python -m benchmarks.kills` does more of them."""

from __future__ import annotations

import pytest

from benchmarks import kills


def test_nothing_acknowledged_is_lost_when_commands_are_killed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert kills.main(["--count", "5"]) == 0
    answer = dict(
        line.rsplit(maxsplit=1)
        for line in capsys.readouterr().out.splitlines()
        if "%" not in line
    )
    assert (answer["kills"], answer["lost"], answer["errors"]) == ("5", "0", "0")
    assert int(answer["acknowledged"]) >= 3
