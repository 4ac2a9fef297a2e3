"""Detection of records that contradict each other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from cuedeck.knowledge.integrity.scan_records import Finding, find_findings
from cuedeck.model.memory_record import SECRET, Record
from cuedeck.text.timestamps import format_moment

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def records_of(
    *texts: str, category: str = "learned", sensitivity: str = "private-user"
) -> list[Record]:
    """Return records with these texts and the ids a, b, c, each a day younger than the
    previous one.
    """
    return [
        Record(
            id=chr(ord("a") + at),
            text=text,
            category=category,
            session="one",
            timestamp=format_moment(NOW - timedelta(days=len(texts) - at)),
            sensitivity=sensitivity,
        )
        for at, text in enumerate(texts)
    ]


def scan(
    *texts: str, category: str = "learned", sensitivity: str = "private-user"
) -> tuple[Finding, ...]:
    return find_findings(
        records_of(*texts, category=category, sensitivity=sensitivity), NOW
    )


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Deploy day is Friday", "Deploy day is Monday"),
        ("The API runs on port 8080.", "The API now runs on port 9090."),
        ("db.port = 5432", "db.port = 5433"),
        ("Standup: 10:00", "Standup: 10:30"),
        ("Two reviews are needed for main.", "Three reviews are needed for main."),
        ("The owner of billing is Anna.", "The owner of billing is Ben."),
        ("The default branch is main.", "The default branch is now release."),
        ("Correction: the retry limit is 3.", "Note that the retry limit is 5."),
        ("El despliegue es el lunes.", "El despliegue es el martes."),
        ("Recuerda: el puerto es 80.", "Nota: el puerto es 81."),
        ("Der Port ist 80.", "Der Port ist 81."),
        ("Порт сервера: 80", "Порт сервера: 81"),
        ("ポート: 80", "ポート: 81"),
    ],
)
def test_case_40_another_value_of_the_same_key_contradicts(
    older: str, newer: str
) -> None:
    assert [(each.record, each.other, each.kind) for each in scan(older, newer)] == [
        ("b", "a", "contradiction")
    ]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Prefers to run tests first.", "Prefers NOT to run tests first."),
        ("The user likes puns.", "The user no longer likes puns."),
        ("The user likes puns.", "The user doesn't like puns."),
        ("Telemetry is enabled.", "Telemetry isn't enabled."),
        ("Telemetry is enabled.", "Telemetry is disabled."),
        ("Always squash commits.", "Never squash commits."),
        ("Siempre ejecuta las pruebas.", "Nunca ejecuta las pruebas."),
    ],
)
def test_negation_of_the_same_sentence_contradicts(older: str, newer: str) -> None:
    assert [each.message for each in scan(older, newer)] == [
        "b states the opposite of a"
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User likes tea.", "User likes coffee."),
        ("The database is Postgres.", "The database is Postgres 16."),
        ("The port in staging is 80.", "The port in production is 81."),
        ("The parser is fast.", "The parser is recursive."),
        ("Python 3.11 is supported.", "Python 3.12 is supported."),
        ("Is the port 80?", "The port is 81."),
        ("The port was 80.", "The port is 81."),
        ("The port may be 80.", "The port is 81."),
        ("Bump serde to 1.1", "Bump serde to 1.2"),
        ("TODO: call the bank", "TODO: call the office"),
        ("It is slow.", "It is not slow."),
    ],
)
def test_compatible_claims_do_not_contradict(one: str, other: str) -> None:
    assert scan(one, other) == ()


def test_older_record_is_the_one_to_supersede() -> None:
    (found,) = scan("The port is 80.", "The port is 81.")
    assert found.command == "cuedeck memory supersede a --by b"


def test_each_record_is_compared_with_the_next_later_contradicting_one() -> None:
    found = scan(
        "The port is 80.", "The port is 80.", "The port is 81.", "The port is 80."
    )
    assert [(each.other, each.record) for each in found] == [
        ("a", "c"),
        ("b", "c"),
        ("c", "d"),
    ]


@pytest.mark.parametrize(
    ("category", "severity"), [("learned", "error"), ("note", "warning")]
)
def test_contradiction_in_a_permanent_category_is_an_error(
    category: str, severity: str
) -> None:
    assert [
        each.severity
        for each in scan("The port is 80.", "The port is 81.", category=category)
    ] == [severity]


def test_short_subject_is_quoted() -> None:
    (found,) = scan("The port of the gateway is 80.", "The port of the gateway is 81.")
    assert found.message == 'b states a different value than a about "port of gateway"'


def test_secret_record_is_never_quoted() -> None:
    (found,) = scan("The vault key is 80.", "The vault key is 81.", sensitivity=SECRET)
    assert found.message == "b states a different value than a"


def test_record_with_both_claims_makes_no_claim() -> None:
    assert scan("The port is 80. The port is 81.", "The port is 80.") == ()


def test_many_values_are_a_series() -> None:
    assert scan(*(f"The port is {number}." for number in range(80, 93))) == ()
    assert len(scan(*(f"The port is {number}." for number in range(80, 92)))) == 11


def test_alternating_values_are_a_series() -> None:
    assert scan(*("The lamp is on.", "The lamp is off.") * 7) == ()


@pytest.mark.parametrize("category", ["compaction", "heartbeat", "turn-summary"])
def test_e21_record_of_a_turn_or_of_other_records_makes_no_claim(category: str) -> None:
    assert scan("The port is 80.", "The port is 81.", category=category) == ()
