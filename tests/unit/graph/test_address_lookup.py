from __future__ import annotations

import pytest
from memory import CARD, Memory
from ref_workspace import FILES, MEMORY

from cuedeck.graph.address_lookup import resolve_address
from cuedeck.model.errors import Ambiguous, NotFound


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2a9", CARD),
        ("2a9f1x", CARD),
        (" docs/auth ", "docs/auth.md"),
        ("./docs/auth.md", "docs/auth.md"),
        ("/docs/auth.md", "docs/auth.md"),
        ("@doc/auth#Login", "docs/auth.md#Login"),
        ("@doc/a b's & c#Über uns", "docs/a b's & c.md#Über uns"),
        ("@ref[docs/auth.md#Login]", "docs/auth.md#Login"),
        ("[[auth#Login|the form]]", "docs/auth.md#Login"),
        ("[[#Task]]", None),
        ("#Task", None),
        ("", None),
        ("#", None),
        (".", "./"),
        ("docs", "docs/"),
    ],
)
def test_typed_address_resolves_like_a_ref(text: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(NotFound):
            resolve_address(text, MEMORY)
    else:
        assert resolve_address(text, MEMORY).address == expected


def test_ambiguous_address_is_refused_with_all_candidates() -> None:
    with pytest.raises(Ambiguous) as caught:
        resolve_address("2", MEMORY)
    assert caught.value.candidates == (CARD, ".cuedeck/cards/2b0000.md")


def test_unknown_address_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(NotFound, match="not found: `docs/auht`") as caught:
        resolve_address("docs/auht", MEMORY)
    assert caught.value.hint == "did you mean `docs/auth.md`?"
    with pytest.raises(NotFound, match="is outside the workspace"):
        resolve_address("../x", MEMORY)


def test_address_like_no_other_is_refused_with_a_command_that_needs_no_workspace() -> (
    None
):
    with pytest.raises(NotFound) as caught:
        resolve_address("zzzzzzzzzzzzz", MEMORY)
    assert caught.value.hint == "`cuedeck find TEXT` searches names and texts"


def test_unknown_anchor_is_refused_with_the_nearest_or_all_anchors() -> None:
    memory = Memory(
        {
            "docs/c#notes.md": "# Notes\n",
            "src/auth.py": "class Login:\n    pass\n",
            "empty.md": "",
        }
    )
    with pytest.raises(NotFound, match=r"`docs/c#notes\.md` has no `#zzzz`") as caught:
        resolve_address("docs/c#notes.md#zzzz", memory)
    assert caught.value.hint == "its lines are #L1-L1; it has #notes"
    with pytest.raises(NotFound) as caught:
        resolve_address("src/auth.py#login", memory)
    assert caught.value.hint == "did you mean `src/auth.py#Login`?"
    assert caught.value.candidates == ("src/auth.py#Login",)
    with pytest.raises(NotFound) as caught:
        resolve_address("empty.md#L2", memory)
    assert caught.value.hint == "its lines are #L1-L1"
    assert (
        resolve_address("empty.md#L1", memory)[3:5]
        == resolve_address("empty.md", memory)[3:5]
    )


@pytest.mark.parametrize("path", [path for path in FILES if path != "logo.png"])
def test_canonical_address_resolves_to_itself(path: str) -> None:
    assert resolve_address(path, MEMORY).address == path
    file = MEMORY.file(path)
    assert file is not None
    for name in [section.slug for section in file.sections] + [
        symbol.name for symbol in file.symbols
    ]:
        assert resolve_address(f"{path}#{name}", MEMORY).address == f"{path}#{name}"
