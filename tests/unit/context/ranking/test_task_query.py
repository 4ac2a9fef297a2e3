from __future__ import annotations

import pytest
from memory import CARD, InMemoryCorpus, Memory, card, ranking_context

from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.task_query import Query, read_source

FILLER = {
    f"src/{name}.py": f"def {name}():\n    return 1\n"
    for name in ("billing", "parcel", "garden", "kitchen")
}


def make_query(title: str = "Fix login", body: str = "") -> Query:
    return ranking_context({CARD: card(title=title, body=body), **FILLER}).query


def test_title_and_body_are_searched_without_stop_words_of_cards() -> None:
    words = make_query(
        title="Fix the expired tokens", body="The form should parse it.\n"
    ).words
    assert words.keys() >= {"expir", "token", "form", "pars"}
    assert words.keys().isdisjoint({"fix", "the", "should", "status", "active", "ref"})


def test_title_outweighs_the_body_and_repeated_words_outweigh_single_ones() -> None:
    words = make_query(
        title="Expired token", body="The form and the form and the button.\n"
    ).words
    assert words["token"] > words["form"] > words["button"] > 0


def test_path_counts_as_the_name_of_its_file() -> None:
    query = make_query(title="Fix src/parcel/label_sheet.py", body="See `a/b.md`.\n")
    assert query.words.keys() >= {"label", "sheet"}
    assert query.words.keys().isdisjoint({"src", "parcel", "py", "md"})
    assert query.identifiers == ("label_sheet",)


def test_heading_that_repeats_the_title_counts_once() -> None:
    plain = make_query(title="Expired token", body="A form.\n").words
    again = make_query(title="Expired token", body="# Expired token\n\nA form.\n").words
    assert again == plain


def test_words_of_a_long_body_have_a_lower_weight() -> None:
    story = " ".join(
        f"chapter{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(200)
    )
    short, long = (
        make_query(title="Expired", body="A button.\n"),
        make_query(title="Expired", body=f"A button. {story}\n"),
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
    found = make_query(body=f"A button.\n\n{line}\n")
    assert "secretword" not in found.words and "button" in found.words
    assert (
        "secretword"
        not in " ".join([*found.spelled, *found.spelled.values(), *found.names]).lower()
    )


def test_word_keeps_the_spelling_of_the_card() -> None:
    spelled = make_query(
        title="Expired TokenStore", body="The token_stores are gone.\n"
    ).spelled
    assert spelled["expir"] == "Expired"
    assert spelled["token"] == spelled["=tokenstore"] == "TokenStore"
    assert spelled["=token_stores"] == "token_stores"


@pytest.mark.parametrize(
    ("word", "names"),
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
def test_word_that_looks_like_code_is_a_name(word: str, names: set[str]) -> None:
    assert set(make_query(title="a", body=f"{word}\n").names) == names


def test_plain_words_are_no_names() -> None:
    assert (
        make_query(title="Expired tokens", body="They come back. An old story.\n").names
        == ()
    )


LOGIN = {
    "src/login.py": "def enter(person):\n    return cookie_jar(person)\n",
    "src/jar.py": "def cookie_jar(person):\n    return person\n",
    "src/a.py": "person = cookie_jar\n",
}


def test_sources_are_the_files_that_the_card_links() -> None:
    found = ranking_context(
        {
            CARD: card("src/login.py", "docs/a.md", "src/"),
            "docs/a.md": "[[login]]\n",
            **FILLER,
            **LOGIN,
        }
    ).query
    assert [source.path for source in found.sources] == ["src/login.py", "docs/a.md"]
    assert found.sources[0].depth == 1


def test_source_words_are_those_that_few_other_files_have() -> None:
    own = ranking_context({CARD: card("src/login.py"), **FILLER, **LOGIN}).query.worths[
        "own"
    ]
    assert {"cooki", "person", "=cookie_jar"} <= own.keys()
    # Nothing else has it, so it leads nowhere.
    assert "enter" not in own


def test_word_that_many_files_have_is_not_searched() -> None:
    many = {f"src/m{at}.py": "person = 1\n" for at in range(30)}
    own = ranking_context(
        {CARD: card("src/login.py"), **FILLER, **LOGIN, **many}
    ).query.worths["own"]
    assert "person" not in own and "cooki" in own


def test_only_the_linked_part_of_a_file_contributes_words() -> None:
    page = "# One\n\nThe lantern.\n\n# Two\n\nThe anchor.\n"
    texts = {
        "docs/a.md": page,
        "docs/b.md": "lantern and anchor\n",
        "docs/c.md": "lantern and anchor\n",
    }
    own = ranking_context(
        {CARD: card("docs/a.md#Two"), **FILLER, **texts}
    ).query.worths["own"]
    assert "anchor" in own and "lantern" not in own


def test_focus_is_the_part_of_a_source_that_matches_the_card() -> None:
    source = (
        "def expire_token():\n    return lantern\n\n\ndef paint():\n    return anchor\n"
    )
    texts = {
        "src/a.py": source,
        "src/b.py": "lantern = anchor\n",
        "src/c.py": "lantern = anchor\n",
    }
    found = ranking_context(
        {CARD: card("src/a.py", title="Expired token"), **FILLER, **texts}
    ).query
    assert "lantern" in found.worths["focus"] and "anchor" not in found.worths["focus"]
    assert {"lantern", "anchor"} <= found.worths["own"].keys()


def test_card_without_words_has_an_empty_query() -> None:
    found = make_query(title="1", body="")
    assert found.words.keys() == {"task"}
    assert not found.names


def test_linked_cards_contribute_words_and_binary_files_do_not() -> None:
    other = ".cuedeck/cards/7bq3md.md"
    texts: dict[str, str | bytes] = {
        other: card(title="The lantern"),
        "src/a.py": "lantern = 1\n",
        "src/b.py": "lantern = 2\n",
    }
    found = ranking_context(
        {CARD: card("7bq3md", "logo.png"), "logo.png": b"\0lantern", **FILLER, **texts}
    ).query
    assert [source.path for source in found.sources] == [other]
    assert "lantern" in found.worths["own"]


DOC = "# Keys\n\n" + "token one\n" * 25 + "\n## Doors\n\n" + "door token\n" * 25
FILES = {CARD: card("docs/a.md"), "docs/a.md": DOC}


def test_card_is_read_although_it_is_not_indexed() -> None:
    memory = Memory(FILES)
    assert InMemoryCorpus(memory).words(CARD) is None
    lines = ((1, memory.text(CARD).count("\n")),)
    assert read_source(
        CARD, lines, memory, memory, InMemoryCorpus(memory), Memo()
    ).counts
