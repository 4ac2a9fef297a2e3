"""Copies of a project that exchange entries through a hub."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hub_server import Database
from sandbox import Sandbox, until

from cuedeck.model.exchange_row import Row
from cuedeck.model.paths import EXCHANGE_STATE
from cuedeck.store.capture_consent import write_answer
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths

HUB = "CUEDECK_EXCHANGE__HUB"
MakeCopy = Callable[..., Sandbox]


@pytest.fixture
def copy(sandbox: Sandbox, database: Database, tmp_path: Path) -> Iterator[MakeCopy]:
    """Make a copy of the project of a login; the second one joins the first."""
    made: list[Sandbox] = []

    def make(login: str, *, joins: bool = True) -> Sandbox:
        if not made:
            sandbox.write("src/auth.py", "def login() -> None:\n    pass\n")
            made.append(
                Sandbox(sandbox.root, {**sandbox.environ, HUB: database.url(login)})
            )
            made[0].answer("exchange", "--yes")
            return made[0]
        root = tmp_path / f"copy{len(made)}"
        (root / ".cuedeck" / "cards").mkdir(parents=True)
        found = Sandbox(root, {**sandbox.environ, HUB: database.url(login)})
        found.write("src/auth.py", "def login() -> None:\n    pass\n")
        write_answer(str(root), "on")
        config = made[0].place(".cuedeck/config.toml").read_text()
        found.write(".cuedeck/config.toml", config)
        if joins:
            admit(database, made[0], login)
            found.answer("exchange", "--yes")
        made.append(found)
        return found

    yield make
    for each in made:
        # A background exchange ends.
        each.place(EXCHANGE_STATE).unlink(missing_ok=True)
        with locked(WorkspacePaths(str(each.root)), "exchange-loop"):
            pass


def workspace_id(one: Sandbox) -> str:
    return str(one.answer("exchange", "--status")["workspace"])


def admit(database: Database, one: Sandbox, login: str) -> None:
    database.sql(f"SELECT cuedeck.admit('{login}', '{workspace_id(one)}')")


def exchange(*copies: Sandbox) -> None:
    for each in (*copies, *copies):
        each.ok("exchange")


def decide(one: Sandbox, text: str, *options: str) -> str:
    found = one.answer("decide", text, "--file", "src/auth.py", *options)
    return str(found["id"])


def recalled(one: Sandbox, *words: str) -> str:
    """The texts that recall finds; it fails without any."""
    found = one.run("recall", "--json", *words).json["hits"]
    return " ".join(each["snippet"] for each in found)


def decisions(one: Sandbox) -> dict[str, str]:
    found = one.answer("decision list")["decisions"]
    return {each["decision"]: each.get("author", "") for each in found}


def test_nothing_leaves_before_the_user_agrees(
    sandbox: Sandbox, database: Database
) -> None:
    sandbox.environ[HUB] = database.url("anna")
    sandbox.write("src/auth.py", "x = 1\n")
    decide(sandbox, "Use bcrypt")
    before = sandbox.bytes()
    found = sandbox.answer("exchange", code=1)
    assert (found["agreed"], found["waiting"]) == (False, 1)
    assert sandbox.answer("exchange", "--once")["agreed"] is False
    assert sandbox.answer("exchange", "--dry-run")["waiting"] == 1
    assert sandbox.bytes() == before
    assert database.sql("SELECT * FROM cuedeck.workspaces") == []
    assert sandbox.answer("exchange", "--yes")["sent"] == 1
    assert sandbox.answer("exchange")["sent"] == 0


def test_a_decision_reaches_list_scene_recall_and_brief_of_a_copy(
    copy: MakeCopy,
) -> None:
    anna = copy("anna")
    decide(anna, "Use bcrypt for passwords", "--because", "it is proven")
    anna.ok("attempt add --on src/auth.py --tried asyncio --failed deadlock")
    anna.ok("exchange")
    ben = copy("ben")
    (author,) = decisions(ben).values()
    assert author.startswith("anna@")
    assert f"(by {author})" in ben.ok("decision list").out
    assert f"(by {author})" in ben.ok("attempt list").out
    ben.card("k3f9qa", "title: Passwords", "status: active", "refs: [src/auth.py]")
    ben.ok("scene")
    scene = ben.scene.read_text()
    assert "bcrypt for passwords" in scene
    assert f"(by {author})" in scene
    assert "asyncio" in scene
    hits = ben.answer("recall", "bcrypt passwords")["hits"]
    assert hits[0]["path"] == ".cuedeck/memory/exchange/decisions.jsonl"
    event = json.dumps({"prompt": "how are passwords hashed?", "session_id": "s1"})
    brief = ben.ok("hook session-start --host claude", text=event).out
    assert "bcrypt for passwords" in brief


def test_a_decision_of_another_copy_can_be_superseded(copy: MakeCopy) -> None:
    anna, ben = copy("anna"), copy("ben")
    old = decide(anna, "Use bcrypt")
    exchange(anna, ben)
    ben.answer("recall", "bcrypt")
    decide(ben, "Use argon2", "--supersedes", old)
    exchange(ben, anna)
    assert list(decisions(anna)) == list(decisions(ben)) == ["Use argon2"]
    for each in (anna, ben):
        assert "Use bcrypt" not in recalled(each, "bcrypt")


def test_entries_with_one_id_are_kept_apart_and_reported(copy: MakeCopy) -> None:
    anna, ben = copy("anna"), copy("ben")
    for one, text, at in ((anna, "Use tabs", "01"), (ben, "Use spaces", "02")):
        line = {
            "id": "k3f9qa",
            "timestamp": f"2026-05-03T09:00:{at}Z",
            "decision": text,
        }
        one.write(".cuedeck/decisions.jsonl", json.dumps(line) + "\n")
    exchange(anna, ben)
    for each in (anna, ben):
        assert set(decisions(each)) == {"Use tabs", "Use spaces"}
        (apart,) = each.answer("exchange", "--status")["kept_apart"]
        assert apart.startswith("k3f9qa-")


def test_only_shared_records_leave_and_others_find_them(copy: MakeCopy) -> None:
    anna, ben = copy("anna"), copy("ben")
    anna.ok("remember", "The staging server is called heron", "--share")
    anna.ok("remember", "My dentist is on Tuesday")
    anna.ok("remember", "--sensitivity", "secret", "The door code is 4711")
    anna.write(
        ".cuedeck/decisions.jsonl",
        json.dumps({"id": "s3cr3t", "decision": "Use AKIAIOSFODNN7EXAMPLE"}) + "\n",
    )
    found = anna.answer("exchange")
    assert found["sent"] == 1
    assert found["withheld"] == {"private or secret": 2, "contains a secret": 1}
    ben.ok("exchange")
    assert "heron (anna@" in recalled(ben, "staging heron")
    assert not recalled(ben, "dentist")
    assert not recalled(anna, "--kind", "log", "heron")


def test_a_forgotten_record_is_gone_in_every_copy_and_in_the_hub(
    copy: MakeCopy, database: Database
) -> None:
    anna, ben = copy("anna"), copy("ben")
    record = anna.answer("remember", "The staging server is called heron", "--share")[
        "id"
    ]
    exchange(anna, ben)
    assert ben.answer("recall", "heron")["hits"]
    anna.ok("memory", "forget", record)
    exchange(anna, ben)
    for each in (anna, ben):
        assert not recalled(each, "heron")
        texts = [data for name, data in each.bytes().items() if "exchange" in name]
        assert not [data for data in texts if b"heron" in data]
    assert "heron" not in str(database.sql("SELECT * FROM cuedeck.entries"))


def test_a_forgotten_decision_leaves_the_files_of_its_author(copy: MakeCopy) -> None:
    anna, ben = copy("anna"), copy("ben")
    name = decide(anna, "Use the key of Mr Smith")
    exchange(anna, ben)
    refused = ben.run("exchange", "--forget", f"decision:{name}")
    assert (refused.code, "of your login" in refused.err) == (1, True)
    assert anna.answer("exchange", "--forget", f"decision:{name}")["erased"] == 1
    ben.ok("exchange")
    for each in (anna, ben):
        assert decisions(each) == {}
        files = each.bytes().items()
        assert not [
            name for name, data in files if b"Smith" in data and "sessions" not in name
        ]


def test_a_team_receives_decisions_of_other_workspaces(
    copy: MakeCopy, database: Database, sandbox: Sandbox
) -> None:
    sandbox.write(".cuedeck/config.toml", '[exchange]\nteam = "core"\n')
    anna = copy("anna")
    decide(anna, "Use bcrypt")
    anna.ok("attempt add --on src/auth.py --tried asyncio --failed deadlock")
    anna.ok("exchange")
    ben = copy("ben", joins=False)
    ben.ok("exchange --yes --new")
    ((text, author),) = decisions(ben).items()
    assert text == "Use bcrypt"
    assert author.endswith(f" in {workspace_id(anna)}")
    assert ben.answer("attempt list")["attempts"] == []
    eve = copy("eve", joins=False)
    refused = eve.run("exchange", "--yes")
    assert refused.code == 1
    assert "not a member of" in refused.err


def test_a_hub_replaced_by_an_empty_one_receives_everything_again(
    copy: MakeCopy, database: Database
) -> None:
    anna, ben = copy("anna"), copy("ben")
    decide(anna, "Use bcrypt")
    decide(ben, "Use tabs")
    exchange(anna, ben)
    database.sql("DROP SCHEMA cuedeck CASCADE")
    lost = ben.run("exchange")
    assert lost.code == 1
    assert "is not a hub" in lost.err
    database.hub().migrate()
    anna.ok("exchange")
    admit(database, anna, "ben")
    exchange(ben, anna)
    assert set(decisions(anna)) == set(decisions(ben)) == {"Use bcrypt", "Use tabs"}
    bodies = database.sql("SELECT body FROM cuedeck.entries")
    assert len(bodies) == 2


def test_an_unreachable_hub_stops_nothing(copy: MakeCopy) -> None:
    anna = copy("anna")
    anna.environ[HUB] = "postgresql://anna@127.0.0.1:1/none"
    decide(anna, "Use bcrypt")
    failed = anna.run("exchange")
    assert failed.code == 1
    assert "cannot be reached" in failed.err
    assert "Traceback" not in failed.err
    assert decisions(anna) == {"Use bcrypt": ""}
    assert anna.answer("exchange", "--status")["waiting"] == 1


def test_the_hub_of_a_repository_has_no_effect(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", '[exchange]\nhub = "postgresql://evil/x"\n')
    assert "no hub is configured" in sandbox.run("exchange").err


def test_a_decision_reaches_a_copy_in_the_background(copy: MakeCopy) -> None:
    anna, ben = copy("anna"), copy("ben")
    watchers = [each.start("watch") for each in (anna, ben)]
    decide(anna, "Use bcrypt")
    until(lambda: decisions(ben))
    for each in watchers:
        each.terminate()
        each.communicate(timeout=20)


def test_a_hook_starts_the_exchange_and_does_not_wait_for_it(copy: MakeCopy) -> None:
    anna, ben = copy("anna"), copy("ben")
    decide(anna, "Use bcrypt")
    event = json.dumps({"prompt": "hello", "session_id": "s1"})
    anna.ok("hook prompt --host claude", text=event)

    def arrived() -> bool:
        ben.ok("exchange")
        return bool(decisions(ben))

    until(arrived)


def test_a_kind_writes_no_other_file(copy: MakeCopy, database: Database) -> None:
    anna, ben = copy("anna"), copy("ben")
    line = json.dumps({"id": "x", "decision": "Use tabs"})
    digest = hashlib.sha256(line.encode()).hexdigest()
    kinds = "../../decision", "../../../up", "notes.md", "statement"
    rows = [Row(f"{kind}:x", digest, line, 1) for kind in kinds]
    early = Row("decision:early", digest, line, -5)
    database.hub("ben").append(workspace_id(ben), "m", [*rows, early])
    before = set(anna.bytes())
    anna.ok("exchange")
    assert set(anna.bytes()) - before == {".cuedeck/memory/exchange/notes.md"}
    assert decisions(anna) == {}
