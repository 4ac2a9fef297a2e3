"""Rules of the hub, on a real PostgreSQL."""

from __future__ import annotations

import hashlib
import json
from contextlib import ExitStack

import psycopg
import pytest
from hub_server import Database

from cuedeck.model.errors import ConfigurationError, CueDeckError, NetworkError
from cuedeck.model.exchange_row import Row
from cuedeck.store.entries.postgres import VERSION, NotAMember


def entry(text: str, clock: int = 1, kind: str = "decision") -> Row:
    line = json.dumps({"id": text[:6], "decision": text}, ensure_ascii=False)
    digest = hashlib.sha256(line.encode()).hexdigest()
    return Row(f"{kind}:{text[:6]}", digest, line, clock)


def test_appended_entries_are_pulled_once_in_order(database: Database) -> None:
    anna = database.joined()
    first, second = entry("one"), entry("two")
    assert anna.append("shop", "laptop", [first, second]) == 2
    assert anna.append("shop", "laptop", [second, first]) == 0
    rows, last = anna.pull("shop", 0, 10)
    assert [row.line for row in rows] == [first.line, second.line]
    assert {row.author for row in rows} == {"anna@laptop"}
    assert {row.digest for row in rows} == {first.digest, second.digest}
    assert anna.pull("shop", last, 10) == ([], last)


def test_a_late_commit_is_not_skipped(database: Database) -> None:
    database.joined()
    call = "SELECT cuedeck.append('shop', 'm', %s::text[], '{1}', %s::text[])"
    pull = "SELECT seq, body FROM cuedeck.pull('shop', 0, 10)"
    with ExitStack() as opened:
        early, late, reader = (
            opened.enter_context(psycopg.connect(database.url("anna")))
            for _ in range(3)
        )
        early.execute(call, (["decision:a"], ["one"]))  # not committed
        late.execute("SET statement_timeout = '300ms'")
        late.commit()
        with pytest.raises(psycopg.errors.QueryCanceled):
            late.execute(call, (["decision:b"], ["two"]))
        late.rollback()
        assert reader.execute(pull).fetchall() == []
        reader.rollback()
        early.commit()
        late.execute(call, (["decision:b"], ["two"]))
        late.commit()
        assert [body for _, body in reader.execute(pull).fetchall()] == ["one", "two"]


def test_members_cannot_write_tables_or_read_other_teams(database: Database) -> None:
    anna = database.joined()
    anna.append("shop", "laptop", [entry("one"), entry("two", kind="record")])
    with psycopg.connect(database.url("eve"), autocommit=True) as eve:
        assert eve.execute("SELECT * FROM cuedeck.entries").fetchall() == []
        for statement in (
            "INSERT INTO cuedeck.entries VALUES ('shop',1,'x','x','','x','anna','m',1,'x')",
            "UPDATE cuedeck.entries SET body = ''",
            "DELETE FROM cuedeck.entries",
            "TRUNCATE cuedeck.entries",
            "SELECT * FROM cuedeck.members",
            "INSERT INTO cuedeck.members VALUES ('eve', 'shop')",
            "SELECT cuedeck.admit('eve', 'shop')",
            "SELECT cuedeck.dismiss('anna')",
            "SELECT cuedeck.renew()",
            "SELECT * FROM cuedeck.pull('shop', 0, 10)",
            "SELECT * FROM cuedeck.heads('shop')",
            "SELECT * FROM cuedeck.search('shop', 'one', 10)",
            "SELECT cuedeck.append('shop', 'm', '{decision:x}', '{1}', '{x}')",
            "SELECT cuedeck.register('shop', 'rivals')",
            "SELECT cuedeck.register('other', 'core')",
            "SET ROLE postgres",
            "SET SESSION AUTHORIZATION anna",
            "DROP SCHEMA cuedeck CASCADE",
        ):
            with pytest.raises(psycopg.Error):
                eve.execute(statement.encode())
        one = entry("one")
        erase = "SELECT cuedeck.erase('shop', %s, %s)"
        with pytest.raises(psycopg.Error):
            eve.execute(erase, (one.id, bytes.fromhex(one.digest)))
    assert len(anna.pull("shop", 0, 10)[0]) == 2


def test_a_team_reads_decisions_and_experiences_alone(database: Database) -> None:
    anna = database.joined()
    kinds = ("decision", "attempt", "record", "experience")
    anna.append("shop", "laptop", [entry(kind, kind=kind) for kind in kinds])
    ben = database.hub("ben")
    ben.register("bank", "core")
    assert set(ben.heads("bank").last) == {"shop", "bank"}
    pulled = ben.pull("shop", 0, 10, "shop")[0]
    assert {row.kind for row in pulled} == {"decision", "experience"}
    with psycopg.connect(database.url("ben")) as direct:
        found = direct.execute("SELECT DISTINCT kind FROM cuedeck.entries").fetchall()
    assert {kind for (kind,) in found} == {"decision", "experience"}
    with pytest.raises(NotAMember):
        ben.append("shop", "m", [entry("new")])
    database.sql("SELECT cuedeck.admit('ben', 'shop')")
    assert ben.append("shop", "m", [entry("new")]) == 1


def test_the_author_is_the_login_and_the_time_is_bounded(database: Database) -> None:
    anna = database.joined()
    day = 86_400_000_000
    now = anna.heads("shop").clock
    anna.append("shop", "ben@desk", [entry("late", now + day), entry("none", 0)])
    late, none = anna.pull("shop", 0, 10)[0]
    assert late.author == "anna@ben@desk"
    assert now <= late.clock <= anna.heads("shop").clock + 60_000_000
    assert now <= none.clock <= anna.heads("shop").clock


def test_an_erased_text_is_gone_for_all_and_does_not_return(database: Database) -> None:
    anna = database.joined()
    database.sql("SELECT cuedeck.admit('ben', 'shop')")
    ben = database.hub("ben")
    secret = entry("a secret")
    anna.append("shop", "laptop", [secret, entry("other")])
    _, seen = ben.pull("shop", 0, 10)
    assert not ben.erase("shop", secret)
    assert anna.erase("shop", secret)
    assert not anna.erase("shop", secret)
    (row,) = ben.pull("shop", seen, 10)[0]
    assert (row.id, row.digest, row.line) == (secret.id, secret.digest, "")
    assert anna.append("shop", "laptop", [secret]) == 0
    bodies = database.sql("SELECT body FROM cuedeck.entries")
    assert not [body for (body,) in bodies if "secret" in str(body)]
    admin = database.hub()
    assert admin.erase("shop", entry("other"))


@pytest.mark.parametrize(
    "text",
    [
        "'); DROP TABLE cuedeck.entries; --",
        "x\"\\'; SELECT 1",
        "{a,b}",
        "$$;$1 %s %(x)s",
        "é\u2028😀\\u0000",
    ],
)
def test_sql_in_every_field_stays_text(database: Database, text: str) -> None:
    hub = database.hub("anna")
    hub.register(text, "")
    row = Row(f"decision:{text}", hashlib.sha256(text.encode()).hexdigest(), text, 1)
    assert hub.append(text, text, [row]) == 1
    (found,) = hub.pull(text, 0, 10)[0]
    assert found == row._replace(author=f"anna@{text}")
    assert hub.search(text, text, 10) is not None
    assert hub.erase(text, row)


def test_search_finds_words_of_the_own_workspace(database: Database) -> None:
    anna = database.joined()
    anna.append("shop", "m", [entry("zebra crossing"), entry("other")])
    (found,) = anna.search("shop", "crossing", 10)
    assert "zebra crossing" in found.line


def test_migrations_go_forward_and_refuse_a_schema_of_others(
    database: Database,
) -> None:
    hub = database.hub()
    assert hub.migrate() == (VERSION, VERSION)
    database.server.sql("template1", "CREATE DATABASE foreign_schema")
    database.server.sql("foreign_schema", "CREATE SCHEMA cuedeck")
    with pytest.raises(ConfigurationError, match="another program"):
        database.at(database.server.url("foreign_schema")).migrate()


def test_a_failed_migration_leaves_the_former_version(database: Database) -> None:
    database.sql(
        "DROP FUNCTION cuedeck.search",
        "ALTER TABLE cuedeck.entries DROP COLUMN words",
        "UPDATE cuedeck.hub SET version = 1",
        "CREATE FUNCTION cuedeck.search(text, text, int) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    )
    hub = database.hub()
    with pytest.raises(CueDeckError):
        hub.migrate()
    anna = database.hub("anna")
    anna.register("shop", "")  # version 1 is enough
    assert anna.heads("shop").version == 1
    database.sql("DROP FUNCTION cuedeck.search")
    assert hub.migrate() == (1, VERSION)


def test_failures_have_clear_messages(database: Database) -> None:
    with pytest.raises(NetworkError, match="cannot be reached"):
        database.at("postgresql://anna@127.0.0.1:1/none").heads("shop")
    with pytest.raises(NetworkError, match="does not exist"):
        database.at(database.server.url("missing", "anna")).heads("shop")
    with pytest.raises(NetworkError, match="spaces found in …,"):
        database.at("postgresql://anna:a password@127.0.0.1").heads("shop")
    with pytest.raises(CueDeckError, match="is not a hub"):
        database.at(database.server.url("template1")).heads("shop")
    with pytest.raises(NetworkError, match="SSL"):
        database.at(f"{database.url('anna')}?sslmode=verify-full").heads("shop")
    anna = database.joined()
    database.sql(
        f'ALTER DATABASE "{database.name}" SET default_transaction_read_only = on'
    )
    anna.close()
    assert anna.heads("shop").last
    with pytest.raises(CueDeckError, match="read-only"):
        anna.append("shop", "m", [entry("one")])


def test_a_full_hub_refuses_and_loses_nothing(database: Database) -> None:
    anna = database.joined()
    full = "RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'"
    database.sql(
        f"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {full}; END $$",
        "CREATE TRIGGER refuse BEFORE INSERT ON cuedeck.entries FOR EACH ROW EXECUTE FUNCTION refuse()",
    )
    with pytest.raises(CueDeckError, match="the hub is full"):
        anna.append("shop", "m", [entry("one")])
    database.sql("DROP TRIGGER refuse ON cuedeck.entries")
    assert anna.append("shop", "m", [entry("one")]) == 1


def test_a_newer_hub_is_used_and_not_migrated(database: Database) -> None:
    anna = database.joined()
    database.sql("UPDATE cuedeck.hub SET version = 99")
    assert anna.append("shop", "m", [entry("one")]) == 1
    assert anna.heads("shop").version == 99
    assert database.hub().migrate() == (99, 99)


def test_an_entry_that_is_too_large_is_refused(database: Database) -> None:
    anna = database.joined()
    with pytest.raises(CueDeckError):
        anna.append("shop", "m", [entry("x" * 10_000_000)])
    assert anna.append("shop", "m", [entry("one")]) == 1
