"""Named tuples without `typing`."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from cuedeck.model import light_typing


class Place(light_typing.NamedTuple):
    """A place."""

    path: str
    line: int = 1

    @property
    def shown(self) -> str:
        return f"{self.path}:{self.line}"

    @classmethod
    def first(cls, path: str) -> Place:
        return cls(path)


class Typed(typing.NamedTuple):
    """A place."""

    path: str
    line: int = 1


def test_a_named_tuple_is_that_of_typing() -> None:
    place, typed = Place("a"), Typed("a")
    assert place == typed == ("a", 1)
    assert place._fields == typed._fields
    assert place._field_defaults == typed._field_defaults
    assert place._replace(line=2)._asdict() == {"path": "a", "line": 2}
    assert repr(place) == "Place(path='a', line=1)"
    assert (Place.__doc__, Place.__module__) == (Typed.__doc__, Typed.__module__)
    assert (place.shown, Place.first("b").path) == ("a:1", "b")
    assert pickle.loads(pickle.dumps(place)) == place
    assert Place(line=2, path="a") == Place("a", line=2) == Typed(line=2, path="a")
    assert type(place._replace(line=2)) is type(copy.copy(place)) is Place
    assert Place._make(["a", 1]) == place
    match place:
        case Place("a", line):
            assert line == 1
    for wrong in (
        Place,
        lambda: Place(line=1),  # type: ignore[call-arg]
        lambda: Place("a", 1, 2),  # type: ignore[call-arg]
        lambda: Place("a", path="b"),  # type: ignore[misc]
        lambda: Place("a", place="b"),  # type: ignore[call-arg]
        lambda: Place._make("abc"),
        lambda: place._replace(place="b"),  # type: ignore[call-arg]
    ):
        with pytest.raises((TypeError, ValueError)):
            wrong()
    with pytest.raises(AttributeError):
        place.line = 2  # type: ignore[misc]
