"""No colour, encoding, invisible character or line end keeps a rule from seeing a
secret.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from secret_wrappings import KINDS, WRAPPINGS, formats, hidden, wrap

from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.normalized_text import normalized_texts

GLUED = {
    "openai-key", "sendgrid-key", "twilio-key", "huggingface-token", "discord-token",
}  # fmt: skip
"""Their prefixes are short, or they have none: inside of a word they could be anything.
"""
SHOWN = {
    "glued": GLUED,
    "colour after a word": GLUED,
    "folded": {"aws-secret", "password"},
}
TOKEN = "ghp_" + "Qm4Kx8Tn2Wb6Lp9Zc3Vr" + "Hd7Fs1Gy5Jt0Ru8E"
HEAD, TAIL = TOKEN[:20], TOKEN[20:]


@pytest.mark.parametrize("wrapping", [name for name in WRAPPINGS if name != "base64"])
def test_a_secret_is_hidden_however_it_is_written(wrapping: str) -> None:
    assert set(KINDS) - set(hidden(wrapping)) == SHOWN.get(wrapping, set())


def found_values(text: str) -> list[str]:
    return [text[secret.start : secret.end] for secret in find_secrets(text)]


@pytest.mark.parametrize(
    ("before", "inner", "after"),
    [
        ("ESC", f"{HEAD}\x1b[1;38;5;200m{TAIL}", "\x1b[K rest"), ("\x9b31m", TOKEN, "\x9b0m"),
        ('{"line": "\\u001b[31m', TOKEN, '\\u001b[0m"}'), ("a\u200d", f"{HEAD}\ufeff\u00ad{TAIL}", "\u200d"),
        ("x = %22", f"%67%68%70_{TOKEN[4:]}", "%22"),
        ("run \\\n  --value ", f"{HEAD}\\\r\n   {TAIL}", " \\\n  --more"),
        ("  - 'x'\n    + '", f"{HEAD}'\n    + '{TAIL}", "';"), ('f(b"', f'{HEAD}"\n  b"{TAIL}', '")'),
        ('f("', f'{HEAD}" "{TAIL}', '")'), ("x = '", f"{HEAD}' + '{TAIL}", "';"),
        ("a: >\n    ", f"{HEAD}\n    {TAIL}", "\nb: 1\n"),
    ],
)  # fmt: skip
def test_the_find_is_mapped_back_to_the_text(
    before: str, inner: str, after: str
) -> None:
    assert found_values(before + inner + after) == [inner]


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD} \\\n{TAIL}",  # a blank before the backslash parts two arguments
        f'["{HEAD}",\n "{TAIL}"]',
        f"a: >\n  {HEAD} and then\n  {TAIL}\n",
        "100%20of\u200bplain \x1b[1mtext\x1b[0m\n",
        "%s: %02d %5.2f",
    ],
)
def test_unrelated_strings_are_not_joined(text: str) -> None:
    assert found_values(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "", "plain text\n" * 99, 'x = ["a",\n  "b"]\n', 'x = " ".join(("a", "b c")) + " " + (" ")\n',
        "if a > b: # 100 % of\n  pass\n", "é ü ß 漢字\n" * 9,
    ],
)  # fmt: skip
def test_text_without_such_writing_is_not_copied(text: str) -> None:
    assert list(normalized_texts(text)) == []


def test_only_the_lines_around_an_edit_are_copied() -> None:
    text = "far away\n" * 1_000 + "name:\n  \x1b[31mvalue\n" + "far away\n" * 1_000
    (copy,) = normalized_texts(text)
    assert copy.text == "name:\n  value\n"


def test_a_secret_of_a_copy_that_no_edit_is_part_of_is_not_mapped() -> None:
    (copy,) = normalized_texts("abc \x1b[31mdef ghi")
    assert copy.text == "abc def ghi"
    assert copy.original(0, 3) is None and copy.original(8, 11) is None
    assert copy.original(4, 7) == (9, 12)
    assert copy.original(0, 5) == (0, 10)


PIECES = st.sampled_from(
    [
        "a", "b%41", "\x1b[0m", "\u200b", "c\\\n", '"\n"', ": >\n  x\n  y\n", " ", "\n", "é", TOKEN,
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30))
def test_spans_stay_inside_of_the_text_in_order_and_disjoint(pieces: list[str]) -> None:
    text = "".join(pieces)
    at = 0
    for secret in find_secrets(text):
        assert at <= secret.start < secret.end <= len(text)
        at = secret.end
    for copy in normalized_texts(text):
        for start in range(len(copy.text)):
            span = copy.original(start, start + 1)
            assert span is None or 0 <= span[0] < span[1] <= len(text)


def test_every_kind_of_the_table_has_its_own_sample() -> None:
    assert len(set(KINDS)) == 27 and len(WRAPPINGS) == 35
    assert all(
        wrap(sample, "bare").text.startswith(sample.text)
        for sample in formats().values()
    )
