from __future__ import annotations

from cuedeck.cli.read_command import SIGNALS
from cuedeck.ranking import rank_files


def test_every_signal_of_the_ranking_has_a_readable_name() -> None:
    assert (
        SIGNALS.keys()
        == rank_files._NOW.keys() | rank_files._SESSION.keys() | rank_files._THEN.keys()
    )
