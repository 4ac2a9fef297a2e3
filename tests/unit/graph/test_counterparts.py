"""Pairs of files that belong together by name."""

from __future__ import annotations

import pytest

from cuedeck.graph.counterparts import Pairs, is_test, stem


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_parser.py",
        "tests/data/book.toml",
        "test/main.c",
        "src/__tests__/url.ts",
        "spec/models/user.rb",
        "pkg/testing/fake.go",
        "src/Shop.Tests/Cart.cs",
        "pkg/test_parser.py",
        "command_test.go",
        "src/url.test.ts",
        "src/jsx/index.test.tsx",
        "src/x.spec.js",
        "app/UserTest.java",
        "app/URLTests.java",
        "lib/user_spec.rb",
        "src/conftest.py",
        "app/tests.py",
        "src/mdbook/tests.rs",
    ],
)
def test_test_file_is_recognised_by_folder_or_name(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/parser.py",
        "src/testing.py",
        "src/cmd/test.rs",
        "src/latest.py",
        "app/Latest.java",
        "app/Test.java",
        "docs/testing.md",
        "contests/a.py",
        "src/protest_x.py",
        "package.spec",
        "src/attest.ts",
    ],
)
def test_other_files_are_not_test_files(path: str) -> None:
    assert not is_test(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_parser.py", "parser"),
        ("src/_parser.py", "parser"),
        ("docs/parser.md", "parser"),
        ("types/parser.d.ts", "parser"),
        ("parser_test.go", "parser"),
        ("src/parser.test.tsx", "parser"),
        ("src/parser.spec.js", "parser"),
        ("app/ParserTest.java", "parser"),
        ("app/ParserTests.cs", "parser"),
        ("app/TestParser.java", "parser"),
        ("spec/parser_spec.rb", "parser"),
        ("spec/parser-test.js", "parser"),
        ("tests/test__parser.py", "parser"),
        ("src/parser/__init__.py", "parser"),
        ("src/parser/mod.rs", "parser"),
        ("src/parser/index.ts", "parser"),
        ("src/parser/index.test.ts", "parser"),
        ("src/parser/__tests__/index.test.ts", "parser"),
        ("cmd/parser/main.go", "parser"),
        ("crates/parser/src/main.rs", "parser"),
        ("crates/Parser/src/__main__.py", "parser"),
        ("src/main.rs", "main"),
        ("main.py", "main"),
        ("__init__.py", "init"),
        (".gitignore", "gitignore"),
        (".eslintrc.js", "eslintrc"),
        ("Makefile", "makefile"),
        ("latest.py", "latest"),
        ("test.py", "test"),
        ("tests/test_.py", "test_"),
        ("_.py", "_"),
        ("a/...", ""),
        ("", ""),
    ],
)
def test_stem_drops_affixes_and_suffixes(path: str, expected: str) -> None:
    assert stem(path) == expected


def test_files_with_more_shared_folders_come_first() -> None:
    pairs = Pairs(
        [
            "tests/unit/parse/test_url.py",
            "tests/unit/graph/test_url.py",
            "cuedeck/graph/url.py",
            "cuedeck/parse/url.py",
            "docs/url.md",
            "cuedeck/graph/urls.py",
        ]
    )
    assert pairs.of("tests/unit/graph/test_url.py") == (
        "tests/unit/parse/test_url.py",
        "cuedeck/graph/url.py",
        "cuedeck/parse/url.py",
        "docs/url.md",
    )
    assert pairs.of("cuedeck/graph/url.py")[:2] == (
        "cuedeck/parse/url.py",
        "tests/unit/graph/test_url.py",
    )
    assert pairs.of("cuedeck/graph/urls.py") == ()
    assert pairs.of("not/known/url.py")[-1] == "tests/unit/parse/test_url.py"


def test_test_file_in_the_same_folder_comes_before_deeper_ones() -> None:
    pairs = Pairs(
        ["src/types.ts", "src/client/types.ts", "src/types.test.ts", "src/a/b/types.ts"]
    )
    assert pairs.of("src/types.ts") == (
        "src/types.test.ts",
        "src/client/types.ts",
        "src/a/b/types.ts",
    )
