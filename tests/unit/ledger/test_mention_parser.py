"""Names in the texts of records: which are recognised, how they resolve, and that a
lookup by file finds all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import InMemoryCorpus, Memory

from cuedeck.ledger.mention_index import MentionIndex, names_of
from cuedeck.ledger.mention_parser import Mention, Reader
from cuedeck.ledger.name_resolution import NameResolver
from cuedeck.model.memory_record import COMPACTION, Record

FILES = {
    ".cuedeck/cards/abc123.md": "---\ntitle: Fix the login\naliases: [fixing]\n---\n\nbody\n",
    ".cuedeck/docs/auth.md": "# Auth flow\n\n## Login Flow\n\nhow\n\n## Other\n\nx\n",
    "docs/api.md": "# API\n\n## Errors\n\nx\n",
    "docs/a/setup.md": "# One\n",
    "docs/b/setup.md": "# Two\n",
    "Makefile": "all:\n\techo\n",
    "src/auth.py": "class Login:\n    def verify(self):\n        pass\n\n    def run(self):\n        pass\n\n\n"
    "def check_token():\n    return 1\n\n\ndef both():\n    return 1\n",
    "src/form.py": "class Form:\n    def run(self):\n        pass\n\n\ndef both():\n    return 2\n",
    "src/two/form.py": "class Sheet:\n    pass\n\n\ndef only_tested_elsewhere():\n    pass\n",
    "tests/test_auth.py": "def check_token():\n    return 3\n\n\ndef test_it_all():\n    pass\n",
}
LOOKUP = Memory(FILES)
MEANINGS = NameResolver(LOOKUP, InMemoryCorpus(LOOKUP), lambda: FILES)


def read_mentions(text: str) -> list[tuple[str, str]]:
    return [tuple(name) for name in Reader().read(text)]


def resolved_addresses(text: str) -> list[str]:
    """Return the addresses to which the names in a text resolve."""
    places = (MEANINGS.of(name) for name in Reader().read(text))
    return list(dict.fromkeys(place.address for place in places if place))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see src/auth.py, and more", [("path", "src/auth.py")]),
        ("(src/auth.py#Login.verify).", [("path", "src/auth.py#Login.verify")]),
        ("at src/auth.py:42", [("path", "src/auth.py")]),
        ("`docs/auth.md#Login Flow` it is", [("path", "docs/auth.md#Login Flow")]),
        ("[[Auth#Login Flow|there]]", [("wiki", "Auth#Login Flow")]),
        ("[[ -f x ]]", []),
        ("as @doc/api#Errors, says", [("mention", "api#Errors")]),
        (
            "@ref[docs/api.md#Error Handling]",
            [("mention", "docs/api.md#Error Handling")],
        ),
        (
            "verify_token() and verifyToken",
            [("code", "verify_token"), ("code", "verifyToken")],
        ),
        (
            "Login.verify(token, x) fails",
            [("path", "Login.verify"), ("code", "Login.verify")],
        ),
        ("crate::auth::Login", [("code", "crate.auth.Login")]),
        ("Token is a word, `Token` is a name", [("path", "Token"), ("code", "Token")]),
        ("verify the tokens(s) of file(s)", []),
        ("run(x) it", [("code", "run")]),
        ("card:abc123 and card fix-login", [("card", "abc123"), ("card", "fix-login")]),
        ("abc123 alone, abcdef not", [("card", "abc123")]),
        (
            "in session:2026-05-03-a. decided as `decision:k2`",
            [("session", "2026-05-03-a"), ("decision", "k2")],
        ),
        ("[[decision:k2]]", [("decision", "k2")]),
        ("https://example.com/src/auth.py ~/src/auth.py /src/auth.py", []),
        ("`pytest tests/test_auth.py -q`", [("path", "tests/test_auth.py")]),
        ("at 2026-05-03T10:00:00.000Z, 3.11, v1", []),
        ("", []),
    ],
)
def test_names_in_a_text_are_recognised(
    text: str, names: list[tuple[str, str]]
) -> None:
    found = read_mentions(text)
    assert [each for each in found if each in names] == sorted(names, key=found.index)
    assert {each for each in found if each[0] in ("path", "code")} <= set(names)


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("src/auth.py", ["src/auth.py"]),
        ("./src/auth.py and auth.py", ["src/auth.py"]),
        ("src/auth.py#Login.verify", ["src/auth.py#Login.verify"]),
        ("src/auth.py#gone names the file", ["src/auth.py"]),
        ("docs/auth.md, docs/auth", [".cuedeck/docs/auth.md"]),
        ("`docs/auth.md#Login Flow`", [".cuedeck/docs/auth.md#Login Flow"]),
        ("[[Auth flow]] [[auth]]", [".cuedeck/docs/auth.md"]),
        ("@doc/api#Errors", ["docs/api.md#Errors"]),
        ("Login.verify and auth.Login.verify", ["src/auth.py#Login.verify"]),
        ("check_token() is that of the source", ["src/auth.py#check_token"]),
        ("test_it_all is in a test", ["tests/test_auth.py#test_it_all"]),
        ("`Sheet`, but Sheet is a word", ["src/two/form.py#Sheet"]),
        ("`Makefile`", ["Makefile"]),
        ("card:abc123", [".cuedeck/cards/abc123.md"]),
        ("[[abc123]] [[fixing]] [[Fix the login]]", [".cuedeck/cards/abc123.md"]),
    ],
)
def test_names_resolve_to_addresses(text: str, addresses: list[str]) -> None:
    assert resolved_addresses(text) == addresses


@pytest.mark.parametrize(
    "text",
    [
        "form.py is there twice",
        "[[setup]] as well",
        "both() is defined twice",
        "`run` and run() are methods of two files",
        "Src/Auth.py is spelled otherwise",
        "card:abc12, card abc and [[abc1]] are beginnings of an id",
        "`auth` leaves too much out",
        "the login form, the API, a card",
        "src/gone.py, Login.gone, gone_name",
    ],
)
def test_ambiguous_or_inexact_name_resolves_to_nothing(text: str) -> None:
    assert resolved_addresses(text) == []


def test_name_of_several_definitions_in_one_file_resolves_to_the_file() -> None:
    lookup = Memory(
        {
            "src/one.py": "class A:\n    def go_on(self): ...\n\nclass B:\n    def go_on(self): ...\n"
        }
    )
    place = NameResolver(lookup, InMemoryCorpus(lookup), lambda: 1).of(
        Mention("code", "go_on")
    )
    assert place is not None
    assert (place.address, place.whole) == ("src/one.py", True)


def test_name_defined_in_very_many_files_resolves_by_its_container() -> None:
    texts = {
        f"src/m{n}.py": f"class Class{n}:\n    def go(self):\n        pass\n"
        for n in range(220)
    }
    lookup = Memory(texts)
    meanings = NameResolver(lookup, InMemoryCorpus(lookup), lambda: 1)
    place = meanings.of(Mention("code", "Class7.go"))
    assert place is not None
    assert place.address == "src/m7.py#Class7.go"
    assert meanings.of(Mention("code", "go")) is None


def test_new_names_are_looked_up_again() -> None:
    state, texts = [0], {"src/auth.py": "x = 1\n"}
    lookup = Memory(texts)
    meanings = NameResolver(lookup, InMemoryCorpus(lookup), lambda: state[0])
    name = Mention("path", "auth.py")
    assert meanings.of(name) is not None
    lookup.__init__({**texts, "lib/auth.py": "x = 1\n"})  # type: ignore[misc]
    assert meanings.of(name) is not None
    state[0] = 1
    assert meanings.of(name) is None


def index_mentions(
    records: Sequence[Record], hidden: Collection[str] = ()
) -> MentionIndex:
    return MentionIndex(names_of(records, hidden))


def test_secret_and_hidden_records_have_no_mentions() -> None:
    labels = ["public", "secret", "unheard-of", "public"]
    records = [
        Record(str(n), f"src/auth.py {n}", sensitivity=label)
        for n, label in enumerate(labels)
    ]
    sayings = index_mentions(records, {"3"})
    assert [each.record for each in sayings.of(Mention("path", "src/auth.py"))] == [0]


def test_facts_of_a_compaction_record_are_the_mentions() -> None:
    text = "# Topic\n- first of src/auth.py\n  and more [f1 11-03]\n- second [f2 11-03]"
    (saying,) = index_mentions([Record("1", text, COMPACTION)]).of(
        Mention("path", "src/auth.py")
    )
    assert saying.piece == "- first of src/auth.py\n  and more [f1 11-03]"


WORDS = st.sampled_from(
    [
        *FILES, *(path.rpartition("/")[2] for path in FILES), "./src/auth.py", "src/", "docs/auth", "docs/auth.md",
        "src/auth.py#Login.verify", "[[auth]]", "[[Auth flow]]", "[[setup]]", "[[b/setup]]", "[[fixing]]", "[[abc123]]",
        "[[docs/api.md#Errors]]", "[[Fix the login]]", "@doc/api#Errors", "@ref[docs/auth.md]", "`Login`", "`Sheet`",
        "Login.verify", "auth.Login.verify", "verify()", "auth.check_token", "src.auth.Login.run", "Form#run", "both()",
        "auth::Login", "card:abc123", "abc123", "card", "is", "`Makefile`", "`docs/auth.md#Login Flow`", "[[gone]]",
    ]
)  # fmt: skip


@given(st.lists(st.one_of(WORDS, st.text(max_size=12)), max_size=12))
def test_lookup_by_file_finds_every_name_that_resolves_to_it(words: list[str]) -> None:
    sayings = index_mentions([Record("1", " ".join(words))])
    for name in sayings.names():
        place = MEANINGS.of(name)
        if place is not None and place.kind != "folder":
            assert name in sayings.candidate_mentions(
                place.path, LOOKUP.file(place.path)
            )


@given(st.lists(st.one_of(WORDS, st.text(max_size=40)), max_size=8).map(" ".join))
def test_parsing_depends_on_the_text_alone(text: str) -> None:
    used = Reader()
    used.read(text[::-1])
    assert used.read(text) == used.read(text) == Reader().read(text)
