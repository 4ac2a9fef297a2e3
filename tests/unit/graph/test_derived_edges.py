"""Derived edges: imports and tests, mentions in docs, co-change."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from import_trees import source
from memory import commit, touched

from cuedeck.graph.derived_edges import (
    Mention,
    cochange_arrows,
    code_arrows,
    document_arrows,
)
from cuedeck.graph.imports import Resolver
from cuedeck.model.commit import Commit
from cuedeck.model.diagram import Arrow
from cuedeck.model.file import File, Import
from cuedeck.parse.languages import import_strategy


def import_arrows(*files: File) -> list[Arrow]:
    paths = [file.path for file in files]
    return code_arrows(files, Resolver(paths, [], import_strategy))


def importing_file(path: str, *specs: str) -> File:
    return source(path, *(Import(spec, (), line) for line, spec in enumerate(specs, 3)))


def test_import_is_an_arrow_with_its_first_line() -> None:
    found = import_arrows(
        importing_file("shop/a.py", "shop.b", "shop.c", "shop.b", "json"),
        importing_file("shop/b.py"),
        importing_file("shop/c.py"),
    )
    assert found == [
        Arrow("shop/a.py", "shop/b.py", "imports", 3),
        Arrow("shop/a.py", "shop/c.py", "imports", 4),
    ]


def test_import_of_a_test_is_a_tests_arrow_unless_the_target_is_a_test_helper() -> None:
    found = import_arrows(
        importing_file("shop/a.py"),
        importing_file("tests/test_page.py", "shop.a", "tests.sandbox"),
        importing_file("tests/sandbox.py", "shop.a"),
    )
    assert found == [
        Arrow("tests/test_page.py", "shop/a.py", "tests", 3),
        Arrow("tests/test_page.py", "tests/sandbox.py", "imports", 4),
        Arrow("tests/sandbox.py", "shop/a.py", "tests", 3),
    ]


FILES = (
    source(
        "src/auth.py", defines=["Login", "Login.verify", "verify_token", "sign", "X"]
    ),
    source("src/form.py", defines=["Form", "Form.verify", "show", "Log"]),
    source("src/shop/till.rs", defines=["Till", "open"]),
    source("web/till.ts", defines=["openTill"]),
    source("tests/test_auth.py", defines=["only_in_tests"]),
)


def mention_targets(text: str) -> list[str]:
    return [
        arrow.target
        for arrow in document_arrows([Mention("docs/a.md", 7, text)], FILES)
    ]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("src/auth.py", "src/auth.py"),
        ("./src/auth.py", "src/auth.py"),
        ("auth.py", "src/auth.py"),
        ("shop/till.rs", "src/shop/till.rs"),
        ("Login", "src/auth.py"),
        ("Login.verify", "src/auth.py"),
        ("Form.verify()", "src/form.py"),
        ("auth.Login.verify", "src/auth.py"),
        ("verify_token", "src/auth.py"),
        ("verify_token(token, at=1)", "src/auth.py"),
        ("def verify_token(token)", "src/auth.py"),
        ("sign()", "src/auth.py"),
        ("auth.sign", "src/auth.py"),
        ("crate::till::Till", "src/shop/till.rs"),
        ("shop::Till", "src/shop/till.rs"),
        ("openTill", "web/till.ts"),
    ],
)
def test_unique_path_or_name_is_a_mention(text: str, target: str) -> None:
    assert mention_targets(text) == [target]


@pytest.mark.parametrize(
    "text",
    [
        "sign",
        "open",
        "X",
        "Log",
        "verify()",
        "token.verify",
        "other.Login.sign",
        "test_auth.py",
        "only_in_tests",
        "b/c.py",
        "a.b",
        "",
        " ",
        "()",
        ".",
        "a b",
        "till",
    ],
)
def test_plain_words_and_ambiguous_or_unknown_names_are_no_mentions(text: str) -> None:
    assert mention_targets(text) == []


def test_first_line_that_mentions_a_file_is_the_evidence() -> None:
    mentions = [
        Mention("docs/a.md", 3, "Login"),
        Mention("docs/b.md", 1, "Form"),
        Mention("docs/a.md", 9, "auth.py"),
    ]
    assert document_arrows(mentions, FILES) == [
        Arrow("docs/a.md", "src/auth.py", "documents", 3),
        Arrow("docs/b.md", "src/form.py", "documents", 1),
    ]


def commits(*groups: str) -> list[Commit]:
    """Return commits, newest first, each given by the names of its files; `old>new` is
    a rename.
    """
    found = []
    for at, group in enumerate(groups):
        names = (each.partition(">") for each in group.split())
        found.append(
            commit(
                f"c{at}",
                *(
                    touched(new or old, before=old if new else "")
                    for old, _, new in names
                ),
            )
        )
    return found


def cochange_of(
    groups: Sequence[str],
    files: str = "a.py b.py d.md",
    joined: Sequence[tuple[str, str]] = (),
) -> list[Arrow]:
    names = files.split()
    return cochange_arrows(
        commits(*groups),
        names,
        {name for name in names if name.endswith(".py")},
        joined,
    )


def test_three_common_commits_make_an_arrow_with_their_number() -> None:
    assert cochange_of(["a.py b.py", "b.py a.py c.py", "a.py b.py"]) == [
        Arrow("a.py", "b.py", "cochange", commits=3)
    ]
    assert cochange_of(["a.py b.py", "a.py b.py", "a.py"]) == []


def test_cochange_arrows_start_at_docs_and_never_join_two_docs() -> None:
    assert cochange_of(["a.py d.md e.md"] * 3, "a.py d.md e.md") == [
        Arrow("d.md", "a.py", "cochange", commits=3),
        Arrow("e.md", "a.py", "cochange", commits=3),
    ]


def test_files_that_are_already_joined_have_no_cochange_arrow() -> None:
    groups = ["a.py b.py d.md"] * 3
    assert (
        cochange_of(
            groups, joined=[("b.py", "a.py"), ("d.md", "a.py"), ("d.md", "b.py")]
        )
        == []
    )


def test_file_has_arrows_to_its_three_most_frequent_companions() -> None:
    groups = [
        f"hub.py {name}"
        for at, name in enumerate(["p.py", "q.py", "r.py", "s.py"])
        for _ in range(3 + at)
    ]
    found = cochange_of(groups, "hub.py p.py q.py r.py s.py")
    assert [(arrow.target, arrow.commits) for arrow in found] == [
        ("s.py", 6),
        ("r.py", 5),
        ("q.py", 4),
    ]
