"""Texts that the memory has already are not added again."""

from __future__ import annotations

import pytest
from mcp_client import connect_in_process
from sandbox import Sandbox

from cuedeck.ledger.id_prefix import pick, short_ids


def texts(sandbox: Sandbox) -> list[str]:
    listed = sandbox.answer("memory", "list", "--allow-secret", "--in", "daily")
    return [each["text"] for each in listed["records"]]


@pytest.mark.parametrize(
    ("first", "second", "is_known"),
    [
        ("Always use pnpm", "Always use pnpm", True),
        ("Always use pnpm", "  always use pnpm. ", True),
        ("The tests need Redis", "Tests need Redis", True),
        ("Deploy on Monday", "Deploy on Tuesday", False),
        ("The port is 8080", "The port is 8081", False),
        ("Never push to main", "Push to main", False),
        ("!?", "...", False),
    ],
)
def test_a_text_is_known_in_any_wording_with_its_normal_form(
    sandbox: Sandbox, first: str, second: str, is_known: bool
) -> None:
    one = sandbox.answer("remember", first)
    two = sandbox.answer("remember", second)
    assert (two["id"] == one["id"]) is is_known
    assert ("added" in two) is is_known
    assert len(texts(sandbox)) == 2 - is_known


def test_the_record_that_has_the_text_is_named(sandbox: Sandbox) -> None:
    identity = sandbox.answer("remember", "Use tabs")["id"]
    again = sandbox.ok("memory", "add", "--sensitivity", "secret", "use tabs")
    assert again.out == f"{identity[:8]}\n"
    assert sandbox.answer("memory", "show", identity[:8])["id"] == identity
    assert "already remembered as " in again.err
    assert "(learned, private-user)" in again.err
    ran = sandbox.run("memory", "add", "-", "--json", text="Use tabs\nNew\nnew\n")
    assert ran.code == 0, ran
    assert ran.out.count('"added": false') == 2
    assert len(texts(sandbox)) == 2
    with connect_in_process(sandbox.root) as client:
        answer = client.ok("remember", text="Use tabs.")
    assert (answer["id"], answer["added"]) == (identity, False)


def test_records_that_do_not_last_or_do_not_count_are_not_enough(
    sandbox: Sandbox,
) -> None:
    """A note may be merged away, a superseded record is not shown, and an answer about
    a secret record would confirm a guess.
    """
    note = sandbox.answer("memory", "add", "Use tabs")["id"]
    learned = sandbox.answer("remember", "Use tabs")["id"]
    assert learned != note
    assert sandbox.answer("memory", "add", "Use tabs")["id"] == learned
    sandbox.ok("memory", "supersede", learned, "Use blanks")
    assert "added" not in sandbox.answer("remember", "Use tabs")
    sandbox.ok("remember", "--sensitivity", "secret", "The walrus sings")
    assert "added" not in sandbox.answer("remember", "The walrus sings")


def test_printed_ids_are_short_and_longer_on_collision() -> None:
    ids = [
        "0a1b2c3d-1111-4111-8111-111111111111",
        "0a1b2c3d-1112-4111-8111-111111111111",
    ]
    assert short_ids(f"{ids[0]} and e6yg2s", ids[:1]) == "0a1b2c3d and e6yg2s"
    text = short_ids(" ".join(ids), ids)
    assert text == "0a1b2c3d-1111 0a1b2c3d-1112"
    assert [pick(each, ids, "record") for each in text.split()] == ids
