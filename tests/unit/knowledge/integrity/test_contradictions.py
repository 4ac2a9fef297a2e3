"""Detection of records that contradict each other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from cuedeck.knowledge.integrity.finding_values import Finding
from cuedeck.knowledge.integrity.scan_records import count_not_analysed, find_findings
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
        ("The config is in a/app.toml.", "The config is in b/app.toml."),
        ("The user prefers the dark theme.", "The user prefers the light theme."),
        ("Use npm to install packages.", "Use pnpm to install packages."),
        ("Anna is the owner of billing.", "The owner of billing is Ben."),
        ("Anna owns the billing code.", "Ben owns the billing code."),
        ("The pool size is 10.", "The pool size was raised to 20."),
        ("Correction: the retry limit is 3.", "Note that the retry limit is 5."),
    ],
)
def test_case_40_another_value_of_the_same_subject_contradicts(
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
        ("The user likes puns.", "The user dislikes puns."),
        ("Telemetry is enabled.", "Telemetry isn't enabled."),
        ("Telemetry is enabled.", "Telemetry is disabled."),
        ("Always squash commits.", "Never squash commits."),
        ("Use mocks in tests.", "Do not use mocks."),
        ("Use tabs over spaces.", "Use spaces instead of tabs."),
        ("We use Jenkins for builds.", "We switched from Jenkins to Drone."),
    ],
)
def test_negation_contradicts(older: str, newer: str) -> None:
    assert [each.message.split(" about ")[0] for each in scan(older, newer)] == [
        "b states the opposite of a"
    ]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("El usuario prefiere el té.", "El usuario ya no prefiere el té."),
        ("La base de datos es Postgres.", "La base de datos es MySQL."),
        ("El despliegue es el lunes.", "El despliegue es el martes."),
        ("Usamos Kafka.", "No usamos Kafka."),
        ("Siempre ejecuta las pruebas.", "Nunca ejecuta las pruebas."),
        ("Recuerda: el puerto es 80.", "Nota: el puerto es 81."),
    ],
)
def test_spanish_records_contradict(older: str, newer: str) -> None:
    assert len(scan(older, newer)) == 1


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Der Port ist 80.", "Der Port ist 81."),
        ("Die Sicherung beginnt um 02:00.", "Die Sicherung beginnt um 03:00."),
        ("Hafen: Hamburg", "Hafen: Rostock"),
        ("Порт сервера: 80", "Порт сервера: 81"),
        ("ポート: 80", "ポート: 81"),
    ],
)
def test_key_value_and_numbers_are_compared_in_any_language(
    older: str, newer: str
) -> None:
    assert len(scan(older, newer)) == 1
    assert count_not_analysed(records_of(older, newer)) == 0


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "Wir nutzen Kafka in der Abteilung.",
            "Wir nutzen Kafka in der Abteilung nicht mehr.",
        ),
        ("L'utilisateur aime le thé.", "L'utilisateur n'aime pas le thé."),
        ("Пользователь любит чай.", "Пользователь не любит чай."),
        ("用户喜欢茶。", "用户不喜欢茶。"),
        ("사용자는 커피를 좋아합니다.", "사용자는 커피를 좋아하지 않습니다."),
    ],
)
def test_other_languages_are_counted_as_not_analysed(older: str, newer: str) -> None:
    assert scan(older, newer) == ()
    assert (
        count_not_analysed(
            [*records_of(older, newer), *records_of("The parser is fast. It is new.")]
        )
        == 2
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User likes tea.", "User likes coffee."),
        ("Use Redis for caching.", "Use PostgreSQL for storage."),
        ("The database is Postgres.", "The database is Postgres 16."),
        ("The port in staging is 80.", "The port in production is 81."),
        ("The parser is fast.", "The parser is recursive."),
        ("Is the port 80?", "The port is 81."),
        ("The port was 80.", "The port is 81."),
        ("The port may be 80.", "The port is 81."),
        ("Never delete files without asking.", "Always ask before deleting files."),
        ("Bump serde from 1.0 to 1.1", "Bump serde from 1.1 to 1.2"),
        ("TODO: call the bank", "TODO: call the office"),
        ("It is slow.", "It is not slow."),
        ("服务器在北京。", "服务器很快。"),
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
    assert found.message == 'b states a different value than a about "port gateway"'


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


def test_e21_ordinary_turn_summaries_do_not_contradict() -> None:
    texts = (
        "Ran the tests: 41 passed. Coverage is 80 %.",
        "Ran the tests: 43 passed. Coverage is 82 %.",
    )
    assert (
        scan(
            *texts,
            "The build is red.",
            "The build is not red.",
            category="turn-summary",
        )
        == ()
    )


def test_turn_summary_counts_only_for_claims_about_later_time() -> None:
    texts = (
        "Fixed it. From now on always use absolute imports.",
        "Done. Never use absolute imports.",
    )
    assert len(scan(*texts, category="turn-summary")) == 1


@pytest.mark.parametrize("category", ["compaction", "heartbeat"])
def test_record_that_repeats_others_makes_no_claim(category: str) -> None:
    assert scan("The port is 80.", "The port is 81.", category=category) == ()
