"""Values of configuration files, by dotted key, and names of variables."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from cuedeck.model.errors import Invalid
from cuedeck.parse.config_values import (
    Found,
    env_names,
    find_value,
    is_env,
    names_only,
    same_value,
    shown_value,
)

TOML = """\
title = "x"
[database]
engine = "postgresql"
ports = [5432, 5433]
"odd.key" = 1
inner = {deep = true}
[database.pool]
size = 5
[[servers]]
name = "a"
[[servers]]
name = "b"
"""
JSON = """\
{
  "a": {"engine": "x", "list": [
    {"n": 1},
    {"n": 2}]},
  "b": {
    "x": {"engine": 1},
    "engine": 2,
    "text\\" :": null
  }
}
"""
YAML = """\
# comment
database: &base
  engine: postgresql
  port: 5432
  on: yes
copy:
  <<: *base
  engine: other
list:
  - name: a
  - name: b
"a.b": c
---
second: 1.10
"""


@pytest.mark.parametrize(
    ("path", "text", "key", "found"),
    [
        ("c.toml", TOML, "title", Found("x", 1)), ("c.toml", TOML, "database.engine", Found("postgresql", 3)),
        ("c.toml", TOML, "database.ports.1", Found(5433, 4)), ("c.toml", TOML, "database.odd.key", Found(1, 5)),
        ("c.toml", TOML, "database.inner.deep", Found(True, 6)), ("c.toml", TOML, "database.pool.size", Found(5, 8)),
        ("c.toml", TOML, "servers.1.name", Found("b", 9)), ("c.toml", TOML, "database.nope", None),
        ("c.toml", TOML, "title.nope", None), ("c.toml", TOML, "database.ports.9", None),
        ("c.toml", TOML, "database.ports.-1", None), ("c.json", JSON, "a.engine", Found("x", 2)),
        ("c.json", JSON, "a.list.1.n", Found(2, 4)), ("c.json", JSON, "b.engine", Found(2, 7)),
        ("c.json", JSON, 'b.text" :', Found(None, 8)), ("c.yaml", YAML, "database.engine", Found("postgresql", 3)),
        ("c.yml", YAML, "database.port", Found("5432", 4)), ("c.yaml", YAML, "copy.port", Found("5432", 4)),
        ("c.yaml", YAML, "copy.engine", Found("other", 8)), ("c.yaml", YAML, "list.1.name", Found("b", 11)),
        ("c.yaml", YAML, "a.b", Found("c", 12)), ("c.yaml", YAML, "second", Found("1.10", 14)),
        ("c.yaml", YAML, "third", None), ("c.yaml", "", "x", None),
    ],
)  # fmt: skip
def test_a_key_leads_to_its_value_and_its_line(
    path: str, text: str, key: str, found: Found | None
) -> None:
    assert find_value(path, text, key) == found


def test_a_number_of_thousands_of_digits_is_a_value_like_others() -> None:
    """Python reads it in hexadecimal, and writes it in no other way."""
    found = find_value("a.toml", f"a = 0x{'f' * 9_000}\n", "a")
    assert found is not None
    assert not same_value(5, found.value)
    assert shown_value(found.value).startswith("0xfff")


def test_comments_and_a_last_comma_are_no_fault_of_json() -> None:
    text = '// first\n{\n /* two\n lines */ "url": "http://x", // why\n "strict": true,\n}\n'
    assert find_value("tsconfig.json", text, "strict") == Found(True, 5)
    assert find_value("tsconfig.json", text, "url") == Found("http://x", 4)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("c.toml", "x = "),
        ("c.json", "{"),
        ("c.json", "[" * 100_000),
        ("c.yaml", "a: [b"),
        ("c.yaml", "a: *nobody"),
        ("c.yaml", "[" * 2_000),
        ("c.yaml", "- " * 3_000 + "x"),
        ("c.yaml", "a: &a\n  b: *a\n"),
        (
            "c.yaml",
            "\n".join(
                ["a0: &a0 [x]"]
                + [
                    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]"
                    for n in range(1, 9)
                ]
            ),
        ),
        ("c.yaml", "\x01"),
    ],
)
def test_a_broken_file_is_an_error(path: str, text: str) -> None:
    with pytest.raises(Invalid, match="is not valid"):
        find_value(path, text, "x")


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(Invalid, match="no known format"):
        find_value("c.ini", "", "x")


@pytest.mark.parametrize(
    ("wanted", "found", "same"),
    [
        ("a", "a", True), ("5432", 5432, True), (5432, "5432", True), (1.5, "1.50", True), ("3.10", "3.1", False),
        (1, True, False), (True, 1, False), (True, "yes", True), (True, "True", True), (False, "off", True),
        (True, "no", False), ("true", True, True), ("null", None, True), ("[1]", [1], False),
        ("2026-01-02", date(2026, 1, 2), True), (10**400, "x", False),
    ],
)  # fmt: skip
def test_values_are_the_same_when_they_are_written_alike(
    wanted: Any, found: Any, same: bool
) -> None:
    assert same_value(wanted, found) is same


def test_tables_are_not_spelled_out() -> None:
    assert [shown_value(each) for each in ({"a": 1}, [1], None, True, 1.5)] == [
        "{…}",
        "[…]",
        "null",
        "true",
        "1.5",
    ]


ENV = "# X=1\nDATABASE_URL=postgres://u:secret@h/d\nexport TOKEN = abc\nEMPTY=\nnot a line\nTOKEN=again\n"


def test_of_variables_only_the_names_are_read() -> None:
    assert env_names(ENV) == {"DATABASE_URL": 2, "TOKEN": 3, "EMPTY": 4}
    assert names_only(ENV) == "\nDATABASE_URL=\nTOKEN=\nEMPTY=\n\nTOKEN=\n"
    assert env_names(names_only(ENV)) == env_names(ENV)


@pytest.mark.parametrize(
    "path", [".env", "a/.env.local", ".ENV", "config/prod.env", ".envrc"]
)
def test_files_of_variables_go_by_many_names(path: str) -> None:
    assert is_env(path)


@pytest.mark.parametrize("path", ["env", "environment.py", ".env/x.py", "env.toml"])
def test_other_files_are_none(path: str) -> None:
    assert not is_env(path)
