"""Renames of headings, docs and cards leave no dead ref."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from editor import Editor
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from sandbox import Sandbox

pytestmark = pytest.mark.asyncio(loop_scope="session")

CARD = ".cuedeck/cards/one.md"


def dead_refs(sandbox: Sandbox) -> list[str]:
    findings = sandbox.run("doctor", "--all", "--json").json["findings"]
    codes = (
        "dead-ref",
        "dead-anchor",
        "ambiguous-ref",
        "missing-dependency",
        "card-id",
    )
    return [str(each) for each in findings if each["code"] in codes]


async def rename(editor: Editor, path: str, needle: str, name: str) -> str:
    """Rename what is at a text of a file; return the name that was offered."""
    text = editor.open(path)
    offered = await editor.at(types.TEXT_DOCUMENT_PREPARE_RENAME, path, text, needle)
    edit = await editor.at(
        types.TEXT_DOCUMENT_RENAME, path, text, needle, new_name=name
    )
    editor.apply(edit)
    return str(offered.placeholder)


@pytest.fixture
def there(editor: Editor, filled: Sandbox) -> Iterator[Editor]:
    """An editor of a workspace that has no dead ref, and has none afterwards."""
    assert dead_refs(filled) == []
    yield editor.in_folder(filled.root)
    assert dead_refs(filled) == []


@pytest.mark.parametrize(
    ("path", "needle"), [("docs/auth.md", "Login flow"), (CARD, "#Login flow\n")]
)
async def test_a_heading(
    there: Editor, filled: Sandbox, path: str, needle: str
) -> None:
    assert await rename(there, path, needle, "Sign in") == "Login flow"
    assert "## Sign in\n" in filled.place("docs/auth.md").read_text()
    card = filled.place(CARD).read_text()
    assert "- docs/auth.md#Sign in\n" in card
    assert "🙂 tokens, see [[auth#Sign in]]" in card
    assert "@doc/auth#sign-in" in filled.place("docs/limits.md").read_text()


async def test_unsaved_text_of_another_file(there: Editor, filled: Sandbox) -> None:
    path = "docs/limits.md"
    unsaved = f"\n\n🙂 {there.open(path)}"
    there.change(path, unsaved)
    text = there.open("docs/auth.md")
    edit = await there.at(
        types.TEXT_DOCUMENT_RENAME, "docs/auth.md", text, "Login flow", new_name="Enter"
    )
    filled.write(path, unsaved)
    there.apply(edit)
    assert "@doc/auth#enter" in filled.place(path).read_text()


async def test_slugs_of_equal_headings_follow(there: Editor, filled: Sandbox) -> None:
    filled.write("docs/a.md", "# A\n\n## Notes\r\n\r\n## Notes\n\n[x](#notes-1)\n")
    filled.card("three", "refs: [docs/a.md#notes-1]")
    await rename(there, "docs/a.md", "Notes", "Other")
    assert "[x](#notes)" in filled.place("docs/a.md").read_text()


async def test_the_title_of_a_doc(there: Editor, filled: Sandbox) -> None:
    filled.write("docs/a.md", "# Old name\n\n## Part\n")
    filled.card("three", "refs: ['[[Old name#Part]]']", body="[[Old name|it]]")
    await rename(there, "docs/a.md", "Old name", "New name")
    text = filled.place(".cuedeck/cards/three.md").read_text()
    assert "[[New name#Part]]" in text
    assert "[[New name|it]]" in text


async def test_a_doc(there: Editor, filled: Sandbox) -> None:
    assert await rename(there, CARD, "docs/auth.md#", "deep/sign-in") == "auth"
    assert "- docs/deep/sign-in.md#Login flow\n" in filled.place(CARD).read_text()
    moved = filled.place("docs/deep/sign-in.md").read_text()
    assert "[code](../../src/auth.py#Login)" in moved


@pytest.mark.parametrize(
    ("path", "needle"), [(CARD, "one\n"), (".cuedeck/cards/two.md", "one]")]
)
async def test_a_card(there: Editor, filled: Sandbox, path: str, needle: str) -> None:
    filled.write("docs/card.md", "[[one]] card [x](../.cuedeck/cards/one.md)\n")
    assert await rename(there, path, needle, "login-fix") == "one"
    assert "id: login-fix\n" in filled.place(".cuedeck/cards/login-fix.md").read_text()
    assert (
        "depends_on: [login-fix]" in filled.place(".cuedeck/cards/two.md").read_text()
    )
    assert filled.place(".cuedeck/active").read_text() == "login-fix\n"
    linking = filled.place("docs/card.md").read_text()
    assert linking == "[[login-fix]] card [x](../.cuedeck/cards/login-fix.md)\n"


async def test_links_with_a_definition(there: Editor, filled: Sandbox) -> None:
    """Text, label and definition lead to the target; the finding is at the label."""
    path = "docs/links.md"
    row = "🙂 ![a][A] [*flow* of][a], [A][]\r\nand [a]\r\n\r\n"
    dead = f"{row}[a]: <auth.md#Logn> 'x'\r\n"
    there.open(path, dead)
    found = (await there.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, path)).items
    columns = [len("🙂 ![a][A] [*flow* of][".encode(there.encoding)), 5]
    assert [each.range.start.character for each in found] == columns
    filled.write(path, dead.replace("Logn", "Login%20flow"))
    text = there.open(path)
    for needle in ("a], [", "auth.md"):
        at = await there.at(types.TEXT_DOCUMENT_DEFINITION, path, text, needle)
        assert at.range.start.line == 4
    params = types.ReferenceContext(include_declaration=False)
    used = await there.at(
        types.TEXT_DOCUMENT_REFERENCES, path, text, "auth.md", context=params
    )
    assert sum(there.path_of(each.uri) == path for each in used) == 3
    await rename(there, path, "Login%20flow", "Sign in")
    assert "[a]: <auth.md#Sign%20in> " in filled.place(path).read_text()


async def test_files_that_the_editor_renames(there: Editor, filled: Sandbox) -> None:
    """Refs between files of one rename, and in a folder, lead to their new places."""
    moves = {"docs/limits.md": "far/quotas.md", "docs/auth.md": "entry.md", "src": "py"}
    filled.write("docs/limits.md", "# Limits\n\n## Rates\n\n[x](auth.md#rates)\n")
    rows = [types.FileRename(*map(there.uri, each)) for each in moves.items()]
    edit = await there.send(
        types.WORKSPACE_WILL_RENAME_FILES, types.RenameFilesParams(rows)
    )
    there.apply(edit)
    filled.place("far").mkdir()
    for old, new in moves.items():
        filled.place(old).rename(filled.place(new))
    assert "[[quotas#Rates|the limits]]" in filled.place("entry.md").read_text()
    assert "[x](../entry.md#rates)" in filled.place("far/quotas.md").read_text()
    assert "(py/auth.py#Login)" in filled.place("entry.md").read_text()
    assert "- entry.md#Login flow\n  - py/auth.py\n" in filled.place(CARD).read_text()


@pytest.mark.parametrize(
    ("needle", "name", "reason"),
    [
        ("one\n", "two", "already exists"),
        ("one\n", "a/b", "not the id of a card"),
        ("verify", "x", "only headings, docs and cards"),
        ("docs/auth.md", "../../x", "leaves the workspace"),
    ],
)
async def test_a_bad_name_is_refused_with_a_reason(
    there: Editor, needle: str, name: str, reason: str
) -> None:
    text = there.open(CARD)
    with pytest.raises(JsonRpcException, match=reason):
        await there.at(types.TEXT_DOCUMENT_RENAME, CARD, text, needle, new_name=name)
