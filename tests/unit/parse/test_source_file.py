"""Source files: the leading comment, links, front matter, symbols and roots."""

from __future__ import annotations

import pytest

from cuedeck.model.file import File
from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.source_file import read_header


def read(path: str, text: str) -> File:
    return parse_file(path, text.encode())


def refs(path: str, text: str) -> list[tuple[int, str, str]]:
    return [(link.line, link.form, link.ref) for link in read(path, text).links]


def test_front_matter_may_be_in_a_comment() -> None:
    file = read(
        "a.c",
        "/*\n * ---\n * title: Login\n * tags: [x]\n * refs:\n *   - docs/a.md\n * ---\n */\n",
    )
    assert (file.title, file.tags, file.body) == ("Login", ("x",), 1)
    assert [(link.ref, link.line, link.form) for link in file.links] == [
        ("docs/a.md", 6, "refs")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# ---\n# refs: docs/a.md\n# ---\n", "// ---\n// refs: docs/a.md\n// ---\n",
        '"""\n---\nrefs: docs/a.md\n---\n"""\n', "-----\n-- ---\n-- refs: docs/a.md\n-- ---\n",
        "<!--\n  ---\n  refs: docs/a.md\n  ---\n-->\n",
    ],
)  # fmt: skip
def test_front_matter_is_found_in_every_comment_style(text: str) -> None:
    assert [ref for _, _, ref in refs("a.txt", text)] == ["docs/a.md"]


def test_broken_front_matter_in_a_comment_names_the_line_of_the_file() -> None:
    file = read("a.sh", "#!/bin/sh\n#\n# ---\n# refs:\n#   - @x\n# ---\n")
    assert [(each.code, each.level, each.line) for each in file.diagnostics] == [
        ("bad-yaml", "warning", 5)
    ]


def test_ornaments_of_dashes_are_no_front_matter() -> None:
    file = read("a.sh", "# ---\n# Note: this: that @doc/a\n# ---\n")
    assert file.diagnostics == ()
    assert [link.ref for link in file.links] == ["a"]


def test_links_of_every_form_are_found_in_the_header_only() -> None:
    text = (
        "# see @doc/api#Login, [[auth|x]]\n# and @ref[docs/x.md#A B]\n"
        "# cuedeck: refs a.md, b.md#H,\ncode\n# [[late]]\n"
    )
    assert refs("a.rb", text) == [
        (1, "mention", "api#Login"),
        (1, "wiki", "auth"),
        (2, "mention", "docs/x.md#A B"),
        (3, "mention", "a.md"),
        (3, "mention", "b.md#H"),
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.sh", "# if [[ -f x ]]; then [[ -z $y ]]\nif [[ -f x ]]; then\n"),
        ("a.lua", "--[[ plain ]]\nlocal a = b[[c]]\n"), ("a.lua", "-- --[[x]]\n"),
        ("a.py", '"""Use `[[x]]`, ``[[y]]`` and a[[1]], m[0][[1]]."""\n'),
        ("a.py", "# https://h/@doc/x me@doc/y [[https://x.y]]\n"), ("a.py", "# [[nothing\n# here]]\n"),
    ],
)  # fmt: skip
def test_code_is_never_a_link(path: str, text: str) -> None:
    """`[[ -f x ]]` in a shell script was parsed as a link."""
    assert refs(path, text) == []


def test_python_that_cannot_be_parsed_is_a_note() -> None:
    file = read("a.py", "# [[b]]\ndef (\n")
    assert [(each.code, each.level) for each in file.diagnostics] == [
        ("syntax", "info")
    ]
    assert [link.ref for link in file.links] == ["b"]


def test_code_has_symbols_and_imports_and_text_has_none() -> None:
    file = read("a.pyi", "import b\ndef f() -> None: ...\n")
    assert [each.name for each in file.symbols] == ["f"]
    assert [each.spec for each in file.imports] == ["b"]
    file = read("a.txt", "import b\ndef f(): pass\n")
    assert (file.symbols, file.imports, file.roots) == ((), (), ())


def test_project_files_have_roots() -> None:
    assert read("sub/go.mod", "module example.com/x\n").roots == (
        ("example.com/x", "sub"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "# one\n# two\ncode", "#!/bin/sh\n\n# one\n# two\ncode", "// one\n// two\ncode", "/// one\n//! two\ncode",
        "/* one\n * two */\ncode", "/**\n * one\n * two\n */\ncode", "<!-- one\ntwo -->\n<p>",
        "<!DOCTYPE html>\n<!-- one two -->\n<p>", "-- one\n-- two\nselect", "--[[ one\ntwo ]]\nlocal",
        "; one\n;; two\n(code)", "% one\n% two\n\\code", '"""one\ntwo"""\ncode', "r'''one\ntwo'''\ncode",
        '# one\n\n"""two"""\ncode', "<?php\n// one\n# two\n$code;",
    ],
)  # fmt: skip
def test_the_leading_comment_is_found_in_every_style(text: str) -> None:
    assert " ".join(comment.text for comment in read_header(text)).split() == [
        "one",
        "two",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "code\n# late", "#include <x>\n// late", "#[derive(A)]\n// late", "#define A [[x]]", "{}", "",
        '/* x */ int a; // "',
    ],
)  # fmt: skip
def test_the_header_ends_at_the_first_code(text: str) -> None:
    assert "late" not in "".join(comment.text for comment in read_header(text))
    assert "[[" not in "".join(comment.text for comment in read_header(text))


def test_lines_are_numbered_as_in_the_file() -> None:
    assert [
        (each.line, each.text) for each in read_header("#!x\n\n/*\n * a\n */\n// b\n")
    ] == [(3, ""), (4, " a"), (5, " "), (6, " b")]


def test_only_the_first_lines_are_read() -> None:
    assert len(read_header("# x\n" * 500)) == 200
    assert len(read_header("/*" + "x\n" * 500)) == 200
    assert len(read_header("#" + "x" * 9_000)[0].text) == 1_000
