from __future__ import annotations

import pytest

from cuedeck.model.file import File
from cuedeck.parse.parse_file import parse_file


def read(path: str, text: str) -> File:
    return parse_file(path, text.encode())


def refs(path: str, text: str) -> list[tuple[int, str, str]]:
    return [(link.line, link.form, link.ref) for link in read(path, text).links]


def test_front_matter_may_stand_in_a_comment() -> None:
    file = read("a.c", "/*\n * ---\n * title: Login\n * tags: [x]\n * refs:\n *   - docs/a.md\n * ---\n */\n")
    assert (file.title, file.tags, file.body) == ("Login", ("x",), 1)
    assert [(link.ref, link.line, link.form) for link in file.links] == [("docs/a.md", 6, "refs")]


@pytest.mark.parametrize(
    "text",
    [
        "# ---\n# refs: docs/a.md\n# ---\n",
        "// ---\n// refs: docs/a.md\n// ---\n",
        '"""\n---\nrefs: docs/a.md\n---\n"""\n',
        "-----\n-- ---\n-- refs: docs/a.md\n-- ---\n",
        "<!--\n  ---\n  refs: docs/a.md\n  ---\n-->\n",
    ],
)
def test_front_matter_is_found_in_every_comment_style(text: str) -> None:
    assert [ref for _, _, ref in refs("a.txt", text)] == ["docs/a.md"]


def test_broken_front_matter_in_a_comment_names_the_line_of_the_file() -> None:
    file = read("a.sh", "#!/bin/sh\n#\n# ---\n# refs:\n#   - @x\n# ---\n")
    assert [(each.code, each.level, each.line) for each in file.diagnostics] == [("bad-yaml", "warning", 5)]


def test_ornaments_of_dashes_are_no_front_matter() -> None:
    file = read("a.sh", "# ---\n# Note: this: that @doc/a\n# ---\n")
    assert file.diagnostics == ()
    assert [link.ref for link in file.links] == ["a"]


def test_links_of_every_form_are_found_in_the_header_only() -> None:
    text = (
        "# see @doc/api#Login, [[auth|x]]\n# and @ref[docs/x.md#A B]\n# cuedeck: refs a.md, b.md#H,\ncode\n# [[late]]\n"
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
        ("a.lua", "--[[ plain ]]\nlocal a = b[[c]]\n"),
        ("a.lua", "-- --[[x]]\n"),
        ("a.py", '"""Use `[[x]]`, ``[[y]]`` and a[[1]], m[0][[1]]."""\n'),
        ("a.py", "# https://h/@doc/x me@doc/y [[https://x.y]]\n"),
        ("a.py", "# [[nothing\n# here]]\n"),
    ],
)
def test_code_is_never_a_link(path: str, text: str) -> None:
    """`[[ -f x ]]` of a shell script was taken for a link."""
    assert refs(path, text) == []


def test_python_that_cannot_be_parsed_is_a_note() -> None:
    file = read("a.py", "# [[b]]\ndef (\n")
    assert [(each.code, each.level) for each in file.diagnostics] == [("syntax", "info")]
    assert [link.ref for link in file.links] == ["b"]


def test_code_has_symbols_and_imports_and_text_has_none() -> None:
    file = read("a.pyi", "import b\ndef f() -> None: ...\n")
    assert [each.name for each in file.symbols] == ["f"]
    assert [each.spec for each in file.imports] == ["b"]
    file = read("a.txt", "import b\ndef f(): pass\n")
    assert (file.symbols, file.imports, file.roots) == ((), (), ())


def test_project_files_have_roots() -> None:
    assert read("sub/go.mod", "module example.com/x\n").roots == (("example.com/x", "sub"),)
