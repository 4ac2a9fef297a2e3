"""Every feature of the language server, through the process."""

from __future__ import annotations

import re

import pytest
from editor import Editor
from lsprotocol import types
from sandbox import Sandbox

pytestmark = pytest.mark.asyncio(loop_scope="session")

CARD = ".cuedeck/cards/one.md"
TWO = ".cuedeck/cards/two.md"
AUTH = "docs/auth.md"
CODE = "src/auth.py"
NOTHING = types.CodeActionContext([])


@pytest.mark.parametrize(
    ("path", "needle", "target"),
    [
        (CARD, "docs/auth.md#Login", f"{AUTH}:5"),
        (CARD, "src/auth.py", f"{CODE}:1"),
        (CARD, "[auth#Login flow", f"{AUTH}:5"),
        (AUTH, "../src/auth.py#Login", f"{CODE}:1"),
        (AUTH, "[limits#Rates", "docs/limits.md:3"),
        ("docs/limits.md", "auth#login-flow", f"{AUTH}:5"),
        (TWO, "[one]", f"{CARD}:1"),
        (AUTH, "How people", ""),
    ],
)
async def test_definition(editor: Editor, path: str, needle: str, target: str) -> None:
    text = editor.open(path)
    found = await editor.at(types.TEXT_DOCUMENT_DEFINITION, path, text, needle)
    place = f"{editor.path_of(found.uri)}:{found.range.start.line + 1}" if found else ""
    assert place == target


@pytest.mark.parametrize(
    ("path", "needle", "places"),
    [
        (AUTH, "# Login flow", [f"{CARD}:7", f"{CARD}:11", "docs/limits.md:5"]),
        (AUTH, "# Auth", [f"{CARD}:7", f"{CARD}:11", "docs/limits.md:5"]),
        (CODE, "Login:", [f"{AUTH}:7"]),
        (CARD, "src/auth.py", [f"{CARD}:8", f"{AUTH}:7"]),
    ],
)
async def test_references(
    editor: Editor, path: str, needle: str, places: list[str]
) -> None:
    text = editor.open(path)
    found = await editor.at(
        types.TEXT_DOCUMENT_REFERENCES,
        path,
        text,
        needle,
        context=types.ReferenceContext(include_declaration=False),
    )
    assert [
        f"{editor.path_of(each.uri)}:{each.range.start.line + 1}" for each in found
    ] == places


@pytest.mark.parametrize(
    ("path", "needle", "parts"),
    [
        (CARD, "docs/auth.md#Login", ["Login flow", "tokens", "See [code]"]),
        (TWO, "[one]", ["**Fix login**", "active", "tokens", "verify 🙂"]),
        (CODE, "verify", ["attempt", "catch", "hid it"]),
        (CODE, "Login:", ["decision", "Tokens expire"]),
    ],
)
async def test_hover(editor: Editor, path: str, needle: str, parts: list[str]) -> None:
    text = editor.open(path)
    found = await editor.at(types.TEXT_DOCUMENT_HOVER, path, text, needle)
    assert all(part in found.contents.value for part in parts), found


async def test_document_links_cover_the_written_refs(editor: Editor) -> None:
    text = editor.open(CARD)
    found = await editor.ask(types.TEXT_DOCUMENT_DOCUMENT_LINK, CARD)
    lines = text.splitlines()
    written = []
    for each in found:
        start, end = each.range.start, each.range.end
        units = lines[start.line].encode(editor.encoding)
        written.append(units[start.character : end.character].decode())
    assert written == ["docs/auth.md#Login flow", "src/auth.py", "auth#Login flow"]


async def test_symbols_of_a_document_and_of_the_workspace(editor: Editor) -> None:
    editor.open(AUTH)
    (title,) = await editor.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, AUTH)
    assert title.name == "Auth"
    assert [each.name for each in title.children] == ["Login flow", "Rates"]
    params = types.WorkspaceSymbolParams("login")
    found = await editor.send(types.WORKSPACE_SYMBOL, params)
    names = [each.name for each in found]
    assert {"Login", "Login.verify", "Login flow", "Fix login"} <= set(names)
    assert names[0] == "Login"


@pytest.mark.parametrize(
    ("row", "labels"),
    [
        ("refs: [▮]", ["one", "two"]),
        ("refs:\n  - docs/▮", ["docs/auth.md", "docs/limits.md"]),
        ("refs:\n  - docs/auth.md#▮", ["docs/auth.md#auth", "docs/auth.md#login-flow"]),
        ("refs:\n  - src/auth.py#▮", ["src/auth.py#Login", "src/auth.py#Login.verify"]),
        ("refs: [deci▮]", ["decision:"]),
        ("depends_on: [tw▮]", ["two"]),
        ("depends_on:\n  - rate▮", ["two"]),
        ("tags: [▮]", ["security"]),
        ("status: ▮", ["todo", "active", "blocked"]),
        ("---\nsee [[lim▮", ["two", "limits"]),
        ("---\nsee [[auth#▮", ["auth#auth", "auth#login-flow", "auth#rates"]),
        ("---\nsee [x](../../docs/▮", ["../../docs/auth.md", "../../docs/limits.md"]),
        ("---\nsee [x](../../docs/limits.md#▮)", ["../../docs/limits.md#limits"]),
        ("---\n🙂 @doc/a▮", ["auth"]),
        ("---\n@ref[src/▮", ["src/auth.py"]),
        ("---\nplain▮", []),
    ],
)
async def test_completion(editor: Editor, row: str, labels: list[str]) -> None:
    path = ".cuedeck/cards/draft.md"
    found = await editor.complete(path, f"---\ntitle: Draft\n{row}\n---\n")
    assert [each.label for each in found][: len(labels)] == labels
    assert bool(found) == bool(labels)


async def test_ids_of_entries_are_completed_and_described(editor: Editor) -> None:
    path = ".cuedeck/cards/draft.md"
    (found,) = await editor.complete(path, "---\nrefs: [decision:▮]\n---\n")
    assert re.fullmatch(r"decision:\w{6}", found.label)
    assert found.detail == "Tokens expire"
    resolved = await editor.send(types.COMPLETION_ITEM_RESOLVE, found)
    assert "stolen tokens" in resolved.documentation.value


async def test_a_candidate_shows_the_first_lines_of_its_target(editor: Editor) -> None:
    path = ".cuedeck/cards/draft.md"
    (found,) = await editor.complete(path, "---\ntitle: x\n---\n[[aut▮")
    resolved = await editor.send(types.COMPLETION_ITEM_RESOLVE, found)
    assert "How people get in." in resolved.documentation.value


async def test_pulled_diagnostics_of_unsaved_text_have_the_codes_of_doctor(
    editor: Editor, shared: Sandbox
) -> None:
    path = ".cuedeck/cards/broken.md"
    text = (
        "---\nstatus: soon\nrefs:\n  - docs/aut.md\n  - docs/auth.md#Logn flow\n"
        "depends_on: [oen]\n---\n# Broken\n\n[[nothing]] [[auth#Login flow]]\n"
    )
    shared.write(path, "---\ntitle: Broken\n---\n")
    editor.open(path, text)
    found = await editor.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, path)
    rows = [(each.range.start.line + 1, each.code) for each in found.items]
    shared.write(path, text)
    doctor = shared.answer("doctor", code=1)["findings"]
    shared.place(path).unlink()
    assert rows == [
        (each["line"], each["code"])
        for each in sorted(doctor, key=lambda each: (each["line"], each["level"]))
        if each["path"] == path
    ]
    assert (5, "dead-anchor") in rows
    (dead,) = [each for each in found.items if each.code == "dead-anchor"]
    assert (dead.range.start.character, dead.range.end.character) == (4, 26)


async def test_diagnostics_of_assumptions(editor: Editor, shared: Sandbox) -> None:
    path = ".cuedeck/assumptions.toml"
    shared.write(
        path, '[[assumption]]\nid = "a"\ntext = "x"\ncheck = { nothing = 1 }\n'
    )
    editor.open(path)
    found = await editor.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, path)
    doctor = shared.answer("doctor", code=1)["findings"]
    shared.place(path).unlink()
    assert [each.code for each in found.items] == [
        each["code"] for each in doctor if each["path"] == path
    ]
    assert found.items


async def test_lenses_show_the_cost_of_a_card(editor: Editor, shared: Sandbox) -> None:
    editor.open(CARD)
    cost, done = await editor.ask(types.TEXT_DOCUMENT_CODE_LENS, CARD)
    assert done.command.title == "done"
    tokens = shared.answer("scene")["tokens"]  # the server builds it later
    resolved = await editor.send(types.CODE_LENS_RESOLVE, cost)
    assert resolved.command.title == f"active · scene: {tokens:,} of 8,000 tokens"
    editor.open(TWO)
    lenses = await editor.ask(types.TEXT_DOCUMENT_CODE_LENS, TWO)
    titles = [each.command.title for each in lenses if each.command]
    assert titles == ["activate", "done"]


async def test_hints_of_a_card_and_of_code(editor: Editor) -> None:
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    editor.open(CARD)
    (cost,) = await editor.ask(types.TEXT_DOCUMENT_INLAY_HINT, CARD, range=whole)
    assert cost.label.startswith("active · scene: ")
    editor.open(CODE, "class Login:\n    pass\n\n    def verify(self): ...\n")
    found = await editor.ask(types.TEXT_DOCUMENT_INLAY_HINT, CODE, range=whole)
    labels = [(each.position.line, each.label[:-7]) for each in found]
    assert labels == [(0, "changed decision"), (3, "failed attempt")]


async def test_actions_repair_a_dead_ref(editor: Editor) -> None:
    path = ".cuedeck/cards/draft.md"
    text = (
        "---\nrefs:\n  - docs/aut.md\n---\n"
        "[x](../../docs/auth.md#Logn%20flow) [[new idea]]\n"
    )
    editor.open(path, text)
    whole = types.Range(types.Position(2, 4), types.Position(9, 0))
    context = types.CodeActionContext([], [types.CodeActionKind.QuickFix])
    found = await editor.ask(
        types.TEXT_DOCUMENT_CODE_ACTION, path, range=whole, context=context
    )
    titles = [each.title for each in found]
    assert titles[0] == "Replace by `docs/auth.md`"
    assert "Replace by `../../docs/auth.md#login-flow`" in titles
    assert titles[-1] == "Create .cuedeck/docs/new idea.md"
    (edit,) = found[0].edit.document_changes
    assert editor._edited(text, edit.edits) == text.replace("aut.md", "auth.md")


async def test_actions_add_refs_that_the_card_lacks(editor: Editor) -> None:
    text = editor.open(CARD)
    start = types.Range(types.Position(1, 0), types.Position(1, 0))
    found = await editor.ask(
        types.TEXT_DOCUMENT_CODE_ACTION, CARD, range=start, context=NOTHING
    )
    titles = [each.title for each in found]
    assert any("Add the ref `src/tokens.py" in title for title in titles)
    (edit,) = found[0].edit.document_changes
    assert "  - src/auth.py\n  - " in editor._edited(text, edit.edits)
