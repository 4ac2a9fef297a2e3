"""Own entries put into the files of a workspace, and taken out of them."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.agents.hosts import all_hosts
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup import connect, disconnect, examine, require_host
from cuedeck.agents.setup.file_change import Change, write_all
from cuedeck.agents.setup.host_targets import targets_of
from cuedeck.model.errors import Invalid, StorageError, UsageError
from cuedeck.store.files.private_folder import private_name

NAMES = tuple(host.name for host in all_hosts())
FILES = {
    "claude": [".claude/settings.json", "CLAUDE.md"],
    "codex": [".codex/hooks.json", "AGENTS.md"],
    "copilot": [".github/hooks/cuedeck.json", "AGENTS.md"],
    "cursor": [".cursor/hooks.json", "AGENTS.md", ".cursor/rules/cuedeck.mdc"],
    "gemini": [".gemini/settings.json", "GEMINI.md"],
    "qwen": [".qwen/settings.json", "AGENTS.md"],
    "vscode": [".github/hooks/cuedeck.json", "AGENTS.md"],
    "opencode": [".opencode/plugin/cuedeck.js", "AGENTS.md"],
    "agents": ["AGENTS.md"],
}
LOCAL = {
    "claude": [".claude/settings.local.json", "~/.claude.json"],
    "codex": [".codex/hooks.json", ".codex/config.toml"],
    "copilot": [".github/hooks/cuedeck.json", ".mcp.json"],
    "cursor": [".cursor/hooks.json", ".cursor/mcp.json", ".cursor/rules/cuedeck.mdc"],
    "gemini": [".gemini/settings.json"],
    "qwen": [".qwen/settings.json"],
    "vscode": [".github/hooks/cuedeck.json", ".vscode/mcp.json"],
    "opencode": [".opencode/plugin/cuedeck.js", "opencode.json"],
}
USER = {
    "claude": ["~/.claude/settings.json", "~/.claude.json"],
    "codex": ["~/.codex/hooks.json", "~/.codex/config.toml"],
    "copilot": ["~/.copilot/hooks/cuedeck.json", "~/.copilot/mcp-config.json"],
    "cursor": ["~/.cursor/hooks.json", "~/.cursor/mcp.json"],
    "gemini": ["~/.gemini/settings.json"],
    "qwen": ["~/.qwen/settings.json"],
    "vscode": ["~/.copilot/hooks/cuedeck.json", "~/.config/Code/User/mcp.json"],
    "opencode": [
        "~/.config/opencode/plugin/cuedeck.js",
        "~/.config/opencode/opencode.json",
    ],
}
FORMS: dict[Form, dict[str, list[str]]] = {
    "project": FILES,
    "local": LOCAL,
    "user": USER,
}
CASES = [(form, host) for form, hosts in FORMS.items() for host in hosts]
JSON = b'\xef\xbb\xbf{\r\n\t// mine\r\n\t"z": "\xc3\xa9",\r\n\t"a": [1, 2],\r\n}'
TOML = b'# mine\r\n[a]\r\nb = """\r\n[c]\r\n"""'
TEXT = b"# Rules\r\n\r\nBe kind."


def put(sandbox: Sandbox, host: str, **options: Any) -> dict[str, str]:
    answer = connect(sandbox.workspace(), require_host(host), **options)
    return {each["path"]: each["state"] for each in answer["files"]}


def take(sandbox: Sandbox, host: str, **options: Any) -> dict[str, str]:
    answer = disconnect(sandbox.workspace().paths, require_host(host), **options)
    return {each["path"]: each["state"] for each in answer["files"]}


def state_file(sandbox: Sandbox) -> Path:
    return sandbox.place(
        f".cuedeck/cache/backup/{private_name(str(sandbox.root))}/setup.json"
    )


def forget(sandbox: Sandbox) -> None:
    state_file(sandbox).unlink()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder without any file."""
    folder = tmp_path / "empty-home"
    folder.mkdir()
    state = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    monkeypatch.setenv("HOME", str(folder))
    return folder


def shared_with_people(files: list[str]) -> list[str]:
    """Return the files that may have other content than that of set-up."""
    return [path for path in files if not path.endswith(".js")]


def states(answer: dict[str, str], files: list[str]) -> dict[str, str]:
    return {path: answer[path] for path in files}


def place_in(sandbox: Sandbox, home: Path, path: str) -> Path:
    if path.startswith("~/"):
        return home / path.removeprefix("~/")
    return sandbox.place(path)


def names(sandbox: Sandbox) -> set[str]:
    return {
        path.relative_to(sandbox.root).as_posix() for path in sandbox.root.rglob("*")
    } - {".cuedeck", ".cuedeck/cache"}


@pytest.mark.parametrize(("form", "host"), CASES)
def test_files_and_folders_that_were_made_go_again(
    sandbox: Sandbox, home: Path, form: Form, host: str
) -> None:
    before = {name for name in names(sandbox) if not name.startswith(".cuedeck/cache")}
    files = FORMS[form][host]
    assert put(sandbox, host, form=form) == dict.fromkeys(files, "created")
    assert put(sandbox, host, form=form) == dict.fromkeys(files, "unchanged")
    assert examine(sandbox.workspace(), require_host(host))["forms"] == [form]
    removed = None if form == "project" else form
    assert take(sandbox, host, form=removed) == dict.fromkeys(files, "deleted")
    assert {
        name for name in names(sandbox) if not name.startswith(".cuedeck/cache")
    } == before
    assert not list(home.iterdir())
    assert take(sandbox, host, form=removed) == dict.fromkeys(files, "absent")


@pytest.mark.parametrize(("form", "host"), CASES)
def test_old_bytes_come_back(
    sandbox: Sandbox, home: Path, form: Form, host: str
) -> None:
    files = shared_with_people(FORMS[form][host])
    for path in files:
        place_in(sandbox, home, path).parent.mkdir(parents=True, exist_ok=True)
        place_in(sandbox, home, path).write_bytes(
            JSON if path.endswith(".json") else TOML if path.endswith(".toml") else TEXT
        )

    def contents() -> dict[str, bytes]:
        return {path: place_in(sandbox, home, path).read_bytes() for path in files}

    before = contents()
    added = put(sandbox, host, form=form)
    assert states(added, files) == dict.fromkeys(files, "added")
    once = contents()
    again = put(sandbox, host, form=form)
    assert states(again, files) == dict.fromkeys(files, "unchanged")
    assert contents() == once
    for path in files:
        assert all(
            line in once[path].splitlines() or b'"a"' in line
            for line in before[path].splitlines()
        )
        assert b"\n" not in once[path].replace(b"\r\n", b"")
    removed = None if form == "project" else form
    # Other forms may have entries in a file of the user, so its bytes are not restored.
    taken = states(take(sandbox, host, form=removed), files)
    assert taken == {
        path: "removed" if path.startswith("~") else "restored" for path in files
    }
    if host == "cursor" and form == "user":  # `version` stays
        before.pop("~/.cursor/hooks.json")
    for path, data in before.items():
        assert contents()[path].rstrip() == data.rstrip()


@pytest.mark.parametrize("host", NAMES)
def test_without_a_state_only_own_entries_are_removed(
    sandbox: Sandbox, host: str
) -> None:
    files = shared_with_people(FILES[host])
    for path in files:
        sandbox.write(
            path,
            JSON
            if path.endswith(".json")
            else TOML
            if path.endswith(".toml")
            else TEXT,
        )
    before = {
        path: data if path.endswith(".json") else data + b"\r\n"
        for path, data in sandbox.bytes().items()
    }
    put(sandbox, host)
    forget(sandbox)
    taken = take(sandbox, host)
    assert states(taken, files) == dict.fromkeys(files, "removed")
    after = sandbox.bytes()
    if host == "cursor":
        assert b'"version": 1' in after.pop(".cursor/hooks.json")
        before.pop(".cursor/hooks.json")
    assert after == before


def test_edits_between_are_kept(sandbox: Sandbox) -> None:
    sandbox.write(".claude/settings.json", "{}")
    sandbox.write("CLAUDE.md", "# Rules\n")
    put(sandbox, "claude")
    settings = sandbox.place(".claude/settings.json")
    settings.write_text(
        settings.read_text().replace(
            '"hooks": {', '"model": "x", // mine\n  "hooks": {', 1
        )
    )
    block = sandbox.place("CLAUDE.md")
    block.write_text("Above.\n" + block.read_text() + "Below.\n")
    put(sandbox, "copilot", form="local")
    server = sandbox.place(".mcp.json")
    server.write_text(
        server.read_text().replace(
            '"mcpServers": {', '"mcpServers": {\n    "mine": {},'
        )
    )
    assert take(sandbox, "copilot")[".mcp.json"] == "removed"
    assert take(sandbox, "claude") == {
        ".claude/settings.json": "removed",
        "CLAUDE.md": "removed",
    }
    assert settings.read_text() == '{\n  "model": "x" // mine\n}'
    assert block.read_text() == "Above.\n# Rules\n\nBelow.\n"
    assert json.loads(server.read_text()) == {"mcpServers": {"mine": {}}}


def test_a_made_file_that_holds_nothing_else_goes_even_when_it_was_edited(
    sandbox: Sandbox,
) -> None:
    put(sandbox, "cursor")
    hooks = sandbox.place(".cursor/hooks.json")
    hooks.write_text(hooks.read_text().replace(": 10", ": 20"))
    assert take(sandbox, "cursor")[".cursor/hooks.json"] == "deleted"
    assert not sandbox.place(".cursor").exists()


def test_a_file_of_unknown_origin_stays_when_nothing_is_left_in_it(
    sandbox: Sandbox,
) -> None:
    put(sandbox, "claude")
    forget(sandbox)
    assert set(take(sandbox, "claude").values()) == {"emptied"}
    assert sandbox.place(".claude/settings.json").read_text() == "{}\n"
    assert sandbox.place("CLAUDE.md").read_text() == ""


def test_entries_of_an_older_version_are_replaced(sandbox: Sandbox) -> None:
    sandbox.write(
        ".mcp.json",
        '{"mcpServers": {"cuedeck": {"command": "cuedeck", "args": ["mcp", "-C", "/old"]}}}',
    )
    sandbox.write(
        "AGENTS.md", "<!-- BEGIN CUEDECK v:0 -->\nold\n<!-- END CUEDECK -->\nmine\n"
    )
    put(sandbox, "copilot", form="local")
    assert json.loads(sandbox.place(".mcp.json").read_text())["mcpServers"]["cuedeck"][
        "args"
    ] == ["mcp"]
    assert put(sandbox, "copilot")["AGENTS.md"] == "replaced"
    assert set(put(sandbox, "copilot").values()) == {"unchanged"}
    take(sandbox, "copilot")
    assert sandbox.place("AGENTS.md").read_text() == "mine\n"
    assert sandbox.place(".mcp.json").read_text() == "{}"


def test_a_damaged_entry_in_an_untouched_place_is_put_right_and_still_undone(
    sandbox: Sandbox,
) -> None:
    sandbox.write(".mcp.json", JSON)
    put(sandbox, "copilot", form="local")
    place = sandbox.place(".mcp.json")
    place.write_bytes(place.read_bytes().replace(b'"mcp"', b'"mcp", "-C", "/old"'))
    assert put(sandbox, "copilot", form="local")[".mcp.json"] == "replaced"
    assert b"/old" not in place.read_bytes()
    assert take(sandbox, "copilot")[".mcp.json"] == "restored"
    assert place.read_bytes() == JSON


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        (
            ".claude/settings.json",
            b'{\n"a": }',
            ".claude/settings.json: line 2: not valid JSON: ",
        ),
        (
            ".claude/settings.json",
            b"{\n\xff}",
            ".claude/settings.json: line 2: the file is not UTF-8 text",
        ),
        (
            "CLAUDE.md",
            b"\n<!-- BEGIN CUEDECK v:1 -->\n",
            "CLAUDE.md: line 2: the block of CueDeck is not closed",
        ),
    ],
)
def test_a_broken_file_is_refused_and_nothing_is_written(
    sandbox: Sandbox, path: str, content: bytes, message: str
) -> None:
    sandbox.write(".claude/settings.json", "{}")
    sandbox.write(path, content)
    before = sandbox.bytes()
    with pytest.raises(Invalid) as error:
        put(sandbox, "claude")
    answer = error.value
    assert answer.message.startswith(message)
    assert answer.message == f"{path}: line {answer.line}: {answer.problem}"
    assert sandbox.bytes() == before


def test_a_dry_run_shows_each_change_and_writes_nothing(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# Rules")
    before = names(sandbox)
    answer = connect(sandbox.workspace(), require_host("codex"), dry_run=True)
    local = connect(sandbox.workspace(), require_host("codex"), "local", dry_run=True)
    assert names(sandbox) == before
    rows = [*answer["files"], *local["files"]]
    diffs = {each["path"]: each["diff"] for each in rows}
    assert diffs[".codex/config.toml"] == (
        '--- /dev/null\n+++ .codex/config.toml\n@@ -0,0 +1,3 @@\n+[mcp_servers.cuedeck]\n+command = "cuedeck"\n'
        '+args = ["mcp"]\n'
    )
    assert diffs["AGENTS.md"].startswith("--- AGENTS.md\n+++ AGENTS.md\n@@ -1 +1,")
    assert "-# Rules\n\\ No newline at end of file\n+# Rules\n" in diffs["AGENTS.md"]
    put(sandbox, "codex")
    removal = disconnect(sandbox.workspace().paths, require_host("codex"), dry_run=True)
    assert "+++ /dev/null\n" in removal["files"][0]["diff"]
    assert sandbox.place(".codex/hooks.json").exists()


def test_a_shared_file_keeps_the_block_while_another_host_reads_it(
    sandbox: Sandbox,
) -> None:
    sandbox.write("AGENTS.md", TEXT)
    put(sandbox, "codex")
    assert put(sandbox, "cursor")["AGENTS.md"] == "unchanged"
    assert take(sandbox, "codex")["AGENTS.md"] == "kept"
    assert take(sandbox, "cursor")["AGENTS.md"] == "restored"
    assert sandbox.place("AGENTS.md").read_bytes() == TEXT


def test_a_link_inside_is_followed_and_its_target_written_once(
    sandbox: Sandbox,
) -> None:
    sandbox.write("AGENTS.md", "# Rules\n")
    os.symlink("AGENTS.md", sandbox.place("CLAUDE.md"))
    assert put(sandbox, "claude")["AGENTS.md"] == "added"
    assert put(sandbox, "codex")["AGENTS.md"] == "unchanged"
    assert sandbox.place("CLAUDE.md").is_symlink()
    assert sandbox.place("AGENTS.md").read_text().count("BEGIN CUEDECK") == 1
    assert take(sandbox, "claude")["AGENTS.md"] == "kept"
    assert take(sandbox, "codex")["AGENTS.md"] == "restored"


@pytest.mark.parametrize("target", ["../outside.md", "nowhere.md"])
def test_a_link_that_leaves_or_leads_nowhere_is_refused(
    sandbox: Sandbox, target: str
) -> None:
    outside = sandbox.root.parent / "outside.md"
    outside.write_text("theirs")
    os.symlink(target, sandbox.place("CLAUDE.md"))
    before = names(sandbox)
    with pytest.raises(Invalid, match=r"CLAUDE\.md is a symbolic link that le"):
        put(sandbox, "claude")
    assert outside.read_text() == "theirs"
    assert names(sandbox) - {".cuedeck/cache/files.lock"} == before


def test_gemini_reads_the_instruction_files_in_its_settings(sandbox: Sandbox) -> None:
    sandbox.write(
        ".gemini/settings.json", '{"context": {"fileName": ["AGENTS.md", "X.md"]}}'
    )
    assert put(sandbox, "gemini") == {
        ".gemini/settings.json": "added",
        "AGENTS.md": "created",
    }
    take(sandbox, "gemini")
    sandbox.write(
        ".gemini/settings.json", '{"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}}'
    )
    assert "GEMINI.md" in put(sandbox, "gemini")


def test_the_state_contains_no_text_of_the_files(sandbox: Sandbox) -> None:
    sandbox.write(
        ".mcp.json", '{"mcpServers": {"x": {"env": {"TOKEN": "very-private-text"}}}}'
    )
    put(sandbox, "copilot", form="local")
    kept = state_file(sandbox).read_text()
    assert "very-private-text" not in kept


def test_the_state_may_be_broken(sandbox: Sandbox) -> None:
    put(sandbox, "codex")
    state_file(sandbox).write_text('{"files": {"AGENTS.md": 3}}')
    assert take(sandbox, "codex")["AGENTS.md"] == "emptied"


def test_a_state_that_came_with_the_repository_changes_nothing(
    sandbox: Sandbox,
) -> None:
    rules = sandbox.write("AGENTS.md", "Be kind.\n")
    put(sandbox, "agents")
    state = json.loads(state_file(sandbox).read_text())
    state["files"]["AGENTS.md"] |= {
        "after": hashlib.sha256(rules.read_bytes()).hexdigest(),
        "created": True,
    }
    state_file(sandbox).unlink()
    for folder in ("backup", f"backup/{'0' * 32}"):
        sandbox.write(f".cuedeck/cache/{folder}/setup.json", json.dumps(state))
    assert take(sandbox, "agents") == {"AGENTS.md": "removed"}
    assert rules.read_text() == "Be kind.\n"


def test_a_file_changed_by_another_process_is_not_overwritten(sandbox: Sandbox) -> None:
    sandbox.write(".mcp.json", "{}")
    sandbox.write("CLAUDE.md", "mine\n")
    first, second = targets_of(
        require_host("copilot"), sandbox.workspace().paths, "local"
    )
    changes = [
        Change(first, None, b"{}", "created", None),
        Change(second, b"{ }", b"{}", "added", None),
    ]
    with pytest.raises(
        StorageError, match=r"another program changed .*\.mcp\.json"
    ) as error:
        write_all(sandbox.workspace().paths, changes)
    assert "nothing was changed" in error.value.hint
    assert sandbox.place(".mcp.json").read_text() == "{}"
    assert not sandbox.place(".github").exists()


def test_permissions_of_a_file_stay(sandbox: Sandbox) -> None:
    sandbox.write(".mcp.json", "{}").chmod(0o600)
    put(sandbox, "copilot", form="local")
    assert sandbox.place(".mcp.json").stat().st_mode & 0o777 == 0o600


THEIR_TOML = """[mcp_servers.cuedeck]
command="/opt/other"
args=["z"] # mine

[x]
y=1"""
THEIR_JSON = """{
  // mine
  "mcpServers": {"cuedeck": {"env": {"A": "1"}, "command": "/opt/other", "args": ["z"], "timeout": 9}},
  "x": 1
}"""


@pytest.mark.parametrize(
    ("host", "path", "before"),
    [
        ("codex", ".codex/config.toml", THEIR_TOML),
        ("copilot", ".mcp.json", THEIR_JSON),
        ("gemini", ".gemini/settings.json", THEIR_JSON),
    ],
)
def test_a_server_of_a_person_with_the_same_name_stays_and_is_reported(
    sandbox: Sandbox, host: str, path: str, before: str
) -> None:
    place = sandbox.write(path, before)
    connect(sandbox.workspace(), require_host(host), "local")
    assert before.splitlines()[2] in place.read_text()
    found = examine(sandbox.workspace(), require_host(host), "local")["findings"]
    reported = [each["message"] for each in found if each["code"] == "other-program"]
    assert reported == ["the server `cuedeck` starts another program: /opt/other"]
    take(sandbox, host)
    assert place.read_text() == before


HOOKS = """{
  "hooks": {
    "Stop": [{"hooks": [{"command": "uvx cuedeck hook stop && echo done"}, {"command": "b"}]}]
  }
}
"""


def test_a_hook_of_a_person_stays_and_survives_edits_and_removal(
    sandbox: Sandbox,
) -> None:
    place = sandbox.write(".claude/settings.json", HOOKS)
    put(sandbox, "claude")
    hooks = json.loads(place.read_text())["hooks"]
    assert hooks["Stop"] == json.loads(HOOKS)["hooks"]["Stop"]
    assert len(hooks) == 7
    place.write_text(place.read_text() + "\n")
    take(sandbox, "claude")
    assert place.read_text() == HOOKS + "\n"


def test_a_broken_file_keeps_no_other_from_being_let_go(sandbox: Sandbox) -> None:
    put(sandbox, "copilot")
    sandbox.write(".mcp.json", "{\n")
    sandbox.place("AGENTS.md").unlink()
    os.symlink("/", sandbox.place("AGENTS.md"))
    answer = disconnect(sandbox.workspace().paths, require_host("copilot"))
    assert {each["path"]: each["state"] for each in answer["files"]} == {
        ".github/hooks/cuedeck.json": "deleted",
        ".mcp.json": "failed",
        "AGENTS.md": "failed",
    }
    assert [
        (each["level"], each["code"], each["path"], each["line"])
        for each in answer["findings"]
    ] == [
        ("error", "broken-file", ".mcp.json", 2),
        ("error", "broken-file", "AGENTS.md", 0),
    ]
    assert sandbox.place(".mcp.json").read_text() == "{\n"
    sandbox.write(".mcp.json", "")
    assert ".mcp.json" not in take(sandbox, "copilot")


def test_a_pipe_in_the_place_of_a_file_is_refused_before_anything_is_written(
    sandbox: Sandbox,
) -> None:
    os.mkfifo(sandbox.place("CLAUDE.md"))
    before = names(sandbox)
    with pytest.raises(
        StorageError, match=r"CLAUDE\.md is not a regular file"
    ) as error:
        put(sandbox, "claude")
    assert "nothing was changed" in error.value.hint
    assert names(sandbox) - {".cuedeck/cache/files.lock"} == before


def test_a_folder_that_cannot_be_created_leaves_no_other(sandbox: Sandbox) -> None:
    sandbox.write(".cursor/rules", "a file")
    before = names(sandbox)
    with pytest.raises(StorageError) as error:
        put(sandbox, "cursor")
    assert "nothing was changed" in error.value.hint
    assert names(sandbox) - {".cuedeck/cache/files.lock"} == before


def test_text_added_after_a_last_line_without_newline_is_on_its_own_line(
    sandbox: Sandbox,
) -> None:
    place = sandbox.write("CLAUDE.md", "# Hi")
    put(sandbox, "claude")
    with place.open("a") as file:
        file.write("- new rule\n")
    assert put(sandbox, "claude")["CLAUDE.md"] == "unchanged"
    take(sandbox, "claude")
    assert place.read_text() == "# Hi\n\n- new rule\n"


def test_cursor_gets_a_rule_with_the_scene_and_keeps_added_text(
    sandbox: Sandbox,
) -> None:
    put(sandbox, "cursor")
    place = sandbox.place(".cursor/rules/cuedeck.mdc")
    head, _, rest = place.read_text().partition("\n<!-- BEGIN")
    assert head.splitlines() == [
        "---",
        "description: Context of this project (CueDeck)",
        "alwaysApply: true",
        "---",
    ]
    assert "\n@.cuedeck/SCENE.md\n" in rest
    place.write_text(place.read_text() + "Mine.\n")
    assert take(sandbox, "cursor")[".cursor/rules/cuedeck.mdc"] == "removed"
    assert place.read_text() == f"{head}\nMine.\n"


RULES = [
    f"mcp__cuedeck__{name}"
    for name in ("scene", "read", "find", "recall", "experiences", "doctor")
]


@pytest.mark.parametrize(
    "before",
    [
        None,
        b'{"permissions": {"allow": ["Bash(ls)"]}}',
        b'{\n  "permissions": {"allow": ["mcp__cuedeck__scene"]}\n}\n',
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_tools_are_allowed_when_asked_for_and_until_the_removal(
    sandbox: Sandbox, before: bytes | None, is_first: bool
) -> None:
    place = sandbox.place(".claude/settings.json")
    if before is not None:
        sandbox.write(".claude/settings.json", before.decode())
    if not is_first:
        put(sandbox, "claude")
        assert RULES[1] not in place.read_text()
    answer = connect(sandbox.workspace(), require_host("claude"), allow_tools=True)
    assert "replaced-entry" not in {each["code"] for each in answer["findings"]}
    message = json.loads(place.read_text())["permissions"]["allow"]
    assert sorted(each for each in message if "cuedeck" in each) == sorted(RULES)
    once = place.read_bytes()
    assert put(sandbox, "claude")[".claude/settings.json"] == "unchanged"  # they stay
    assert (
        put(sandbox, "claude", allow_tools=True)[".claude/settings.json"] == "unchanged"
    )
    assert place.read_bytes() == once
    assert "stale" not in [
        each["state"]
        for each in examine(sandbox.workspace(), require_host("claude"))["files"]
    ]
    take(sandbox, "claude")
    assert (place.read_bytes() if place.exists() else None) == before


def test_rules_are_removed_from_an_edited_file(sandbox: Sandbox) -> None:
    place = sandbox.write(
        ".claude/settings.json", '{"permissions": {"allow": ["Bash(ls)"]}}'
    )
    put(sandbox, "claude", allow_tools=True)
    value = json.loads(place.read_text())
    value["permissions"]["allow"].remove("mcp__cuedeck__read")
    value["permissions"]["allow"].append("Bash(pwd)")
    place.write_text(json.dumps(value))
    put(sandbox, "claude")
    assert "mcp__cuedeck__read" not in place.read_text()  # a person took it out
    take(sandbox, "claude")
    assert json.loads(place.read_text())["permissions"] == {
        "allow": ["Bash(ls)", "Bash(pwd)"]
    }


@pytest.mark.parametrize("host", [name for name in NAMES if name != "claude"])
def test_a_host_without_tool_settings_gets_a_hint(sandbox: Sandbox, host: str) -> None:
    with pytest.raises(UsageError) as error:
        put(sandbox, host, allow_tools=True)
    assert error.value.hint


@pytest.mark.parametrize("first", [True, False])
def test_a_block_of_agents_stays_until_it_is_removed_for_agents(
    sandbox: Sandbox, first: bool
) -> None:
    """`setup agents` left no trace outside the block, so `setup codex --remove` took
    the block away.
    """
    sandbox.write("AGENTS.md", TEXT)
    for host in ("agents", "codex") if first else ("codex", "agents"):
        put(sandbox, host)
    assert take(sandbox, "codex")["AGENTS.md"] == "kept"
    assert b"BEGIN CUEDECK" in sandbox.place("AGENTS.md").read_bytes()
    assert put(sandbox, "agents") == {"AGENTS.md": "unchanged"}
    assert take(sandbox, "agents") == {"AGENTS.md": "restored"}
    assert sandbox.place("AGENTS.md").read_bytes() == TEXT
    put(sandbox, "codex")
    assert take(sandbox, "codex")["AGENTS.md"] == "restored"


def test_the_documentation_lists_each_host_with_its_files() -> None:
    page = (Path(__file__).parents[4] / "docs/agents.md").read_text("utf-8")
    for host, files in FILES.items():
        committed, own = [
            line for line in page.splitlines() if line.startswith(f"| `{host}` |")
        ]
        assert all(f"`{path}`" in committed for path in files)
        for path in (*LOCAL.get(host, ()), *USER.get(host, ())):
            assert f"`{path}`" in own or path.endswith("Code/User/mcp.json")
