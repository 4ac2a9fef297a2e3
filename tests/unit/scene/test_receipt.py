from __future__ import annotations

from dataclasses import replace

import seed_workspace
from memory import walked

from cuedeck.model.scene_values import Unresolved, Visit
from cuedeck.scene.footer import receipt

VISITS = walked(seed_workspace.FILES).visits
HASHES = {"b": "2", "a": "1"}
MISS = Unresolved("x", "y", 1, "wiki", "missing", "", ())


def of(
    choices: dict[str, object] | None = None,
    hashes: dict[str, str] | None = None,
    visits: tuple[Visit, ...] = VISITS,
    unresolved: tuple[Unresolved, ...] = (),
) -> str:
    return receipt(choices or {"budget": 1}, hashes or HASHES, visits, unresolved)


def test_a_receipt_is_a_sha256_in_hexadecimal() -> None:
    assert len(of()) == 64 and int(of(), 16) >= 0


def test_the_order_of_mappings_does_not_matter() -> None:
    assert of(hashes={"a": "1", "b": "2"}) == of(hashes={"b": "2", "a": "1"})
    assert of(choices={"a": 1, "b": 2}) == of(choices={"b": 2, "a": 1})


def test_everything_that_decides_the_text_changes_the_receipt() -> None:
    first = VISITS[1]
    others = [
        of(choices={"budget": 2}),
        of(hashes={"a": "1", "b": "3"}),
        of(visits=VISITS[:-1]),
        of(visits=(VISITS[0], VISITS[2], VISITS[1], VISITS[3])),
        of(unresolved=(MISS,)),
        of(unresolved=(MISS._replace(suggestion="z"),)),
        of(unresolved=(MISS._replace(candidates=("z",)),)),
        *(
            of(visits=(VISITS[0], changed, *VISITS[2:]))
            for changed in (
                replace(first, why="other"),
                replace(first, spans=((1, 2),)),
                replace(first, parts=((1, 2),)),
                replace(first, pinned=True),
                replace(first, wants_full=not first.wants_full),
            )
        ),
    ]
    assert len({of(), *others}) == len(others) + 1


def test_half_characters_do_not_stop_it() -> None:
    assert of(unresolved=(MISS._replace(ref="\ud800"),)) != of()
