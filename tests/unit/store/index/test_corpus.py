"""The words of a workspace on disk, as ranking queries them."""

from __future__ import annotations

import sqlite3

import pytest
from sandbox import Sandbox

from cuedeck.engine.workspace import Workspace
from cuedeck.model.file import Root
from cuedeck.model.ports import Corpus
from cuedeck.parse.index_terms import read_words
from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.text_decoding import line_sum, line_sums

LOGIN = (
    "import os\n\n\ndef verify_token(token):\n    return token.expired and os.path\n"
)


@pytest.fixture
def workspace(sandbox: Sandbox) -> Workspace:
    """A workspace with a source, a doc and an unindexed file."""
    sandbox.card("aaaaaa", body="A token.")
    sandbox.write("docs/auth.md", "# Tokens\n\nA token expires.\n")
    sandbox.write("src/login.py", LOGIN)
    sandbox.write("go.sum", "token token\n")
    sandbox.write("logo.png", b"\0token")
    made = sandbox.workspace()
    made.refresh()
    return made


def postings_of(corpus: Corpus, path: str) -> dict[str, tuple[int, ...]]:
    words = corpus.words(path)
    assert words is not None
    return {term: tuple(pairs) for term, pairs in words.counts.items()}


def test_a_term_is_counted_by_file(workspace: Workspace) -> None:
    assert workspace.corpus.postings("token") == {"docs/auth.md": 2, "src/login.py": 3}
    assert workspace.corpus.spread("token") == 2
    assert workspace.corpus.postings("gone") == {}
    assert workspace.corpus.spread("gone") == 0


def test_fields_are_counted_apart_from_the_text(workspace: Workspace) -> None:
    assert workspace.corpus.postings("n:token") == {
        "docs/auth.md": 1,
        "src/login.py": 1,
    }
    assert workspace.corpus.postings("p:login") == {"src/login.py": 2}
    assert workspace.corpus.postings("d:verify_token") == {"src/login.py": 1}
    assert workspace.corpus.postings("i:os") == {"src/login.py": 1}


def test_the_words_of_a_file_are_those_of_its_text(workspace: Workspace) -> None:
    words = read_words(parse_file("src/login.py", LOGIN.encode()), LOGIN)
    found = workspace.corpus.words("src/login.py")
    assert found is not None and found.chunks == words.chunks
    assert postings_of(workspace.corpus, "src/login.py") == words.counts
    assert workspace.corpus.words("go.sum") is None
    assert workspace.corpus.words("gone.py") is None


def test_lines_of_a_file_have_sums(workspace: Workspace) -> None:
    assert list(workspace.corpus.sums("src/login.py")) == list(line_sums(LOGIN))
    assert workspace.corpus.sums("src/login.py")[3] == line_sum(
        "def verify_token(token):"
    )
    assert list(workspace.corpus.sums("gone.py")) == []


def test_project_files_give_import_roots(
    workspace: Workspace, sandbox: Sandbox
) -> None:
    assert list(workspace.corpus.roots()) == []
    sandbox.write(
        "web/tsconfig.json", '{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}'
    )
    sandbox.write("go.mod", "module example.org/shop\n")
    workspace.refresh()
    roots = workspace.corpus.roots()
    assert [path for path, _ in roots] == ["go.mod", "web/tsconfig.json"]
    assert roots[0][1] == Root("example.org/shop", ".")


def test_commits_are_those_of_the_repository(
    workspace: Workspace, sandbox: Sandbox
) -> None:
    sandbox.git("init", "-q")
    sandbox.git("commit", "-q", "--allow-empty", "-m", "Begin")
    sandbox.git("add", "src")
    sandbox.git("commit", "-q", "-m", "Add the login")
    (commit,) = workspace.corpus.commits()
    assert (commit.subject, [file.path for file in commit.files]) == (
        "Add the login",
        ["src/login.py"],
    )


def test_another_process_may_change_the_index_between_two_questions(
    workspace: Workspace, sandbox: Sandbox
) -> None:
    """Until the next refresh, only the previous state is reported."""
    corpus = workspace.corpus
    lengths = dict(corpus.lengths())
    sandbox.write("src/new.py", "verify = token\n")
    sandbox.place("docs/auth.md").unlink()
    sandbox.workspace().refresh()
    assert corpus.lengths() == lengths
    assert corpus.postings("verifi").keys() == {"src/login.py"}
    assert corpus.postings("token").keys() <= lengths.keys()
    workspace.refresh()
    assert list(corpus.lengths()) == ["src/login.py", "src/new.py"]
    assert corpus.postings("token").keys() == {"src/login.py", "src/new.py"}


def test_a_rebuilt_index_is_followed(workspace: Workspace, sandbox: Sandbox) -> None:
    """A rebuilt index counts its generations from the beginning."""
    assert list(workspace.corpus.lengths()) == ["docs/auth.md", "src/login.py"]
    sandbox.write("a.py", "token = 1\n")
    workspace.index.rebuild()
    assert workspace.corpus.postings("token") == {
        "a.py": 1,
        "docs/auth.md": 2,
        "src/login.py": 3,
    }
    assert list(workspace.corpus.lengths()) == ["a.py", "docs/auth.md", "src/login.py"]


@pytest.mark.parametrize(
    "data",
    [
        "",
        "[]",
        "3",
        "[1,2]",
        "[[],[]]",
        "null",
        '{"token": 1}',
        '[[],{"token":[0,"x"]}]',
    ],
)
def test_a_damaged_row_makes_a_new_index_at_the_next_edit(
    workspace: Workspace, sandbox: Sandbox, data: str
) -> None:
    workspace.close()
    alter(sandbox, "UPDATE documents SET terms = ?", data)
    sandbox.write("src/login.py", "def leave(token):\n    pass\n")
    other = sandbox.workspace()
    other.refresh()
    assert other.corpus.postings("token") == {"docs/auth.md": 2, "src/login.py": 1}
    assert other.corpus.postings("d:verify_token") == {}


def alter(sandbox: Sandbox, statement: str, *values: object) -> None:
    database = sqlite3.connect(sandbox.private("index.sqlite"), isolation_level=None)
    database.execute(statement, values)
    database.close()
