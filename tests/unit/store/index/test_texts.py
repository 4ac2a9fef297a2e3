"""Texts are those the index knows, or a file is stale."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.model.errors import Stale, StorageError
from cuedeck.model.secret import Secret
from cuedeck.store.index.corpus import WorkspaceTexts


def test_gives_text_with_plain_newlines(sandbox: Sandbox) -> None:
    sandbox.write("docs/a.md", b"\xef\xbb\xbf# A\r\n\r\nb\r\n")
    workspace = sandbox.workspace()
    workspace.refresh()
    assert workspace.texts.text("docs/a.md") == "# A\n\nb\n"


def test_a_file_that_changed_after_it_was_indexed_is_stale(sandbox: Sandbox) -> None:
    sandbox.write("docs/a.md", "# A\n")
    workspace = sandbox.workspace()
    workspace.refresh()
    sandbox.write("docs/a.md", "# B\n")
    with pytest.raises(Stale, match=r"docs/a\.md keeps changing"):
        workspace.texts.text("docs/a.md")
    sandbox.place("docs/a.md").unlink()
    with pytest.raises(StorageError):
        workspace.texts.text("docs/a.md")
    sandbox.place("docs/a.md").mkdir()  # a folder cannot be read as a file
    with pytest.raises(Stale):
        workspace.texts.text("docs/a.md")
    assert issubclass(Stale, StorageError)


def test_an_answer_is_tried_again_when_a_file_changes_under_it(
    sandbox: Sandbox,
) -> None:
    sandbox.write("docs/a.md", "# A\n")
    workspace = sandbox.workspace()
    workspace.refresh()
    sandbox.write("docs/a.md", "# B\n")
    assert workspace.settled(lambda: workspace.texts.text("docs/a.md")) == "# B\n"


def test_a_file_that_never_rests_is_an_error_in_the_end(sandbox: Sandbox) -> None:
    sandbox.write("docs/a.md", "# A\n")
    workspace = sandbox.workspace()
    workspace.refresh()
    turns: list[int] = []

    def act() -> str:
        turns.append(sandbox.write("docs/a.md", f"# {len(turns)}\n").stat().st_size)
        return workspace.texts.text("docs/a.md")

    with pytest.raises(Stale):
        workspace.settled(act)
    assert len(turns) == 5


def test_secrets_are_looked_for_once_for_each_content(sandbox: Sandbox) -> None:
    sandbox.write("docs/a.md", "a secret\n")
    sandbox.write("docs/b.md", "a secret\n")
    workspace = sandbox.workspace()
    workspace.refresh()
    looked: list[str] = []

    def find(text: str) -> list[Secret]:
        looked.append(text)
        return [Secret(2, 8, "word")]

    for _ in range(2):
        texts = WorkspaceTexts(str(sandbox.root), workspace.index, find, "rules 1")
        assert (
            texts.secrets("docs/a.md")
            == texts.secrets("docs/b.md")
            == (Secret(2, 8, "word"),)
        )
    assert len(looked) == 1
    WorkspaceTexts(str(sandbox.root), workspace.index, find, "rules 2").secrets(
        "docs/a.md"
    )
    assert len(looked) == 2


def test_a_text_that_was_searched_for_the_index_is_not_searched_again(
    sandbox: Sandbox,
) -> None:
    token = f"ghp_{'a' * 36}"
    sandbox.write("docs/a.md", f"A {token}\n")
    sandbox.write("docs/b.md", "no secret\n")
    workspace = sandbox.workspace()
    workspace.refresh()
    looked: list[str] = []

    def find(text: str) -> list[Secret]:
        looked.append(text)
        return []

    def secrets(path: str) -> object:
        return WorkspaceTexts(
            str(sandbox.root), workspace.index, find, workspace.secret_rules
        ).secrets(path)

    assert secrets("docs/a.md") == (Secret(2, 2 + len(token), "github-token"),)
    assert secrets("docs/b.md") == ()
    assert looked == []
    sandbox.write("docs/b.md", f"now {token}\n")
    workspace.refresh()
    assert secrets("docs/b.md") == (Secret(4, 4 + len(token), "github-token"),)
    assert looked == []


@pytest.mark.parametrize(
    "row",
    [
        "[[1",
        "",
        "3",
        "null",
        "[[1]]",
        "[3]",
        '[["a", 8, "word"]]',
        "[" * 99_999,
        b"\xff",
    ],
)
def test_a_damaged_cached_result_about_secrets_is_computed_again(
    sandbox: Sandbox, row: str | bytes
) -> None:
    """The damaged row ended `scene` and `read` with an error."""
    sandbox.write("docs/a.md", "a secret\n")
    workspace = sandbox.workspace()
    workspace.refresh()

    def secrets() -> object:
        texts = WorkspaceTexts(
            str(sandbox.root),
            workspace.index,
            lambda _: [Secret(2, 8, "word")],
            "rules 1",
        )
        return texts.secrets("docs/a.md")

    expected = secrets()
    workspace.index.database.execute(
        "UPDATE cache SET value = ? WHERE kind = 'secrets'", (row,)
    )
    assert secrets() == expected == (Secret(2, 8, "word"),)
    assert workspace.index.last_cached("secrets") == '[[2, 8, "word"]]'


def test_a_file_without_text_is_not_searched_for_secrets(sandbox: Sandbox) -> None:
    sandbox.write("big.bin", b"\0 1")
    workspace = sandbox.workspace()
    workspace.refresh()
    sandbox.write("big.bin", b"\0 2")  # whoever read it would find it stale
    assert workspace.texts.secrets("big.bin") == ()
