from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.text_decoding import (
    MAX_BLANK_RUN,
    count_lines,
    decode,
    decode_with_nuls,
)


@pytest.mark.parametrize(
    ("data", "newline"),
    [
        (b"a\nb\n", "lf"), (b"a\r\nb\r\n", "crlf"), (b"a\rb\r", "cr"), (b"a\r\nb\n", "mixed"), (b"a", "lf"),
    ],
)  # fmt: skip
def test_newlines_become_line_feeds_and_are_remembered(
    data: bytes, newline: str
) -> None:
    found = decode(data)
    assert "\r" not in found.text
    assert found.newline == newline


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)  # fmt: skip
def test_a_byte_order_mark_names_the_encoding_and_leaves_the_text(
    mark: bytes, encoding: str
) -> None:
    found = decode(mark + "Tür\n".encode(encoding))
    assert found == ("Tür\n", 1, encoding, "lf", True, "", (), "")


def test_utf16_with_half_a_character_is_still_text() -> None:
    assert decode(codecs.BOM_UTF16_LE + b"a\0b").text == "a\ufffd"


def test_text_in_an_old_encoding_is_read_and_named() -> None:
    assert decode("Tür – ".encode("cp1252"))[:3] == ("Tür – ", 1, "cp1252")
    assert decode(b"\x81\xfc").encoding == "latin-1"


def test_a_nul_near_the_start_means_binary() -> None:
    assert decode(b"a\0b").problem == "binary"
    assert decode("ab".encode("utf-16-le")).binary
    assert not decode(b"a" * 9_000 + b"\0").binary


def test_a_run_of_blanks_beyond_the_limit_is_no_text() -> None:
    assert decode(b"a" + b" " * (MAX_BLANK_RUN + 1) + b"b").problem == "blank-run"
    assert decode(b"\n \r\n" * 40_000).problem == "blank-run"
    assert not decode(b"a" + b" " * MAX_BLANK_RUN + b"b").binary
    assert not decode((b" " * 99_000 + b"x") * 10).binary


def test_many_blanks_are_judged_in_linear_time() -> None:
    begin = time.perf_counter()
    decode((b" " * 99_999 + b"x") * 10)
    assert time.perf_counter() - begin < 1


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", 0), ("a", 1), ("a\n", 1), ("\n", 1), ("a\nb", 2), ("a\x0b\u2028b", 1)],
)
def test_only_newlines_end_lines(text: str, lines: int) -> None:
    assert count_lines(text) == lines


@given(st.binary())
def test_any_bytes_have_an_answer(data: bytes) -> None:
    found = decode(data)
    assert found.binary == (not found.encoding)
    assert "\r" not in found.text
    assert found.lines == count_lines(found.text)


@given(
    st.text(st.characters(exclude_characters="\r\0\ufeff", exclude_categories=["Cs"]))
)
def test_utf8_text_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode()).text == text
    assert decode(text.replace("\n", "\r\n").encode()).text == text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"one\0 word\n", "one\ufffd word\n"), ("é\0 word\r\n".encode(), "é\ufffd word\n"), (b"no zeros", "no zeros"),
        (b"\x89PNG\0\0 not utf-8 \xff", ""), ("UTF-16 without a mark".encode("utf-16-le"), ""), (b"\0" * 100, ""),
    ],
)  # fmt: skip
def test_a_few_nuls_in_utf8_are_text(data: bytes, text: str) -> None:
    found = decode_with_nuls(data)
    assert (found.text, found.binary) == (text, not text)
    assert decode(data).binary == (b"\0" in data)
