"""What is kept from one scene to the next."""

from __future__ import annotations

from cuedeck.scene.kept import Kept


def test_what_is_kept_is_there_again_while_it_depends_on_the_same() -> None:
    kept: Kept[dict[str, int]] = Kept(dict)
    kept.of("a", ("hash", 1))["x"] = 1
    assert kept.of("a", ("hash", 1)) == {"x": 1}
    assert kept.of("a", ("hash", 2)) == {}
    assert kept.of("a", ("hash", 1)) == {}


def test_what_was_not_asked_for_longest_goes_first() -> None:
    kept: Kept[list[int]] = Kept(list, names=2)
    kept.of("a", 0).append(1)
    kept.of("b", 0).append(2)
    kept.of("a", 0)
    kept.of("c", 0)
    assert kept.of("a", 0) == [1]
    assert kept.of("b", 0) == []
