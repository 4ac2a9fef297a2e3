"""No operation, no tool and no hook gives away a secret, and none writes one into a
generated file. Secrets are in every place that a workspace has for text: tokens of a
known format, values that only another file reveals, and records labelled secret.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import click
import pytest
from mcp.shared.exceptions import MCPError
from mcp_client import connect_in_process
from sandbox import Sandbox, sandbox

from cuedeck.knowledge.cortex.message_file import Message, format_message
from cuedeck.shells.cli.cli_main import COMMANDS, cuedeck, run
from cuedeck.shells.mcp.aliases import SEEDS
from cuedeck.shells.mcp.tool_base import Tool
from cuedeck.shells.mcp.tools import TOOLS
from cuedeck.shells.operation import OPERATIONS, Given, Many
from cuedeck.shells.tool_fields import Field
from cuedeck.shells.web.views import PAGES

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "parse"))
sys.path.insert(0, str(Path(__file__).parents[1] / "web"))
from page_server import PageServer, serving
from secret_samples import ALNUM, HEAD, TAIL, pick, template

__all__ = ["sandbox"]

PLACES = (
    "subject", "body", "title", "heading", "definition", "alias", "tag", "assignee", "ref", "dependency", "decision",
    "attempt", "experience", "assumption", "record", "session", "argument", "file", "branch", "user", "log",
    "message", "resource", "layer", "box", "statement", "setting", "block",
)  # fmt: skip
FORMATS = (
    "ghp_{a36}",
    "sk_live_{a24}",
    "AKIA{N16}",
    "npm_{a36}",
    "hf_{L34}",
    "glpat-{u20}",
)
TOKENS = {
    place: template(FORMATS[number % len(FORMATS)])(random.Random(number)).secret
    for number, place in enumerate(PLACES)
}
TOKENS["block"] = pick(random.Random(1), ALNUM, 64)
COPIES = {
    place: f"{pick(random.Random(100 + number), ALNUM, 20)}7q"
    for number, place in enumerate(PLACES)
}
LABELLED = "zebrafinch"
"""A word of a record that is secret only by its label."""
OWN = (
    "cards/aaaaaa.md", "config.toml", "MEMORY.md", "memory/", "decisions.jsonl", "attempts.jsonl",
    "experiences.jsonl", "assumptions.toml", "sessions/old", "sessions/archive", "cache/backup/", "USER.md",
    "cortex/resources/guide/keys.md", "cortex/resources/guide/.abstract.md", "cortex/session/one/timeline/",
)  # fmt: skip
"""Files below `.cuedeck/` with a secret that a person wrote, and their copies."""
ADDRESSES = ("file", "ref", "dependency", "argument")
"""Places whose real text is an address: the index needs it."""
BEFORE = ("init", "backfill")
"""Operations that refuse an argument before a workspace is open, or open another one,
where secrets that only a file of this workspace names are unknown."""
ENDLESS = ("setup", "open", "watch", "web", "mcp", "lsp", "hook")
"""Operations that change a home folder, start an editor, or run until they are ended;
tools and hooks have tests of their own."""
LONG = "The keys are rotated on Monday.\n" * 300
WHEN = "2026-01-01T00:00:00Z"


@pytest.fixture(params=[TOKENS, COPIES], ids=["tokens", "copies"])
def secrets(request: pytest.FixtureRequest) -> dict[str, str]:
    found: dict[str, str] = request.param
    return found


@pytest.fixture
def planted(sandbox: Sandbox, secrets: dict[str, str]) -> Sandbox:
    t = secrets
    sandbox.git("init", "-q", "-b", f"rotate-{t['branch']}")
    settings = (
        f"[experiences]\nenabled = true\n[files]\nignore = ['*.{t['setting']}']\n"
    )
    sandbox.write(".cuedeck/config.toml", settings)
    sandbox.write("src/a.py", f"def rotate_{t['definition']}(key):\n    return key\n")
    lines = "\n".join([t["block"] * 3] * 4)
    block = f"{HEAD.format('RSA PRIVATE')}\n{lines}\n{TAIL.format('RSA PRIVATE')}\n"
    heads = f"---\naliases: [{t['alias']}]\n---\n# Keys\n\n## Rotate {t['heading']}\n"
    sandbox.write("docs/keys.md", f"{heads}\nrotate the keys\n\n{block}")
    sandbox.write(f"docs/{t['file']}.md", "# Rotate\n\nrotate the other keys\n")
    fields = (f"title: Rotate {t['title']}", "status: active", f"tags: [{t['tag']}]",
              f"assignee: {t['assignee']}", f"depends_on: [{t['dependency']}]",
              f"refs: [docs/keys.md, src/a.py, 'docs/{t['ref']}.md']")  # fmt: skip
    sandbox.card(
        "aaaaaa", *fields, body=f"- [ ] rotate {t['title']}\n- [x] rotated {t['box']}"
    )
    about = {"timestamp": WHEN, "affects": ["docs/keys.md"], "on": ["docs/keys.md"]}
    entries = {
        "decisions": {"decision": f"Use {t['decision']}"},
        "attempts": {"tried": f"rotate {t['attempt']}", "failed": "no door"},
        "experiences": {"text": f"Rotate {t['experience']}", "category": "learned"},
    }
    for name, entry in entries.items():
        row = json.dumps({"id": "k3f9aa", **about, **entry})
        sandbox.write(f".cuedeck/{name}.jsonl", f"{row}\n")
    check = '[assumption.check]\nfile_exists = "docs/none.md"\n'
    assumed = f'[[assumption]]\nid = "k3f9aa"\ntext = "{t["assumption"]}"\n{check}'
    sandbox.write(".cuedeck/assumptions.toml", assumed)
    label = {"provenance": {"sensitivity": "secret", "timestamp": WHEN}}
    records = (
        {
            "id": "k3f9aa",
            "text": f"docs/keys.md rotates {t['record']}",
            "sessionId": t["record"],
        },
        {"id": "m8q2bb", "text": f"the {LABELLED} rotates the keys", **label},
    )
    lines = "".join(f"- {json.dumps(each)}\n" for each in records)
    sandbox.write(".cuedeck/MEMORY.md", f"# Memory\n\n{lines}")
    session = {"sessionId": "old", "createdAt": WHEN, "title": t["session"]}
    sandbox.write(".cuedeck/sessions/old.json", json.dumps(session))
    said = {"id": "k3f9aa", "kind": "rule", "speaker": "user", "timestamp": WHEN}
    row = json.dumps({**said, "text": f"Always rotate {t['statement']}"})
    sandbox.write(".cuedeck/sessions/old.statements.jsonl", f"{row}\n")
    sandbox.write(".cuedeck/USER.md", f"The user rotates {t['user']}\n\n{block}")
    sandbox.write(".cuedeck/memory/2026-01-01.md", f"rotated the keys {t['log']}\n")
    guide = ".cuedeck/cortex/resources/guide"
    sandbox.write(f"{guide}/keys.md", f"# Keys\n\nrotate {t['resource']}\n{LONG}")
    sandbox.write(f"{guide}/.abstract.md", f"keys to rotate: {t['layer']}\n")
    message = Message(
        "1a2b3c4d", "user", 1, WHEN, ("user/ana",), f"Always rotate {t['message']}."
    )
    day = ".cuedeck/cortex/session/one/timeline/2026-01/01"
    sandbox.write(f"{day}/00_00_00_1a2b3c4d.md", format_message(message))
    sandbox.git("add", "-A")
    sandbox.git("commit", "-qm", f"Rotate keys {t['subject']}\n\nBody {t['body']}")
    if secrets is COPIES:
        named = [f"SECRET_{place.upper()}_KEY={t[place]}" for place in PLACES]
        sandbox.write("deploy.env", "\n".join(named))
    sandbox.activate("aaaaaa")
    return sandbox


@cache
def names() -> tuple[str, ...]:
    """Return the names of all operations."""
    context = click.Context(cuedeck, info_name="cuedeck")
    for name in COMMANDS:
        cuedeck.get_command(context, name)
    return tuple(name for name in OPERATIONS if name not in ENDLESS)


def value_of(given: Given, secret: str, *, is_known: bool) -> str:
    """Return an argument: one that names something, or the secret."""
    kinds = {
        "card": "aaaaaa", "address": "docs/keys.md", "written address": "docs/keys.md", "cortex": "",
        "session": "old", "place": "out", "memory file": "MEMORY.md", "host": "claude",
    }  # fmt: skip
    about = given.about
    if about.choices:
        return str(about.choices[0])
    if given.type in (int, float):
        return str(about.least or 1)
    if not is_known:
        return f"docs/{secret}.md" if about.kind == "address" else secret
    if about.kind in ("decision", "record", "experience", "assumption"):
        return "k3f9aa"
    return kinds.get(about.kind, f"rotate {secret}")


def command_line(
    name: str, secret: str, form: Sequence[str], *, is_known: bool
) -> list[str]:
    """Return a call of an operation that gives all arguments and the needed options."""
    options, texts = list(form), []
    for each in OPERATIONS[name].params():
        value = value_of(each, secret, is_known=is_known)
        is_text = each.type in (str, Many) and not (
            each.about.kind or each.about.choices
        )
        if each.about.stdin == "always" or not value:
            continue
        if not each.is_option:
            texts.append(value)
        elif each.is_required or (is_text and each.name not in ("profile", "workflow")):
            options += [f"--{each.flag}", value]
    return (
        [*name.split(), *options, "--", *texts] if texts else [*name.split(), *options]
    )


def leaks(text: str, secrets: Sequence[str]) -> list[str]:
    """Return the secrets in a text; a part of a long one is a leak, too."""
    low = text.lower()
    return [each for each in (*secrets, LABELLED) if each[:20].lower() in low]


def written_leaks(place: Sandbox, secrets: dict[str, str]) -> list[tuple[str, str]]:
    """Return the generated files with a secret."""
    home = place.place(".cuedeck")
    found = []
    for file in sorted(home.rglob("*")):
        name = file.relative_to(home).as_posix()
        if not file.is_file():
            continue
        data = file.read_bytes().lower()
        given = secrets["argument"].lower().encode()
        if given in data and not name.startswith("cache/"):
            found.append((name, "argument"))
        if name.startswith(OWN):
            continue
        for where, secret in secrets.items():
            if where == "branch" and "/hooks/" in name:
                continue  # the times of git's file of the branch
            if where not in ADDRESSES and secret.lower().encode() in data:
                found.append((name, where))
    return found


def test_no_operation_prints_or_writes_a_secret(
    planted: Sandbox, secrets: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    printed = 0
    before = planted.bytes()
    tokens = list(secrets.values())
    for name in names():
        if secrets is COPIES and name in BEFORE:
            continue
        for form, is_known in product(((), ("--json",)), (True, False)):
            secret = secrets["argument"]
            words = command_line(name, secret, form, is_known=is_known)
            run(["-C", str(planted.root), *words])
            ran = capsys.readouterr()
            shown = ran.out + ran.err
            printed += bool(shown)
            assert "internal error" not in shown, (words, shown)
            found += [(words, each) for each in leaks(shown, tokens)]
        for path, data in before.items():
            if not planted.place(path).exists():
                planted.write(path, data)
    assert not found, "\n".join(map(str, found))
    assert printed > 3 * len(names())
    assert written_leaks(planted, secrets) == []


def tool_calls(tool: Tool, secret: str) -> Iterator[dict[str, Any]]:
    """Yield arguments for each action of a tool: the needed ones, then all texts."""
    actions = [each for each in tool.actions if each] or [""]
    for action in actions:
        chosen = {"action": action} if action else {}
        for is_known in (True, False):
            texts = {
                field.name: _argument(field, secret, is_known=is_known)
                for field in tool.fields
                if field.kind in ("text", "texts", "names") and not field.choices
            }
            texts.pop("cursor", None)
            yield {**chosen, **texts}
        needed = [field for field in tool.fields if field.required]
        yield {**chosen, **{each.name: _argument(each, secret) for each in needed}}


def _argument(field: Field, secret: str, *, is_known: bool = True) -> Any:
    known = {
        "id": "aaaaaa",
        "card": "aaaaaa",
        "address": "docs/keys.md",
        "path": "docs/keys.md",
    }
    if field.kind == "object":
        return {"notes": secret}
    if not is_known:
        return secret
    return known.get(field.name, f"rotate {secret}")


def test_no_tool_gives_a_secret(planted: Sandbox, secrets: dict[str, str]) -> None:
    secret, tokens = secrets["argument"], list(secrets.values())
    prompts = {
        "resume": {},
        "plan-card": {"card": "aaaaaa"},
        "record-decision": {"decision": secret},
    }
    found = []
    with connect_in_process(planted.root, compat=True) as client:
        calls = [
            (tool.name, each)
            for tool in (*TOOLS, *SEEDS)
            for each in tool_calls(tool, secret)
        ]
        if secrets is TOKENS:  # these are refused before a workspace is chosen
            calls += [("read", {secret: "x"}), (secret, {}), (f"tool_{secret}", {})]
        for name, given in calls:
            try:
                shown = client.call(name, **given).model_dump_json()
            except MCPError as error:
                shown = repr(error)
            found += [(name, given, each) for each in leaks(shown, tokens)]
        sdk = client.sdk
        resources = client.do(sdk.list_resources).resources
        for uri in (*(each.uri for each in resources), f"cuedeck://doc/{secret}"):
            try:
                shown = client.do(sdk.read_resource, uri).model_dump_json()
            except MCPError as error:
                shown = repr(error.error)
            found += [(uri, each) for each in leaks(shown, tokens)]
        for prompt, given in prompts.items():
            shown = client.do(sdk.get_prompt, prompt, given).model_dump_json()
            found += [(prompt, each) for each in leaks(shown, tokens)]
    assert not found, "\n".join(map(str, found))
    assert written_leaks(planted, secrets) == []


def test_no_hook_prints_or_writes_a_secret(
    planted: Sandbox, secrets: dict[str, str]
) -> None:
    secret, tokens = secrets["argument"], list(secrets.values())
    file = str(planted.place(f"docs/{secrets['file']}.md"))
    events: dict[str, dict[str, Any]] = {
        "session-start": {"source": "startup"},
        "prompt": {"prompt": f"rotate the other keys {secret}"},
        "post-tool": {"tool_name": "Edit", "tool_input": {"file_path": file}},
        "stop": {"last_assistant_message": f"I rotated {secret}"},
        "pre-compact": {"trigger": "auto"},
        "session-end": {"reason": "other"},
    }
    found = []
    for event, fields in events.items():
        request = {"session_id": "host", "cwd": str(planted.root), **fields}
        ran = planted.run("hook", event, "--host", "claude", text=json.dumps(request))
        found += [(event, each) for each in leaks(ran.out + ran.err, tokens)]
    assert not found, "\n".join(map(str, found))
    assert written_leaks(planted, secrets) == []


def replies(page: PageServer, secret: str) -> Iterator[tuple[str, str]]:
    """Yield the answers of a page to its addresses and to calls of all operations."""
    page.enter()
    sent = {"X-CueDeck": page.key, "Content-Type": "application/json"}
    files = ["docs/keys.md", f"docs/{secret}.md", "decision:k3f9aa", ".cuedeck/USER.md"]
    paths = [*PAGES, "/scene.md", "/graph.json", "/card?id=aaaaaa", "/session?id=old"]
    paths += [f"{name}?address={each}" for name in ("/read", "/why") for each in files]
    paths += ["/memory?part=files&name=USER.md", f"/card?id={secret}"]
    for path in paths:
        yield path, page.ask(path).text
    for name, is_known in product(names(), (True, False)):
        given = {}
        for each in OPERATIONS[name].params():
            value = value_of(each, secret, is_known=is_known)
            is_text = each.type in (str, Many) and not (
                each.about.kind or each.about.choices
            )
            is_given = is_text and each.name not in ("profile", "workflow")
            if is_given or (each.is_required and not each.about.choices):
                given[each.name] = value
        path = f"/do/{name.replace(' ', '/')}"
        yield f"{name} {given}", page.ask(path, sent, "POST", json.dumps(given)).text


def test_no_page_shows_or_writes_a_secret(
    planted: Sandbox, secrets: dict[str, str]
) -> None:
    found = []
    tokens = list(secrets.values())
    with serving(planted.root, planted.environ) as page:
        for asked, text in replies(page, secrets["argument"]):
            found += [(asked, each) for each in leaks(text, tokens)]
    assert not found, "\n".join(map(str, found))
    assert written_leaks(planted, secrets) == []
