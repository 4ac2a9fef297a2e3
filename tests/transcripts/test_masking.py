"""No command prints a secret, whatever file or argument contains it."""

from __future__ import annotations

import json
import re

import pytest
from sandbox import Sandbox

from cuedeck.context.search.find_places import find

TOKENS = {where: f"ghp_{where * 36}"[:40] for where in "abcdefghijklmnopqr"}
"""A different token for each place, so that a leak identifies its place. The tokens are
assembled here, so that the source contains none.
"""


def test_section_whose_heading_is_a_secret_is_addressed_by_lines(
    sandbox: Sandbox,
) -> None:
    """Its slug is the secret in lower case, which no mask recognises."""
    secret = f"AKIA{'Q7YLPMN5HHHFPZAM'}"
    sandbox.write("docs/keys.md", f"# Keys\n\n## Rotate {secret} soon\n\ntext\n")
    (opened,) = sandbox.answer("open", "rotate soon")["results"]
    assert opened["address"] == "docs/keys.md#L3-L5"
    workspace = sandbox.workspace()
    workspace.refresh()
    found = json.dumps(find(workspace, "rotate soon"))
    assert "docs/keys.md#L3-L5" in found and secret.casefold() not in found


@pytest.mark.parametrize(
    ("title", "telling"),
    [
        (f"Rotate AKIA{'Q7YLPMN5HHHFPZAM'}", f"akia{'q7ylpmn5hhhfpzam'}"),
        ("password: Xk29fjw0qmvZ", "xk29fjw0qmvz"),
        ("Contract of ACME-42", "acme-42"),
    ],
)
def test_hint_suggests_no_anchor_made_of_a_secret(
    sandbox: Sandbox, title: str, telling: str
) -> None:
    """Slugs used to be suggested: the secret in lower case and without punctuation."""
    sandbox.write(
        ".cuedeck/config.toml", "[secrets]\npatterns = ['customer: ACME-[0-9]+']\n"
    )
    sandbox.write("docs/keys.md", f"# Keys\n\n## {title}\n\none\n")
    sandbox.write(
        "docs/twice.md", f"# Twice\n\n## {title}\n\none\n\n## {title} -\n\ntwo\n"
    )
    almost = title[:-2]
    links = f"[a](keys.md#{almost.replace(' ', '%20')}) [[twice#{almost}]] [[twice#{title}]]"
    sandbox.card("aaaaaa", "refs: [docs/from.md]", body=links)
    sandbox.write("docs/from.md", f"# From\n\n{links}\n")
    sandbox.activate("aaaaaa")
    for command in (
        *((name, f"docs/{file}.md#{anchor}") for name in ("read", "why")
          for file in ("keys", "twice") for anchor in ("zzz", almost, title, f"- {title}")),
        *(("card", "ref", "add", "aaaaaa", f"docs/twice.md#{anchor}") for anchor in (almost, title)),
        ("doctor",), ("card", "validate", "aaaaaa"), ("scene", "--print"), ("scene",), ("graph",),
    ):  # fmt: skip
        for form in ((), ("--json",)):
            done = sandbox.run(*command, *form)
            assert telling.casefold() not in (done.out + done.err).casefold(), command
    error = sandbox.answer("read", "docs/keys.md#zzz", code=1)["error"]
    assert error["hint"] == "its lines are #L1-L5; it has #keys, #L3-L5"
    assert sandbox.answer("read", f"docs/twice.md#{title}")["lines"] == [3, 6]
    error = sandbox.answer("read", f"docs/twice.md#- {title}", code=1)["error"]
    assert error["candidates"] == ["docs/twice.md#L3-L6", "docs/twice.md#L7-L9"]


def test_secret_name_in_an_argument_is_masked(sandbox: Sandbox) -> None:
    patterns = "[secrets]\npatterns = ['customer: ACME-[0-9]+']\n"
    sandbox.write(".cuedeck/config.toml", patterns)
    for secret in (TOKENS["a"], "ACME-42"):
        for form in ((), ("--json",)):
            out = f"docs/{secret}.svg"
            ran = sandbox.ok("graph", "--format", "svg", "--out", out, *form)
            assert "docs/<secret:" in ran.out + ran.err
            assert secret not in ran.out + ran.err
            sandbox.write(f"{secret}/.cuedeck/config.toml", patterns)
            ran = sandbox.ok("init", secret, *form)
            assert ran.out and secret not in ran.out + ran.err


def test_secret_in_an_argument_is_not_written_but_one_written_by_hand_stays(
    sandbox: Sandbox,
) -> None:
    token, masked = TOKENS["a"], "<secret:github-token:1>"
    ran = sandbox.ok("card", "new", "--body", f"with {token}", "--", f"Fix {token}")
    assert "warning: a secret was masked" in ran.err
    place = sandbox.place(ran.out.strip())
    assert token not in place.read_text() and f"with {masked}" in place.read_text()
    place.write_text(place.read_text() + f"\nby hand: {token}\n")
    ran = sandbox.ok("card", "edit", place.stem, "--title", f"Mend {token}")
    assert "warning: a secret was masked" in ran.err
    assert place.read_text().count(token) == 1
    assert f"title: Mend {masked}" in place.read_text()
    sandbox.ok("card", "edit", place.stem, "--title", f"Fix {masked}")
    error = sandbox.answer(
        "card", "edit", place.stem, "--title", "<secret:jwt:1>", code=1
    )
    assert "`<secret:jwt:1>` in place of a secret" in error["error"]["message"]
    assert f"title: Fix {masked}" in place.read_text()


def test_masking_never_changes_the_shape_of_an_answer(sandbox: Sandbox) -> None:
    """Field names used to be masked, too: `list` lost its paths, and `resume` ended in
    a KeyError.
    """
    sandbox.card("aaaaaa", "status: active")
    patterns = r"customer: \bsummary\b|\bpath\b|\bhash\b"
    sandbox.write(".cuedeck/config.toml", f"[secrets]\npatterns = ['{patterns}']\n")
    assert sandbox.answer("list")["cards"][0]["path"] == ".cuedeck/cards/aaaaaa.md"
    sandbox.ok("session", "start")
    assert "summary" in sandbox.answer("resume")
    sandbox.ok("resume")


@pytest.mark.parametrize("secret", [f"AKIA{'Q7YLPMN5HHHFPZAM'}", "ACME-0042"])
@pytest.mark.parametrize("title", ["Rotate {} now", "{}"])
def test_name_made_of_a_title_contains_no_secret(
    sandbox: Sandbox, title: str, secret: str
) -> None:
    """A slug used to be made of the raw title, and no mask recognised the secret in
    lower case and without dashes.
    """
    sandbox.write(
        ".cuedeck/config.toml", "[secrets]\npatterns = ['customer: ACME-[0-9]+']\n"
    )
    sandbox.card("aaaaaa", f"title: {title.format(secret)}", "status: active")
    started = sandbox.answer("session", "start")["session"]
    assert re.fullmatch("rotate-now-.{6}" if "now" in title else "aaaaaa-.{6}", started)
    assumed = sandbox.answer("assumption", "add", "--", title.format(secret))["id"]
    assert assumed == ("rotate-now" if "now" in title else "assumption")
    sandbox.ok("decide", title.format(secret))
    (written,) = sandbox.answer("decision", "export")["written"]
    assert (
        written == f"docs/adr/0001-{'rotate-now' if 'now' in title else 'decision'}.md"
    )
    answer = (".cuedeck/cards/aaaaaa.md", ".cuedeck/config.toml", ".cuedeck/active")
    kept = {path: data for path, data in sandbox.bytes().items() if path not in answer}
    low = secret.casefold()
    assert [
        path
        for path, data in kept.items()
        if low in path.casefold() or low.encode() in data.lower()
    ] == []


def numbers(value: object) -> list[str]:
    return re.findall(r"<secret:github-token:\d+>", json.dumps(value))


def test_secret_has_a_unique_number_in_an_answer(sandbox: Sandbox) -> None:
    """The app used to mask some fields and the shell the others, each with its own
    numbers.
    """
    a, b, c = (TOKENS[name] for name in "abc")
    rows = (f"title: Fix {a}", f"tags: [{b}]", f"assignee: {a}", f"refs: [{c}]")
    body = f"With {c} and {a} {b}\n\n- [ ] first {b}\n- [x] then {a}"
    sandbox.card("aaaaaa", *rows, "status: active", body=body)
    sandbox.write("src/auth.py", "x = 1\n")
    link = f"[source](../src/auth.py#{c})\n[src](../src/auth.py)\n"
    sandbox.write(f"docs/{a}.md", f"Of {b} and {a} {link}")
    decided = {"id": "k3f9aa", "timestamp": "2026-01-01T00:00:00Z", "affects": []}
    decided["decision"] = f"{a} {b}"
    sandbox.write(".cuedeck/decisions.jsonl", json.dumps(decided) + "\n")
    sandbox.ok("session", "start")
    commands = ("list", "card show aaaaaa", f"read docs/{a}.md", "read decision:k3f9aa")
    commands += ("open Fix", "doctor", "resume", "progress list", "session status")
    masked = [sandbox.run(f"{command} --json").json for command in commands]
    sandbox.write(".cuedeck/config.toml", f"[secrets]\nallow = ['{a}', '{b}', '{c}']\n")
    for command, shown in zip(commands, masked, strict=True):
        plain = sandbox.run(f"{command} --json").json
        tokens = re.findall("|".join((a, b, c)), json.dumps(plain))
        pairs = list(zip(tokens, numbers(shown), strict=True))
        assert len({number for _, number in pairs}) == len(set(pairs)) > 0, command
        assert len(set(tokens)) == len(set(pairs)), command


def test_stored_checkbox_is_independent_of_earlier_secrets_in_the_card(
    sandbox: Sandbox,
) -> None:
    """Each look used to number the boxes again: another secret in the card marked the
    box below as newly checked.
    """
    a, b, c = (TOKENS[name] for name in "abc")
    boxes = f"- [x] rotate {a}\n- [ ] revoke {b}\n"
    sandbox.card("aaaaaa", "status: active", body=boxes)
    sandbox.ok("session", "start")
    sandbox.ok("progress", "doing", f"revoke {b}")
    sandbox.card("aaaaaa", "status: active", body=f"With {c}\n\n{boxes}")
    sandbox.ok("session", "checkpoint", "looked")
    session = sandbox.answer("session", "show", "card")
    assert [each["checked"] for each in session["checkpoints"]] == [
        ["rotate <secret:github-token>"],
        [],
    ]
    answer = [each["line"] for each in sandbox.answer("progress", "list")["progress"]]
    assert [re.sub(r":\d+>", ">", each) for each in answer] == [
        "✅ rotate <secret:github-token>",
        "⏳ revoke <secret:github-token>",
    ]
    assert len(set(numbers(answer))) == 2


_LINE = "MIIEpAIBAAKCAQEA7bq2x9Zc3T5vYkLm8Qw1RnXd4FsJ6hGuPoIyUtErWq0aSdFg"
_PEM = [
    "-----" + "BEGIN RSA PRIVATE KEY-----", *[_LINE] * 4, "-----" + "END RSA PRIVATE KEY-----",
]  # fmt: skip
_PUTTY = [
    "PuTTY-User-Key-" + "File-2: ssh-rsa", "Encryption: none", "Comment: x", "Public-Lines: 1", "AAAAB3NzaC1yc2E=",
    "Private-" + "Lines: 2", _LINE, _LINE, f"Private-MAC: {'01234567' * 5}",
]  # fmt: skip
"""A key without begin and end marks; only its lines identify it."""


def test_multi_line_key_is_masked_before_lines_are_joined(sandbox: Sandbox) -> None:
    sandbox.write("a.md", "# A\n")
    sandbox.card("aaaaaa", "title: One", "status: active")
    sandbox.activate("aaaaaa")
    sandbox.ok("session", "start")
    for line in ("session checkpoint", "session note", "progress done", "decide",
                 "assumption add", "attempt add --on a.md --failed it --tried"):  # fmt: skip
        for key in (_PEM, _PUTTY):
            text = "\n".join(["The key is", *key, "since today"])
            assert _LINE[:20] not in sandbox.ok(*line.split(), text).out
    files = [each for each in sandbox.place(".cuedeck").rglob("*") if each.is_file()]
    assert [each for each in files if _LINE[:20].encode() in each.read_bytes()] == []


def test_keys_from_foreign_text_are_masked(sandbox: Sandbox) -> None:
    """A path, a category or a field of a foreign file may be the key of a mapping;
    other keys stay unchanged.
    """
    t = TOKENS
    sandbox.write(
        ".cuedeck/config.toml", '[secrets]\npatterns = ["customer: \\\\bhash\\\\b"]\n'
    )
    sandbox.card("aaaaaa", "status: active")
    session = {"sessionId": "old", "workingSet": {f"src/{t['a']}.py": {"hash": "1", "role": "read"}},
               "shown": {f"src/{t['b']}.py": "1"}, "dirty": {f"src/{t['c']}.py": "1"},
               t["d"]: [{t["e"]: 1}]}  # fmt: skip
    sandbox.write(".cuedeck/sessions/old.json", json.dumps(session))
    decided = {"id": "k3f9aa", "timestamp": "2026-01-01T00:00:00Z", "decision": "Use it", "affects": [],
               "proof": {f"src/{t['f']}.py": "1"}, t["g"]: {t["h"]: 1}}  # fmt: skip
    sandbox.write(".cuedeck/decisions.jsonl", json.dumps(decided) + "\n")
    check = f'[assumption.check]\nconfig = {{path = "a.toml", key = "k", equals = "{t["i"]}"}}\n'
    sandbox.write(
        ".cuedeck/assumptions.toml", f'[[assumption]]\nid = "a"\ntext = "b"\n{check}'
    )
    identity = sandbox.answer("memory", "add", "plain")["id"]
    place = sandbox.place(".cuedeck/MEMORY.md")
    place.write_text(place.read_text().replace('"note"', f'"{t["j"]}", "{t["k"]}": 1'))
    shown = {
        "session": sandbox.answer("session", "show", "old"),
        "decision": sandbox.answer("decision", "show", "k3f9aa")["decision"],
        "assumption": sandbox.answer("assumption", "list")["assumptions"][0]["check"],
        "record": sandbox.answer("memory", "show", identity)["more"],
        "stats": sandbox.answer("memory", "stats")["categories"],
    }
    assert [where for where, token in t.items() if token in json.dumps(shown)] == []
    assert shown["session"]["workingSet"] == {
        "src/<secret:github-token:1>.py": {"hash": "1", "role": "read", "timestamp": ""}
    }
    assert shown["session"]["<secret:github-token:4>"] == [
        {"<secret:github-token:5>": 1}
    ]
    assert list(shown["decision"]["other"].values()) == [{"<secret:github-token:3>": 1}]
    assert shown["assumption"] == {
        "config": {"path": "a.toml", "key": "k", "equals": "<secret:github-token:1>"}
    }
    assert shown["record"] == {"<secret:github-token:2>": 1}
    assert shown["stats"] == {"<secret:github-token:1>": 1}
