from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import CARD, Memory, card
from referring import FILES, MEMORY

from cuedeck.graph.address_lookup import resolve_address
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.file import Link
from cuedeck.model.scene_values import Target, Unresolved


def follow(ref: str, form: str = "wiki", source: str = CARD) -> Target | Unresolved:
    return resolve(Link(ref, 7, form, "", False), source, MEMORY)


def address(ref: str, form: str = "wiki", source: str = CARD) -> str:
    found = follow(ref, form, source)
    return found.address if isinstance(found, Target) else f"{found.reason}!"


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("docs/auth.md", "docs/auth.md"),
        ("docs/auth", "docs/auth.md"),
        ("auth", "docs/auth.md"),
        ("auth.md", "docs/auth.md"),
        ("AUTH", "docs/auth.md"),
        ("Authentication", "docs/auth.md"),
        ("signin", "docs/auth.md"),
        ("sign-in", "docs/auth.md"),
        ("auth#Login", "docs/auth.md#Login"),
        ("auth#Login#Errors", "docs/auth.md#Login#Errors"),
        ("auth#^b1", "docs/auth.md#^b1"),
        ("guide/setup", "docs/guide/setup.md"),
        ("Guide/Setup", "docs/guide/setup.md"),
        ("docs/plan", ".cuedeck/docs/plan.md"),
        ("The Plan", ".cuedeck/docs/plan.md"),
        ("the-plan", ".cuedeck/docs/plan.md"),
        ("2a9f1x", CARD),
        ("2a9", CARD),
        ("card:2a9f1x", CARD),
        ("card:2a", CARD),
        ("card:fix-the-login", CARD),
        ("Fix the login", CARD),
        ("auth.py", "src/auth.py"),
        ("auth.py#Login.verify", "src/auth.py#Login.verify"),
        ("auth.py#verify", "src/auth.py#Login.verify"),
        ("src/auth.py#L1-L2", "src/auth.py#L1-L2"),
        ("src/auth.py#L2-", "src/auth.py#L2-L3"),
        ("a b's & c", "docs/a b's & c.md"),
        ("a b's & c#über uns", "docs/a b's & c.md#über uns"),
        ("cödé", "Ünï/cödé.md"),
        ("docs/C#", "docs/C#.md"),
        ("docs/C#.md", "docs/C#.md"),
        ("docs/C#.md#Part", "docs/C#.md#Part"),
        ("#Task", f"{CARD}#Task"),
        ("docs/auth.md#", "docs/auth.md"),
        ("docs/", "docs/"),
    ],
)
def test_a_wiki_link_resolves(ref: str, expected: str) -> None:
    """Earlier tools resolved `[[Title With Spaces]]`, `[[x#Heading]]` and `[[x|alias]]`
    never.
    """
    assert address(ref) == expected


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("docs/auth.md", "docs/auth.md"),
        ("docs/plan.md", ".cuedeck/docs/plan.md"),
        ("../docs/plan.md", ".cuedeck/docs/plan.md"),
        ("../../docs/auth.md#Login", "docs/auth.md#Login"),
        ("2b0000.md", ".cuedeck/cards/2b0000.md"),
        ("auth", "docs/auth.md"),
        ("2b", ".cuedeck/cards/2b0000.md"),
        ("src", "src/"),
        ("src/auth", "src/auth/"),
        ("/README.md", "README.md"),
        ("README.md", "README.md"),
        ("logo.png", "logo.png"),
    ],
)
def test_a_front_matter_ref_resolves_from_the_root_then_the_home_then_its_file(
    ref: str, expected: str
) -> None:
    assert address(ref, "refs") == expected


@pytest.mark.parametrize(
    ("ref", "source", "expected"),
    [
        ("auth.md#login", "docs/README.md", "docs/auth.md#login"),
        ("README.md", "docs/auth.md", "docs/README.md"),
        ("/README.md", "docs/auth.md", "README.md"),
        ("../src/auth.py", "docs/auth.md", "src/auth.py"),
        ("./guide/setup.md", "docs/auth.md", "docs/guide/setup.md"),
        ("#Errors", "docs/auth.md", "docs/auth.md#Errors"),
        ("docs/auth.md", "notes/setup.md", "docs/auth.md"),
        ("guide/", "docs/auth.md", "docs/guide/"),
        ("C#.md", "docs/auth.md", "docs/C#.md"),
        ("Authentication", "docs/auth.md", "missing!"),
        ("2a9f1x", "docs/auth.md", "missing!"),
    ],
)
def test_a_markdown_link_is_a_path_from_its_file_and_never_a_name(
    ref: str, source: str, expected: str
) -> None:
    assert address(ref, "markdown", source) == expected


HASHES = Memory(
    {
        ".cuedeck/cards/My Task #1.md": card(title="Numbered"),
        "docs/c#notes.md": "# Notes\n\n## Sub\n",
        "docs/My Task.md": "# 1\n",
        "plain.md": "# Plain\n\n## Part\n",
        "docs/plain#part.md": "# Other\n",
    }
)


@pytest.mark.parametrize("form", ["address", "refs", "wiki"])
@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("My Task #1", ".cuedeck/cards/My Task #1.md"),
        ("card:My Task #1", ".cuedeck/cards/My Task #1.md"),
        ("My Task #1#Task", ".cuedeck/cards/My Task #1.md#Task"),
        ("My Task", "docs/My Task.md"),
        ("c#notes", "docs/c#notes.md"),
        ("C#Notes#Sub", "docs/c#notes.md#Sub"),
        ("docs/c#notes", "docs/c#notes.md"),
        ("docs/c#notes.md#Sub", "docs/c#notes.md#Sub"),
    ],
)
def test_an_id_and_a_name_may_hold_a_hash(ref: str, expected: str, form: str) -> None:
    found = resolve(Link(ref, 1, form, "", False), "x.md", HASHES)
    assert isinstance(found, Target) and found.address == expected


def test_a_path_before_any_hash_goes_before_a_name_with_one() -> None:
    assert resolve_address("plain#part", HASHES).address == "plain.md#part"
    assert resolve_address("docs/plain#part", HASHES).address == "docs/plain#part.md"


def test_a_markdown_link_with_a_hash_is_no_name_either() -> None:
    assert isinstance(
        resolve(Link("c#notes", 1, "markdown", "", False), "x.md", HASHES), Unresolved
    )


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("auth", "docs/auth.md"),
        ("auth#Login", "docs/auth.md#Login"),
        ("plan", ".cuedeck/docs/plan.md"),
        ("guide/setup", "docs/guide/setup.md"),
        ("README", "docs/README.md"),
        ("README.md", "README.md"),
        ("docs/README.md", "docs/README.md"),
        ("src/auth.py#verify", "src/auth.py#Login.verify"),
    ],
)
def test_a_mention_means_the_docs_unless_it_is_a_path_as_written(
    ref: str, expected: str
) -> None:
    assert address(ref, "mention") == expected


@pytest.mark.parametrize("ref", ["../../../etc/passwd", "docs/../../x", "../../.."])
@pytest.mark.parametrize("form", ["wiki", "refs", "markdown"])
def test_nothing_outside_the_workspace_is_reached(ref: str, form: str) -> None:
    assert address(ref, form, "docs/auth.md") in ("outside!", "missing!")
    assert address("../" + ref, form, "docs/auth.md") == "outside!"


def test_a_name_of_several_files_is_reported_with_all_of_them() -> None:
    found = follow("setup")
    assert isinstance(found, Unresolved)
    assert (found.reason, found.suggestion) == ("ambiguous", "")
    assert found.candidates == ("docs/guide/setup.md", "notes/setup.md")


def test_candidates_keep_the_anchor() -> None:
    found = follow("setup#Part")
    assert isinstance(found, Unresolved)
    assert found.candidates == ("docs/guide/setup.md#Part", "notes/setup.md#Part")


def test_a_name_as_spelled_goes_before_one_in_another_case() -> None:
    memory = Memory({"a/Auth.md": "x\n", "b/auth.md": "y\n"})
    found = [
        resolve(Link(ref, 1, "wiki", "", False), CARD, memory)
        for ref in ("auth", "Auth", "AUTH")
    ]
    assert [
        each.address if isinstance(each, Target) else each.reason for each in found
    ] == [
        "b/auth.md",
        "a/Auth.md",
        "ambiguous",
    ]


def test_a_stem_and_a_title_spelled_alike_are_ambiguous() -> None:
    memory = Memory({"a/auth.md": "x\n", "b/other.md": "---\ntitle: auth\n---\n"})
    found = resolve(Link("auth", 1, "wiki", "", False), CARD, memory)
    assert isinstance(found, Unresolved)
    assert found.candidates == ("a/auth.md", "b/other.md")


def test_in_running_text_a_name_goes_before_a_folder() -> None:
    memory = Memory({"auth/a.py": "", "docs/auth.md": ""})
    assert resolve_address("auth", memory).address == "auth/"
    found = resolve(Link("auth", 1, "wiki", "", False), CARD, memory)
    assert isinstance(found, Target) and found.address == "docs/auth.md"


def test_one_letter_in_running_text_is_no_card() -> None:
    memory = Memory({".cuedeck/cards/abc123.md": ""})
    assert resolve(Link("a", 1, "refs", "", False), "x.md", memory) == resolve_address(
        "a", memory
    )
    assert isinstance(
        resolve(Link("a", 1, "wiki", "", False), "x.md", memory), Unresolved
    )


@pytest.mark.parametrize(
    "ref", ["decision:1", "record:ab", "experience:1", "session:1", "attempt:1"]
)
def test_a_ledger_address_is_no_file(ref: str) -> None:
    assert address(ref) == "missing!"


def test_a_folder_has_no_anchors() -> None:
    found = follow("docs/#x")
    assert isinstance(found, Unresolved)
    assert (found.reason, found.suggestion) == ("anchor", "docs/")


def test_a_miss_names_its_place_and_what_comes_near() -> None:
    assert follow("docs/auht.md#Login", "refs") == Unresolved(
        "docs/auht.md#Login",
        CARD,
        7,
        "refs",
        "missing",
        "docs/auth.md#Login",
        ("docs/auth.md#Login",),
    )
    found = follow("auth#Logn")
    assert isinstance(found, Unresolved)
    assert (found.reason, found.suggestion) == ("anchor", "docs/auth.md#Login")
    assert found.candidates == ("docs/auth.md#Login",)


@pytest.mark.parametrize(
    "ref", ["docs/auht.md#Nowhere", "docs/auth.md#Lgin", "twice#Erors", "odd#^cart"]
)
def test_what_a_miss_names_can_be_read(ref: str) -> None:
    texts = FILES | {
        "docs/twice.md": "## Errors\n\n## Errors\n",
        "docs/odd.md": "## ^caret\n\n## ---\n\n## *\n",
    }
    memory = Memory(texts)
    found = resolve(Link(ref, 7, "refs", "", False), CARD, memory)
    assert isinstance(found, Unresolved)
    assert found.candidates and found.suggestion == found.candidates[0]
    assert [resolve_address(name, memory).address for name in found.candidates] == list(
        found.candidates
    )


def test_a_miss_without_suggestions_compares_nothing() -> None:
    found = resolve(
        Link("docs/auht.md", 7, "refs", "", False), CARD, MEMORY, suggest=False
    )
    assert isinstance(found, Unresolved)
    assert (found.suggestion, found.candidates) == ("", ())


@given(
    ref=st.text("abz/.#^L12- \\%éß\u202e'\"|[]@", max_size=20),
    form=st.sampled_from(["wiki", "refs", "markdown", "mention", "pinned"]),
)
def test_any_text_resolves_or_says_why_not(ref: str, form: str) -> None:
    found = follow(ref, form, "docs/auth.md")
    if isinstance(found, Target):
        assert found.kind == "folder" or MEMORY.file(found.path) is not None
        assert 1 <= found.start <= found.end
    else:
        assert found.reason in ("missing", "anchor", "ambiguous", "outside")


def test_a_card_is_found_by_its_id_without_a_list_of_all_cards() -> None:
    """Each of 10,000 refs between 10,000 cards listed all of them: `doctor`, `why` and
    `graph` took minutes.
    """

    class Unlisted(Memory):
        def folder(self, path: str) -> Sequence[str]:
            raise AssertionError(f"{path} is listed")

    lookup = Unlisted({CARD: card(title="Fix the login")})
    identity = CARD.rpartition("/")[2].removesuffix(".md")
    found = resolve(Link(f"card:{identity}", 1, "refs", "", False), CARD, lookup)
    assert isinstance(found, Target)
    assert found.path == CARD
