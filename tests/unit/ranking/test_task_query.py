from __future__ import annotations

import pytest
from memory import CARD, card, grounded

from cuedeck.ranking.task_query import Query

FILLER = {
    f"src/{name}.py": f"def {name}():\n    return 1\n"
    for name in ("billing", "parcel", "garden", "kitchen")
}


def query(title: str = "Fix login", body: str = "") -> Query:
    return grounded({CARD: card(title=title, body=body), **FILLER}).query


def test_title_and_body_are_looked_for_without_what_every_card_says() -> None:
    words = query(
        title="Fix the expired tokens", body="The form should parse it.\n"
    ).words
    assert words.keys() >= {"expir", "token", "form", "pars"}
    assert words.keys().isdisjoint({"fix", "the", "should", "status", "active", "ref"})


def test_the_title_says_more_than_the_body_and_a_word_said_twice_more_than_one() -> (
    None
):
    words = query(
        title="Expired token", body="The form and the form and the button.\n"
    ).words
    assert words["token"] > words["form"] > words["button"] > 0


def test_a_heading_that_repeats_the_title_counts_once() -> None:
    plain = query(title="Expired token", body="A form.\n").words
    again = query(title="Expired token", body="# Expired token\n\nA form.\n").words
    assert again == plain


def test_a_long_body_says_less_by_every_word() -> None:
    story = " ".join(
        f"chapter{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(200)
    )
    short, long = (
        query(title="Expired", body="A button.\n"),
        query(title="Expired", body=f"A button. {story}\n"),
    )
    assert long.words["button"] < short.words["button"]
    assert long.words["expir"] == short.words["expir"]


@pytest.mark.parametrize(
    "line",
    [
        "See https://example.org/wiki/secretword for more.",
        "Co-authored-by: secretword <secretword@example.org>",
        "Signed-off-by: Secretword",
        "Refs: secretword",
        "see-also: secretword",
        "CC: secretword",
    ],
)
def test_addresses_and_trailers_are_left_out(line: str) -> None:
    found = query(body=f"A button.\n\n{line}\n")
    assert "secretword" not in found.words and "button" in found.words
    assert (
        "secretword"
        not in " ".join([*found.spelled, *found.spelled.values(), *found.names]).lower()
    )


def test_a_word_is_remembered_as_the_card_spells_it() -> None:
    spelled = query(
        title="Expired TokenStore", body="The token_stores are gone.\n"
    ).spelled
    assert spelled["expir"] == "Expired"
    assert spelled["token"] == spelled["=tokenstore"] == "TokenStore"
    assert spelled["=token_stores"] == "token_stores"


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("call `verify` twice", {"verify"}),
        ("verify_token is slow", {"verify_token"}),
        ("verifyToken is slow", {"verifyToken"}),
        ("TokenStore is slow", {"TokenStore"}),
        ("store.verify is slow", {"store", "verify"}),
        ("Store::verify is slow", {"Store", "verify"}),
        ("verify() is slow", {"verify"}),
        ("the --dry-run option", {"dry", "run"}),
        ("a JSON file", {"JSON"}),
        ("`shop.models.Token`", {"shop", "models", "Token"}),
    ],
)
def test_what_looks_like_code_is_taken_for_a_name(said: str, names: set[str]) -> None:
    assert set(query(title="a", body=f"{said}\n").names) == names


def test_plain_words_are_no_names() -> None:
    assert (
        query(title="Expired tokens", body="They come back. An old story.\n").names
        == ()
    )


def test_names_stand_in_order() -> None:
    names = query(title="a", body="`zeta` and `alpha` and `Beta`\n").names
    assert list(names) == sorted(names)


LOGIN = {
    "src/login.py": "def enter(person):\n    return cookie_jar(person)\n",
    "src/jar.py": "def cookie_jar(person):\n    return person\n",
    "src/a.py": "person = cookie_jar\n",
}


def test_the_sources_are_what_the_card_links() -> None:
    found = grounded(
        {
            CARD: card("src/login.py", "docs/a.md", "src/"),
            "docs/a.md": "[[login]]\n",
            **FILLER,
            **LOGIN,
        }
    ).query
    assert [source.path for source in found.sources] == ["src/login.py", "docs/a.md"]
    assert found.sources[0].depth == 1


def test_the_words_of_the_sources_are_those_that_few_other_files_have() -> None:
    own = grounded({CARD: card("src/login.py"), **FILLER, **LOGIN}).query.own
    assert {"cooki", "person", "=cookie_jar"} <= own.keys()
    # Nothing else has it, so it leads nowhere.
    assert "enter" not in own


def test_a_word_that_many_files_have_is_not_asked_for() -> None:
    many = {f"src/m{at}.py": "person = 1\n" for at in range(30)}
    own = grounded({CARD: card("src/login.py"), **FILLER, **LOGIN, **many}).query.own
    assert "person" not in own and "cooki" in own


def test_only_the_linked_part_of_a_file_lends_its_words() -> None:
    page = "# One\n\nThe lantern.\n\n# Two\n\nThe anchor.\n"
    texts = {
        "docs/a.md": page,
        "docs/b.md": "lantern and anchor\n",
        "docs/c.md": "lantern and anchor\n",
    }
    own = grounded({CARD: card("docs/a.md#Two"), **FILLER, **texts}).query.own
    assert "anchor" in own and "lantern" not in own


def test_the_focus_is_the_part_of_a_source_that_answers_the_card() -> None:
    source = (
        "def expire_token():\n    return lantern\n\n\ndef paint():\n    return anchor\n"
    )
    texts = {
        "src/a.py": source,
        "src/b.py": "lantern = anchor\n",
        "src/c.py": "lantern = anchor\n",
    }
    found = grounded(
        {CARD: card("src/a.py", title="Expired token"), **FILLER, **texts}
    ).query
    assert "lantern" in found.focus and "anchor" not in found.focus
    assert {"lantern", "anchor"} <= found.own.keys()


def test_a_card_that_links_nothing_has_words_alone() -> None:
    found = query(title="Expired token")
    assert (found.sources, found.own, found.focus) == ((), {}, {})


def test_a_card_without_words_looks_for_nothing() -> None:
    found = query(title="1", body="")
    assert found.words.keys() == {"task"}
    assert not found.names


def test_linked_cards_lend_their_words_and_what_is_no_text_lends_none() -> None:
    other = ".cuedeck/cards/7bq3md.md"
    texts: dict[str, str | bytes] = {
        other: card(title="The lantern"),
        "src/a.py": "lantern = 1\n",
        "src/b.py": "lantern = 2\n",
    }
    found = grounded(
        {CARD: card("7bq3md", "logo.png"), "logo.png": b"\0lantern", **FILLER, **texts}
    ).query
    assert [source.path for source in found.sources] == [other]
    assert "lantern" in found.own


@pytest.mark.parametrize(
    "unit", ["x", "X", "x.", "a-", "_", "`", "\\n", "( ", "-", "é"]
)
def test_a_text_of_any_length_is_read(unit: str) -> None:
    found = query(title=f'"{unit * 50_000} token"', body=unit * 50_000)
    assert len(found.names) < 10_000
