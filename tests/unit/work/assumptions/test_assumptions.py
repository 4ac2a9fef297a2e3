"""Assumptions of a workspace: read, checked, written down."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.engine.workspace import Workspace
from cuedeck.ledger.kinds.assumption_kind import read_assumptions
from cuedeck.model.assumption import Assumption, Verdict
from cuedeck.model.errors import Ambiguous, Invalid, NotFound, Stale, TooLong
from cuedeck.work.assumptions.assumption_commands import (
    NewAssumption,
    add_new,
    check_assumptions,
    list_assumptions,
    resolve_assumption,
)
from cuedeck.work.assumptions.check_assumptions import (
    diagnostics,
    evaluate,
    failing,
    judge_all,
    state_of,
)

FILE = ".cuedeck/assumptions.toml"
JOURNAL = ".cuedeck/assumptions.jsonl"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
AUTH = """\
[[assumption]]
id = "api-is-rest"
text = "The API is REST"
impact = "the auth implementation"
check = {not_contains = {path = "src/api.py", text = "GraphQL"}}

[[assumption]]
id = "uses-react"
text = "The project uses React"
check = {dependency = "react"}

[[assumption]]
id = "team-is-small"
text = "Three people work on it"
"""


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """Three assumptions: two that hold, one that no machine can check."""
    sandbox.write(FILE, AUTH)
    sandbox.write("src/api.py", "# REST\n")
    sandbox.write("package.json", '{"dependencies": {"react": "18"}}\n')
    return sandbox


def opened(sandbox: Sandbox) -> Workspace:
    workspace = sandbox.workspace()
    workspace.refresh()
    return workspace


def journal(sandbox: Sandbox) -> list[tuple[str, str, str]]:
    place = sandbox.place(JOURNAL)
    rows = (
        [json.loads(line) for line in place.read_text().splitlines()]
        if place.exists()
        else []
    )
    assert all(list(row) == ["id", "timestamp", "status", "evidence"] for row in rows)
    return [(row["id"], row["status"], row["evidence"]) for row in rows]


def verdicts(workspace: Workspace) -> Sequence[tuple[Assumption, Verdict]]:
    found = read_assumptions(workspace.paths)
    judged = judge_all(workspace, found.items)
    return [(each.assumption, each.verdict) for each in judged]


def failed(sandbox: Sandbox) -> Sequence[str]:
    return [each.message for each in failing(opened(sandbox))]


GRAPHQL = '⚠️ "Assumption changed: Found `GraphQL` (src/api.py:1). This may affect the auth implementation."'


def test_verdicts_come_in_the_order_of_the_file_and_write_nothing(
    shop: Sandbox,
) -> None:
    shop.write("src/api.py", "# GraphQL\n")
    workspace = opened(shop)
    before = shop.bytes()
    assert [(one.id, two.holds, two.where) for one, two in verdicts(workspace)] == [
        ("api-is-rest", False, "src/api.py:1"),
        ("uses-react", True, "package.json:1"),
    ]
    assert [each.message for each in failing(workspace)] == [GRAPHQL]
    assert not diagnostics(workspace)
    assert shop.bytes() == before


def test_a_change_is_written_once_and_taken_back(shop: Sandbox) -> None:
    assert evaluate(opened(shop)).changed == ()
    assert not shop.place(JOURNAL).exists()
    shop.write("src/api.py", "# GraphQL\n")
    found = evaluate(opened(shop))
    assert found.changed == ("api-is-rest",)
    assert [each.assumption.id for each in found.failing] == ["api-is-rest"]
    assert evaluate(opened(shop)).changed == ()
    shop.write("src/api.py", "# REST\n")
    assert evaluate(opened(shop)).changed == ("api-is-rest",)
    assert journal(shop) == [
        ("api-is-rest", "invalidated", "Found `GraphQL` (src/api.py:1)"),
        ("api-is-rest", "active", "Not found: `GraphQL` in src/api.py"),
    ]


def test_a_resolved_assumption_is_reported_again_after_it_held(shop: Sandbox) -> None:
    shop.write("src/api.py", "# GraphQL\n")
    answer = resolve_assumption(shop.workspace(), "api", "The client speaks both")
    assert answer == {"id": "api-is-rest", "status": "resolved", "changed": True}
    assert not resolve_assumption(shop.workspace(), "api-is-rest")["changed"]
    assert failed(shop) == []
    found = evaluate(opened(shop))
    assert (found.changed, found.failing, found.status("api-is-rest")) == (
        (),
        (),
        "resolved",
    )
    shop.write("src/api.py", "# REST\n")
    evaluate(opened(shop))
    shop.write("src/api.py", "# GraphQL\n")
    evaluate(opened(shop))
    assert failed(shop) == [GRAPHQL]
    assert [each[1] for each in journal(shop)] == ["resolved", "active", "invalidated"]
    assert journal(shop)[0][2] == "The client speaks both"


def test_only_failing_or_uncheckable_assumptions_are_resolved(shop: Sandbox) -> None:
    with pytest.raises(
        Invalid, match=r"`api-is-rest` holds: Not found: `GraphQL` in src/api\.py"
    ):
        resolve_assumption(shop.workspace(), "api-is-rest")
    assert not shop.place(JOURNAL).exists()
    assert resolve_assumption(shop.workspace(), "team")["changed"]
    assert list_assumptions(shop.workspace())["assumptions"][2]["status"] == "resolved"


def test_a_broken_check_changes_no_status(shop: Sandbox) -> None:
    shop.write("src/api.py", "# GraphQL\n")
    evaluate(opened(shop))
    shop.place("src/api.py").unlink()
    found = evaluate(opened(shop))
    assert (found.changed, found.status("api-is-rest"), found.failing) == (
        (),
        "invalidated",
        (),
    )
    assert [(each.line, each.code, each.message) for each in found.diagnostics] == [
        (1, "broken-check", "`api-is-rest`: `src/api.py` does not exist")
    ]
    assert diagnostics(opened(shop)) == list(found.diagnostics)


def test_some_can_be_checked_alone(shop: Sandbox) -> None:
    shop.write("src/api.py", "# GraphQL\n")
    shop.write("package.json", "{}")
    found = evaluate(opened(shop), ["uses"])
    assert [each.id for each in found.assumptions] == ["uses-react"]
    assert [each[0] for each in journal(shop)] == ["uses-react"]
    with pytest.raises(NotFound) as caught:
        evaluate(opened(shop), ["use-react"])
    assert caught.value.hint == "did you mean `uses-react`?"
    shop.write(FILE, AUTH + '[[assumption]]\nid = "uses-vue"\ntext = "x"\n')
    with pytest.raises(Ambiguous):
        evaluate(opened(shop), ["uses"])


def test_files_that_git_ignores_are_looked_at_as_they_are(sandbox: Sandbox) -> None:
    sandbox.write(".gitignore", "/*.local\n.env\ndist/\nnotes.md\n")
    checks = [
        'file_exists = "dist/app.js"',
        'config = {path = ".env", key = "TOKEN"}',
        'config = {path = ".env", key = "GONE"}',
        'doc_says = {address = "notes.md", text = "use rest"}',
        'contains = {path = "settings.local", text = "x"}',
    ]
    rows = [
        f'[[assumption]]\nid = "a{at}"\ntext = "x"\ncheck = {{{check}}}\n'
        for at, check in enumerate(checks)
    ]
    sandbox.write(FILE, "".join(rows))
    sandbox.write("dist/app.js")
    sandbox.write(".env", f"TOKEN={TOKEN}\n")
    sandbox.write("notes.md", "We use\nREST.\n")
    sandbox.write("settings.local", "x\n")
    found = verdicts(opened(sandbox))
    assert [two.holds for _, two in found] == [True, True, False, True, True]
    assert TOKEN not in repr(found)


def test_the_state_is_stored_next_to_the_index(shop: Sandbox) -> None:
    shop.write(".gitignore", "/local.toml\n/dist/\n.env\n")
    checks = [
        'config = {path = "local.toml", key = "a"}',
        'file_exists = "dist"',
        'config = {path = ".env", key = "A"}',
        'doc_says = {address = "notes.md#x", text = "y"}',
        'contains = {path = "../x", text = "y"}',
    ]
    rows = [
        f'[[assumption]]\nid = "b{at}"\ntext = "x"\ncheck = {{{check}}}\n'
        for at, check in enumerate(checks)
    ]
    shop.write(FILE, AUTH + "".join(rows))
    seen = [state_of(opened(shop))]
    for path, text in (
        ("local.toml", "a = 1"),
        ("local.toml", "a = 2"),
        ("dist/x", ""),
        (".env", "A=1"),
        (".env", "B=1"),
    ):
        shop.write(path, text)
        seen.append(state_of(opened(shop)))
        assert state_of(opened(shop)) == seen[-1]
    assert len(set(seen)) == len(seen)
    shop.write("src/api.py", "# GraphQL\n")
    shop.write(".env", "B=2")
    assert state_of(opened(shop)) == seen[-1]


def test_a_section_of_a_doc_is_asked_alone(sandbox: Sandbox) -> None:
    sandbox.write("docs/api.md", "# API\n\nWe use SOAP.\n\n## Style\n\nWe use REST.\n")
    for at, (address, text) in enumerate(
        [
            ("docs/api.md#Style", "use rest"),
            ("docs/api.md#Style", "soap"),
            ("api", "soap"),
            ("docs", "x"),
            ("..", "x"),
        ]
    ):
        check = f'check = {{doc_says = {{address = "{address}", text = "{text}"}}}}'
        old = sandbox.place(FILE).read_text() if sandbox.place(FILE).exists() else ""
        sandbox.write(FILE, f'{old}[[assumption]]\nid = "a{at}"\ntext = "x"\n{check}\n')
    found = [two for _, two in verdicts(opened(sandbox))]
    assert [(each.holds, each.where) for each in found] == [
        (True, "docs/api.md:7"), (False, "docs/api.md"), (True, "docs/api.md:3"), (False, ""), (False, ""),
    ]  # fmt: skip
    assert [each.fault for each in found[3:]] == [
        "`docs` is a folder",
        "`..` is outside the workspace",
    ]


def test_secrets_never_leave(sandbox: Sandbox) -> None:
    """Secrets are masked if they match a format by themselves or only in their context,
    and in ignored files too.
    """
    sandbox.write(".gitignore", "local.toml\n")
    for path in ("known.toml", "local.toml"):
        sandbox.write(path, f'token = "{TOKEN}"\npassword = "kX9-pQ2_vT7wLm4z"\n')
    rows = []
    for at, check in enumerate(
        f'config = {{path = "{path}", key = "{key}", equals = "x"}}'
        for path in ("known.toml", "local.toml")
        for key in ("token", "password")
    ):
        rows.append(
            f'[[assumption]]\nid = "a{at}"\ntext = "x"\nimpact = "{TOKEN}"\ncheck = {{{check}}}\n'
        )
    for path in ("known.toml", "local.toml"):
        check = f'not_contains = {{path = "{path}", regex = "kX9[^ ]*"}}'
        rows.append(f'[[assumption]]\nid = "{path}"\ntext = "x"\ncheck = {{{check}}}\n')
    sandbox.write(FILE, "".join(rows))
    workspace = opened(sandbox)
    found = [*failing(workspace), *evaluate(workspace).judged]
    assert len(found) == 12
    assert all("<secret:" in each.verdict.evidence for each in found), found
    for secret in (TOKEN, "kX9-pQ2_vT7wLm4z"):
        assert secret not in repr([(each.verdict, each[2]) for each in found])
        assert secret not in sandbox.place(JOURNAL).read_text()


@pytest.mark.parametrize(
    "regex", ["kX9.{4}", "ghp_.{20}", ".*a1B2", "END", "[A-Za-z0-9+/=]{40}"]
)
def test_no_part_of_a_secret_leaves(sandbox: Sandbox, regex: str) -> None:
    """No message contains a part of a secret, whether an expression matches that part
    or a long secret is truncated.
    """
    key = "MIIEpAIBAAKCAQEA7v3k9Xw2ZqLr8T5uY1oPbNcVdFgHjKlMnBvCxZaSdFgHjKlQwErTyUiOp"
    block = f"-----BEGIN RSA PRIVATE KEY-----\n{key}\n-----END RSA PRIVATE KEY-----"
    sandbox.write(
        "a.toml",
        f'password = "kX9-pQ2_vT7wLm4z"\nlong = "{"x " * 60}{TOKEN}"\n{block}\ntoken = "{TOKEN}"\n',
    )
    sandbox.write(FILE, "")
    for path in ("a.toml", "./a.toml"):
        check = f"check = {{not_contains = {{path = '{path}', regex = '{regex}'}}}}\n"
        sandbox.write(
            FILE,
            sandbox.place(FILE).read_text()
            + f'[[assumption]]\nid = "{path}"\ntext = "x"\n{check}',
        )
    found = failing(opened(sandbox))
    assert len(found) == 2
    for each in found:
        for part in ("kX9-", "ghp_", "a1B2", "MIIEp", "END RSA"):
            assert part not in each.message


def test_a_file_that_changes_meanwhile_is_read_again(shop: Sandbox) -> None:
    workspace = opened(shop)
    shop.write("src/api.py", "# now GraphQL\n")
    with pytest.raises(Stale):
        verdicts(workspace)
    assert evaluate(workspace).changed == ("api-is-rest",)


def test_a_faulty_file_fails_the_check_and_hides_nothing(shop: Sandbox) -> None:
    shop.write(FILE, AUTH + '[[assumption]]\ntext = "nameless"\n')
    answer, well = check_assumptions(shop.workspace())
    assert not well
    assert [each["holds"] for each in answer["assumptions"]] == [True, True, None]
    assert [each["code"] for each in answer["diagnostics"]] == ["missing-id"]
    shop.write(FILE, AUTH + 'note = "x"\n')
    answer, well = check_assumptions(shop.workspace())
    assert well
    assert [each["level"] for each in answer["diagnostics"]] == ["warning"]


def test_a_truncated_state_file_is_reported(shop: Sandbox) -> None:
    shop.write(JOURNAL, '{"id": "uses-re')
    assert [each.code for each in diagnostics(opened(shop))] == ["bad-entry"]


def added(sandbox: Sandbox, text: str, **fields: Any) -> dict[str, Any]:
    return add_new(sandbox.workspace(), NewAssumption(text, **fields))


def test_an_assumption_is_appended_to_the_file(shop: Sandbox) -> None:
    answer = added(
        shop,
        "Uses  React!",
        check="dependency=react",
        impact="the views",
        affects=("package.json",),
    )
    assert answer == {
        "id": "uses-react-2", "path": FILE, "holds": True, "evidence": "Found `react` (package.json:1)",
    }  # fmt: skip
    assert shop.place(FILE).read_text() == AUTH + (
        "\n[[assumption]]\n"
        'id = "uses-react-2"\n'
        'text = "Uses React!"\n'
        'impact = "the views"\n'
        'affects = ["package.json"]\n'
        'check = {dependency = "react"}\n'
    )


def test_the_first_assumption_makes_the_file(sandbox: Sandbox) -> None:
    assert added(sandbox, "Über-Größe & more", check="file_exists=no.py") == {
        "id": "über-größe-more", "path": FILE, "holds": False, "evidence": "Not found: `no.py`",
    }  # fmt: skip
    assert added(sandbox, "🎉")["id"] == "assumption"
    assert len(added(sandbox, "word " * 50)["id"]) <= 40
    assert added(sandbox, "x" * 90)["id"] == "x" * 40
    assert added(sandbox, "x", id="Mine")["id"] == "Mine"


def test_a_check_with_a_secret_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(Invalid, match="contains a secret"):
        added(sandbox, "x", check=f"contains=a.py:{TOKEN}")
    assert not sandbox.place(FILE).exists()


@pytest.mark.parametrize(
    ("before", "fields"),
    [
        ("x = oops\n", {}),
        (AUTH, {"id": "uses-react"}),
        (AUTH, {"check": "file_exist=a"}),
        (AUTH, {"check": "contains=a"}),
        ('assumption = [{id = "a", text = "b"}]\n', {}),
    ],
)
def test_a_refused_assumption_leaves_the_file(
    sandbox: Sandbox, before: str, fields: dict[str, str]
) -> None:
    sandbox.write(FILE, before)
    with pytest.raises(Invalid):
        added(sandbox, "New", **fields)
    assert sandbox.place(FILE).read_text() == before
    with pytest.raises(Invalid):
        added(sandbox, "  ")


@pytest.mark.parametrize(
    ("target", "code"), [("../outside.toml", "unreadable"), ("inside.toml", "")]
)
def test_a_file_is_read_through_a_link_only_inside_the_workspace(
    sandbox: Sandbox, target: str, code: str
) -> None:
    sandbox.write(target, '[[assumption]]\nid = "a"\ntext = "The port is free"\n')
    sandbox.place(FILE).symlink_to(sandbox.place(target))
    found = read_assumptions(opened(sandbox).paths)
    assert [fault.code for fault in found.faults] == ([code] if code else [])
    assert [each.id for each in found.items] == ([] if code else ["a"])


@pytest.mark.parametrize("kind", ["contains", "not_contains"])
@pytest.mark.parametrize(
    "path",
    [
        ".cuedeck/MEMORY.md",
        "docs/../.cuedeck/memory.md",
        "team/MEMORY.md",
        "docs/link.md",
    ],
)
def test_no_check_looks_into_memory(sandbox: Sandbox, kind: str, path: str) -> None:
    """Checks over MCP never read memory, but checks of the command line and of
    assumptions.toml quoted the text of records.
    """
    sandbox.write(".cuedeck/config.toml", '[[profile]]\nid = "team"\nroot = "team"\n')
    for place in (".cuedeck/MEMORY.md", ".cuedeck/memory.md", "team/MEMORY.md"):
        sandbox.write(place, "Deploys on Fridays\n")
    sandbox.write("docs/a.md", "# A\n")
    sandbox.place("docs/link.md").symlink_to("../.cuedeck/MEMORY.md")
    with pytest.raises(Invalid, match="a check must not read memory files"):
        add_new(
            opened(sandbox),
            NewAssumption("It is there", check=f"{kind}={path}:Fridays"),
        )
    assert not sandbox.place(FILE).exists()
    check = f'{{{kind} = {{path = "{path}", text = "Fridays"}}}}'
    sandbox.write(
        FILE, f'[[assumption]]\nid = "a"\ntext = "It is there"\ncheck = {check}\n'
    )
    workspace = opened(sandbox)
    assert not failing(workspace)
    (broken,) = diagnostics(workspace)
    assert (broken.code, broken.message) == (
        "broken-check",
        "`a`: a check must not read memory files",
    )
    assert [
        (each.verdict.holds, each.verdict.evidence)
        for each in evaluate(workspace).judged
    ] == [(False, "")]


@pytest.mark.parametrize(
    "path", [".cuedeck/config.toml", ".cuedeck/docs/memory.md", "docs/memory/user.md"]
)
def test_a_check_may_read_a_file_that_is_not_memory(
    sandbox: Sandbox, path: str
) -> None:
    sandbox.write(path, "# Fridays\n")
    assert add_new(
        opened(sandbox), NewAssumption("It is there", check=f"contains={path}:Fridays")
    )["holds"]


@pytest.mark.parametrize(
    "fields", [{"text": "x" * 4_001}, {"text": "x", "impact": "x" * 4_001}]
)
def test_long_words_of_an_assumption_are_refused(
    shop: Sandbox, fields: dict[str, str]
) -> None:
    before = shop.place(FILE).read_bytes()
    with pytest.raises(TooLong, match=r"must have at most 4,000 characters, got"):
        added(shop, **fields)
    assert shop.place(FILE).read_bytes() == before


@pytest.mark.parametrize(
    "check",
    [
        "file_exists=../../x",
        "file_absent=/x",
        "contains=../x:y",
        "config=../x.toml:a=1",
        "doc_says=../x.md#Style:y",
        "doc_says=docs/../../x.md:y",
    ],
)
def test_a_check_of_a_path_outside_the_workspace_is_refused_when_it_is_added(
    shop: Sandbox, check: str
) -> None:
    before = shop.place(FILE).read_bytes()
    with pytest.raises(Invalid, match="outside the workspace"):
        added(shop, "x", check=check)
    assert shop.place(FILE).read_bytes() == before
