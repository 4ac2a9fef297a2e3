"""The rolling window over the text of a file of records."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.memory.add_record import Window, oldest_over
from cuedeck.ledger.records.record_file import parse_records


def line(text: str) -> str:
    return f'- {{"id":"{text}","text":"{text}"}}\n'


def test_prose_between_records_stays_in_place() -> None:
    text = f"# H\n\n{line('a')}by hand\n{line('b')}- [ ] todo\n{line('c')}"
    kept, dropped = oldest_over(text, Window(1, 0))
    assert kept == f"# H\n\nby hand\n- [ ] todo\n{line('c')}"
    assert dropped == [line("a").strip(), line("b").strip()]


def test_e8_newest_record_stays_even_if_the_header_alone_is_too_long() -> None:
    kept, dropped = oldest_over(f"{'#' * 700}\n{line('a')}{line('b')}", Window(0, 600))
    assert [record.id for record in parse_records(kept).records] == ["b"]
    assert len(dropped) == 1


LINES = st.lists(
    st.sampled_from(["record", "prose", "- [ ]", "", "- {broken"]), max_size=30
)


@given(LINES, st.integers(0, 12), st.integers(0, 900))
def test_kept_and_dropped_lines_add_up_to_the_file(
    kinds: list[str], records: int, chars: int
) -> None:
    rows = [
        line(str(number)) if kind == "record" else f"{kind}\n"
        for number, kind in enumerate(kinds)
    ]
    text = "".join(rows)
    there = parse_records(text).records
    kept, dropped = oldest_over(text, Window(records, chars))
    assert sorted(
        f"{kept}{''.join(f'{each}{chr(10)}' for each in dropped)}".split("\n")
    ) == sorted(text.split("\n"))
    left = parse_records(kept).records
    assert [each.id for each in left] == [each.id for each in there[len(dropped) :]]
    assert not there or left
    over = (records and len(left) > records) or (chars and len(kept) > chars)
    assert not over or len(left) <= 1
