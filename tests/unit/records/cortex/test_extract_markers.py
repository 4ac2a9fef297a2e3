"""Only explicit statements become memories, each with its kind, key and line."""

from __future__ import annotations

import pytest

from cuedeck.records.cortex.extract_markers import (
    MAX_LINE,
    SourceMessage,
    extract_memories,
)
from cuedeck.records.cortex.message_file import Message, Role

STATEMENTS = [
    ("I prefer vim as my editor.", "preference", "editor"),
    ("I prefer vim as my editor, as I said.", "preference", "editor"),
    ("I prefer vim, as I said.", "preference", "vim"),
    ("I prefer tabs over spaces.", "preference", "space tab"),
    ("We prefer spaces to tabs", "preference", "space tab"),
    ("Actually, I prefer short answers!", "preference", "short answer"),
    ("I’d prefer pytest for the tests.", "preference", "test"),
    ("My favourite colour is blue.", "preference", "colour"),
    ("Preference: editor = vim", "preference", "editor"),
    ("Prefiero vim como editor.", "preference", "editor"),
    ("Prefiero tabuladores a espacios.", "preference", "espacio tabulador"),
    ("Mi editor favorito es vim.", "preference", "editor"),
    ("We decided to use PostgreSQL.", "event", "postgresql"),
    ("We decided to use SQLite because it needs no server.", "event", "sqlite"),
    ("Decidimos usar Rust porque es rápido.", "event", "rust"),
    ("I've decided that the API is frozen.", "event", "api is frozen"),
    ("Decision: deploy on Fridays", "event", "deploy on friday"),
    ("Milestone: first release", "event", "first release"),
    ("Decidimos usar Rust.", "event", "rust"),
    ("Hemos decidido que la API queda cerrada.", "event", "api queda cerrada"),
    ("Decisión: usar Rust", "event", "rust"),
    ("Ana is our designer.", "entity", "ana"),
    ("Our lead designer is Ana Ruiz.", "entity", "ana ruiz"),
    ("Ana es nuestra diseñadora.", "entity", "ana"),
    ("Ana es la diseñadora del equipo.", "entity", "ana"),
    ("Ben is my manager.", "relationship", "ben"),
    ("My wife is Ana.", "relationship", "ana"),
    ("Pedro es mi hermano.", "relationship", "pedro"),
    ("My name is Luis.", "personal_info", "name"),
    ("Me llamo Luis.", "personal_info", "name"),
    ("I live in Madrid.", "personal_info", "location"),
    ("Vivo en Madrid.", "personal_info", "location"),
    ("My time zone is CET.", "personal_info", "time zone"),
    ("I work at Acme as an engineer.", "work_history", "acme"),
    ("Trabajé en Acme como ingeniera.", "work_history", "acme"),
    ("My goal is to ship by June.", "goal", "ship by june"),
    ("Mi objetivo es terminar en junio.", "goal", "terminar en junio"),
    ("TODO: write the docs", "goal", "write doc"),
    ("- [ ] fix the login page", "goal", "fix login page"),
    ("Remember that deploys happen on Fridays.", "instruction", "deploy happen on friday"),
    ("Please remember to run the linter.", "instruction", "run linter"),
    ("Don’t forget to update the changelog.", "instruction", "update changelog"),
    ("Recuerda que el despliegue es el viernes.", "instruction", "despliegue es viernes"),
    ("No olvides cerrar la base.", "instruction", "cerrar base"),
    ("No, prefiero tabuladores.", "preference", "tabulador"),
    ("Nunca uses tabuladores.", "instruction", "use tabulador"),
    ("Nunca dejarlo abierto.", "instruction", "dejarlo abierto"),
    ("Never push to main.", "instruction", "push main"),
    ("Siempre ejecuta las pruebas.", "instruction", "ejecuta prueba"),
    ("From now on, answer in Spanish.", "instruction", "answer in spanish"),
    ("Remember: I prefer dark mode.", "preference", "dark mode"),
    ("Recuerda: prefiero el modo oscuro.", "preference", "modo oscuro"),
    ("I learned that the cache must be cleared.", "skill", "cache must be cleared"),
    ("Skill: reading core dumps", "skill", "reading core dump"),
    ("He aprendido a leer volcados.", "skill", "leer volcado"),
    ("**Decision:** use Rust", "event", "rust"),
    ("1. We decided to use Rust", "event", "rust"),
    ("## Decision: use Rust", "event", "rust"),
]  # fmt: skip
NOT_STATED = [
    "Do you remember the plan?",
    "Which editor do you prefer?",
    "If we decided to use Rust, it would be faster.",
    "I don't remember the plan.",
    "Remember when we met?",
    "Remember how it was.",
    "They said: I prefer vim.",
    'The docs say: "Install it. I prefer vim. Then go." Right?',
    "> I prefer vim as my editor.",
    "    I prefer vim as my editor.",
    "```\nI prefer vim as my editor.\n```",
    "~~~~\n```\nWe decided to use Rust.\n~~~~",
    "This is our problem.",
    "Today is my birthday.",
    "The build is our problem.",
    "Never mind.",
    "- [x] fix the login page",
    "Nothing to see here.",
    "todo el mundo lo sabe",
    "¿Recuerdas que prefiero vim?",
    "I prefer .",
    "I would prefer not to",
    "No prefiero tabuladores",
    "Pero no prefiero tabuladores",
    "No decidimos usar Rust",
    "No hemos decidido usar Rust",
    "No recuerda que el despliegue es el viernes",
    "No vivo en Madrid",
    "No me llamo Luis",
    "Nunca prefiero tabuladores",
    "Nunca hemos decidido usar Rust",
    "Nunca uso tabuladores",
    "Siempre trabajamos los lunes",
    "I hardly prefer tabs",
    "I rarely prefer tabs",
    "Never have I preferred tabs",
    "",
]


def found(text: str, role: Role = "user") -> list[tuple[str, str]]:
    message = Message("x", role, 1, "2026-11-22T09:15:00Z", (), text, 9)
    memories = extract_memories([SourceMessage("cortex://x", message)]).memories
    return [(memory.kind, memory.key) for memory in memories]


@pytest.mark.parametrize(("text", "kind", "key"), STATEMENTS)
def test_a_statement_is_extracted(text: str, kind: str, key: str) -> None:
    assert found(text) == [(kind, key)]


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (
            (
                "Decision: use Redis",
                "Decision: do not use Redis",
                "Decision: don’t use Redis.",
                "Decision: no Redis",
                "Decision: against Redis",
                "We decided against Redis",
                "We decided against using Redis.",
                "We decided not to use Redis.",
                "We decided that we should not use Redis",
                "I've decided on Redis",
            ),
            ("event", "redis"),
        ),
        (
            (
                "Decidimos usar Redis",
                "Decidimos no usar Redis",
                "Hemos decidido que no usamos Redis",
                "Decisión: no usar Redis",
                "Acordamos no Redis",
            ),
            ("event", "redis"),
        ),
        (
            ("I prefer tabs", "I prefer not tabs", "I prefer no tabs"),
            ("preference", "tab"),
        ),
        (("Prefiero usar tabs", "Prefiero no usar tabs"), ("preference", "usar tab")),
        (
            (
                "Always use tabs",
                "Never use tabs",
                "From now on, do not use tabs",
            ),
            ("instruction", "use tab"),
        ),
    ],
)
def test_a_statement_and_its_negation_have_one_key(
    texts: tuple[str, ...], wanted: tuple[str, str]
) -> None:
    for text in texts:
        assert found(text) == [wanted], text


@pytest.mark.parametrize("text", NOT_STATED)
def test_another_sentence_is_not(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I prefer vim as my editor.", []),
        ("My name is Assistant.", []),
        ("Remember to run the linter.", []),
        ("We decided to use Rust.", [("event", "rust")]),
        ("Skill: reading core dumps", [("skill", "reading core dump")]),
        ("Ana is our designer.", [("entity", "ana")]),
    ],
)
def test_statements_about_the_user_are_made_by_the_user(
    text: str, wanted: list[tuple[str, str]]
) -> None:
    assert found(text, "assistant") == wanted
    assert found(text, "system") == []


def test_lines_are_those_of_the_file() -> None:
    text = "Hello.\n\nI prefer vim as my editor. Ana is our designer.\n\nTODO: ship it"
    message = Message("x", "user", 4, "2026-11-22T09:15:00Z", (), text, 9)
    memories = extract_memories([SourceMessage("cortex://x", message)]).memories
    assert [(memory.line, memory.text, memory.seq) for memory in memories] == [
        (11, "I prefer vim as my editor.", 4),
        (11, "Ana is our designer.", 4),
        (13, "TODO: ship it", 4),
    ]


def test_a_problem_and_its_solution_are_one_case() -> None:
    rows: list[tuple[Role, str]] = [
        ("user", "Problem: the page is blank\nError: unrelated"),
        ("assistant", "Let me see.\n\nSolution: clear the cookie"),
        ("assistant", "Solution: of nothing"),
        ("user", "Problema: no arranca"),
    ]
    messages = [
        SourceMessage(
            f"cortex://{seq}", Message("x", role, seq, "2026-11-22", (), text, 9)
        )
        for seq, (role, text) in enumerate(rows, 1)
    ]
    extraction = extract_memories(messages)
    (case,) = extraction.memories
    assert (case.kind, case.key, case.source, case.line, case.text) == (
        "case",
        "unrelated",
        "cortex://2",
        11,
        "Problem: unrelated\n\nSolution: clear the cookie",
    )
    assert [(each.source, each.line) for each in extraction.left_out] == [
        ("cortex://1", 9),
        ("cortex://4", 9),
    ]


def test_labels_within_a_line_begin_statements_of_their_own() -> None:
    text = "Hello. Problem: it fails. Often. Solution: restart it. TODO: write a guide"
    message = Message("x", "user", 1, "2026-11-22T09:15:00Z", (), text, 9)
    extraction = extract_memories([SourceMessage("cortex://x", message)])
    assert [(each.kind, each.text) for each in extraction.memories] == [
        ("case", "Problem: it fails. Often.\n\nSolution: restart it."),
        ("goal", "TODO: write a guide"),
    ]
    assert extraction.left_out == ()


def test_a_statement_in_a_long_paragraph_is_found() -> None:
    text = "Tokens expire. " * 200 + "I prefer vim as my editor. " + "So it is. " * 200
    assert found(text) == [("preference", "editor")]


def test_a_very_long_line_is_left_out() -> None:
    message = Message(
        "x", "user", 1, "2026-11-22", (), "I prefer " + "x " * MAX_LINE, 9
    )
    extraction = extract_memories([SourceMessage("cortex://x", message)])
    assert extraction.memories == ()
    assert [each.line for each in extraction.left_out] == [9]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I prefer chip cookies.", "chip cookies"),
        ("I prefer small commits over large ones.", "small commits over large ones"),
        ("We decided to use SQLite because it is small.", "SQLite"),
        ("Ana O’Neil is our designer.", "Ana O’Neil"),
        ("My name is Luis.", "name"),
        ("TODO: write the docs", "write the docs"),
        ("Remember that reviews happen on Tuesdays.", "reviews happen on Tuesdays"),
        ("Remember: [x] is done", "[x] is done"),
        ("Nunca uses los tabuladores.", "nunca uses los tabuladores"),
        ("Never push to main.", "never push to main"),
        ("From now on, don't deploy on Fridays.", "don't deploy on Fridays"),
        ("I prefer not to use tabs.", "not to use tabs"),
        ("We decided not to ship on Fridays.", "not ship on Fridays"),
        ("Always avoid globals.", "avoid globals"),
        ("Problem: the pages are blank\nSolution: reload", "pages are blank"),
    ],
)
def test_a_title_has_the_words_of_the_statement(text: str, title: str) -> None:
    message = Message("x", "user", 1, "2026-11-22T09:15:00Z", (), text, 9)
    (memory,) = extract_memories([SourceMessage("cortex://x", message)]).memories
    assert memory.title == title


@pytest.mark.parametrize("text", ["TODO: the", "- [ ] !", "Problem: a\nSolution: no"])
def test_a_statement_without_words_is_left_out(text: str) -> None:
    message = Message("x", "user", 1, "2026-11-22T09:15:00Z", (), text, 9)
    extraction = extract_memories([SourceMessage("cortex://x", message)])
    assert extraction.memories == ()
    (left,) = extraction.left_out
    assert left.reason == "the statement has no word to name it by"
