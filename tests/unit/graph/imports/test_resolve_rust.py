"""Rust imports: the module tree, other crates, items inside of files."""

from __future__ import annotations

import pytest
from import_trees import SourceTree

BOOK = SourceTree(
    """
    Cargo.toml src/main.rs src/cmd/mod.rs src/cmd/build.rs src/cmd/watch.rs src/cmd/watch/poller.rs
    crates/book-core/Cargo.toml crates/book-core/src/lib.rs crates/book-core/src/config.rs
    crates/book-core/src/book.rs crates/book-core/src/book/item.rs crates/book-core/src/utils/mod.rs
    crates/book-core/src/utils/fs.rs
    crates/html/Cargo.toml crates/html/source/root.rs crates/html/source/tree.rs crates/html/build.rs
    crates/both/Cargo.toml crates/both/src/lib.rs crates/both/src/main.rs crates/both/src/shared.rs
    crates/both/src/bin/extra.rs crates/both/src/bin/big/main.rs crates/both/src/bin/big/part.rs
    tests/suite/main.rs tests/suite/init.rs tests/lone.rs tests/common/mod.rs
    """,
    ("Cargo.toml", "book", "src/lib.rs"),
    ("crates/book-core/Cargo.toml", "book-core", "crates/book-core/src/lib.rs"),
    ("crates/html/Cargo.toml", "html", "crates/html/source/root.rs"),
    ("crates/both/Cargo.toml", "both", "crates/both/src/lib.rs"),
)
CORE = "crates/book-core/src"


@pytest.mark.parametrize(
    ("path", "spec", "taken"),
    [
        ("src/main.rs", "mod:cmd", ["src/cmd/mod.rs"]),
        ("src/cmd/mod.rs", "mod:build", ["src/cmd/build.rs"]),
        ("src/cmd/watch.rs", "mod:poller", ["src/cmd/watch/poller.rs"]),
        (f"{CORE}/lib.rs", "mod:book", [f"{CORE}/book.rs"]),
        (f"{CORE}/book.rs", "mod:item", [f"{CORE}/book/item.rs"]),
        (f"{CORE}/book.rs", "mod:tests", []),
        ("crates/html/source/root.rs", "mod:tree", ["crates/html/source/tree.rs"]),
        ("tests/lone.rs", "mod:common", ["tests/common/mod.rs"]),
        (
            "crates/both/src/bin/big/main.rs",
            "mod:part",
            ["crates/both/src/bin/big/part.rs"],
        ),
    ],
)
def test_declared_module_is_a_file_or_a_folder_with_mod_rs(
    path: str, spec: str, taken: list[str]
) -> None:
    assert BOOK.resolve_import(path, spec) == taken


@pytest.mark.parametrize(
    ("path", "spec", "names", "taken"),
    [
        (f"{CORE}/book/item.rs", "crate::book", ("Book",), [f"{CORE}/book.rs"]),
        (f"{CORE}/book/item.rs", "crate::book", ("*",), [f"{CORE}/book.rs"]),
        (f"{CORE}/book/item.rs", "super", ("Book",), [f"{CORE}/book.rs"]),
        (
            f"{CORE}/book/item.rs",
            "super::super",
            ("config", "Error"),
            [f"{CORE}/config.rs", f"{CORE}/lib.rs"],
        ),
        (f"{CORE}/utils/fs.rs", "super", ("log",), [f"{CORE}/utils/mod.rs"]),
        (f"{CORE}/utils/mod.rs", "super::config", ("Config",), [f"{CORE}/config.rs"]),
        (f"{CORE}/utils/mod.rs", "self::fs", ("write",), [f"{CORE}/utils/fs.rs"]),
        (f"{CORE}/utils/mod.rs", "fs", ("write",), [f"{CORE}/utils/fs.rs"]),
        (f"{CORE}/book.rs", "self", ("item",), [f"{CORE}/book/item.rs"]),
        (f"{CORE}/book.rs", "self", ("Book",), []),
        (
            f"{CORE}/config.rs",
            "crate",
            ("utils", "Result"),
            [f"{CORE}/lib.rs", f"{CORE}/utils/mod.rs"],
        ),
        (f"{CORE}/lib.rs", "super", ("*",), []),
        ("src/cmd/build.rs", "crate", ("open",), ["src/main.rs"]),
        (
            "src/cmd/build.rs",
            "super::watch::poller",
            ("poll",),
            ["src/cmd/watch/poller.rs"],
        ),
        ("tests/suite/init.rs", "crate", ("Book",), ["tests/suite/main.rs"]),
    ],
)
def test_paths_follow_the_module_tree(
    path: str, spec: str, names: tuple[str, ...], taken: list[str]
) -> None:
    assert BOOK.resolve_import(path, spec, *names) == taken


def test_path_into_a_file_names_its_first_item() -> None:
    assert BOOK.resolve_import(
        f"{CORE}/config.rs", "crate::book::BookItem", "Chapter"
    ) == [f"{CORE}/book.rs"]
    assert BOOK.resolve_import(
        f"{CORE}/config.rs", "crate::book::inner::deep", "x"
    ) == [f"{CORE}/book.rs"]


@pytest.mark.parametrize(
    ("spec", "names", "taken"),
    [
        ("book_core", ("book", "static_regex"), [f"{CORE}/book.rs", f"{CORE}/lib.rs"]),
        ("book_core::config", ("Config",), [f"{CORE}/config.rs"]),
        ("book_core", (), [f"{CORE}/lib.rs"]),
        ("::book_core::utils::fs", ("write",), [f"{CORE}/utils/fs.rs"]),
        ("html::tree", ("Node",), ["crates/html/source/tree.rs"]),
        ("serde::de", ("Error",), []),
        ("std::path", ("Path",), []),
        ("book", ("x",), []),
    ],
)
def test_crates_of_the_workspace_are_found_by_name(
    spec: str, names: tuple[str, ...], taken: list[str]
) -> None:
    assert BOOK.resolve_import("src/cmd/build.rs", spec, *names) == taken


def test_library_and_program_in_one_folder_may_share_a_module() -> None:
    root = ["crates/both/src/lib.rs", "crates/both/src/main.rs"]
    assert BOOK.resolve_import("crates/both/src/shared.rs", "crate", "run") == root
    assert BOOK.resolve_import("crates/both/src/main.rs", "both", "run") == [
        "crates/both/src/lib.rs"
    ]


def test_programs_tests_and_build_scripts_are_separate_crates() -> None:
    assert BOOK.resolve_import("crates/both/src/bin/extra.rs", "crate", "x") == []
    assert BOOK.resolve_import("crates/both/src/bin/big/part.rs", "crate", "x") == [
        "crates/both/src/bin/big/main.rs"
    ]
    assert BOOK.resolve_import("tests/lone.rs", "crate::common", "x") == [
        "tests/common/mod.rs"
    ]
    assert BOOK.resolve_import("crates/html/build.rs", "crate", "x") == []
    assert BOOK.resolve_import("src/cmd/build.rs", "super", "x") == ["src/cmd/mod.rs"]
