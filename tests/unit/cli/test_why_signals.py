from __future__ import annotations

from cuedeck.cli.read import SIGNALS
from cuedeck.scene.related import ranking


def test_every_signal_of_the_ranking_has_a_readable_name() -> None:
    assert SIGNALS.keys() == ranking._NOW.keys() | ranking._THEN.keys()
