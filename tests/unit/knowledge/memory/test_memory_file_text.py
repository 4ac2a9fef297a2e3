"""A memory file as a reader sees it, and as it is after the reader has edited it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.memory.memory_file_text import ShownText, restore_text, show_text
from cuedeck.model.errors import Invalid
from cuedeck.model.secret import Secret
from cuedeck.parse.secrets import find_secrets

KEY = "AKIA" + "Q7ZX" * 4
OTHER_KEY = "AKIA" + "W3NB" * 4
TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
BODY = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MqLSYNXZ"
PRIVATE_KEY = (
    f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n{BODY[::-1]}\n"
    "-----END RSA PRIVATE KEY-----"
)
TEXTS = st.lists(
    st.sampled_from(
        [
            "",
            "prose",
            "prose\r",
            f"a key {KEY}",
            f"a key {KEY} and {OTHER_KEY}\r",
            f'- {{"text":"uses {TOKEN}"}}',
            "<secret:aws-key:1> is a placeholder",
            "bytes \udcff",
            "bytes \udcfe",
            PRIVATE_KEY,
            "\u2028 one line \x0b",
        ]
    ),
    min_size=1,
    max_size=12,
).map("\n".join)


def shown(text: str, hidden: dict[int, str] | None = None) -> ShownText:
    return show_text(text, hidden or {}, find_secrets)


def whole(file: ShownText) -> str:
    return file.text(1, file.count)


def written(text: str, edited: str, hidden: dict[int, str] | None = None) -> str:
    return restore_text(shown(text, hidden), edited, find_secrets).text


@given(TEXTS, st.sampled_from(["", "\n", "\r\n"]))
def test_text_written_back_unchanged_is_the_file(text: str, end: str) -> None:
    text += end
    file = shown(text)
    back = restore_text(file, whole(file), find_secrets)
    assert back.text == (text if text.endswith("\n") else f"{text}\n")
    assert back.masked == 0


@given(TEXTS)
def test_shown_text_has_no_secret_and_the_lines_of_the_file(text: str) -> None:
    file = shown(text)
    assert not find_secrets(whole(file))
    assert len(file.lines) == text.count("\n") + 1
    assert all(each not in whole(file) for each in (KEY, OTHER_KEY, TOKEN, BODY))


@given(TEXTS)
def test_new_line_leaves_all_others_as_they_are(text: str) -> None:
    file = shown(f"{text}\n")
    back = restore_text(file, f"{whole(file)}a new line\n", find_secrets)
    ending = "\r" if 2 * text.count("\r") > text.count("\n") + 1 else ""
    assert back.text == f"{text}\na new line{ending}\n"


def test_same_secret_has_the_same_placeholder() -> None:
    text = f"one {KEY}, two {OTHER_KEY}, three {KEY}\n"
    tokens = ["<secret:aws-key:1>", "<secret:aws-key:2>", "<secret:aws-key:1>"]
    assert whole(shown(text)) == "one {}, two {}, three {}\n".format(*tokens)


def test_each_line_of_a_long_secret_is_a_placeholder() -> None:
    text = f"above\n{PRIVATE_KEY}\nbelow\n"
    file = shown(text)
    assert file.lines[0] == "above" and file.lines[5] == "below"
    assert [line.split(":")[1] for line in file.lines[1:5]] == ["private-key"] * 4
    assert written(text, whole(file).replace("below", "BELOW")) == text.replace(
        "below", "BELOW"
    )


@pytest.mark.parametrize(
    "edited",
    [
        "one <secret:aws-key:1>\n",
        "one <secret:aws-key:2>\n",
        "one <secret:aws-key>\n",
        "one <secret:aws-key:1\n",
        "a <secret:aws-key:1>\nprose\na <secret:aws-key:1>\n",
    ],
)
def test_changed_line_with_a_placeholder_is_refused(edited: str) -> None:
    with pytest.raises(Invalid, match=r"line \d: the line h"):
        written(f"a {KEY}\n", edited)


def test_placeholder_of_the_file_itself_stays() -> None:
    text = f"<secret:aws-key:1> and <secret:token> were masked\nkey {KEY}\n"
    file = shown(text)
    assert file.lines[1] == "key <secret:aws-key:2>"
    edited = whole(file).replace("were", "are")
    assert written(text, edited) == text.replace("were", "are")


def test_new_secrets_are_masked() -> None:
    back = restore_text(shown("a\n"), f"a\nthe key {KEY}\n", find_secrets)
    assert (back.text, back.masked) == ("a\nthe key <secret:aws-key>\n", 1)
    back = restore_text(shown("a\n"), f"a\n{PRIVATE_KEY}\nb\n", find_secrets)
    assert BODY not in back.text and back.text.endswith("\nb\n")


def test_reader_of_the_file_itself_may_write_its_lines() -> None:
    text = f"the key {KEY}\nprose\n"
    assert written(text, text.replace("prose", "PROSE")) == text.replace(
        "prose", "PROSE"
    )


def test_hidden_line_is_kept_as_a_line_of_its_own() -> None:
    text = "one\n- {hidden}\ntwo\n"
    hidden = {2: "record"}
    assert whole(shown(text, hidden)) == "one\n- <secret:record:1>\ntwo\n"
    assert written(text, "- <secret:record:1>\none\n", hidden) == "- {hidden}\none\n"
    with pytest.raises(Invalid, match="is not a line of the file"):
        written(text, "one: <secret:record:1>\n", hidden)


def test_secret_that_would_become_visible_is_refused() -> None:
    value = "Zx81kQp0Lm92" + "Vb77Yt6Rq"
    text = f"- name: API_KEY\n  value: {value}\n"
    edited = whole(shown(text))
    assert value not in edited
    assert written(text, edited.replace("- n", "-  n")) == text.replace("- n", "-  n")
    with pytest.raises(Invalid, match=r"line 2: .* would be visible") as error:
        written(text, edited.replace("API_KEY", "note"))
    assert value not in str(error.value) + error.value.hint


def test_bytes_that_are_not_text_are_kept_or_refused() -> None:
    text = "a \udcff\na \udcfe\nb\n"
    file = shown(text)
    assert whole(file) == "a \ufffd\na \ufffd\nb\n"
    assert written(text, "a \ufffd\na \ufffd\nB\n") == "a \udcff\na \udcfe\nB\n"
    with pytest.raises(Invalid, match="not UTF-8"):
        written(text, "A \ufffd\na \ufffd\na \ufffd\nb\n")


def test_line_ends_and_the_byte_order_mark_are_kept() -> None:
    text = "\ufeffone\r\ntwo\r\nthree\n"
    assert whole(shown(text)) == "one\ntwo\nthree\n"
    assert written(text, "ONE\ntwo\nthree\n") == "\ufeffONE\r\ntwo\r\nthree\n"


def test_lines_are_counted_as_in_the_file() -> None:
    file = shown("one\ntwo\nthree")
    assert (file.count, file.text(2, 3)) == (3, "two\nthree")
    assert (shown("one\n").count, shown("").count) == (1, 0)
    assert shown("").text(1, 0) == ""


def test_empty_line_in_a_secret_stays_empty() -> None:
    def find(text: str) -> list[Secret]:
        at = text.find("one\n\ntwo")
        return [] if at < 0 else [Secret(at, at + 8, "key")]

    file = show_text("a one\n\ntwo b\n", {}, find)
    assert whole(file) == "a <secret:key:1>\n\n<secret:key:2> b\n"
    edited = whole(file) + "c\n"
    assert restore_text(file, edited, find).text == "a one\n\ntwo b\nc\n"
    back = restore_text(show_text("x\n", {}, find), "x\none\n\ntwo\n", find)
    assert back.text == "x\n<secret:key>\n\n<secret:key>\n"
