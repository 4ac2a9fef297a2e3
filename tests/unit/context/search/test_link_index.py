"""Links to a file, found by name and followed through changes."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.context.search.link_index import LinkIndex
from cuedeck.context.search.symbol_addresses import links_to
from cuedeck.engine.workspace import Workspace
from cuedeck.model.file import VirtualFile
from cuedeck.parse.parse_file import parse_file


@pytest.fixture
def workspace(sandbox: Sandbox) -> Workspace:
    sandbox.write("docs/auth.md", "---\naliases: [sign in]\n---\n# How to Login\n")
    sandbox.write("docs/a b.md", "# Blank\n\n[x](auth.md?plain=1#how-to-login)\n")
    sandbox.write("docs/n.ipynb", "{}")
    sandbox.write(
        "src/auth.py", "# see @doc/auth and @ref[docs/a b.md]\nclass Login: ...\n"
    )
    sandbox.write(
        "notes.md",
        "[[auth]] [[how to  LOGIN]] [[Sign-In|it]] [[docs/auth]] [l](docs/a%20b.md)\n"
        "[[src/auth.py#Login]] @ref[src/auth.py::Login] [[k7]] [[card:k7x]] [[n]]\n",
    )
    sandbox.card("k7x9", "refs: [docs/auth.md, auth, auth.py]", body="[[a b]]")
    opened = sandbox.workspace()
    opened.refresh()
    return opened


def assert_equal_to_a_full_search(found: LinkIndex, workspace: Workspace) -> None:
    index = workspace.index
    found.follow(index)
    for path in index.paths():
        rows = [
            {"path": each.path, "line": each.link.line, "ref": each.link.ref}
            for each in found.links_to(index, path)
            if each.path != path
        ]
        assert rows == links_to(index, path), path


def test_each_form_is_found_as_by_a_search_of_all_links(workspace: Workspace) -> None:
    found = LinkIndex()
    assert_equal_to_a_full_search(found, workspace)
    assert len(found.links_to(workspace.index, "docs/auth.md")) == 8


def test_changes_are_followed(workspace: Workspace, sandbox: Sandbox) -> None:
    found = LinkIndex()
    found.follow(workspace.index)
    sandbox.write("notes.md", "[[New name]] [[auth]]\n")
    sandbox.write("docs/new.md", "# New name\n")
    sandbox.place("docs/a b.md").unlink()
    workspace.refresh()
    assert_equal_to_a_full_search(found, workspace)
    (link,) = found.links_to(workspace.index, "docs/new.md")
    assert link.path == "notes.md"


def test_the_text_of_an_editor_counts_only_while_it_is_shown(
    workspace: Workspace,
) -> None:
    found = LinkIndex()
    found.follow(workspace.index)
    text = "[[a b]]\n"
    parsed = parse_file("notes.md", text.encode())
    workspace.index.virtual = VirtualFile(parsed, text, "1")
    assert_equal_to_a_full_search(found, workspace)
    assert len(found.links_to(workspace.index, "docs/a b.md")) == 3
    workspace.index.virtual = None
    assert_equal_to_a_full_search(found, workspace)
