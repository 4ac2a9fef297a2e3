"""Arguments of tools: accepted values, and messages about invalid ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.errors import Invalid
from cuedeck.shells.tool_fields import LONGEST, Field, read_arguments

FIELDS = (
    Field("address", required=True, also=("path",)),
    Field("limit", "number", default=20, least=1, most=100),
    Field("tags", "names"),
    Field("alternatives", "texts"),
    Field("kind", choices=("doc", "card")),
    Field("dry_run", "flag", default=True),
    Field("filters", "object"),
)


def read(**given: Any) -> dict[str, Any]:
    return read_arguments(FIELDS, {"address": "a", **given})


def test_a_missing_argument_has_its_default() -> None:
    empty = {"alternatives": (), "kind": "", "dry_run": True, "filters": {}}
    assert read() == {"address": "a", "limit": 20, "tags": (), **empty}
    assert read(limit=None, kind=None) == read()


def test_an_argument_has_aliases() -> None:
    assert read_arguments(FIELDS, {"path": "docs/a.md"})["address"] == "docs/a.md"


@pytest.mark.parametrize(
    "sent", [["a", "b"], "a,b", "a, b,", '["a", "b"]', ("a", " b ")]
)
def test_a_list_may_come_as_a_text(sent: object) -> None:
    assert read(tags=sent)["tags"] == ("a", "b")


def test_a_comma_in_a_sentence_parts_nothing() -> None:
    assert read(alternatives="argon2, which is slower")["alternatives"] == (
        "argon2, which is slower",
    )


@pytest.mark.parametrize("sent", [7, "7", 7.0])
def test_a_number_may_come_as_a_text(sent: object) -> None:
    assert read(limit=sent)["limit"] == 7


@pytest.mark.parametrize(
    ("sent", "value"), [(False, False), ("false", False), ("TRUE", True)]
)
def test_a_flag_may_come_as_a_text(sent: object, value: bool) -> None:
    assert read(dry_run=sent)["dry_run"] is value


@pytest.mark.parametrize(("name", "sent"), [("limit", 0), ("limit", 101), ("limit", "many"), ("limit", True),
    ("limit", 1.5), ("limit", float("nan")), ("limit", "9" * 5_000), ("limit", [1]), ("tags", 3), ("tags", [["a"]]),
    ("tags", ["a"] * 1_000), ("kind", "source"), ("kind", {}), ("dry_run", "perhaps"), ("dry_run", 1),
    ("filters", "no object"), ("filters", [1]), ("address", {"a": 1}), ("address", "x" * (LONGEST + 1)),
    ("address", "half a pair: \ud83d")])  # fmt: skip
def test_a_bad_value_is_reported_with_its_field(name: str, sent: object) -> None:
    with pytest.raises(Invalid, match=f"`{name}`") as caught:
        read(**{name: sent})
    assert caught.value.hint
    (caught.value.message + caught.value.hint).encode()


def test_missing_and_unknown_arguments_are_errors() -> None:
    with pytest.raises(Invalid, match="`address` is missing"):
        read_arguments(FIELDS, {})
    with pytest.raises(Invalid, match="no argument `adress`") as caught:
        read_arguments(FIELDS, {"adress": "a"})
    assert caught.value.hint == "did you mean `address`?"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.text(), each),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from([*(field.name for field in FIELDS), "other"]), JSON)
)
def test_whatever_comes_is_read_or_refused(sent: dict[str, Any]) -> None:
    try:
        found = read_arguments(FIELDS, sent)
    except Invalid as error:
        found = {"refused": error.message}
    if "refused" in found:
        assert "`" in found["refused"]
        return
    assert list(found) == [field.name for field in FIELDS]
    assert 1 <= found["limit"] <= 100
    assert found["kind"] in ("", "doc", "card")


def test_an_argument_under_two_names_is_refused() -> None:
    """The last value used to be taken silently."""
    with pytest.raises(
        Invalid, match="`address` is given twice, as `path` and as `address`"
    ) as caught:
        read_arguments(FIELDS, {"path": "a", "address": "b"})
    assert caught.value.hint == "give `address` alone"
    assert read_arguments(FIELDS, {"path": "a", "address": None})["address"] == "a"
