"""Ranges of versions, and whether one lies within another."""

from __future__ import annotations

import pytest

from cuedeck.model.errors import Invalid
from cuedeck.parse.manifests import Bare, is_within, read_ranges, split_constraint


@pytest.mark.parametrize(
    ("declared", "wanted", "expected"),
    [
        (">=3.10", ">=3.10", True), (">=3.10", ">=3.8", True), (">=3.10", ">=3.12", False),
        (">=3.10", ">3.10", False), (">=3.10.0", ">=3.10", True), (">=3.9", ">=3.10", False),
        (">=3.10", ">=3.10,<4", False), (">=3.10,<4", ">=3.10,<4", True), (">=3.10, <4, !=3.11.*", "<=4", True),
        ("^3.11", ">=3.11,<4", True), ("^0.2.3", "<0.3", True), ("~=3.10", "<4", True), ("~=3.10.2", "<3.11", True),
        ("~1.2.3", "<1.3", True), ("==3.10.*", ">=3.10,<3.11", True), ("==3.10", "==3.10.0", True),
        ("18.x", "^18", True), ("18", ">=18,<19", True), ("18.2.0", "==18.2", True), ("18 || 20", ">=18", True),
        ("18 || 20", ">=20", False), ("20.1", "^18 || ^20", True), ("1.2 - 1.4", ">=1.2,<=1.4", True),
        ("*", ">=0", True), ("*", ">=1", False), (">=3.12rc1", ">=3.12", True),
    ],
)  # fmt: skip
def test_one_range_lies_within_another(
    declared: str, wanted: str, expected: bool
) -> None:
    assert is_within(declared, wanted, "exact") is expected


@pytest.mark.parametrize(("bare", "wanted", "expected"), [
    ("minimum", ">=1.21", True), ("minimum", "<1.22", False), ("caret", "<2", True), ("exact", "<1.22", True),
])  # fmt: skip
def test_a_version_without_an_operator_follows_its_ecosystem(
    bare: Bare, wanted: str, expected: bool
) -> None:
    assert is_within("1.21", wanted, bare) is expected


@pytest.mark.parametrize(
    "text", [">=abc", "latest", "workspace:*", ">=", "git+https://x"]
)
def test_an_invalid_range_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="is not a version range"):
        read_ranges(text)


@pytest.mark.parametrize(
    ("text", "name", "versions"),
    [
        ("python>=3.10", "python", ">=3.10"), ("python >= 3.10, <4", "python", ">= 3.10, <4"),
        ("@types/node^20", "@types/node", "^20"), ("github.com/x/y", "github.com/x/y", ""), ("react", "react", ""),
    ],
)  # fmt: skip
def test_a_name_and_its_range(text: str, name: str, versions: str) -> None:
    assert split_constraint(text) == (name, versions)
