from __future__ import annotations

from cuedeck.context.ranking import rank_files
from cuedeck.shells.operations.search import SIGNALS


def test_every_signal_of_the_ranking_has_a_readable_name() -> None:
    assert SIGNALS.keys() == rank_files.SIGNALS.keys()
