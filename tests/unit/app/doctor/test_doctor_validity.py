"""`card validate` says of a card what the doctor says of it."""

from __future__ import annotations

from typing import Any

from cuedeck.app.doctor.validity import validate_cards


def validated(place: Any, name: str | None = None) -> tuple[bool, list[dict[str, Any]]]:
    answer = validate_cards(place.project(), name)
    return answer["valid"], answer["findings"]


def test_cards_are_judged_as_the_doctor_judges_them(place: Any) -> None:
    """Pins that each had rules of its own for refs and for dependencies."""
    place.write(".gitignore", "out/\n")
    place.write("out/api.md", "x\n")
    place.card("abc123", "status: dnoe", "created: 3.5.2026", body="[a](../../out/api.md) [b](gone.md)")
    place.card("abc124", "depends_on: [abc125]", "refs: [out/api.md, docs/gone.md]")
    place.card("abc125", "depends_on: [abc124, abc, zzz999]", "id: other1")
    place.write("notes.md", "[x](gone.md)\n")
    of_cards = [each for each in place.found() if each.path.startswith(".cuedeck/cards/")]
    valid, findings = validated(place)
    assert not valid
    assert findings == sorted(
        (dict(list(each._asdict().items())[1:]) for each in of_cards),
        key=lambda each: (each["path"], each["line"], each["level"], each["code"], each["message"]),
    )
    assert {each["code"] for each in findings} >= {"unread-ref", "ambiguous-dependency", "dependency-cycle"}


def test_a_link_to_an_ignored_file_leaves_a_card_valid(place: Any) -> None:
    place.write(".gitignore", "out/\n")
    place.write("out/api.md", "x\n")
    place.card("abc123", body="[a](../../out/api.md)")
    valid, findings = validated(place, "abc123")
    assert (valid, [(each["level"], each["code"]) for each in findings]) == (True, [("info", "unread-ref")])


def test_a_card_of_a_circle_is_told_the_circle_and_nothing_of_other_cards(place: Any) -> None:
    place.card("abc123", "depends_on: [abc124]")
    place.card("abc124", "depends_on: [abc123]")
    place.card("zzz999", "depends_on: [gone]")
    assert [each["code"] for each in validated(place, "abc124")[1]] == ["dependency-cycle"]
    assert validated(place, "zzz999")[1][0]["line"] == 3


def test_what_stands_among_the_cards_and_is_none_is_told(place: Any) -> None:
    """`card validate` called a deck valid of which the doctor could not read a card."""
    place.card("abc123")
    place.write(".cuedeck/cards/abc124.md", b"\0\0 no text")
    place.write(".cuedeck/docs/odd.md", b"\0\0 no text")
    (of_cards,) = (each for each in place.found() if each.path.startswith(".cuedeck/cards/"))
    valid, (finding,) = validated(place)
    assert (valid, finding["path"], finding["level"]) == (False, of_cards.path, "error")
