"""What a doc writes of code, where only one file can be meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import source

from cuedeck.graph.derived import Mention, document_arrows
from cuedeck.model.diagram import Arrow

FILES = (
    source("src/auth.py", defines=["Login", "Login.verify", "verify_token", "sign", "X"]),
    source("src/form.py", defines=["Form", "Form.verify", "show", "Log"]),
    source("src/shop/till.rs", defines=["Till", "open"]),
    source("web/till.ts", defines=["openTill"]),
    source("tests/test_auth.py", defines=["only_in_tests"]),
)


def documents(text: str) -> list[str]:
    return [arrow.target for arrow in document_arrows([Mention("docs/a.md", 7, text)], FILES)]


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
def test_a_path_or_a_name_of_one_file_is_a_mention(text: str, target: str) -> None:
    assert documents(text) == [target]


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
def test_plain_words_and_what_several_or_no_files_have_is_none(text: str) -> None:
    assert documents(text) == []


def test_a_name_in_two_files_is_none_until_one_of_them_goes() -> None:
    files = (*FILES, source("old/auth.py", defines=["Login"]))
    mention = Mention("docs/a.md", 1, "Login")
    assert document_arrows([mention], files) == []
    assert document_arrows([mention], FILES) != []


def test_the_first_line_of_a_doc_that_mentions_a_file_is_the_evidence() -> None:
    mentions = [Mention("docs/a.md", 3, "Login"), Mention("docs/b.md", 1, "Form"), Mention("docs/a.md", 9, "auth.py")]
    assert document_arrows(mentions, FILES) == [
        Arrow("docs/a.md", "src/auth.py", "documents", 3),
        Arrow("docs/b.md", "src/form.py", "documents", 1),
    ]


@given(text=st.text() | st.text("abL.:#()/_ ", max_size=12))
def test_any_text_is_answered(text: str) -> None:
    assert len(documents(text)) <= 1
