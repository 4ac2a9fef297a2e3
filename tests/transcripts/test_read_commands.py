"""Transcripts of commands that read (read, why, open, graph, config, completion), and
of init.
"""

from __future__ import annotations

import json
import os
import re

import pytest
from sandbox import Sandbox, expect, fields

TEMPLATE = (".gitattributes", ".gitignore", "USER.md", "config.toml") + tuple(
    f"workflows/{name}.toml" for name in ("bug-fix", "feature-development")
)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    fields = ("tags: [web]", "assignee: '@Alice'", "priority: high")
    sandbox.card("aaaaaa", "refs: [docs/auth.md]", *fields)
    sandbox.activate("aaaaaa")
    sections = "## Login\n\nSee [[security]].\n\n## Logout\n\nEnd.\n"
    sandbox.write("docs/auth.md", f"# Auth\n\n{sections}")
    sandbox.write("docs/security.md", "# Security\n\nfar\n")
    sandbox.write("docs/alone.md", "# Alone\n")
    source = "class Login:\n    def verify(self):\n        return 1\n\n\nX = 2\n"
    sandbox.write("src/auth.py", source)
    sandbox.write("logo.png", b"\x89PNG\0\0")
    return sandbox


def test_an_absolute_path_in_the_workspace_is_an_address(shop: Sandbox) -> None:
    place = str(shop.place("src/auth.py"))
    assert shop.answer("read", f"{place}:2")["address"] == "src/auth.py#L2"
    assert shop.answer("why", place)["address"] == "src/auth.py"
    outside = shop.run("read", "/etc/hostname")
    assert outside.code == 1
    assert "not found" in outside.err


@pytest.mark.parametrize(
    ("address", "canonical", "kind", "lines"),
    [
        ("docs/auth.md", "docs/auth.md", "doc", [1, 9]),
        ("auth.md#login", "docs/auth.md#login", "doc", [3, 6]),
        ("src/auth.py#verify", "src/auth.py#Login.verify", "source", [2, 3]),
        ("src/auth.py#L2-L3", "src/auth.py#L2-L3", "source", [2, 3]),
        ("aaa", ".cuedeck/cards/aaaaaa.md", "card", [1, 9]),
        ("src/auth.py:2:5:", "src/auth.py#L2", "source", [2, 2]),
    ],
)
def test_read_prints_the_content_of_an_address(
    shop: Sandbox, address: str, canonical: str, kind: str, lines: list[int]
) -> None:
    """The read command of the original printed no content."""
    answer = shop.answer("read", address)
    fields(answer, "schema address path kind lines tokens text")
    expect(answer, kind=kind, lines=lines)
    assert answer["address"].casefold() == canonical.casefold()
    assert answer["text"]


def test_unknown_address_suggests_known_ones(shop: Sandbox) -> None:
    error = shop.answer("read", "docs/auth.md#Logn", code=1)["error"]
    assert (error["code"], "docs/auth.md#Login" in error["hint"]) == (1001, True)
    shop.write("sub/auth.md", "# Auth\n")
    error = shop.answer("read", "auth", code=1)["error"]
    expect(error, code=1013, candidates=["docs/auth.md", "sub/auth.md"])
    assert "outside the workspace" in shop.run("read", "../x.md").err
    assert shop.run("read", "/etc/passwd").code == 1
    shop.write("-x.md", "dash\n")
    assert shop.ok("read", "--", "-x.md").out == "dash\n"


@pytest.mark.parametrize("command", ["read", "why"])
def test_ignored_file_is_reported_as_ignored(shop: Sandbox, command: str) -> None:
    shop.write(".cuedeckignore", "/private/\n")
    shop.write("private/notes.md", "# Notes\n")
    for path, message in (
        ("notes.md", "`private/notes.md` is not indexed: the ignore rules exclude it"),
        ("other.md", "not found: `private/other.md`"),
    ):
        error = shop.answer(command, f"private/{path}", code=1)["error"]
        expect(error, code=1001, message=message)


def test_private_file_is_refused_with_the_command_that_shows_it(shop: Sandbox) -> None:
    """The hint used to be to remove the file from the ignore rules, which would publish
    private memory.
    """
    shop.ok("memory", "add", "A fact")
    for command, path, hint in (
        ("why", ".cuedeck/MEMORY.md", "memory list"),
        ("read", ".cuedeck/experiences.jsonl", "experience list"),
        ("read", ".cuedeck/cache/log.jsonl", "clean --dry-run"),
    ):
        error = shop.answer(command, path, code=1)["error"]
        expect(error, code=1001, hint=f"see `cuedeck {hint}`")
    shop.write(".cuedeck/cards/aaaaaa.md", "---\nrefs: [../MEMORY.md]\n---\n")
    found = shop.answer("doctor", code=1)["findings"]
    hints = [each["hint"] for each in found if each["code"] == "unread-ref"]
    assert hints == ["`cuedeck memory list` prints its content"]


def test_symbol_without_its_file_has_a_suggestion(shop: Sandbox) -> None:
    for name in ("one", "two"):
        shop.write(
            f"src/{name}.py", f"class Both:\n    def {name}(self):\n        pass\n"
        )
    for wanted in ("Both.one", "one()", "Both::one"):
        error = shop.answer("read", wanted, code=1)["error"]
        assert error["hint"] == "did you mean `src/one.py#Both.one`?"
    assert shop.answer("why", "Both", code=1)["error"]["candidates"] == [
        "src/one.py#Both",
        "src/two.py#Both",
    ]
    error = shop.answer("card", "ref", "add", "aaaaaa", "Both.one", code=1)["error"]
    assert error["hint"] == "did you mean `src/one.py#Both.one`?"


def test_why_prints_the_chain_of_links(shop: Sandbox) -> None:
    answer = shop.answer("why", "docs/security.md")
    card = ".cuedeck/cards/aaaaaa.md"
    steps = [(step["address"], step["depth"]) for step in answer["chain"]]
    assert steps == [(card, 0), ("docs/auth.md", 1), ("docs/security.md", 2)]
    expect(answer, in_scene=True, view="full")
    assert "line 5 of docs/auth.md" in answer["chain"][2]["why"]
    assert "part of docs/auth.md" in shop.ok("why", "docs/auth.md#Login").out
    answer = shop.answer("why", "docs/alone.md", code=1)
    expect(answer, in_scene=False, chain=[], referred_by=[])
    shop.write(".cuedeck/config.toml", "[scene]\ndepth = 1\nrelated = false\n")
    answer = shop.answer("why", "docs/security.md", code=1)
    assert answer["reason"] == "2 links away, and scene.depth is 1"
    (referred,) = answer["referred_by"]
    expect(referred, path="docs/auth.md", line=5, ref="security")


def test_open_lists_matches_in_a_pipe(shop: Sandbox) -> None:
    def found(*words: str, code: int = 0) -> list[str]:
        answer = shop.answer("open", *words, code=code)
        fields(answer, "schema query total results")
        for each in answer["results"]:
            fields(each, "address kind title line")
        return [each["address"] for each in answer["results"]]

    assert found("auth")[:2] == ["docs/auth.md", "src/auth.py"]
    assert found("log", "out") == ["docs/auth.md#logout"]
    assert shop.ok("open").out.count("docs/") == 3
    for option in (["--tag", "WEB"], ["--assignee", "alice"], ["--priority", "high"]):
        assert found(*option) == [".cuedeck/cards/aaaaaa.md"]
    assert found("xyzzy", code=1) == []
    assert "nothing matches" in shop.run("open", "xyzzy").err


def test_search_without_a_match_names_the_option_that_limits_it(shop: Sandbox) -> None:
    advice = (
        "hint: try fewer or other words, or `recall` for conversations and decisions"
    )
    assert f"{advice}\n" in shop.run("find", "xyzzy").err
    ran = shop.run("find", "verify", "--kind", "doc")
    assert ran.code == 1
    assert f"{advice}; or leave out --kind\n" in ran.err


def test_graph_is_printed_in_every_format(shop: Sandbox) -> None:
    """The original used bare, unescaped file names as node names."""
    shop.write("sub/auth.md", '# "Quoted" <b>\n\n[[docs/auth]]\n')
    for form in ("ascii", "mermaid", "dot", "svg"):
        text = shop.ok("graph", "--format", form).out
        assert "docs/auth.md" in text
        assert "sub/auth.md" in text
    shop.ok("graph", "--format", "svg", "--out", "graph.svg")
    assert shop.place("graph.svg").read_text() == text
    graph = json.loads(shop.ok("graph", "--format", "json").out)
    assert shop.answer("graph") == graph
    assert "docs/alone.md" not in shop.ok("graph", "--scene").out
    answer = shop.answer("graph", "--stats")
    fields(answer, "schema nodes kinds edges cycles alone")
    ran = shop.ok("graph", "--stats")
    assert ran.err == "", "the original printed its figures to stderr"


def test_graph_draws_code_on_request(shop: Sandbox) -> None:
    shop.write("docs/auth.md", "# Auth\n\nSee [the code](../src/auth.py).\n")
    for number in range(90):
        shop.write(f"src/user{number}.py", "from auth import Login\n")
    ran = shop.ok("graph")
    assert "imports → ↑ src/auth.py" in ran.out
    assert "more linked sources are not drawn" in ran.err
    assert "src/user" not in shop.ok("graph", "--code", "none").out
    every = shop.answer("graph", "--code", "all")
    fields(every, "schema title budget tokens nodes edges cycles")
    expect(every["edges"][-1], source="src/user9.py", edge="imports", line=1)
    assert len(shop.answer("graph")["edges"]) < len(every["edges"])
    assert shop.run("graph", "--code", "some").code == 2


def test_settings_are_shown_with_their_source(shop: Sandbox) -> None:
    config = ".cuedeck/config.toml"
    shop.write(config, "[scene]\nbudget = 5000\nrelated = true\n")
    environ = {"CUEDECK_SCENE__DEPTH": "2"}
    shown = shop.answer("config", "show", environ=environ)["settings"]
    rows = {row["key"]: row for row in shown}
    for row in rows.values():
        fields(row, "key value source default doc")
    expect(rows["scene.budget"], value=5_000, source=config)
    expect(rows["scene.depth"], value=2, source="CUEDECK_SCENE__DEPTH")
    expect(rows["scene.related"], source=config)
    expect(rows["scene.encoding"], source="default")
    assert "scene.budget" in shop.ok("config", "show").out
    checked = {"schema": 1, "path": config, "valid": True, "findings": []}
    assert shop.answer("config", "check") == checked
    shop.write(config, "[scene]\nbuget = 5000\n")
    (finding,) = shop.answer("config", "check", code=1)["findings"]
    assert (finding["line"], "scene.budget" in finding["hint"]) == (2, True)
    shop.write(config, "[scene]\nbudget = '5000'\n")
    assert shop.run("config", "check").code == 4
    assert shop.run("config", "show", environ={"CUEDECK_SCENE__BUGET": "1"}).code == 4


# --- init


def test_init_creates_missing_files_and_keeps_existing_ones(sandbox: Sandbox) -> None:
    """It creates every folder that a scene reads, and ignores the real cache folder."""
    folder = sandbox.root.parent / "new"
    made = sandbox.answer("init", "new", cwd=sandbox.root.parent)
    names = "schema root created kept replaced extended excluded_by exclude_added"
    fields(made, names)
    created = ("cards/", "docs/", *TEMPLATE)
    assert set(made["created"]) == {f".cuedeck/{name}" for name in created}
    assert "cache/" in (folder / ".cuedeck/.gitignore").read_text()
    assert sandbox.run("config", "check", cwd=folder).code == 0
    again = sandbox.answer("init", cwd=folder)
    expect(again, created=[], kept=[f".cuedeck/{name}" for name in TEMPLATE])
    config = folder / ".cuedeck/config.toml"
    template = config.read_text()
    for number in ("first", "second"):
        config.write_text(f"# {number}\n")
        forced = sandbox.answer("init", "--force", "-C", str(folder))
        (replaced,) = forced["replaced"]
        assert (folder / replaced["backup"]).read_text() == f"# {number}\n"
        assert config.read_text() == template
    assert len(list((folder / ".cuedeck").glob("config.toml.bak*"))) == 2


def test_init_adds_missing_lines_to_an_ignore_file(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/.gitignore", "# mine\n*.log\n!USER.md\nsessions/\n")
    made = sandbox.answer("init")
    (extended,) = made["extended"]
    assert extended["path"] == ".cuedeck/.gitignore"
    assert "USER.md" not in extended["lines"], "the user wants to share it"
    assert {"SCENE.md", "memory/", "cortex/user/"} <= set(extended["lines"])
    text = sandbox.place(".cuedeck/.gitignore").read_text()
    added = "".join(f"{line}\n" for line in extended["lines"])
    assert text == f"# mine\n*.log\n!USER.md\nsessions/\n{added}"
    again = sandbox.answer("init")
    assert again["extended"] == []
    assert ".cuedeck/.gitignore" in again["kept"]
    assert sandbox.place(".cuedeck/.gitignore").read_text() == text


def test_init_changes_no_linked_ignore_file(sandbox: Sandbox) -> None:
    rules = sandbox.root.parent / "rules"
    rules.write_text("*.log\n")
    sandbox.place(".cuedeck/.gitignore").symlink_to(rules)
    assert sandbox.answer("init")["extended"] == []
    assert rules.read_text() == "*.log\n"


def test_init_stealth_uses_the_exclude_file(sandbox: Sandbox) -> None:
    folder = sandbox.root / "repo"
    folder.mkdir()
    stealth = ("init", "--stealth")
    ran = sandbox.run(*stealth, cwd=folder)
    assert (ran.code, "git init" in ran.err) == (2, True)
    assert list(folder.iterdir()) == [], "nothing is made when it cannot be hidden"
    sandbox.git("init", "-q", cwd=folder)
    exclude = folder / ".git/info/exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_bytes(b"caf\xe9\r\n*.tmp")
    answer = sandbox.answer(*stealth, cwd=folder)
    expect(answer, excluded_by=str(exclude), exclude_added=True)
    assert exclude.read_bytes() == b"caf\xe9\r\n*.tmp\n.cuedeck/\n"
    rule = f".cuedeck/ in {exclude}\n"
    assert f"kept     {rule}" in sandbox.ok(*stealth, cwd=folder).out
    exclude.write_bytes(b"")
    assert f"ignored  {rule}" in sandbox.ok(*stealth, cwd=folder).out
    sandbox.ok("card new --activate -- In a worktree", cwd=folder)
    sandbox.ok("scene", cwd=folder)
    assert sandbox.git("status", "--porcelain", cwd=folder) == ""
    assert not (folder / ".gitignore").exists()


def test_init_creates_the_files_to_commit(sandbox: Sandbox) -> None:
    """In the original, `git add -A` staged the cache."""
    sandbox.git("init", "-q")
    sandbox.ok("init")
    sandbox.ok("card", "new", "--activate", "--", "x")
    sandbox.ok("scene")
    sandbox.git("add", "-A")
    staged = sandbox.git("diff", "--cached", "--name-only").split()
    assert [re.sub(r"\w{6}\.md", "ID.md", path) for path in staged] == [
        ".cuedeck/.gitattributes",
        ".cuedeck/.gitignore",
        ".cuedeck/cards/ID.md",
        ".cuedeck/config.toml",
        ".cuedeck/workflows/bug-fix.toml",
        ".cuedeck/workflows/feature-development.toml",
    ]


def test_init_is_refused_inside_a_workspace_folder_or_below_a_file(
    sandbox: Sandbox,
) -> None:
    sandbox.write("file", "x")
    assert sandbox.run("init", "file").code == 2
    below = sandbox.run("init", "file/below")
    assert below.code == 1
    assert "a part of the path is a file" in below.err
    for inside in (".cuedeck", ".cuedeck/docs"):
        ran = sandbox.run("init", cwd=sandbox.place(inside))
        assert (ran.code, "inside a .cuedeck/ folder" in ran.err) == (2, True)
    blocked = sandbox.root.parent / "blocked"
    blocked.mkdir()
    (blocked / ".cuedeck").write_text("a file")
    ran = sandbox.run("init", cwd=blocked)
    assert (ran.code, "cannot write" in ran.err) == (1, True)
    assert os.listdir(blocked) == [".cuedeck"]


def test_hint_about_an_ignored_file_works_when_pasted(shop: Sandbox) -> None:
    shop.write(".gitignore", "/a file.md\n")
    shop.write("a file.md", "# Notes\n")
    hint = shop.answer("read", "a file.md", code=1)["error"]["hint"]
    assert "`git check-ignore -v -- 'a file.md'`" in hint


def test_address_with_dots_is_relative_to_the_current_folder(shop: Sandbox) -> None:
    shop.write("sub/k.py", "def inner(): ...\n")
    shop.write("k.py", "def outer(): ...\n")
    sub = shop.place("sub")
    assert "outer" in shop.ok("read", "../k.py", cwd=sub).out
    assert "outer" in shop.ok("read", "../k.py", "-C", str(sub)).out
    assert "inner" in shop.ok("read", "./k.py#inner", cwd=sub).out
    assert "outer" in shop.ok("read", "k.py", cwd=sub).out
    assert "outside the workspace" in shop.run("read", "../../k.py", cwd=sub).err
    assert "outside" not in shop.run("why", "../k.py", cwd=sub).err
    shop.ok("attempt add --on ../k.py --tried a --failed b", cwd=sub)
    (attempt,) = shop.answer("attempt list --on ./../k.py", cwd=sub)["attempts"]
    assert attempt["on"] == ["k.py"]
    shop.ok("decide 'Take it' --affects ./k.py", cwd=sub)
    (decision,) = shop.answer("decision list --affects ./k.py", cwd=sub)["decisions"]
    assert decision["affects"] == ["sub/k.py"]
    path = shop.answer("card new --ref ../k.py -- Two", cwd=sub)["path"]
    assert re.search(r"[-[] ?k\.py", shop.place(path).read_text())
