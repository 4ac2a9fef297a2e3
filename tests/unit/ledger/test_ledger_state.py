"""The state of a ledger does not depend on the order of its lines."""

from __future__ import annotations

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.codecs import parse_log
from cuedeck.ledger.kind import fold

ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.sampled_from("abc"),
            "timestamp": st.sampled_from(
                [
                    "2026-01-01T10:00:00Z",
                    "2026-01-01T11:00:00+02:00",
                    "2026-01-01T09:00:00.5Z",
                    "yesterday",
                    "",
                ]
            ),
            "status": st.sampled_from(["accepted", "superseded"]),
        }
    ),
    max_size=8,
)


def state(rows: list[dict[str, str]]) -> dict[str, object]:
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    return {
        name: dict(each) for name, each in fold(parse_log(data, "x").entries).items()
    }


@given(ROWS, st.randoms())
def test_order_and_repetition_of_lines_do_not_matter(
    rows: list[dict[str, str]], chance: Random
) -> None:
    turned = [*rows, *rows[:2]]
    chance.shuffle(turned)
    assert list(state(turned).items()) == list(state(rows).items())


def test_later_entry_replaces_only_its_fields() -> None:
    first = {
        "id": "a",
        "timestamp": "2026-01-01T10:00:00Z",
        "decision": "Use bcrypt",
        "status": "accepted",
    }
    later = {
        "id": "a",
        "timestamp": "2026-01-01T12:30:00+02:00",
        "status": "superseded",
    }
    found = state([later, first])["a"]
    assert found == {
        **first,
        "status": "superseded",
        "changed": "2026-01-01T12:30:00+02:00",
    }
