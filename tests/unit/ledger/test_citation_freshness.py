"""Freshness of cited code."""

from __future__ import annotations

import pytest
from memory import Memory

from cuedeck.ledger.citation_freshness import Freshness, hash_of, judge, mark

FILES: dict[str, str | bytes] = {
    "src/auth.py": (
        "import os\n\nclass Login:\n    def verify(self):\n        return 1\n\n    def leave(self):\n        pass\n"
    ),
    "docs/auth.md": "# Auth\n\n## Login Flow\n\nText.\n\n## Other\n\nMore.\n",
    "img/logo.png": b"\x89PNG\0\1",
}


def hash_of_address(address: str, **changed: str | None) -> str:
    names = {path.replace("/", "_").replace(".", "_"): path for path in FILES}
    files = {**FILES, **{names.get(name, name): text for name, text in changed.items()}}
    memory = Memory({path: text for path, text in files.items() if text is not None})
    return hash_of(address, memory, memory)


ADDRESSES = (
    "src/auth.py", "src/auth.py#Login.verify", "src/auth.py#L3-L5", "docs/auth.md#login-flow", "img/logo.png", "src/",
)  # fmt: skip


def test_each_place_has_its_hash() -> None:
    found = [hash_of_address(address) for address in ADDRESSES]
    assert all(len(each) == 64 for each in found)
    assert len(set(found)) == len(found)


def test_part_changes_only_when_its_own_lines_do() -> None:
    text = str(FILES["src/auth.py"])
    elsewhere, inside = (
        text.replace("pass", "return 2"),
        text.replace("return 1", "return 2"),
    )
    verify = "src/auth.py#Login.verify"
    assert hash_of_address(verify, src_auth_py=elsewhere) == hash_of_address(verify)
    assert hash_of_address(verify, src_auth_py=f"import re\n{text}") == hash_of_address(
        verify
    )
    assert hash_of_address(verify, src_auth_py=inside) != hash_of_address(verify)
    assert hash_of_address("src/auth.py", src_auth_py=elsewhere) != hash_of_address(
        "src/auth.py"
    )
    doc = str(FILES["docs/auth.md"])
    assert hash_of_address(
        "docs/auth.md#login-flow", docs_auth_md=doc + "x\n"
    ) == hash_of_address("docs/auth.md#login-flow")


def test_folder_changes_with_its_files() -> None:
    assert hash_of_address("src/", src_auth_py="other\n") == hash_of_address("src/")
    assert hash_of_address("src/", **{"src/new.py": "x\n"}) != hash_of_address("src/")


@pytest.mark.parametrize(
    "address",
    [
        "src/gone.py",
        "src/auth.py#Gone",
        "docs/auth.md#gone",
        "gone/",
        "auth",
        "decision:abc",
        "",
        "../x",
        "#",
    ],
)
def test_address_without_a_target_has_no_hash(address: str) -> None:
    assert hash_of_address(address) == ""


def test_file_of_the_same_name_elsewhere_is_not_the_cited_one() -> None:
    text = str(FILES["src/auth.py"])
    assert (
        hash_of_address("src/auth.py", src_auth_py=None, **{"old/src/auth.py": text})
        == ""
    )


NOTED = {"a.py": "1"}


@pytest.mark.parametrize(
    ("found", "commit", "head", "state"),
    [
        ("1", "c" * 40, "d" * 40, "fresh"),
        ("2", "c" * 40, "d" * 40, "cited code changed since ccccccc"),
        ("2", "c" * 40, "c" * 40, "cited code changed in the working tree"),
        ("2", "c" * 40, "", "cited code changed in the working tree"),
        ("2", "", "d" * 40, "cited code changed in the working tree"),
        ("", "c" * 40, "d" * 40, "cited code is gone"),
    ],
)
def test_state_describes_the_change(
    found: str, commit: str, head: str, state: str
) -> None:
    (each,) = judge(["a.py"], NOTED, commit, head, lambda address: found)
    assert each == Freshness("a.py", state)
    assert each.is_stale == (state != "fresh")


def test_address_without_a_noted_hash_is_neither_fresh_nor_stale() -> None:
    there, nowhere = judge(
        ["a.py", "b.py"], {}, "", "", {"a.py": "1", "b.py": ""}.__getitem__
    )
    assert (there.state, nowhere.state) == ("not confirmed yet", "names nothing")
    assert not there.is_stale and not nowhere.is_stale


def test_mark_is_that_of_the_worst_state() -> None:
    states = [
        "fresh",
        "not confirmed yet",
        "names nothing",
        "cited code changed since ccccccc",
        "cited code is gone",
    ]
    words = ["fresh", "unconfirmed", "missing", "changed", "gone"]
    for end, word in enumerate(words, 1):
        assert mark([Freshness("a", state) for state in states[:end]]) == word
    assert mark([]) == ""
