from __future__ import annotations

import pytest

from cuedeck.parse.source_file import read_header


@pytest.mark.parametrize(
    "text",
    [
        "# one\n# two\ncode",
        "#!/bin/sh\n\n# one\n# two\ncode",
        "// one\n// two\ncode",
        "/// one\n//! two\ncode",
        "/* one\n * two */\ncode",
        "/**\n * one\n * two\n */\ncode",
        "<!-- one\ntwo -->\n<p>",
        "<!DOCTYPE html>\n<!-- one two -->\n<p>",
        "-- one\n-- two\nselect",
        "--[[ one\ntwo ]]\nlocal",
        "; one\n;; two\n(code)",
        "% one\n% two\n\\code",
        '"""one\ntwo"""\ncode',
        "r'''one\ntwo'''\ncode",
        '# one\n\n"""two"""\ncode',
        "<?php\n// one\n# two\n$code;",
    ],
)
def test_the_leading_comment_is_found_in_every_style(text: str) -> None:
    assert " ".join(comment.text for comment in read_header(text)).split() == ["one", "two"]


@pytest.mark.parametrize(
    "text",
    [
        "code\n# late",
        "#include <x>\n// late",
        "#[derive(A)]\n// late",
        "#define A [[x]]",
        "{}",
        "",
        '/* x */ int a; // "',
    ],
)
def test_the_header_ends_at_the_first_code(text: str) -> None:
    assert "late" not in "".join(comment.text for comment in read_header(text))
    assert "[[" not in "".join(comment.text for comment in read_header(text))


def test_lines_are_numbered_as_in_the_file() -> None:
    assert [(each.line, each.text) for each in read_header("#!x\n\n/*\n * a\n */\n// b\n")] == [
        (3, ""),
        (4, " a"),
        (5, " "),
        (6, " b"),
    ]


def test_only_the_first_lines_are_read() -> None:
    assert len(read_header("# x\n" * 500)) == 200
    assert len(read_header("/*" + "x\n" * 500)) == 200
    assert len(read_header("#" + "x" * 9_000)[0].text) == 1_000
