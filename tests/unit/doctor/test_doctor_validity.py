"""`card validate` reports the findings that the doctor reports for a card."""

from __future__ import annotations

from typing import Any

from cuedeck.doctor.validate_cards import validate_cards
from cuedeck.work.cards.list_cards import show_card


def validated(place: Any, name: str | None = None) -> tuple[bool, list[dict[str, Any]]]:
    answer = validate_cards(place.workspace(), name)
    return answer["valid"], answer["findings"]


def test_cards_are_judged_as_the_doctor_judges_them(place: Any) -> None:
    """Pins that each had rules of its own for refs and for dependencies."""
    place.write(".gitignore", "out/\n")
    place.write("out/api.md", "x\n")
    place.card(
        "abc123",
        "status: dnoe",
        "created: 3.5.2026",
        body="[a](../../out/api.md) [b](gone.md)",
    )
    place.card("abc124", "depends_on: [abc125]", "refs: [out/api.md, docs/gone.md]")
    place.card("abc125", "depends_on: [abc124, abc, zzz999]", "id: other1")
    place.write("notes.md", "[x](gone.md)\n")
    of_cards = [
        each for each in place.found() if each.path.startswith(".cuedeck/cards/")
    ]
    valid, findings = validated(place)
    assert not valid
    assert findings == sorted(
        (dict(list(each._asdict().items())[1:]) for each in of_cards),
        key=lambda each: (
            each["path"],
            each["line"],
            each["level"],
            each["code"],
            each["message"],
        ),
    )
    assert {each["code"] for each in findings} >= {
        "unread-ref",
        "ambiguous-dependency",
        "dependency-cycle",
    }


def test_a_link_to_an_ignored_file_leaves_a_card_valid(place: Any) -> None:
    place.write(".gitignore", "out/\n")
    place.write("out/api.md", "x\n")
    place.card("abc123", body="[a](../../out/api.md)")
    valid, findings = validated(place, "abc123")
    assert (valid, [(each["level"], each["code"]) for each in findings]) == (
        True,
        [("info", "unread-ref")],
    )


def test_a_card_in_a_cycle_gets_only_findings_about_the_cycle(place: Any) -> None:
    place.card("abc123", "depends_on: [abc124]")
    place.card("abc124", "depends_on: [abc123]")
    place.card("zzz999", "depends_on: [gone]")
    assert [each["code"] for each in validated(place, "abc124")[1]] == [
        "dependency-cycle"
    ]
    assert validated(place, "zzz999")[1][0]["line"] == 3


def test_an_id_that_two_cards_share_is_wrong_with_both(place: Any) -> None:
    for name in ("abc123", "abc124", "abc125"):
        place.card(name, "id: shared" if name != "abc125" else "")
    for name, is_valid in (("abc123", False), ("abc124", False), ("abc125", True)):
        valid, findings = validated(place, f".cuedeck/cards/{name}.md")
        assert valid is is_valid
        assert ("duplicate-id" in {each["code"] for each in findings}) is not is_valid


def test_other_files_among_the_cards_are_reported(place: Any) -> None:
    """`card validate` called a deck valid although the doctor could not read one of its
    cards.
    """
    place.card("abc123")
    place.write(".cuedeck/cards/abc124.md", b"\0\0 no text")
    place.write(".cuedeck/docs/odd.md", b"\0\0 no text")
    (of_cards,) = (
        each for each in place.found() if each.path.startswith(".cuedeck/cards/")
    )
    valid, (finding,) = validated(place)
    assert (valid, finding["path"], finding["level"]) == (False, of_cards.path, "error")


def test_one_card_is_judged_by_itself_as_it_is_among_all(place: Any) -> None:
    place.card(
        "abc123", "status: dnoe", "id: shared", "created: 3.5.2026", "refs: [{a: b}]"
    )
    place.card("abc124", "id: shared", "updated: 2026/05/03")
    place.card("abc125", "id: Shared", "title: ''")
    place.card("shared", "budget: none")
    place.write(".cuedeck/docs/shared.md", "---\nid: shared\n---\n# Shared\n")
    place.write("shared.md", "# Shared\n")
    _, among_all = validated(place)
    assert {each["code"] for each in among_all} > {
        "duplicate-id",
        "card-id",
        "no-title",
        "bad-date",
    }
    for name in ("abc123", "abc124", "abc125", "shared"):
        path = f".cuedeck/cards/{name}.md"
        alone = show_card(place.workspace(), path)["problems"]
        assert alone == [each for each in among_all if each["path"] == path]
