"""What was said in one session reaches the next one, unasked."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from agent_host import HOSTS, SimulatedAgent, transcript_rows
from sandbox import Sandbox

TALK = [
    ("user", "Always use pnpm in this repository, never npm: CI refuses its lockfile."),
    ("assistant", "I'll use pnpm. The pricelist prints in one column now."),
    ("user", "Print the pricelist in two columns to save paper."),
    (
        "assistant",
        "Fixed the layout of the pricelist.\n\nStill missing: the page break.",
    ),
]


@pytest.fixture
def agent(sandbox: Sandbox, tmp_path: Path) -> SimulatedAgent:
    """An agent whose first session is over."""
    sandbox.write("src/pricelist.ts", "export const columns = 2\n")
    agent = SimulatedAgent(sandbox, "claude")
    talk(agent, tmp_path / "first.jsonl", "first", TALK)
    return agent


def talk(
    agent: SimulatedAgent, path: Path, session: str, turns: list[tuple[str, str]]
) -> None:
    """Hold a conversation whose transcript is at `path`."""
    fields = {"session_id": session, "transcript_path": str(path)}
    agent.send("start", **fields)
    for at, (role, text) in enumerate(turns, 1):
        path.write_text(transcript_rows(turns[:at]))
        if role == "user":
            agent.send("prompt", prompt=text, **fields)
        else:
            agent.send("stop", **fields, **agent.last_message_fields(text))


def headings(brief: str) -> list[str]:
    return [line for line in brief.splitlines() if line.startswith("## ")]


def start(agent: SimulatedAgent, session: str = "second") -> str:
    return agent.send_for_context("start", session_id=session, transcript_path="")


def test_the_brief_has_rules_open_steps_and_what_was_asked(
    agent: SimulatedAgent,
) -> None:
    brief = start(agent)
    parts = ["Rules of the user", "Open steps", "Asked by the user, newest first"]
    assert headings(brief)[:3] == [f"## {part}" for part in parts]
    assert brief.index("“Always use pnpm") < brief.index("“Still missing: the page")
    assert ": “Print the pricelist in two columns to save paper.”\n" in brief
    assert "- The agent: “Fixed the layout of the pricelist.”\n" in brief
    resumed = agent.sandbox.ok("resume").out  # a person reads the same parts
    assert "## Rules of the user\n\n- “Always use pnpm" in resumed
    assert "## Open steps" in resumed


def test_corrections_follow_the_rules_that_hold_and_chores_are_left_out(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    asked = "The totals of the pricelist are wrong by a cent, please find the reason."
    footer = "Move the footer into the layout file"
    turns = [
        ("user", f"{asked} Always use decimals for money."),
        ("assistant", "The cause is that floats are added."),
        ("user", f"{footer}:\n- a small font\n- in grey text"),
        ("assistant", "Implemented the footer in the layout of the supplier."),
        ("user", "no, that is wrong: keep the footer on the page of the pricelist"),
        ("assistant", "Fixed the footer, it is on the page of the pricelist again."),
        ("user", "From now on use bun instead of pnpm in this repository."),
        ("assistant", "Updated the scripts of the repository."),
        ("user", "ok, please continue"),
        ("assistant", "The page is as it was."),
    ]
    talk(agent, tmp_path / "middle.jsonl", "middle", turns)
    brief = start(agent, "third")
    parts = ["Rules of the user", "Corrections by the user, newest first"]
    assert headings(brief)[:2] == [f"## {part}" for part in parts]
    assert "use bun instead of pnpm" in brief and "Always use pnpm" not in brief
    assert brief.count("Always use decimals for money") == 1
    assert f"“{asked}”" in brief
    assert "keep the footer on the page of the pricelist” (20" in brief
    assert "please continue" not in brief
    assert f"{footer}: a small font; in grey text”" in brief
    assert "on the page of the pricelist again" in brief
    assert "layout of the supplier" not in brief


def test_the_digest_has_the_statements_about_the_prompt_each_once(
    agent: SimulatedAgent,
) -> None:
    start(agent)
    ask = {"session_id": "second", "transcript_path": ""}
    prompt = "Why does the pricelist print in two columns?"
    digest = agent.send_for_context("prompt", prompt=prompt, **ask)
    assert "- “Print the pricelist in two columns to save paper.”\n" in digest
    assert "\n  The agent: “Fixed the layout of the pricelist.” (20" in digest
    again = agent.send_for_context("prompt", prompt=prompt, **ask)
    assert "two columns" not in again
    for other in (
        "Translate the greeting to French",
        "#terminalSelection fix it",
        "Print the list of open ports of this machine",
    ):
        given = agent.send_for_context("prompt", prompt=other, **ask)
        assert "## Relevant" not in given, other


def test_a_short_prompt_or_an_identifier_needs_fewer_words(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    said = [("user", "The pricelist reads maxColumns."), ("assistant", "It does.")]
    talk(agent, tmp_path / "names.jsonl", "names", said)
    agent.sandbox.ok("capture", "off")  # the prompts would be statements
    for prompt, is_about in (
        ("Print the pricelist.", True),
        ("Pricelist!", False),
        ("Raise maxColumns of the pricelist in the settings page", True),
        ("Raise the limit of the pricelist in the settings page", False),
    ):
        start(agent, prompt)
        digest = agent.send_for_context("prompt", prompt=prompt, session_id=prompt)
        assert ("## Relevant" in digest) == is_about, prompt
    agent.sandbox.ok("remember", "The fix of the footer is in its layout.")
    for prompt, is_about in (
        ("#terminalSelection fix", False),
        ("Where is the fix?", True),
    ):
        digest = agent.send_for_context(
            "prompt", prompt=prompt, session_id="Pricelist!"
        )
        assert ("The fix of the footer" in digest) == is_about, prompt


@pytest.mark.parametrize("host", HOSTS)
def test_a_session_of_any_host_sees_what_another_one_said_meanwhile(
    agent: SimulatedAgent, tmp_path: Path, host: str
) -> None:
    reader = SimulatedAgent(agent.sandbox, host)
    reader.send("start")
    reader.send("prompt", prompt="Translate the headings.")
    said = [
        ("user", "Choose a logger for the examples."),
        ("assistant", "Decision: pino, because winston loses lines."),
        ("user", "Don't sort src/auth.py, its order has a meaning."),
        ("assistant", "Its order stays."),
    ]
    talk(agent, tmp_path / "other.jsonl", "other", said)
    prompt = "Which logger do the examples use?"
    digest = reader.send_for_context("prompt", prompt=prompt)
    assert ("pino" in digest) == (host != "cursor")
    about = reader.send_for_context("write")
    assert about.startswith("## Said about `src/auth.py` in earlier sessions\n\n")
    assert "Don't sort src/auth.py" in about
    assert reader.send_for_context("write") == ""


def test_copilot_gets_a_brief_once_though_a_prompt_comes_before_the_start(
    agent: SimulatedAgent,
) -> None:
    """Copilot CLI restores the conversation, and sends events of a subagent as those of
    a session of its own.
    """
    copilot = SimulatedAgent(agent.sandbox, "vscode")
    head = "# Project context of CueDeck"
    fields = {"sessionId": "one", "transcript_path": ""}
    assert head in copilot.send_for_context("prompt", prompt="Go on.", **fields)
    assert copilot.send_for_context("start", source="new", **fields) == ""
    subagent = {"sessionId": "sub", "agentId": "sub", "parent_agent_id": "one"}
    assert copilot.send_for_context("prompt", prompt="Count.", **subagent) == ""
    end = json.dumps({"sessionId": "one", "cwd": str(agent.sandbox.root)})
    copilot.hook("session-end", end.encode(), "--host", "vscode")
    agent.sandbox.ok("remember", "The tills close at ten.")
    assert head not in copilot.send_for_context("prompt", prompt="Go on.", **fields)
    assert copilot.send_for_context("start", source="resume", **fields) == ""


def test_a_brief_has_the_session_before_a_compaction_or_interrupted_work(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    said = [("user", "Round all prices to ten cents."), ("assistant", "Rounded.")]
    talk(agent, tmp_path / "long.jsonl", "long", said)
    fields = {"session_id": "long", "transcript_path": str(tmp_path / "long.jsonl")}
    brief = agent.send_for_context("start", source="compact", **fields)
    assert "“Round all prices to ten cents.”" in brief
    unfinished = [("user", "Extract the page break into a helper of its own.")]
    talk(agent, tmp_path / "cut.jsonl", "cut", unfinished)
    brief = start(agent, "third")
    assert "## Interrupted work\n\n- The user asked: “Extract the page break" in brief


def test_a_conversation_that_its_host_copied_is_shown_once(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    asked = "Extract the page break of the pricelist into a helper of its own."
    unfinished = [("user", asked)]
    folder = tmp_path / "transcripts"
    folder.mkdir()
    talk(agent, folder / "cut.jsonl", "cut", [*TALK, *unfinished])
    assert "## Interrupted work" in start(agent, "third")
    sooner = (datetime.now(UTC) - timedelta(seconds=30)).isoformat()
    reply = ("assistant", "Moved the page break into `break.ts`.")
    place = {"cwd": str(agent.sandbox.root), "timestamp": sooner, "sessionId": "copy"}
    copy = transcript_rows((*TALK, *unfinished, reply), **place)
    (folder / "copy.jsonl").write_text(copy)
    agent.sandbox.ok("backfill", "claude", "--from", str(folder))
    brief = start(agent, "fourth")
    assert "## Interrupted work" not in brief
    for text in ("Always use pnpm", TALK[2][1], asked, "Moved the page break"):
        assert brief.count(text) == 1
    ask = {"session_id": "fourth", "transcript_path": ""}
    prompt = "Why is the pricelist printed in two columns, to save paper?"
    digest = agent.send_for_context("prompt", prompt=prompt, **ask)
    assert digest.count(TALK[2][1]) == 1
    again = agent.send_for_context("prompt", prompt=prompt + " Really?", **ask)
    assert "two columns" not in again


def test_a_statement_is_read_and_forgotten_by_its_address(
    agent: SimulatedAgent,
) -> None:
    sandbox = agent.sandbox
    hits = sandbox.answer("recall", "pnpm lockfile", "--kind", "statement")["hits"]
    address = hits[0]["address"]
    assert "Always use pnpm" in sandbox.ok("read", address).out
    sandbox.ok("memory", "forget", address, "--dry-run")
    assert "Always use pnpm" in sandbox.ok("read", address).out
    sandbox.ok("memory", "forget", address)
    assert "never npm" not in start(agent)
    assert sandbox.run("read", address).code == 1


def test_a_forgotten_statement_is_in_no_file_until_it_is_said_again(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    sandbox = agent.sandbox
    sandbox.write(".cuedeck/config.toml", "[cortex]\ntimeline = true\n")
    folder = tmp_path / "copies"
    folder.mkdir()
    rule = "Never print the *price* of the supplier, because it is secret."
    said = [("user", rule), ("assistant", "The cause is the template of the supplier.")]
    talk(agent, folder / "told.jsonl", "told", said)
    day = {"cwd": str(sandbox.root), "timestamp": datetime.now(UTC).isoformat()}
    rows = transcript_rows(said, **day)

    def read_again(name: str) -> set[str]:
        """Read a copy of the session; return the files with the statement."""
        (folder / f"{name}.jsonl").write_text(rows)
        sandbox.ok("backfill", "claude", "--from", str(folder))
        sandbox.ok("memory", "tick")
        places = [each for each in sandbox.root.rglob("*") if each.is_file()]
        found = [each for each in places if b"it is secret" in each.read_bytes()]
        return {each.name for each in found}

    assert {"MEMORY.md", "before.statements.jsonl"} <= read_again("before")
    hits = sandbox.answer("recall", rule, "--kind", "statement")["hits"]
    sandbox.ok("memory", "forget", hits[0]["address"])
    assert "template of the supplier" in start(agent, "third")
    agent.send("stop", session_id="told", **agent.last_message_fields(said[1][1]))
    assert read_again("copy") == set()
    talk(agent, folder / "again.jsonl", "again", said)
    assert rule in start(agent, "fifth")


def test_a_killed_session_is_captured_at_the_next_start(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    row = {"cwd": str(agent.sandbox.root), "timestamp": "2026-01-01T10:00:00Z"}
    said = [
        ("user", "Cache the exchange rates for one hour."),
        ("assistant", "The cause is that the rates are fetched for each row."),
    ]
    killed, own = tmp_path / "killed.jsonl", tmp_path / "third.jsonl"
    killed.write_text(transcript_rows(said, **row) + '{"type": "us')
    # The clock was put back after this session.
    later = killed.read_text().replace("2026", "2100").replace("one", "ten")
    (tmp_path / "later.jsonl").write_text(later)
    own.write_text("")

    def brief(session: str) -> str:
        fields = {"session_id": session, "transcript_path": str(own)}
        return agent.send_for_context("start", **fields)

    first = brief("third")
    assert "- 2026-01-01: “Cache the exchange rates for one hour.”\n" in first
    assert "ten hour" not in first
    # The clock was put back after this session was read.
    read = agent.sandbox.place(".cuedeck/sessions/killed.statements.jsonl")
    os.utime(read, (2**32, 2**32))
    rows = killed.read_text().replace("Cache the exchange rates", "Show the rates")
    killed.write_text(rows)
    assert "“Show the rates for one hour.”" in brief("fourth")


def test_a_reply_whose_stop_was_lost_is_captured(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    """The host is killed in its first turn; later a hook alone, in the next session."""
    asked = ("Cache the exchange rates for an hour.", "Round the exchange rates up.")
    found = ("The cause is the rate limit.", "The cause is the rounding of rates.")
    folder = tmp_path / "lost"
    folder.mkdir()
    path = folder / "killed.jsonl"
    place = {"cwd": str(agent.sandbox.root)}
    fields = {"session_id": "killed", "transcript_path": str(path)}
    agent.send("start", **fields)
    rows: list[str] = []
    for prompt, reply in zip(asked, found, strict=True):
        agent.send("prompt", prompt=prompt, **fields)
        said = (("user", prompt), ("assistant", reply))
        rows += transcript_rows(said, **place).splitlines()
    path.write_text("\n".join(rows[:2]))
    other = {"session_id": "other", "transcript_path": str(folder / "other.jsonl")}
    assert found[0] in agent.send_for_context("start", **other)
    path.write_text("\n".join(rows))
    agent.send("prompt", prompt="Show the rates in a table.", **fields)
    rows += [rows[0].replace(asked[0], "Show the rates in a table.")]
    rows += [rows[1].replace(found[0], "Added the table of rates.")]
    path.write_text("\n".join(rows))
    agent.send("stop", last_assistant_message="Added the table of rates.", **fields)
    assert found[1] in start(agent, "fourth")


@pytest.mark.parametrize("name", ["outside", "link", "folder", "inside"])
def test_a_transcript_outside_of_the_folders_of_hosts_is_not_read(
    agent: SimulatedAgent, tmp_path: Path, name: str
) -> None:
    host, outside = tmp_path / "host", tmp_path / "outside.jsonl"
    host.mkdir()
    agent.sandbox.environ["HOST_FOLDER"] = str(host)
    said = [("user", "Always deploy with the other script.")]
    rows = transcript_rows(said, cwd=str(tmp_path / "elsewhere"))
    rows += transcript_rows(said, cwd=str(agent.sandbox.root))
    (host / "link.jsonl").symlink_to(outside)
    for place in (outside, host / "inside.jsonl"):
        place.write_text(rows)
    paths = {"outside": host / "../outside.jsonl", "folder": host}
    path = paths.get(name, host / f"{name}.jsonl")
    fields = {"session_id": "b", "transcript_path": str(path)}
    agent.send("start", **fields)
    agent.send("stop", last_assistant_message="Done.", **fields)
    assert ("other script" in start(agent, "c")) == (name == "inside")
    log = agent.sandbox.place(".cuedeck/cache/log.jsonl")
    assert log.exists() == (name != "inside")
    assert name == "inside" or log.read_text().count("is not read") == 1


def test_large_transcripts_are_left_to_a_background_process(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    sandbox = agent.sandbox
    place = {"cwd": str(sandbox.root), "timestamp": "2026-01-01T10:00:00Z"}
    rows = transcript_rows([("user", "Never push to main.")], **place)
    image = json.dumps({**place, "type": "image", "data": "A" * 9_000_000})
    (tmp_path / "large.jsonl").write_text(f"{rows}{image}\n")
    fields = {"session_id": "third", "transcript_path": str(tmp_path / "third.jsonl")}
    assert "Never push" not in agent.send_for_context("start", **fields)
    # The process that the hook starts, where background processes are allowed.
    added = sandbox.answer("backfill", "claude", "--from", str(tmp_path))
    assert [each["session"] for each in added["sessions"]] == ["large"]
    assert (
        sandbox.answer("backfill", "claude", "--from", str(tmp_path))["transcripts"]
        == 0
    )
    assert "Never push to main." in start(agent)


def test_backfill_reads_transcripts_of_this_workspace_only(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    sandbox = agent.sandbox
    folder = Path(sandbox.environ["HOME"]) / ".claude/projects/p"
    folder.mkdir(parents=True)
    for name, place in (("here", sandbox.root), ("there", tmp_path / "other")):
        said = [("user", f"Never rename the {name} table.")]
        (folder / f"{name}.jsonl").write_text(transcript_rows(said, cwd=str(place)))
    dry = sandbox.answer("backfill", "claude", "--dry-run")
    assert dry["transcripts"] == 2
    assert dry["sessions"] == [{"session": "here", "statements": 1, "added": 1}]
    assert sandbox.answer("backfill", "claude")["sessions"][0]["added"] == 1
    assert sandbox.answer("backfill", "claude")["sessions"][0]["added"] == 0
    assert "“Never rename the here table.”" in start(agent)
    sandbox.ok("capture", "off")
    assert sandbox.run("backfill", "claude").code == 1
    assert sandbox.run("backfill", "nohost").code == 1


def read_file(agent: SimulatedAgent, path: str, **fields: str) -> str:
    given = {"file_path": str(agent.sandbox.root / path)}
    fields = {"session_id": "second", "transcript_path": "", **fields}
    return agent.send_for_context("read", tool_input=given, **fields)


def test_a_file_brings_what_was_said_about_it_once(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    agent.sandbox.write("src/zones.ts", "export const zones = []\n")
    said = [
        ("user", "Don't change src/pricelist.ts by hand, a script writes it."),
        ("assistant", "Grouping the rows in `pricelist.ts` failed: they lose order."),
    ]
    talk(agent, tmp_path / "other.jsonl", "other", said)
    start(agent)
    about = read_file(agent, "src/pricelist.ts")
    assert about.startswith("## Said about `src/pricelist.ts` in earlier sessions\n\n")
    assert about.index("“Don't change src/pricelist.ts") < about.index("failed: they")
    assert read_file(agent, "src/pricelist.ts") == ""
    assert read_file(agent, "src/zones.ts") == ""
    assert "failed: they" in read_file(agent, "src/pricelist.ts", agent_id="a1")
    agent.send("start", session_id="second", transcript_path="", source="compact")
    assert "failed: they" in read_file(agent, "src/pricelist.ts")


@pytest.mark.parametrize("host", ["claude", "codex", "vscode"])
def test_a_subagent_gets_rules_and_the_open_step(
    agent: SimulatedAgent, host: str
) -> None:
    def begin(identity: str) -> str:
        event = {"hook_event_name": "SubagentStart", "session_id": "second"}
        event |= {"cwd": str(agent.sandbox.root), "agent_id": identity}
        command = f"hook subagent-start --host {host}"
        out = agent.sandbox.ok(command, text=json.dumps(event)).out
        answer = json.loads(out).get("hookSpecificOutput", {})
        return str(answer.get("additionalContext", ""))

    start(agent)
    brief = begin("a1")
    assert "## Rules of the user\n\n- “Always use pnpm in this repository" in brief
    assert "two columns" not in brief and "## Task" not in brief
    agent.sandbox.ok("card", "new", "--activate", "--", "Print the pricelist")
    assert "## Task\n\n“Print the pricelist”. Card `.cuedeck/cards/" in begin("a1")


@pytest.mark.parametrize("is_file", [True, False])
def test_steps_and_edits_of_the_tools_reach_the_next_session(
    agent: SimulatedAgent, tmp_path: Path, is_file: bool
) -> None:
    """A host without transcripts sends the conversation with the end of a turn."""
    path = tmp_path / "tools.jsonl"
    fields = {"session_id": "tools", "transcript_path": str(path) if is_file else ""}
    said: list[tuple[str, Any]] = []

    def turn(prompt: str, **todos: str) -> None:
        agent.send("prompt", prompt=prompt, **fields)
        steps = [{"content": text, "status": todos[text]} for text in todos]
        call = {"type": "tool_use", "id": str(len(said)), "name": "TodoWrite"}
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": "ok"}
        said.extend(
            [
                ("user", prompt),
                ("assistant", [{**call, "input": {"todos": steps}}]),
                ("user", [result]),
                ("assistant", "That is it for now."),
            ]
        )
        path.write_text(transcript_rows(said))
        last = agent.last_message_fields("That is it for now.")
        if not is_file:
            last["conversation"] = path.read_text()
        agent.send("stop", **fields, **last)

    agent.send("start", **fields)
    turn("Split the module.", **{"Move the parser": "pending", "Test it": "pending"})
    turn("Go on, please.", **{"Move the parser": "completed", "Test it": "pending"})
    brief = start(agent)
    assert "- “To do: Test it” (" in brief
    assert "To do: Move the parser" not in brief and "Done: Move" in brief
    for name, word in (("third", "header"), ("fourth", "footer")):
        turns = [("user", f"Print the {word} in grey."), ("assistant", "It is.")]
        talk(agent, tmp_path / f"{name}.jsonl", name, turns)
    brief = start(agent, "fifth")
    assert "Print the header in grey" in brief and "Done: Move" not in brief


def test_the_report_of_a_subagent_reaches_the_next_session(
    agent: SimulatedAgent, tmp_path: Path
) -> None:
    call = {"type": "tool_use", "id": "t1", "input": {"subagent_type": "general"}}
    found = "Only the timer of the printer polls every second, which wastes power."
    host = "agentId: a60 (use SendMessage to continue it)\n<usage>tokens: 20</usage>"
    parts = [{"type": "text", "text": text} for text in (found, host)]
    result = {"type": "tool_result", "tool_use_id": "t1", "content": parts}
    turns: list[tuple[str, Any]] = [("user", "Audit the timers with a subagent.")]
    turns += [
        ("assistant", [call]),
        ("user", [result]),
        ("assistant", "It is audited."),
    ]
    path = tmp_path / "audit.jsonl"
    path.write_text(transcript_rows(turns))
    fields = {"session_id": "audit", "transcript_path": str(path)}
    agent.send("start", **fields)
    agent.send("stop", **fields, **agent.last_message_fields("It is audited."))
    brief = start(agent)
    assert found in brief and "a60" not in brief and "usage" not in brief


def test_a_captured_decision_is_promoted_without_its_session(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.write("src/logger.ts", "export const level = 1\n")
    sandbox.card("2a9f1x", "refs: [src/logger.ts]", "status: active")
    sandbox.activate("2a9f1x")
    agent = SimulatedAgent(sandbox, "claude")
    said = "Decision: use pino for the logs, because winston loses its last lines."
    turns = [("user", "Choose a logger for the examples."), ("assistant", said)]
    talk(agent, tmp_path / "private-session.jsonl", "private-session", turns)
    hits = sandbox.answer("recall", "pino logs", "--kind", "statement")["hits"]
    (address,) = [hit["address"] for hit in hits if "pino" in hit["snippet"]]
    assert "use pino for the logs" in start(agent)
    made = sandbox.answer("decide", "--from", address, "--affects", "src/logger.ts")
    assert made["decision"] == "use pino for the logs"
    committed = sandbox.place(".cuedeck/decisions.jsonl").read_text()
    row = json.loads(committed)
    assert row["rationale"] == "winston loses its last lines."
    assert address.partition(":")[2] not in committed
    assert "private-session" not in committed
    brief = start(agent, "third")
    assert brief.count("winston loses its last lines") == 1
    ask = {"session_id": "third", "transcript_path": ""}
    prompt = "Do we use pino or winston for the logs, and which lines does it lose?"
    digest = agent.send_for_context("prompt", prompt=prompt, **ask)
    assert "winston loses" not in digest
    other = sandbox.answer(
        "decide", "Log with pino", "--from", address, "--date", "2026-01-02"
    )
    shown = sandbox.answer("decision", "show", other["id"])["decision"]
    assert (shown["decision"], shown["timestamp"][:10]) == (
        "Log with pino",
        "2026-01-02",
    )


def test_a_decision_of_the_scene_is_shown_once(agent: SimulatedAgent) -> None:
    sandbox = agent.sandbox
    sandbox.card("2a9f1x", "refs: [src/pricelist.ts]", "status: active")
    sandbox.activate("2a9f1x")
    texts = ("Log with pino", "Round the prices of a row after the taxes are added")
    because = "the till has no small coins,\nand the buffer loses lines"
    for text in texts:
        more = ("--affects", "src/pricelist.ts", "--alternative", "winston")
        sandbox.ok("decide", text, "--because", because, *more)
    brief = start(agent)
    ask = {"session_id": "second", "transcript_path": ""}
    prompt = "Why do we log with pino and round prices of a row after the taxes?"
    digest = agent.send_for_context("prompt", prompt=prompt, **ask)
    for text in texts:
        assert brief.count(text) == 1
        assert text not in digest


def test_only_decisions_choices_and_rules_are_promoted(agent: SimulatedAgent) -> None:
    sandbox = agent.sandbox
    hits = sandbox.answer("recall", "pricelist", "--kind", "statement")["hits"]
    ran = {
        hit["snippet"]: sandbox.run("decide", "--from", hit["address"]) for hit in hits
    }["Fixed the layout of the pricelist."]
    assert ran.code == 1
    assert "is of kind `done`, not a decision, choice or rule" in ran.err
    written = sandbox.place(".cuedeck/decisions.jsonl").read_text()
    assert "Fixed the layout" not in written and "Always use pnpm" in written
    for line, code in (("--from statement:ffffffff", 1), ("X --date soon", 1)):
        assert sandbox.run(f"decide {line}").code == code
