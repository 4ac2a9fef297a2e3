from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.file import NO_WORDS, Chunk, File, Words
from cuedeck.parse.index_terms import WINDOW, read_words, split
from cuedeck.parse.parse_file import parse_file
from cuedeck.text.words import terms

SOURCE = """\
import os

LIMIT = 3


class Login:
    def verify(self, password):
        return bool(password)

    def leave(self):
        os.remove("session")


def main():
    return Login
"""
FILLER = st.sampled_from(
    [
        "", "", "x = 1", "# a comment of some words", "}", "    return first, second", "text " * 9,
    ]
)  # fmt: skip
PYTHON = st.sampled_from(
    ["def alpha():", "class Beta:", "    def gamma(self):", "@wrap", "DELTA = 4"]
)
TYPESCRIPT = st.sampled_from(
    ["function alpha() {", "class Beta {", "  gamma() {", "}", "const delta = 4"]
)
GO = st.sampled_from(
    [
        "func alpha() {", "type Beta struct {", "}", "func (b Beta) gamma() {", "package main",
    ]
)  # fmt: skip
RUST = st.sampled_from(
    ["fn alpha() {", "impl Beta {", "    fn gamma(&self) {", "}", "struct Beta {"]
)
MARKDOWN = st.sampled_from(
    ["# Alpha", "## Beta", "### Gamma", "```", "words of a page"]
)
FILES = st.one_of(
    *(
        st.tuples(
            st.just(path),
            st.lists(st.one_of(FILLER, FILLER, lines), max_size=90).map("\n".join),
        )
        for path, lines in (
            ("a.py", PYTHON), ("a.ts", TYPESCRIPT), ("a.go", GO), ("a.rs", RUST), ("a.md", MARKDOWN),
        )
    )
)  # fmt: skip


def read(text: str, path: str = "a.py") -> Words:
    return read_words(parse(path, text), text)


def parse(path: str, text: str) -> File:
    return parse_file(path, text.encode())


def covered(windows: Iterable[tuple[int, int]]) -> list[int]:
    return [line for start, end in windows for line in range(start, end + 1)]


@given(FILES)
def test_the_chunks_of_a_file_cover_every_line_once(made: tuple[str, str]) -> None:
    path, text = made
    file, words = parse(path, text), read(text, path)
    assert covered(chunk[:2] for chunk in words.chunks) == list(
        range(1, file.lines + 1)
    )


@given(FILES)
def test_a_window_crosses_no_border_of_a_definition(made: tuple[str, str]) -> None:
    path, text = made
    file = parse(path, text)
    windows = list(split(file, file.lines))
    assert covered(window[:2] for window in windows) == list(range(1, file.lines + 1))
    spans = [(each.start, each.end) for each in (*file.symbols, *file.sections)]
    for start, end, _, _ in windows:
        assert end - start < 2 * WINDOW
        holders = {
            tuple(span for span in spans if span[0] <= line <= span[1])
            for line in range(start, end + 1)
        }
        assert len(holders) == 1


@given(FILES)
def test_every_word_of_a_file_is_counted_in_its_chunk(made: tuple[str, str]) -> None:
    path, text = made
    words = read(text, path)
    assert {term: sum(pairs[1::2]) for term, pairs in words.counts.items()} == terms(
        text
    )
    lines = text.split("\n")
    for at, chunk in enumerate(words.chunks):
        found = terms("\n".join(lines[chunk.start - 1 : chunk.end]))
        assert chunk.words == found.total()
        assert found == {
            term: times
            for term, pairs in words.counts.items()
            for where, times in zip(pairs[::2], pairs[1::2], strict=True)
            if where == at
        }


def test_a_chunk_knows_its_definition_and_the_line_of_its_signature() -> None:
    assert [
        (chunk.start, chunk.end, chunk.head, chunk.name)
        for chunk in read(SOURCE).chunks
    ] == [
        (1, 2, 0, ""),
        (3, 5, 3, "LIMIT"),
        (6, 6, 6, "Login"),
        (7, 9, 7, "Login.verify"),
        (10, 13, 10, "Login.leave"),
        (14, 15, 14, "main"),
    ]


def test_decorators_precede_the_signature() -> None:
    (chunk,) = read("@cached\n@traced\ndef verify(token):\n    return token\n").chunks
    assert (chunk.start, chunk.end, chunk.head) == (1, 4, 3)


def test_blank_lines_between_definitions_belong_to_the_first() -> None:
    first, second = read("def alpha():\n    pass\n\n\n\ndef beta():\n    pass\n").chunks
    assert (first[:2], second[:2]) == ((1, 5), (6, 7))


def test_leading_blank_lines_are_a_chunk() -> None:
    assert [chunk[:2] for chunk in read("\n\ndef alpha():\n    pass\n").chunks] == [
        (1, 2),
        (3, 4),
    ]


def test_a_long_definition_is_cut_into_windows_that_name_it() -> None:
    body = "".join(f"    step_{number} = {number}\n" for number in range(3 * WINDOW))
    chunks = read(f"def walk():\n{body}").chunks
    assert len(chunks) > 2
    assert {(chunk.head, chunk.name) for chunk in chunks} == {(1, "walk")}


def test_no_window_is_a_mere_rest() -> None:
    for rest in range(1, WINDOW):
        text = "word\n" * (WINDOW + rest)
        lengths = [chunk.end - chunk.start + 1 for chunk in read(text, "a.txt").chunks]
        assert sum(lengths) == WINDOW + rest
        assert len(lengths) == 1 or min(lengths) > 1


def test_a_page_is_cut_along_its_sections() -> None:
    chunks = read(
        "Preface.\n\n# One\n\ntext\n\n## Inner\n\nmore\n\n# Two\n\nend\n", "a.md"
    ).chunks
    assert [(chunk.start, chunk.end, chunk.head, chunk.name) for chunk in chunks] == [
        (1, 2, 0, ""),
        (3, 6, 3, "One"),
        (7, 10, 7, "Inner"),
        (11, 13, 11, "Two"),
    ]


def test_a_text_without_structure_is_cut_by_length_alone() -> None:
    chunks = read("word\n" * 3 * WINDOW, "a.txt").chunks
    assert [chunk.head for chunk in chunks] == [0] * 3
    assert chunks[0] == Chunk(1, WINDOW, 0, "", WINDOW)


def test_the_end_of_a_file_needs_no_newline() -> None:
    assert read("first\nlast") == read("first\nlast\n")


def test_binary_data_has_no_terms() -> None:
    assert read_words(parse_file("a.bin", b"\0"), "") == NO_WORDS
    assert read("") == NO_WORDS


def test_data_has_no_words() -> None:
    text = "word of data\n" * 40_000
    assert read(text, "a.txt") == NO_WORDS
    assert read(text[:1_000], "a.txt") != NO_WORDS
