"""Lines that `find` lists for an identifier."""

from __future__ import annotations

from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.context.search.find_places import find


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace with several spellings of one identifier."""
    sandbox.write(
        "src/kinds.py",
        "class Finding:\n    DEAD_LINK = 1\n\n    def push(self):\n        return 1\n",
    )
    sandbox.write(
        "src/checks.ts", "export const deadLink = 'dead-link'\n\nfinding.push()\n"
    )
    sandbox.write(
        "docs/checks.md", "# Checks\n\nUse `--dead-link`. A dead link is bad.\n"
    )
    sandbox.write("CHANGELOG.md", "# Changes\n\n- Report a DeadLink once\n")
    sandbox.write(".github/workflows/ci.yml", "run: check --dead-link\n")
    sandbox.write("package-lock.json", '{"dead-link": 1}\n')
    return sandbox


def occurrences(
    sandbox: Sandbox, query: str, **options: Any
) -> list[tuple[str, int, str]]:
    answer = find(sandbox.workspace(), query, **options)
    return [
        (each["path"], each["line"], each["text"]) for each in answer["occurrences"]
    ]


@pytest.mark.parametrize(
    "query",
    ["dead_link", "DeadLink", "--dead-link", "`DEAD_LINK`", "Finding.DEAD_LINK"],
)
def test_every_line_with_the_identifier_is_found_in_any_spelling(
    shop: Sandbox, query: str
) -> None:
    assert sorted(occurrences(shop, query)) == [
        (".github/workflows/ci.yml", 1, "run: check --dead-link"),
        ("CHANGELOG.md", 3, "- Report a DeadLink once"),
        ("docs/checks.md", 3, "Use `--dead-link`. A dead link is bad."),
        ("src/checks.ts", 1, "export const deadLink = 'dead-link'"),
        ("src/kinds.py", 2, "DEAD_LINK = 1"),
    ]


def test_qualified_name_gives_the_definition_and_then_the_lines_of_its_last_part(
    shop: Sandbox,
) -> None:
    answer = find(shop.workspace(), "Finding.push")
    assert answer["hits"][0]["address"] == "src/kinds.py#Finding.push"
    assert {(each["path"], each["line"]) for each in answer["occurrences"]} == {
        ("src/kinds.py", 4),
        ("src/checks.ts", 3),
    }


@pytest.mark.parametrize("query", ["docs/checks.md", "a dead link", "…"])
def test_query_that_is_no_identifier_has_no_occurrences(
    shop: Sandbox, query: str
) -> None:
    assert occurrences(shop, query) == []


def test_identifier_of_stop_words_is_found_whole(shop: Sandbox) -> None:
    shop.write("src/add.py", "def add_error():\n    return 1\n")
    assert occurrences(shop, "addError") == [("src/add.py", 1, "def add_error():")]


@pytest.mark.parametrize(
    ("text", "query", "lines"),
    [
        ("def add(x):\n    return add_all\n", "add", [1, 2]),
        ("class Type:\n    pass\n", "Type", [1]),
        ("def x1():\n    pass\n", "x1", [1]),
        *((f"a = 0\nb = {name}(1)\n", name, [2]) for name in
          ("x86_64", "f5_7", "p99_9", "i18n_3", "k8s_1", "h264_4k", "s3_2x", "fn_2", "t_0", "a1")),
        ("y = 1\nbind('0.0.0.0')\nversion = '10.0.0.0'\n", "0.0.0.0", [2]),
        ("b\na->b\n", "a->b", [2]),
        ("foo(3)\nfoo()\n", "foo()", [2, 1]),
        ("exclude_tag\n--exclude-tag\n", "--exclude-tag", [2, 1]),
        ("C\nC++\n", "C++", [2]),
        ("x\n@decorator\n", "@decorator", [2]),
        ("a quoted\nphrase\nphrase\n", '"quoted phrase"', [1]),
        ("x\nTo be or not to be\n", "to be or not to be", [2]),
        ("# This and that are\n", "are that", [1]),
        ("x\nWho is the one\n", "the", [2]),
        ("city = 'İstanbul'\n", "istanbul", [1]),
        ("city = 'I\u0307stanbul'\n", "İSTANBUL", [1]),
        ("Straße\n", "strasse", [1]),
        ("strasse\n", "Straße", [1]),
        ("修改配置文件\n", "配置", [1]),
        ("修改配置文件\n", "文件 配置", [1])
    ]
)  # fmt: skip
def test_a_query_never_loses_all_its_terms(
    sandbox: Sandbox, text: str, query: str, lines: list[int]
) -> None:
    sandbox.write("src/one.py", text)
    sandbox.write("src/two.py", "nil = None\n")
    answer = find(sandbox.workspace(), query)
    assert [hit["path"] for hit in answer["hits"]] == ["src/one.py"]
    assert occurrences(sandbox, query) == [
        ("src/one.py", line, text.split("\n")[line - 1].strip()) for line in lines
    ]
    assert "hint" not in answer


@pytest.mark.parametrize(
    ("query", "line", "why"),
    [
        ("login x86_64", 3, "its text has `x86_64`"),
        ("the login on 0.0.0.0", 4, "its text has `0.0.0.0`"),
        ("login f5_7 absent_1", 5, "its text has `f5_7`"),
        ("absent_1 login UTF-8,", 6, "its text has `UTF-8`"),
        ("Login: --dry-run?", 7, "its text has `--dry-run`"),
        ("login x86_64 f5_7", 3, "its text has `x86_64`"),
    ],
)
def test_a_word_without_terms_counts_beside_others(
    sandbox: Sandbox, query: str, line: int, why: str
) -> None:
    rows = [
        "login",
        "login = 1",
        "arch = x86_64",
        "0.0.0.0",
        "f5_7",
        "utf-8",
        "--dry-run",
    ]
    sandbox.write("src/one.py", "".join(f"{row}\n" for row in rows))
    sandbox.write("src/login.py", "login = login\n" * 5)
    answer = find(sandbox.workspace(), query)
    first = answer["hits"][0]
    assert (first["address"], first["why"]) == (f"src/one.py#L{line}", why)
    assert (line, rows[line - 1]) in [
        (each["line"], each["text"]) for each in answer["occurrences"]
    ]


def test_a_literal_comes_before_names_with_its_words(sandbox: Sandbox) -> None:
    sandbox.write("src/role.py", "def load_yaml():\n    return yaml\n\n\nload = yaml\n")
    sandbox.write("src/use.py", "a = 1\n" * 30 + "b = yaml.load(a)\n")
    hits = find(sandbox.workspace(), "yaml.load")["hits"]
    assert [hit["path"] for hit in hits] == ["src/use.py", "src/role.py"]


def test_a_part_of_a_word_with_digits_is_not_the_word(sandbox: Sandbox) -> None:
    sandbox.write("src/one.py", "http = 1\n")
    sandbox.write("src/two.py", "utf = 1\n")
    hits = find(sandbox.workspace(), "http2 one_utf8")["hits"]
    assert [hit["why"] for hit in hits] == ["its text has `http`", "its text has `utf`"]


def test_exact_name_comes_before_files_with_more_matches(sandbox: Sandbox) -> None:
    sandbox.write("src/a.py", "login = login or login()\n" * 30)
    sandbox.write("src/b.py", "def Login():\n    pass\n")
    sandbox.write("src/c.py", "def login():\n    pass\n")
    hits = find(sandbox.workspace(), "login")["hits"]
    assert [hit["address"] for hit in hits][:2] == ["src/c.py#login", "src/b.py#Login"]


def test_a_heading_of_stop_words_is_the_section(sandbox: Sandbox) -> None:
    sandbox.write("docs/a.md", "# Guide\n\nUse it.\n\n## Use\n\nSo.\n")
    assert find(sandbox.workspace(), "use")["hits"][0]["address"] == "docs/a.md#use"


def test_lines_of_cards_are_found(sandbox: Sandbox) -> None:
    sandbox.card("2a9f1x", "title: Fix it", body="call open_door first")
    assert [row[2] for row in occurrences(sandbox, "open_door")] == [
        "call open_door first"
    ]


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("verfy_tokne", "try fewer or other words, or `recall`"),
        ("zz9 qq7", "try fewer or other words"),
        ('"token expired"', "no line has the text as written"),
    ],
)
def test_nothing_found_is_said_with_what_to_try(
    sandbox: Sandbox, query: str, hint: str
) -> None:
    sandbox.write("src/a.py", "def verify_token():\n    return expired\n")
    assert hint in find(sandbox.workspace(), query)["hint"]
