from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import CARD, Memory, card
from ref_workspace import FILES, MEMORY

from cuedeck.graph.address_lookup import resolve_address
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.file import Link
from cuedeck.model.scene_values import Target, Unresolved


def resolve_text(
    ref: str, form: str = "wiki", source: str = CARD
) -> Target | Unresolved:
    return resolve(Link(ref, 7, form, "", False), source, MEMORY)


def resolved_address(ref: str, form: str = "wiki", source: str = CARD) -> str:
    found = resolve_text(ref, form, source)
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
def test_wiki_link_resolves(ref: str, expected: str) -> None:
    """Earlier tools never resolved `[[Title With Spaces]]`, `[[x#Heading]]` and
    `[[x|alias]]`.
    """
    assert resolved_address(ref) == expected


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
        (".", "./"),
        ("./", "./"),
        ("./src/", "src/"),
        ("./2b0000.md", ".cuedeck/cards/2b0000.md"),
    ],
)
def test_front_matter_ref_resolves_from_root_then_cuedeck_folder_then_its_file(
    ref: str, expected: str
) -> None:
    assert resolved_address(ref, "refs") == expected


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
def test_markdown_link_is_a_path_from_its_file_and_never_a_name(
    ref: str, source: str, expected: str
) -> None:
    assert resolved_address(ref, "markdown", source) == expected


def test_dot_in_the_refs_of_a_doc_is_the_folder_of_the_doc() -> None:
    assert resolved_address(".", "refs", "docs/auth.md") == "docs/"


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
def test_id_and_name_may_contain_a_hash(ref: str, expected: str, form: str) -> None:
    found = resolve(Link(ref, 1, form, "", False), "x.md", HASHES)
    assert isinstance(found, Target) and found.address == expected


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
def test_mention_resolves_to_docs_unless_it_is_a_written_path(
    ref: str, expected: str
) -> None:
    assert resolved_address(ref, "mention") == expected


@pytest.mark.parametrize("ref", ["../../../etc/passwd", "docs/../../x", "../../.."])
@pytest.mark.parametrize("form", ["wiki", "refs", "markdown"])
def test_nothing_outside_the_workspace_is_resolved(ref: str, form: str) -> None:
    assert resolved_address(ref, form, "docs/auth.md") in ("outside!", "missing!")
    assert resolved_address("../" + ref, form, "docs/auth.md") == "outside!"


def test_name_of_several_files_is_reported_with_all_candidates() -> None:
    found = resolve_text("setup")
    assert isinstance(found, Unresolved)
    assert (found.reason, found.suggestion) == ("ambiguous", "")
    assert found.candidates == ("docs/guide/setup.md", "notes/setup.md")


def test_exact_case_of_a_name_comes_before_another_case() -> None:
    memory = Memory({"a/Auth.md": "x\n", "b/auth.md": "y\n"})
    found = [
        resolve(Link(ref, 1, "wiki", "", False), CARD, memory)
        for ref in ("auth", "Auth", "AUTH")
    ]
    assert [
        each.address if isinstance(each, Target) else each.reason for each in found
    ] == ["b/auth.md", "a/Auth.md", "ambiguous"]


_VAULT = Memory(
    {
        CARD: card(title="auth"),
        "README.md": "# auth\n",
        "docs/settings.md": "# Preferences\n",
        "docs/cards.md": "## Settings\n",
        "docs/alias.md": "---\naliases: [Preferences, prefs]\n---\n",
        "docs/CI.md": "# CI/CD\n",
        "en/index.md": "x\n",
        "en/plugins/index.md": "x\n",
        "en/plugins/backlinks.md": "x\n",
        "en/interface/tabs.md": "x\n",
        "en/bases/tabs.md": "x\n",
        "da/plugins/backlinks.md": "x\n",
        "da/plugins/icon.svg": "<svg/>\n",
        "en/icon.svg": "<svg/>\n",
        "nfd/" + unicodedata.normalize("NFD", "Café à.md"): unicodedata.normalize(
            "NFD", "---\naliases: [Thé]\n---\n# Été\n\n## Après\n"
        ),
        unicodedata.normalize("NFD", "Übung/a.md"): "# A\n",
        "src/tool.py": "def run():\n    pass\n",
        "manual.pdf": b"%PDF\0",
        "all.base": "views: []\n",
        "src/what?.md": "# What\n",
    }
)


@pytest.mark.parametrize(
    ("ref", "source", "expected"),
    [
        ("settings", CARD, "docs/settings.md"),
        ("Preferences", CARD, "docs/settings.md"),
        ("prefs", CARD, "docs/alias.md"),
        ("CI/CD", CARD, "docs/CI.md"),
        ("auth", CARD, CARD),
        ("auth", "docs/settings.md", "ambiguous!"),
        ("backlinks", "en/index.md", "en/plugins/backlinks.md"),
        ("plugins/backlinks", "da/plugins/index.md", "da/plugins/backlinks.md"),
        ("backlinks", "README.md", "ambiguous!"),
        ("backlinks", CARD, "ambiguous!"),
        ("backlinks", "", "ambiguous!"),
        ("tabs", "en/plugins/index.md", "ambiguous!"),
        ("icon.svg#icon", "en/plugins/index.md", "en/icon.svg"),
    ],
)
def test_name_leads_to_file_name_then_title_then_alias_in_the_nearest_folder(
    ref: str, source: str, expected: str
) -> None:
    found = resolve(Link(ref, 1, "wiki", "", False), source, _VAULT)
    is_target = isinstance(found, Target)
    assert (found.path if is_target else f"{found.reason}!") == expected


@pytest.mark.parametrize(
    ("ref", "form", "expected"),
    [
        ("Café à", "wiki", "Café à.md"),
        ("Café à#Après", "wiki", "Café à.md#Après"),
        ("Été", "wiki", "Café à.md"),
        ("Thé", "wiki", "Café à.md"),
        ("nfd/Café à.md", "refs", "Café à.md"),
        ("nfd/Café à.md#après", "markdown", "Café à.md#après"),
        ("Übung/a", "address", "a.md"),
        ("Übung/", "markdown", "Übung/"),
    ],
)
@pytest.mark.parametrize("unicode_form", ["NFC", "NFD"])
def test_names_are_compared_in_one_unicode_form(
    ref: str, form: str, expected: str, unicode_form: Literal["NFC", "NFD"]
) -> None:
    written = unicodedata.normalize(unicode_form, ref)
    found = resolve(Link(written, 1, form, "", False), "README.md", _VAULT)
    assert isinstance(found, Target)
    assert unicodedata.normalize("NFC", found.address).endswith(expected)


@pytest.mark.parametrize(
    ("ref", "form", "expected"),
    [
        ("manual.pdf#page=3", "wiki", "manual.pdf"),
        ("all.base#View", "wiki", "all.base"),
        ("all.base#L1", "wiki", "all.base#L1"),
        ("src/tool.py?plain=1#L2", "markdown", "src/tool.py#L2"),
        ("src/tool.py?raw=true", "markdown", "src/tool.py"),
        ("src/tool.py#gone", "markdown", "anchor!"),
        ("src/what?.md#What", "markdown", "src/what?.md#What"),
        ("?tab=readme#auth", "markdown", "README.md#auth"),
        ("README.md#top", "markdown", "README.md"),
        ("#top", "markdown", "README.md"),
        ("README.md#top", "wiki", "anchor!"),
        ("README.md#:~:text=some%20text", "markdown", "README.md"),
        ("README.md#auth:~:text=some", "markdown", "README.md#auth"),
        ("src/tool.py#L1C2-L2C9", "markdown", "src/tool.py#L1-L2"),
        ("src/tool.py#L2C1", "refs", "src/tool.py#L2"),
        ("src/tool.py::run", "refs", "src/tool.py#run"),
        ("src/tool.py::run", "address", "src/tool.py#run"),
        ("src/tool.py::run[a-b::c]", "markdown", "src/tool.py#run"),
        ("src/tool.py::gone", "refs", "anchor!"),
        ("std::vec", "wiki", "missing!"),
    ],
)
def test_query_and_fragment_without_anchor_are_dropped(
    ref: str, form: str, expected: str
) -> None:
    found = resolve(Link(ref, 1, form, "", False), "README.md", _VAULT)
    is_target = isinstance(found, Target)
    assert (found.address if is_target else f"{found.reason}!") == expected


def test_name_comes_before_a_folder_in_running_text() -> None:
    memory = Memory({"auth/a.py": "", "docs/auth.md": ""})
    assert resolve_address("auth", memory).address == "auth/"
    found = resolve(Link("auth", 1, "wiki", "", False), CARD, memory)
    assert isinstance(found, Target) and found.address == "docs/auth.md"


def test_folder_has_no_anchors() -> None:
    found = resolve_text("docs/#x")
    assert isinstance(found, Unresolved)
    assert (found.reason, found.suggestion) == ("anchor", "docs/")


def test_unresolved_ref_has_its_place_and_the_nearest_candidates() -> None:
    assert resolve_text("docs/auht.md#Login", "refs") == Unresolved(
        "docs/auht.md#Login",
        CARD,
        7,
        "refs",
        "missing",
        "docs/auth.md#Login",
        ("docs/auth.md#Login",),
    )
    found = resolve_text("auth#Logn")
    assert isinstance(found, Unresolved)
    assert (found.reason, found.suggestion) == ("anchor", "docs/auth.md#Login")
    assert found.candidates == ("docs/auth.md#Login",)


@pytest.mark.parametrize(
    "ref", ["docs/auht.md#Nowhere", "docs/auth.md#Lgin", "twice#Erors", "odd#^cart"]
)
def test_candidates_of_an_unresolved_ref_resolve(ref: str) -> None:
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


@given(
    ref=st.text("abz/.#^L12- \\%éß\u202e'\"|[]@", max_size=20),
    form=st.sampled_from(["wiki", "refs", "markdown", "mention", "pinned"]),
)
def test_any_text_resolves_or_has_a_reason(ref: str, form: str) -> None:
    found = resolve_text(ref, form, "docs/auth.md")
    if isinstance(found, Target):
        assert found.kind == "folder" or MEMORY.file(found.path) is not None
        assert 1 <= found.start <= found.end
    else:
        assert found.reason in ("missing", "anchor", "ambiguous", "outside")
