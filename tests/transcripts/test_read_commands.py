"""Transcripts of commands that read (read, why, open, graph, config, completion), and
of init.
"""

from __future__ import annotations

import json
import os
import re

import pytest
from sandbox import Sandbox, fields

TEMPLATE = (
    ".gitattributes",
    ".gitignore",
    "USER.md",
    "config.toml",
    "workflows/bug-fix.toml",
    "workflows/feature-development.toml",
)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card(
        "aaaaaa",
        "refs: [docs/auth.md]",
        "tags: [web]",
        "assignee: '@Alice'",
        "priority: high",
    )
    sandbox.activate("aaaaaa")
    sandbox.write(
        "docs/auth.md", "# Auth\n\n## Login\n\nSee [[security]].\n\n## Logout\n\nEnd.\n"
    )
    sandbox.write("docs/security.md", "# Security\n\nfar\n")
    sandbox.write("docs/alone.md", "# Alone\n")
    sandbox.write(
        "src/auth.py",
        "class Login:\n    def verify(self):\n        return 1\n\n\nX = 2\n",
    )
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
        ("docs/auth#Auth#Logout", "docs/auth.md#Auth#Logout", "doc", [7, 9]),
        ("src/auth.py#verify", "src/auth.py#Login.verify", "source", [2, 3]),
        ("src/auth.py#L2-L3", "src/auth.py#L2-L3", "source", [2, 3]),
        ("aaa", ".cuedeck/cards/aaaaaa.md", "card", [1, 9]),
        ("src/auth.py:2", "src/auth.py#L2", "source", [2, 2]),
        ("src/auth.py:2-3", "src/auth.py#L2-L3", "source", [2, 3]),
        ("src/auth.py:2:5:", "src/auth.py#L2", "source", [2, 2]),
    ],
)
def test_read_prints_the_content_of_an_address(
    shop: Sandbox, address: str, canonical: str, kind: str, lines: list[int]
) -> None:
    """The read command of the original printed no content."""
    from cuedeck.context.search.read_address import read_address

    answer = read_address(shop.workspace(), address)
    assert list(answer) == ["address", "path", "kind", "lines", "tokens", "text"]
    assert (answer["kind"], answer["lines"]) == (kind, lines)
    assert answer["address"].casefold() == canonical.casefold()
    assert answer["text"]


def test_unknown_address_suggests_known_ones(shop: Sandbox) -> None:
    error = shop.answer("read", "docs/auth.md#Logn", code=1)["error"]
    assert (error["code"], "docs/auth.md#Login" in error["hint"]) == (1001, True)
    shop.write("sub/auth.md", "# Auth\n")
    error = shop.answer("read", "auth", code=1)["error"]
    assert (error["code"], error["candidates"]) == (
        1013,
        ["docs/auth.md", "sub/auth.md"],
    )
    assert "outside the workspace" in shop.run("read", "../x.md").err
    assert shop.run("read", "/etc/passwd").code == 1
    shop.write("-x.md", "dash\n")
    assert shop.ok("read", "--", "-x.md").out == "dash\n"


@pytest.mark.parametrize("command", ["read", "why"])
def test_ignored_file_is_reported_as_ignored(shop: Sandbox, command: str) -> None:
    shop.write(".cuedeckignore", "/private/\n")
    shop.write("private/notes.md", "# Notes\n")
    error = shop.answer(command, "private/notes.md#L1", code=1)["error"]
    assert (error["code"], error["message"]) == (
        1001,
        "`private/notes.md` is not indexed: the ignore rules exclude it",
    )
    assert (
        shop.answer(command, "private/other.md", code=1)["error"]["message"]
        == "not found: `private/other.md`"
    )


@pytest.mark.parametrize(
    ("command", "path", "hint"),
    [
        ("why", ".cuedeck/MEMORY.md", "memory list"),
        ("read", ".cuedeck/experiences.jsonl", "experience list"),
        ("read", ".cuedeck/cache/log.jsonl", "clean --dry-run"),
    ],
)
def test_private_file_is_refused_with_the_command_that_shows_it(
    shop: Sandbox, command: str, path: str, hint: str
) -> None:
    """The hint used to be to remove the file from the ignore rules, which would publish
    private memory.
    """
    shop.ok("memory", "add", "A fact")
    error = shop.answer(command, path, code=1)["error"]
    assert (error["code"], error["hint"]) == (1001, f"see `cuedeck {hint}`")
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
    assert [(step["address"], step["depth"]) for step in answer["chain"]] == [
        (".cuedeck/cards/aaaaaa.md", 0),
        ("docs/auth.md", 1),
        ("docs/security.md", 2),
    ]
    assert (answer["in_scene"], answer["view"]) == (True, "full")
    assert "line 5 of docs/auth.md" in answer["chain"][2]["why"]
    assert "part of docs/auth.md" in shop.ok("why", "docs/auth.md#Login").out
    answer = shop.answer("why", "docs/alone.md", code=1)
    assert (answer["in_scene"], answer["chain"], answer["referred_by"]) == (
        False,
        [],
        [],
    )
    shop.write(".cuedeck/config.toml", "[scene]\ndepth = 1\nrelated = false\n")
    answer = shop.answer("why", "docs/security.md", code=1)
    assert answer["reason"] == "2 links away, and scene.depth is 1"
    assert answer["referred_by"] == [
        {"path": "docs/auth.md", "line": 5, "ref": "security"}
    ]
    assert shop.run("why", "nothing").code == 1


def test_open_lists_matches_in_a_pipe(shop: Sandbox) -> None:
    answer = shop.answer("open", "auth")
    fields(answer, ["schema", "query", "total", "results"])
    assert [each["address"] for each in answer["results"]][:2] == [
        "docs/auth.md",
        "src/auth.py",
    ]
    for each in answer["results"]:
        fields(each, ["address", "kind", "title", "line"])
    assert [
        each["address"] for each in shop.answer("open", "log", "out")["results"]
    ] == ["docs/auth.md#logout"]
    assert shop.ok("open").out.count("docs/") == 3
    for option in (["--tag", "WEB"], ["--assignee", "alice"], ["--priority", "high"]):
        assert [each["kind"] for each in shop.answer("open", *option)["results"]] == [
            "card"
        ]
    assert shop.answer("open", "xyzzy", code=1)["results"] == []
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
    ascii_, mermaid, dot, svg = (
        shop.ok("graph", "--format", form).out
        for form in ("ascii", "mermaid", "dot", "svg")
    )
    for text in (ascii_, mermaid, dot, svg):
        assert "docs/auth.md" in text
        assert "sub/auth.md" in text
    graph = json.loads(shop.ok("graph", "--format", "json").out)
    assert shop.answer("graph") == graph
    shop.ok("graph", "--format", "svg", "--out", "graph.svg")
    assert shop.place("graph.svg").read_text() == svg
    assert "docs/alone.md" not in shop.ok("graph", "--scene").out
    answer = shop.answer("graph", "--stats")
    fields(answer, ["schema", "nodes", "kinds", "edges", "cycles", "alone"])
    assert shop.ok("graph", "--stats").err == "", (
        "the original printed its figures to stderr"
    )


def test_graph_draws_code_on_request(shop: Sandbox) -> None:
    shop.write("docs/auth.md", "# Auth\n\nSee [the code](../src/auth.py).\n")
    for number in range(90):
        shop.write(f"src/user{number}.py", "from auth import Login\n")
    ran = shop.ok("graph")
    assert "imports → ↑ src/auth.py" in ran.out
    assert "more linked sources are not drawn" in ran.err
    assert "src/user" not in shop.ok("graph", "--code", "none").out
    every = shop.answer("graph", "--code", "all")
    fields(every, ["schema", "title", "budget", "tokens", "nodes", "edges", "cycles"])
    assert every["edges"][-1] == {
        "source": "src/user9.py",
        "target": "src/auth.py",
        "edge": "imports",
        "line": 1,
    }
    assert len(shop.answer("graph")["edges"]) < len(every["edges"])
    assert "8 imports, 2 refs" in shop.ok("graph", "--stats").out
    assert shop.run("graph", "--code", "some").code == 2


def test_settings_are_shown_with_their_source(shop: Sandbox) -> None:
    shop.write(".cuedeck/config.toml", "[scene]\nbudget = 5000\nrelated = true\n")
    rows = {
        row["key"]: row
        for row in shop.answer("config", "show", environ={"CUEDECK_SCENE__DEPTH": "2"})[
            "settings"
        ]
    }
    for row in rows.values():
        fields(row, ["key", "value", "source", "default", "doc"])
    assert (rows["scene.budget"]["value"], rows["scene.budget"]["source"]) == (
        5_000,
        ".cuedeck/config.toml",
    )
    assert (rows["scene.depth"]["value"], rows["scene.depth"]["source"]) == (
        2,
        "CUEDECK_SCENE__DEPTH",
    )
    assert (rows["scene.related"]["source"], rows["scene.encoding"]["source"]) == (
        ".cuedeck/config.toml",
        "default",
    )
    assert "scene.budget" in shop.ok("config", "show").out
    assert shop.answer("config", "check") == {
        "schema": 1,
        "path": ".cuedeck/config.toml",
        "valid": True,
        "findings": [],
    }
    shop.write(".cuedeck/config.toml", "[scene]\nbuget = 5000\n")
    (finding,) = shop.answer("config", "check", code=1)["findings"]
    assert (finding["line"], "scene.budget" in finding["hint"]) == (2, True)
    shop.write(".cuedeck/config.toml", "[scene]\nbudget = '5000'\n")
    assert shop.run("config", "check").code == 4
    assert shop.run("config", "show", environ={"CUEDECK_SCENE__BUGET": "1"}).code == 4


INVALID_SETTINGS = """\
[scene]
budget = "5000"
depth = 99
related = true
[secrets]
patterns = ["pin: (?<=x)y", "no expression:"]
[memory]
archive = "../old.md"
[[profile]]
id = "A B"
root = "a"
[[profile]]
id = "own"
root = "../b"
[dream]
schedule = "0 25 * * *"
"""
INVALID_KEYS = (
    (2, "scene.budget"), (3, "scene.depth"), (6, "secrets.patterns"), (6, "secrets.patterns"), (8, "memory.archive"),
    (9, "profile"), (9, "profile"), (0, "CUEDECK_SCENE__BUDGET"), (0, "dream.schedule"),
)  # fmt: skip


# --- init


def test_init_creates_missing_files_and_keeps_existing_ones(sandbox: Sandbox) -> None:
    """It creates every folder that a scene reads, and ignores the real cache folder."""
    folder = sandbox.root.parent / "new"
    made = sandbox.answer("init", "new", cwd=sandbox.root.parent)
    fields(
        made,
        [
            "schema",
            "root",
            "created",
            "kept",
            "replaced",
            "extended",
            "excluded_by",
            "exclude_added",
        ],
    )
    assert set(made["created"]) == {
        f".cuedeck/{name}" for name in ("cards/", "docs/", *TEMPLATE)
    }
    assert "cache/" in (folder / ".cuedeck/.gitignore").read_text()
    assert sandbox.run("config", "check", cwd=folder).code == 0
    again = sandbox.answer("init", cwd=folder)
    assert (again["created"], again["kept"]) == (
        [],
        [f".cuedeck/{name}" for name in TEMPLATE],
    )
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


def test_init_changes_no_card(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa")
    sandbox.write("docs/a.md", "# A\n")
    before = sandbox.bytes()
    sandbox.ok("init", "--force")
    assert {
        path: data for path, data in sandbox.bytes().items() if path in before
    } == before


def test_init_stealth_uses_the_exclude_file(sandbox: Sandbox) -> None:
    folder = sandbox.root / "repo"
    folder.mkdir()
    ran = sandbox.run("init", "--stealth", cwd=folder)
    assert (ran.code, "git init" in ran.err) == (2, True)
    assert list(folder.iterdir()) == [], "nothing is made when it cannot be hidden"
    sandbox.git("init", "-q", cwd=folder)
    exclude = folder / ".git/info/exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_bytes(b"caf\xe9\r\n*.tmp")
    answer = sandbox.answer("init", "--stealth", cwd=folder)
    assert (answer["excluded_by"], answer["exclude_added"]) == (str(exclude), True)
    assert exclude.read_bytes() == b"caf\xe9\r\n*.tmp\n.cuedeck/\n"
    assert (
        f"kept     .cuedeck/ in {exclude}\n"
        in sandbox.ok("init", "--stealth", cwd=folder).out
    )
    exclude.write_bytes(b"")
    assert (
        f"ignored  .cuedeck/ in {exclude}\n"
        in sandbox.ok("init", "--stealth", cwd=folder).out
    )
    assert exclude.read_bytes().count(b".cuedeck/") == 1
    assert sandbox.git("status", "--porcelain", cwd=folder) == ""
    assert not (folder / ".gitignore").exists()


def test_init_works_in_a_linked_worktree(sandbox: Sandbox) -> None:
    main = sandbox.root / "main"
    main.mkdir()
    sandbox.git("init", "-q", cwd=main)
    sandbox.git("commit", "-q", "--allow-empty", "-m", "x", cwd=main)
    sandbox.git("worktree", "add", "-q", "../tree", cwd=main)
    tree = sandbox.root / "tree"
    sandbox.ok("init", "--stealth", cwd=tree)
    assert sandbox.git("status", "--porcelain", cwd=tree) == ""
    sandbox.ok("card", "new", "--activate", "--", "In a worktree", cwd=tree)
    sandbox.ok("scene", cwd=tree)
    assert sandbox.git("status", "--porcelain", cwd=tree) == ""


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
    shop.ok(
        "attempt", "add", "--on", "../k.py", "--tried", "a", "--failed", "b", cwd=sub
    )
    assert shop.answer("attempt", "list", "--on", "./../k.py", cwd=sub)["attempts"][0][
        "on"
    ] == ["k.py"]
    shop.ok("decide", "Take it", "--affects", "./k.py", cwd=sub)
    assert shop.answer("decision", "list", "--affects", "./k.py", cwd=sub)["decisions"][
        0
    ]["affects"] == ["sub/k.py"]
    path = shop.answer("card", "new", "--ref", "../k.py", "--", "Two", cwd=sub)["path"]
    assert (
        "- k.py" in shop.place(path).read_text()
        or "[k.py]" in shop.place(path).read_text()
    )
