"""Signs, case and order as far as they say something."""

from __future__ import annotations

import pytest

from cuedeck.records.experiences.duplicates import alike, find_near
from cuedeck.records.experiences.rank_texts import query_terms, searchable
from cuedeck.records.experiences.similarity import CHANGED

THRESHOLD = 0.85
OPERATORS = [
    ("The guard checks x == 1", "The guard checks x != 1"),
    ("The guard sets x = 1", "The guard sets x == 1"),
    ("retry while count <= limit of the queue", "retry while count >= limit of the queue"),
    ("retry while count < limit of the queue", "retry while count > limit of the queue"),
    ("retry while count < limit of the queue", "retry while count <= limit of the queue"),
    ("Combine the masks with a & b", "Combine the masks with a | b"),
    ("Go on if a && b", "Go on if a || b"),
    ("The total is a + b in the report of the year", "The total is a - b in the report of the year"),
    ("Run it if ready", "Run it if !ready"),
    ("The offset is -5 in the table", "The offset is 5 in the table"),
    ("The offset is −5 in the table", "The offset is 5 in the table"),
    ("Sales moved by +3% in May", "Sales moved by -3% in May"),
    ("The limit is 5% of the memory of the host", "The limit is 5 of the memory of the host"),
    ("A seat costs 5€ a month", "A seat costs 5$ a month"),
    ("A seat costs €5 a month", "A seat costs $5 a month"),
    ("The core is written in C", "The core is written in C++"),
    ("The core is written in C++", "The core is written in C#"),
    ("The core is written in C", "The core is written in C#"),
    ("Maria answered 👍 on the plan", "Maria answered 👎 on the plan"),
    ("The plan got 👍🏽", "The plan got 👎🏽"),
    ("👍", "👎"),
]
CASES = [
    ("Run the tests with -v", "Run the tests with -V"),
    ("Call it with --Force", "Call it with --force"),
    ("Set PATH before the build", "Set path before the build"),
    ("add the folder to PATH", "add the folder to path"),
    ("Read MAX_SIZE from the file", "Read max_size from the file"),
    ("PATHを設定する", "pathを設定する"),
]
ORDERS = [
    ("Wait for the lock, then delete the file", "Delete the file, then wait for the lock"),
    ("Wait for the lock; afterwards delete the file", "Delete the file; afterwards wait for the lock"),
    ("First wait for the lock, next delete the file", "First delete the file, next wait for the lock"),
    ("After waiting for the lock, delete the file", "After deleting the file, wait for the lock"),
    ("If the lock is held, delete the file", "If the file is deleted, hold the lock"),
    ("Attends le verrou, puis supprime le fichier", "Supprime le fichier, puis attends le verrou"),
    ("Warte auf die Sperre, dann lösche die Datei", "Lösche die Datei, dann warte auf die Sperre"),
    ("Espera el bloqueo, luego borra el archivo", "Borra el archivo, luego espera el bloqueo"),
    ("Poczekaj na blokadę, potem usuń plik", "Usuń plik, potem poczekaj na blokadę"),
    ("Дождись блокировки, потом удали файл", "Удали файл, потом дождись блокировки"),
    ("等待锁，然后删除文件", "删除文件，然后等待锁"),
]
SAME = [
    ("Do NOT deploy on Friday with the old tool", "Do not deploy on Friday with the old tool"),
    ("Set PATH before Anna builds", "set path before anna builds"),
    ("Deploy tests fail", "DEPLOY TESTS FAIL"),
    ("Update the API key", "Update the api key"),
    ("The guard checks x != 1", "The guard checks x ≠ 1"),
    ("retry while count  <  limit", "retry while count < limit"),
    ("Use +5 workers", "Use 5 workers"),
    ("A seat costs 5 € a month", "A seat costs 5€ a month"),
    ("Deploys are done by the bot of the team", "Deploys are done by the bot of the team 🎉"),
    ("> Use tabs", "Use tabs"),
    ("+ Use tabs", "-Use tabs"),
    ("**Use** tabs", "Use *tabs*"),
    ("Read <https://a.b/c> first", "Read https://a.b/c first"),
    ("Ports 3-5 are free", "Ports 3–5 are free"),
    ("Uses Redis - fast", "Uses Redis, fast"),
    ("Pass -v to pytest", "Pass `-v` to pytest"),
    ("After A, B and C are built, tag", "After B, A and C are built, tag"),
    ("Then run the tests of the parser", "Run the tests of the parser"),
]


@pytest.mark.parametrize(("one", "other"), OPERATORS + CASES + ORDERS)
def test_signs_case_of_names_and_order_make_something_else(one: str, other: str) -> None:
    assert alike("words", one, other) == alike("words", other, one) <= CHANGED
    assert find_near("words", THRESHOLD, {"a": one}, other) is None
    assert find_near("words", THRESHOLD, {"a": other}, one) is None


@pytest.mark.parametrize(("one", "other"), SAME)
def test_bullets_stress_and_spelling_of_signs_say_nothing(one: str, other: str) -> None:
    assert alike("words", one, other) >= THRESHOLD
    assert find_near("words", THRESHOLD, {"a": one}, other) is not None


def test_of_texts_that_differ_in_case_each_finds_itself() -> None:
    known = {"a": "add it to PATH", "b": "add it to path"}
    for identity, text in known.items():
        near = find_near("words", THRESHOLD, known, text)
        assert near is not None
        assert (near.id, near.similarity) == (identity, 1.0)


def test_a_sign_in_a_question_is_not_looked_for_as_a_blank() -> None:
    assert all(term.text.strip() for term in query_terms("x != 1 && y"))


def test_words_with_marks_are_found_whole() -> None:
    line = searchable("उपयोगकर्ता को गहरा मोड पसंद है")
    assert [term.text in line for term in query_terms("पसंद मोड")] == [True, True]
