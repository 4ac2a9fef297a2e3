"""The memory block of a session."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.context_block.context_block import (
    Injected,
    Sources,
    inject,
    visible_items,
)
from cuedeck.ledger.records.record_file import dump, parse_records

CAP = 32_000


def line(
    identity: str,
    text: str,
    category: str = "note",
    sensitivity: str = "public",
    **keys: object,
) -> str:
    message = {"timestamp": "2026-11-02T01:00:00.000Z", "sensitivity": sensitivity}
    return f"- {dump({'id': identity, 'category': category, 'text': text, 'provenance': message, **keys})}\n"


def inject_block(
    primary: str = "",
    *,
    user: str = "",
    long: str = "",
    days: dict[str, str] | None = None,
    cap: int = CAP,
    allow_secret: bool = False,
) -> Injected:
    logs = days or {}
    files = [parse_records(text) for text in (primary, *logs.values())]
    items = visible_items(files, (), allow_secret=allow_secret)
    return inject(Sources(user, long, tuple(logs), items), cap, 2_000)


def test_case_20_an_empty_memory_gives_no_block() -> None:
    assert inject_block() == Injected("", 0, 0)


def test_ids_of_shown_records_are_returned() -> None:
    text = (
        line("one", "The first")
        + "by hand\n"
        + line("two", "The second")
        + line("three", "hidden", "note", "secret")
    )
    assert inject_block(text).records == ("one", "two")
    assert (
        len(
            inject_block(
                "".join(line(f"r{at}", "x" * 90) for at in range(50)), cap=600
            ).records
        )
        < 10
    )


def test_case_21_memory_and_daily_logs_have_labels() -> None:
    block = inject_block(
        "# M\n\nLong-term note.\n",
        days={"2026-02-14": "Yesterday log.\n", "2026-02-15": ""},
    ).text
    assert block == (
        "Long-term memory (MEMORY.md):\n\nLong-term note.\n\n---\n\nDaily memory (2026-02-14):\n\nYesterday log."
    )


def test_case_22_a_long_block_is_truncated_with_a_note() -> None:
    block = inject_block("x" * 500, cap=200).text
    assert len(block) <= 200
    assert "truncated for length" in block
    assert "xxx" in block


def test_case_23_the_long_memory_comes_first() -> None:
    block = inject_block(
        "Memory.", long="# LONGMEMORY.md\n\n## Summary (2026-01-01)\n\nold"
    ).text
    assert (
        block.index("LONGMEMORY")
        < block.index("## Summary")
        < block.index("MEMORY.md)")
        < block.index("Memory.")
    )


def test_case_24_no_long_memory_no_label() -> None:
    assert inject_block("Memory.").text == "Long-term memory (MEMORY.md):\n\nMemory."


def test_user_file_comes_first_within_its_own_cap() -> None:
    block = inject_block("Memory.", user="Ann. " * 1_000).text
    assert block.startswith("About the human (USER.md):\n\nAnn.")
    assert block.index("Memory.") < 2_100


def test_e11_the_newest_records_win_under_the_cap() -> None:
    block = inject_block(
        "".join(line(f"r{n}", f"fact {n} {'x' * 80}") for n in range(300)), cap=5_000
    )
    assert "fact 299" in block.text
    assert "fact 0 " not in block.text
    assert f"{block.left_out} of 300 entries left out" in block.text
    assert len(block.text) <= 5_000
    assert len(block.text) > 4_800


def test_preferences_have_priority_over_summaries() -> None:
    old = line("p", "prefers tabs", "user-preference")
    block = inject_block(
        old
        + "".join(
            line(f"r{n}", f"turn {n} {'x' * 80}", "turn-summary") for n in range(300)
        ),
        cap=5_000,
    )
    assert "[user-preference] prefers tabs" in block.text


def test_preferences_do_not_displace_new_records() -> None:
    high = "".join(
        line(f"p{n}", f"prefers {n} {'x' * 80}", "user-preference") for n in range(300)
    )
    block = inject_block(high + line("t", "turn of today", "turn-summary"), cap=5_000)
    assert "turn of today" in block.text


def test_record_in_memory_and_in_a_log_is_shown_once_as_text() -> None:
    both = line("a", "deploys on Tuesdays")
    block = inject_block(
        f"# M\n\ntemplate\n\n---\n\n{both}",
        days={"2026-11-02": both + line("b", "Deploys  on tuesdays")},
    )
    assert (
        block.text
        == "Long-term memory (MEMORY.md):\n\n- 2026-11-02 [note] deploys on Tuesdays"
    )


def test_e7_a_secret_is_shown_only_on_request() -> None:
    text = line("a", "SECRETPIN-9911", sensitivity="secret")
    assert inject_block(text).text == ""
    assert "SECRETPIN-9911" in inject_block(text, allow_secret=True).text


def test_malformed_lines_and_checkpoints_are_not_shown() -> None:
    block = inject_block(
        f"- {{broken\n- 2026\n{line('c', 'Pre-compaction memory flush checkpoint', 'compaction')}{line('a', 'x')}"
    )
    assert block.text.endswith("- 2026-11-02 [note] x")
    assert block.shown == 1


def test_newest_blocks_of_a_long_memory_are_shown() -> None:
    blocks = "".join(
        f"\n\n## Summary (2026-{month:02}-01)\n\n{'x' * 900}\n"
        for month in range(1, 13)
    )
    block = inject_block("Memory.", long=f"# L{blocks}", cap=8_000).text
    assert "(2026-12-01)" in block
    assert "(2026-01-01)" not in block
    assert "earlier summaries left out" in block


def compacted_text(facts: int) -> str:
    rows = "".join(
        f"\n- the fact {at} of the parser {'x' * 60} [{at:08x}]" for at in range(facts)
    )
    return f"2026-10-01 to 2026-11-20, main: parser{rows}"


def test_unused_room_goes_to_shortened_records_and_the_long_memory() -> None:
    blocks = "".join(
        f"\n\n## Summary (2026-{month:02}-01)\n\n{'x' * 900}\n"
        for month in range(1, 13)
    )
    answer = line("c", compacted_text(50), "compaction") + line("n", "word " * 600)
    block = inject_block(answer, long=f"# L{blocks}", user="Ann.")
    assert (block.left_out, block.cut) == (0, 0)
    assert (
        "(2026-01-01)" in block.text
        and "the fact 0 of" in block.text
        and "left out" not in block.text
    )
    assert "…" not in block.text


def test_omitted_entries_are_counted_in_a_note() -> None:
    blocks = "".join(
        f"\n\n## Summary (2026-{month:02}-01)\n\n{'x' * 900}\n"
        for month in range(1, 13)
    )
    answer = "".join(
        line(f"c{at}", compacted_text(100).replace("fact", f"fact {at}"), "compaction")
        for at in range(4)
    )
    block = inject_block(answer + line("n", "short"), long=f"# L{blocks}", cap=16_000)
    assert len(block.text) <= 16_000
    assert block.text.count("older facts left out]") == block.cut == 4
    assert block.left_out == 12 - block.text.count("## Summary") > 0
    assert f"[... {block.left_out} earlier summaries left out]" in block.text


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=80)


@given(
    st.lists(st.tuples(TEXTS, st.booleans()), max_size=30),
    TEXTS,
    TEXTS,
    st.integers(100, 3_000),
)
def test_block_never_exceeds_its_cap(
    rows: list[tuple[str, bool]], user: str, long: str, cap: int
) -> None:
    primary = "".join(
        line(f"r{n}", text, "learned" if high else "note")
        for n, (text, high) in enumerate(rows)
    )
    block = inject_block(
        primary, user=user, long=long, days={"2026-01-01": f"{user}\n"}, cap=cap
    )
    assert len(block.text) <= cap
    assert (block.cut > 0) <= ("…" in block.text)
