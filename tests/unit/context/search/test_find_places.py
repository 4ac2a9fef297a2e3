"""Search for places of a workspace by address, name and words."""

from __future__ import annotations

from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.context.search.find_places import find
from cuedeck.context.search.read_address import read_address
from cuedeck.model.errors import Invalid

CODE = '''"""Sessions of visitors."""


class Login:
    """Let people in."""

    def verify_token(self, token):
        return token.expired


def parse_cookie(header):
    return header
'''


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace with cards, docs and code."""
    sandbox.card(
        "2a9f1x",
        "title: Fix the login",
        "tags: [auth]",
        "priority: high",
        "assignee: ada",
        body="the page is blank",
    )
    sandbox.card(
        "7bk2qq", "title: Write the guide", "status: done", body="mention the kangaroo"
    )
    sandbox.write(
        "docs/auth.md",
        "---\ntags: [auth]\n---\n# Auth\n\n## Login Flow\n\nA visitor shows a token.\n\n## Logout\n\nBye.\n",
    )
    sandbox.write(
        "docs/cookies.md",
        "# Cookies\n\n"
        + "Filler about biscuits.\n" * 30
        + "\nThe zebra stands here.\n",
    )
    sandbox.write("src/session.py", CODE)
    sandbox.write("data/image.bin", b"\0\1\2")
    return sandbox


def find_hits(sandbox: Sandbox, query: str, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = find(sandbox.workspace(), query, **options)["hits"]
    return found


def first_hit(sandbox: Sandbox, query: str, **options: Any) -> dict[str, Any]:
    return find_hits(sandbox, query, **options)[0]


@pytest.mark.parametrize(
    ("query", "address", "kind"),
    [
        ("docs/auth.md", "docs/auth.md", "doc"),
        ("docs/auth.md#login flow", "docs/auth.md#login flow", "doc"),
        ("src/session.py#L4-L6", "src/session.py#L4-L6", "source"),
        ("2a9", ".cuedeck/cards/2a9f1x.md", "card"),
        ("[[Cookies]]", "docs/cookies.md", "doc"),
        ("verify_token", "src/session.py#Login.verify_token", "symbol"),
        ("parse cookie", "src/session.py#parse_cookie", "symbol"),
        ("logout", "docs/auth.md#logout", "section"),
        ("write guide", ".cuedeck/cards/7bk2qq.md", "card"),
        ("kangaroo", ".cuedeck/cards/7bk2qq.md#L1-L6", "card"),
        ("visitors cookie header", "src/session.py#L11-L12", "source"),
        ("image.bin", "data/image.bin", "binary"),
    ],
)
def test_best_match_is_the_first_hit(
    shop: Sandbox, query: str, address: str, kind: str
) -> None:
    hit = first_hit(shop, query)
    assert (hit["address"], hit["kind"]) == (address, kind)
    assert hit["why"]


def test_word_far_down_a_file_is_found_in_place(shop: Sandbox) -> None:
    hit = first_hit(shop, "zebra")
    assert hit["lines"][0] <= 34 <= hit["lines"][1]
    assert "The zebra stands here." in hit["snippet"]
    assert hit["why"] == "its text has `zebra`"


def test_reason_names_only_the_parts_of_an_identifier_that_a_file_has(
    shop: Sandbox,
) -> None:
    shop.write("src/other.py", "cookie = 1\n")
    whys = {hit["path"]: hit["why"] for hit in find_hits(shop, "parse_cookie")}
    assert whys["src/session.py"] == "it is called so"
    assert whys["src/other.py"] == "its text has `cookie`"


def test_word_of_every_file_leads_to_the_definitions_that_have_it(
    sandbox: Sandbox,
) -> None:
    for number in range(12):
        sandbox.write(
            f"src/m{number}.py", f"x = 1\n\n\ndef login{number}():\n    pass\n"
        )
    for hit in find_hits(sandbox, "login"):
        assert hit["address"] == hit["path"] + "#" + hit["title"]
        assert hit["why"] == "its name has `login`"


def test_every_hit_can_be_read(shop: Sandbox) -> None:
    workspace = shop.workspace()
    for query in (
        "login",
        "token",
        "cookie",
        "the",
        "docs",
        "auth.md",
        "auth",
        "visitor page",
    ):
        for hit in find(workspace, query)["hits"]:
            assert read_address(workspace, hit["address"])["path"] == hit["path"]
            assert 1 <= hit["lines"][0] <= hit["lines"][1]


def test_hit_with_all_words_comes_first(shop: Sandbox) -> None:
    shop.write("docs/apple.md", "# One\n\n" + "quince " * 50)
    shop.write("docs/both.md", "# Two\n\nquince and medlar\n")
    assert first_hit(shop, "quince medlar")["path"] == "docs/both.md"


def test_hits_are_filtered(shop: Sandbox) -> None:
    assert {hit["path"] for hit in find_hits(shop, "login auth", kinds=("card",))} == {
        ".cuedeck/cards/2a9f1x.md"
    }
    assert {hit["path"] for hit in find_hits(shop, "login auth", tags=("AUTH",))} == {
        ".cuedeck/cards/2a9f1x.md",
        "docs/auth.md",
    }
    assert {
        hit["path"]
        for hit in find_hits(shop, "login auth", priority="high", assignee="@Ada")
    } == {".cuedeck/cards/2a9f1x.md"}
    assert {
        hit["kind"] for hit in find_hits(shop, "docs/auth.md", kinds=("card",))
    } == {"card"}


def test_pages_are_disjoint_and_complete(shop: Sandbox) -> None:
    workspace = shop.workspace()
    whole = find(workspace, "docs/auth.md", limit=50)
    parts = [
        find(workspace, "docs/auth.md", limit=2, offset=at)["hits"]
        for at in range(0, whole["total"], 2)
    ]
    assert [hit for part in parts for hit in part] == whole["hits"]
    assert len(whole["hits"]) == whole["total"]


def test_changed_files_are_found(shop: Sandbox) -> None:
    workspace = shop.workspace()
    assert find(workspace, "wombat")["hits"] == []
    shop.card("7bk2qq", "title: Write the guide", body="mention the wombat")
    shop.write("docs/cookies.md", "# Cookies\n\nwombat\n")
    assert {hit["path"] for hit in find(workspace, "wombat")["hits"]} == {
        ".cuedeck/cards/7bk2qq.md",
        "docs/cookies.md",
    }
    assert find(workspace, "kangaroo")["hits"] == []


def test_query_without_words_is_refused(shop: Sandbox) -> None:
    with pytest.raises(Invalid):
        find(shop.workspace(), " \n")


@pytest.mark.parametrize(
    "query",
    [
        "%",
        "_",
        "'",
        '"',
        "\\",
        "*",
        "#",
        "##",
        "a" * 5_000,
        "\0",
        "日本語",
        "🦘",
        "1001",
        "()",
        "-",
    ],
)
def test_unusual_queries_are_answered(shop: Sandbox, query: str) -> None:
    found = find(shop.workspace(), query)
    assert found["total"] >= len(found["hits"])


def test_title_is_found_in_any_script(shop: Sandbox) -> None:
    shop.write("docs/jp.md", "# 認証の流れ\n\n本文\n")
    assert first_hit(shop, "認証")["path"] == "docs/jp.md"
