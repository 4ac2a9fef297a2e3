"""Lines of a ledger."""

from __future__ import annotations

from cuedeck.ledger.codecs import format_entries, parse_log


def test_a_broken_line_hides_no_other() -> None:
    data = b'\xef\xbb\xbf{"id":"a","timestamp":"t"}\n{"id":"b","timest\n\n[1]\n{"id":"c"}\r\n'
    found = parse_log(data, "d.jsonl")
    assert [(entry.id, entry.line) for entry in found.entries] == [("a", 1), ("c", 5)]
    assert [(fault.line, fault.message) for fault in found.faults] == [
        (2, "not an entry: not valid JSON"),
        (4, "not an entry: not a JSON object"),
    ]


def test_merge_markers_are_reported_and_both_sides_are_read() -> None:
    data = b'<<<<<<< HEAD\n{"id":"a"}\n=======\n{"id":"b"}\n>>>>>>> other\n'
    found = parse_log(data, "d.jsonl")
    assert [entry.id for entry in found.entries] == ["a", "b"]
    assert {fault.message for fault in found.faults} == {
        "not an entry: a merge conflict marker"
    }


def test_an_entry_without_an_id_is_identified_by_its_content() -> None:
    one, same, other = parse_log(
        b'{"decision":"x"}\n{"decision":"x"}\n{"decision":"y"}\n', "d"
    ).entries
    assert one.id == same.id != other.id


def test_written_values_are_read_back() -> None:
    rows: list[dict[str, object]] = [
        {"id": "a", "timestamp": "t", "text": "zwei\nZeilen · ü"}
    ]
    data = format_entries(rows)
    assert data.count(b"\n") == 1
    assert [dict(entry.value) for entry in parse_log(data, "x").entries] == rows


def test_half_a_surrogate_pair_is_no_reason_to_fail() -> None:
    assert (
        parse_log(format_entries([{"id": "a", "text": "\ud800"}]), "x")
        .entries[0]
        .value["text"]
        == "?"
    )


def test_an_escape_cannot_spell_half_of_a_surrogate_pair() -> None:
    r"""A committed `\ud800` in a decision ended scenes, `doctor` and lists with an
    internal error.
    """
    line = rb'{"id":"\ud800","text":["\uDFFF",{"\ud83d":"\ud83d\ude00"}]}'
    (entry,) = parse_log(line, "d.jsonl").entries
    assert (entry.id, entry.value["text"]) == ("?", ["?", {"?": "\U0001f600"}])
