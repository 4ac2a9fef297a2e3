from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from memory import Memory

from cuedeck.model.secret import Secret
from cuedeck.parse.fence import NumberedLine, gap, number_lines
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask
from cuedeck.parse.text_decoding import count_lines

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
OTHER = "AKIA" + "Z5MPQ3WXYT7RNKD4"
BODY = "MIIEowIBAAKCAQEAx0J4Qm9vYmFyYmF6cXV4\n" * 4
KEY = f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{BODY}-----END RSA {'PRIVATE'} KEY-----\n"


def mask(**texts: str) -> Mask:
    return Mask(
        Memory({path.replace("_", "."): text for path, text in texts.items()}),
        find_secrets,
    )


def test_secret_is_replaced_in_place() -> None:
    text = f"one\nkey {AWS} end\nthree\n"
    assert mask(a_md=text).lines("a.md", [(1, 3)]) == [
        "one\nkey <secret:aws-key:1> end\nthree\n"
    ]


def test_equal_secrets_have_one_number_in_all_files_of_an_output() -> None:
    here = mask(a_md=f"{AWS}\n", b_md=f"{OTHER} {AWS}\n")
    assert here.lines("a.md", [(1, 1)]) == ["<secret:aws-key:1>\n"]
    assert here.lines("b.md", [(1, 1)]) == ["<secret:aws-key:2> <secret:aws-key:1>\n"]
    assert here.plain(f"see {OTHER}") == "see <secret:aws-key:2>"


def test_numbers_restart_with_every_output() -> None:
    assert mask(a_md=f"{OTHER}\n").lines("a.md", [(1, 1)]) == ["<secret:aws-key:1>\n"]


def test_each_kind_of_secret_has_its_own_numbers() -> None:
    text = f"{AWS}\npostgres://user:s3cr3tPa55word@host/db\n"
    shown = mask(a_md=text).lines("a.md", [(1, 2)])[0]
    assert ":1>" in shown.split("\n")[0] and ":1>" in shown.split("\n")[1]


def test_secret_cut_by_a_span_is_masked_completely_on_both_sides() -> None:
    lines = f"before\n{KEY}after\n".count("\n")
    here = mask(a_md=f"before\n{KEY}after\n")
    for cut in range(1, lines):
        for part in here.lines("a.md", [(1, cut), (cut + 1, lines)]):
            assert "MIIEow" not in part and "PRIVATE KEY" not in part
    assert here.lines("a.md", [(1, 1), (lines, lines)]) == ["before\n", "after\n"]


def test_lines_without_secrets_are_returned_byte_for_byte() -> None:
    here = mask(a_md="a\n\n  b \nlast")
    assert here.lines("a.md", [(1, 4), (2, 2), (4, 4)]) == [
        "a\n\n  b \nlast",
        "\n",
        "last",
    ]


def test_empty_file_has_one_empty_line() -> None:
    assert mask(a_md="").lines("a.md", [(1, 1)]) == [""]


def test_text_from_a_file_is_masked_with_the_secrets_of_that_file() -> None:
    """A value that only its context makes a secret looks like any word in an outline
    row or a title.
    """

    def find(text: str) -> Sequence[Secret]:
        at = text.find("pin = 4711-0815")
        return [] if at < 0 else [Secret(at + 6, at + 15, "pin")]

    memory = Memory({"a.md": "pin = 4711-0815\n"})
    memory.secrets = lambda path: find(memory.text(path))  # type: ignore[method-assign]
    here = Mask(memory, find)
    assert here.plain("about 4711-0815") == "about 4711-0815"
    assert here.words("about 4711-0815", "a.md") == "about <secret:pin:1>"


def test_long_word_of_a_multi_word_secret_is_masked() -> None:
    here = mask(a_md=KEY)
    line = KEY.split("\n")[1]
    assert here.words(f"X = {line} …", "a.md") == "X = <secret:private-key:1> …"
    assert (
        here.words("how to keep a PRIVATE key", "a.md") == "how to keep a PRIVATE key"
    )


def test_placeholder_is_not_masked_again() -> None:
    here = mask(a_md="password = secret-5ecret-key\n")
    once = here.lines("a.md", [(1, 1)])[0]
    assert here.words(once, "a.md") == once
    assert here.plain(once) == once


def test_empty_secret_masks_nothing() -> None:
    memory = Memory({"a.md": "text\n"})
    memory.secrets = lambda path: [Secret(2, 2, "odd")]  # type: ignore[method-assign]
    assert Mask(memory, lambda text: ()).words("text", "a.md") == "text"


@given(
    st.lists(
        st.sampled_from([AWS, OTHER, "word", "\n", " ", "x = ", KEY]), max_size=12
    ),
    st.data(),
)
def test_no_cut_reveals_a_secret(pieces: list[str], data: st.DataObject) -> None:
    text = " ".join(pieces)
    lines = max(1, count_lines(text))
    start = data.draw(st.integers(1, lines))
    end = data.draw(st.integers(start, lines))
    memory = Memory({"a.md": text})
    found = {text[secret.start : secret.end] for secret in memory.secrets("a.md")}
    shown = Mask(memory, find_secrets).lines("a.md", [(start, end)])[0]
    assert not any(value in shown for value in found)
    assert "MIIEow" not in shown or not any("MIIEow" in value for value in found)


PIECES = st.lists(
    st.sampled_from(
        [AWS, OTHER, "word", "\n", "\n\n", " ", "x = ", KEY, KEY.rstrip("\n")]
    ),
    max_size=14,
)
PLACEHOLDER = re.compile(r"<secret:[^>]*>")


def test_numbered_lines_have_the_numbers_of_the_file() -> None:
    here = mask(a_md=f"one\nkey {AWS} end\n\nlast")
    rows = [(1, "one"), (2, "key <secret:aws-key:1> end"), (3, ""), (4, "last")]
    assert [each[:2] for each in here.numbered("a.md", [(1, 4)])[0]] == rows
    assert [each[:2] for each in here.numbered("a.md", [(3, 4)])[0]] == rows[2:]
    assert mask(a_md="").numbered("a.md", [(1, 1)]) == [[]]


def test_multi_line_secret_has_one_number_in_all_passages() -> None:
    here = mask(a_md=f"before\n{KEY}after\n")
    last = f"before\n{KEY}".count("\n")
    assert here.numbered("a.md", [(1, last + 1)]) == [
        [
            NumberedLine(1, "before"),
            NumberedLine(2, "<secret:private-key:1>", last - 2),
            NumberedLine(last + 1, "after"),
        ]
    ]
    assert here.numbered("a.md", [(1, 3), (4, last + 1)]) == [
        [NumberedLine(1, "before"), NumberedLine(2, "<secret:private-key:1>", 1)],
        [
            NumberedLine(4, "<secret:private-key:1>", last - 4),
            NumberedLine(last + 1, "after"),
        ],
    ]


@given(PIECES, st.data())
def test_each_numbered_line_is_the_masked_line_of_the_file(
    pieces: list[str], data: st.DataObject
) -> None:
    text = "".join(pieces)
    lines = count_lines(text)
    start = data.draw(st.integers(1, max(lines, 1)))
    end = data.draw(st.integers(start, max(lines, 1)))
    here = mask(a_md=text)
    following = start
    for number, shown, covered in here.numbered("a.md", [(start, end)])[0]:
        assert number == following
        first, *rest = (
            here.lines("a.md", [(at, at)])[0].removesuffix("\n")
            for at in range(number, number + covered + 1)
        )
        assert shown == first + "".join(
            PLACEHOLDER.sub("", row, count=1) for row in rest
        )
        following = number + covered + 1
    assert following == end + 1 or not text


@given(PIECES, st.data())
def test_omission_mark_counts_the_lines_between_two_passages(
    pieces: list[str], data: st.DataObject
) -> None:
    text = "".join(pieces) + "\n" * 5
    marks = sorted(
        data.draw(st.sets(st.integers(1, count_lines(text)), min_size=4, max_size=4))
    )
    spans = [(marks[0], marks[1]), (marks[2], marks[3])]
    here = mask(a_md=text)
    rows = number_lines(here.numbered("a.md", spans))
    left_out = marks[2] - marks[1] - 1
    assert [row for row in rows if row.startswith("⋮")] == (
        [gap(left_out)] if left_out else []
    )
    first = f"{marks[2]}│"
    assert not left_out or rows[rows.index(gap(left_out)) + 1].startswith(first)
