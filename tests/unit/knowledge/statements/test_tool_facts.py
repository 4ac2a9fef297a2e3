"""Facts from the tools of an agent: steps, plans, answers, edits, commits, tests."""

from __future__ import annotations

import pytest

from cuedeck.agents.hosts import transcript_format
from cuedeck.knowledge.statements.tool_facts import ToolFacts
from cuedeck.model.statement import Spoken, ToolStep

ROOT = "/work/shop"


def shell(command: str, result: str = "", *, failed: bool = False) -> ToolStep:
    return ToolStep("Bash", {"command": command}, result, failed)


def edit(path: str) -> ToolStep:
    return ToolStep("Edit", {"file_path": f"{ROOT}/{path}"}, "ok", False)


def todo(*steps: tuple[str, str]) -> ToolStep:
    rows = [{"content": text, "status": status} for text, status in steps]
    return ToolStep("TodoWrite", {"todos": rows}, "ok", False)


def facts(*turns: list[ToolStep]) -> dict[str, str]:
    """Return the kinds of all facts by their texts, each with its last state."""
    known = ToolFacts(transcript_format(), [ROOT])
    found: dict[str, tuple[str, str]] = {}
    for at, steps in enumerate(turns, 1):
        spoken = Spoken(at, "Go on", ("Done.",), steps=tuple(steps))
        for each in known.take(spoken):
            found[each.key or each.text] = (each.text, each.kind)
    return dict(found.values())


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("TodoWrite", {"todos": [{"content": "Split it", "status": "completed"},
            {"content": "Write  tests", "status": "in_progress", "activeForm": "Writing"}]}),
        ("update_plan", {"explanation": "x", "plan": [{"step": "Split it", "status": "completed"},
            {"step": "Write tests", "status": "pending"}]}),
        ("write_todos", {"todos": [{"description": "Split it", "status": "completed"},
            {"description": "Write tests", "status": "pending"}]}),
        ("update_todo", {"todos": "- [x] Split it\n- [ ] Write tests"}),
    ],
)  # fmt: skip
def test_lists_of_steps_of_all_hosts_are_read(
    name: str, given: dict[str, object]
) -> None:
    step = ToolStep(name, given, "ok", False)
    assert facts([step]) == {"Done: Split it": "done", "To do: Write tests": "open"}


def test_the_last_state_of_a_step_counts() -> None:
    first = todo(("Split it", "in_progress"), ("Ask Ada", "pending"))
    assert facts([first], [todo(("Split it", "completed"))]) == {
        "Done: Split it": "done",
        "Dropped: Ask Ada": "message",
    }


def test_a_task_is_changed_by_its_number() -> None:
    made = ToolStep("TaskCreate", {"subject": "Audit"}, "Task #7 created", False)
    ended = ToolStep("TaskUpdate", {"taskId": "7", "status": "completed"}, "", False)
    assert facts([made]) == {"To do: Audit": "open"}
    assert facts([made], [ended]) == {"Done: Audit": "done"}
    refused = ToolStep("TaskCreate", {"subject": "Audit"}, "No such tool", True)
    assert facts([refused]) == {}


def test_edited_files_are_those_of_the_workspace() -> None:
    patch = "*** Begin Patch\n*** Update File: src/b.py\n*** End Patch"
    steps = [
        edit("src/a.py"),
        edit("../other/c.py"),
        edit(".cuedeck/cards/1.md"),
        ToolStep("apply_patch", {"input": patch}, "ok", False),
        shell("sed -i 's#a > b#c#' src/c.py && cat src/d.py"),
        shell("printf x >> docs/e.md 2>/dev/null; make 2>&1 >/tmp/log.txt"),
    ]
    text = "Edited `src/a.py`, `src/b.py`, `src/c.py`, `docs/e.md`"
    assert facts(steps) == {text: "done"}


@pytest.mark.parametrize(
    "command", ["git checkout -q -- src/a.py", "git restore .", "git reset --hard"]
)
def test_a_restored_file_is_not_edited(command: str) -> None:
    found = facts([edit("src/a.py"), shell(command)])
    assert found == {"Discarded the edits of `src/a.py`": "failed"}


@pytest.mark.parametrize("command", ["git checkout -b topic/x", "git checkout main"])
def test_another_branch_restores_nothing(command: str) -> None:
    assert facts([edit("a.py"), shell(command)]) == {"Edited `a.py`": "done"}


def test_a_commit_has_its_message_and_files() -> None:
    answer = "[main 1a2b3c4] fix: round the price\n 1 file changed"
    known = ToolFacts(transcript_format(), [ROOT])
    steps = (edit("price.ts"), shell("git commit -am 'fix: round the price'", answer))
    found = {each.text: each for each in known.take(Spoken(1, "Go", steps=steps))}
    assert found["Committed: fix: round the price"].files == ("price.ts",)
    quiet = shell("git add -A && git commit -qm 'fix: round it'")
    assert facts([quiet]) == {"Committed: fix: round it": "done"}


@pytest.mark.parametrize(
    ("result", "kind", "text"),
    [
        ("Tests: 2 failed, 176 passed, 178 total", "failed", "2 failed, 176 passed, 178 total"),
        ("      Tests  3 passed (3)", "done", "3 passed (3)"),
        ("===== 1 failed, 5 passed in 0.31s =====", "failed", "1 failed, 5 passed"),
        ("9 passed in 1.20s", "done", "9 passed"),
        ("test result: FAILED. 3 passed; 1 failed; 0 ignored", "failed", "FAILED. 3 passed; 1 failed"),
        ("  12 passing (9ms)\n  1 failing", "failed", "1 failing"),
        ("Ran 4 tests in 0.001s\n\nOK", "done", "OK"),
        ("ok  \texample.com/shop\t0.012s", "done", "ok example.com/shop 0.012s"),
        ("7 examples, 0 failures", "done", "7 examples, 0 failures"),
    ],
)  # fmt: skip
def test_the_last_test_result_counts(result: str, kind: str, text: str) -> None:
    before = shell("make test", "9 failed in 1.00s", failed=True)
    found = facts([before], [shell("make test", result)])
    assert found == {f"Last test result: {text} (`make test`)": kind}


def test_a_command_that_succeeded_in_another_form_is_a_finding() -> None:
    failed = shell("node_modules/.bin/jest", "Exit code 1", failed=True)
    other = shell("TZ=Europe/Paris node_modules/.bin/jest")
    text = "`node_modules/.bin/jest` failed, `TZ=Europe/Paris node_modules/.bin/jest`"
    assert facts([failed, other]) == {f"{text} succeeded": "finding"}


@pytest.mark.parametrize(
    "steps",
    [
        [shell("npm test", failed=True), shell("npm run lint")],
        [shell("npm test", failed=True), edit("a.js"), shell("npm test -- -b")],
        [shell("npm test", failed=True), shell("npm install"), shell("CI=1 npm test")],
        [shell("grep -n x a.py", failed=True), shell("grep -rn x a.py")],
        [shell("pytest tests/a.py", failed=True), shell("pytest tests/b.py")],
    ],
)
def test_other_successes_explain_no_failure(steps: list[ToolStep]) -> None:
    assert "finding" not in facts(steps).values()


def test_answers_to_questions_have_the_text_of_the_option() -> None:
    options = [{"label": "Modal", "description": "Blocks the page."}, {"label": "Page"}]
    given = {"questions": [{"question": "Where?", "options": options}]}
    answer = 'User has answered your questions: "Where?"="Modal". You can go on.'
    asked = ToolStep("AskUserQuestion", given, answer, False)
    assert facts([asked]) == {"Where? Modal: Blocks the page.": "choice"}


def test_an_approved_plan_is_a_decision() -> None:
    plan = {"plan": "# Split `time.ts`\n\n1. Parser\n2. Search"}
    assert facts([ToolStep("ExitPlanMode", plan, "approved", False)]) == {
        "Plan: Split time.ts 1. Parser 2. Search": "decision"
    }
    assert facts([ToolStep("ExitPlanMode", plan, "rejected", True)]) == {}


@pytest.mark.parametrize(
    "given",
    [{"todos": 1}, {"todos": [{"status": 1}]}, {"plan": {}}, {"questions": [1]}, {}],
)
def test_tools_of_unknown_shapes_leave_nothing(given: dict[str, object]) -> None:
    assert facts([ToolStep("later", given, "x", False)]) == {}
