"""What is kept from one scene to the next."""

from __future__ import annotations

from cuedeck.ranking.memo import Memo


def test_what_is_kept_is_there_again_while_it_depends_on_the_same() -> None:
    kept: Memo[dict[str, int]] = Memo(dict)
    kept.of("a", ("hash", 1))["x"] = 1
    assert kept.of("a", ("hash", 1)) == {"x": 1}
    assert kept.of("a", ("hash", 2)) == {}
    assert kept.of("a", ("hash", 1)) == {}


def test_what_was_not_asked_for_longest_goes_first() -> None:
    kept: Memo[list[int]] = Memo(list, names=2)
    kept.of("a", 0).append(1)
    kept.of("b", 0).append(2)
    kept.of("a", 0)
    kept.of("c", 0)
    assert kept.of("a", 0) == [1]
    assert kept.of("b", 0) == []
