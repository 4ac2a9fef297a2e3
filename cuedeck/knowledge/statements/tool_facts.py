"""Facts from the tools of an agent: open steps of its task lists, plans, answers to its
questions, edited and restored files, commits, results of tests, and commands that only
succeeded in another form.

What the tools did needs no interpretation, so these facts come before those that cue
words find. The input of a tool is recognised by its shape, because hosts name their
tools differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cuedeck.model.ports import JsonView
from cuedeck.model.statement import Spoken, Statement, ToolStep
from cuedeck.parse.tool_files import named_files
from cuedeck.parse.transcript import TranscriptFormat

_LISTS = ("todos", "plan", "tasks", "items")
_TITLES = ("content", "step", "description", "subject", "title", "text")
_DONE = frozenset(["completed", "complete", "done", "finished"])
_DROPPED = frozenset(["cancelled", "canceled", "deleted", "removed"])
_HEADS = {"open": "To do", "done": "Done", "message": "Dropped"}
_BOX = re.compile(r"^\s*[-*] \[([ xX])\] +(\S.*)$", re.M)
_TASK_NUMBER = re.compile(r"#(\w+)")
_ANSWER = re.compile(r'"([^"]+)"="([^"]+)"')
_COMMIT = re.compile(r"^\[\S+(?: \([\w-]+\))? [0-9a-f]{7,40}\] (\S.*)$", re.M)
_MESSAGE = re.compile(r"""git commit\b[^;|]*? -\w*m\s*(["'])(?!\$\()(.+?)\1""")
"""The message of a commit whose output is suppressed."""
_WRITTEN = re.compile(
    r"(?<![\d&<>=-])>>?\s*[\"']?([\w./-]+\.\w+)"
    r"|\bsed -i\b[^;&|]*\s([\w./-]+\.\w+)(?=\s*(?:$|[;&|]))"
)
"""A file that a command line writes."""
_TESTS = re.compile(
    r"""
    ^[=\s]*(?:
      Tests?:?\s+(?=.*\d+\ (?:passed|failed))(?P<jest>.*)
    | (?P<pytest>\d+\ (?:passed|failed|errors?)\b.*?)\ in\ [\d.]+m?s.*
    | test\ result:\ (?P<cargo>.*?\d+\ failed).*
    | (?P<mocha>\d+\ (?:passing|failing)\b.*)
    | (?P<rspec>\d+\ (?:examples?|tests?),\ .*\d+\ failures?.*)
    | (?P<unittest>(?:OK|FAILED\ \(.*\)))\s*
    | (?:---\ )?(?P<go>(?:ok|FAIL):?\s+\S+\s+\(?[\d.]+s\)?).*
    )$
    """,
    re.M | re.X,
)
"""The line in which a test runner counts its tests."""
_RED = re.compile(r"\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|FAIL")
_SEARCHES = frozenset(
    [
        "grep",
        "rg",
        "ls",
        "cat",
        "test",
        "find",
        "diff",
        "head",
        "tail",
        "which",
        "sed",
        "cd",
    ]
)
"""Programs whose failure only means that they found nothing."""
_CHANGES = re.compile(
    r"(?:^|[\s;&|])(?:install|add|mkdir|mv|cp|rm|touch|tee|export|checkout|restore|stash"
    r"|build|generate|migrate|sed -i\S*)(?=\s|$)|(?<![\d&])>(?!&)"
)
"""A command that may have removed the cause of an earlier failure."""
_RESTORE = re.compile(r"\bgit (?:checkout|restore|(reset --hard))\b([^;&|\n]*)")
_PATCH = "*** Begin Patch"
_MOST_FILES = 20
_MOST_NAMED = 6
_MOST_STEPS = 30
_MOST_FAILED = 5
_LONGEST_COMMAND = 120


class ToolFacts:
    """The facts of one conversation, exchange by exchange: lists of steps and edits of
    earlier exchanges count in later ones.
    """

    def __init__(self, names: TranscriptFormat, roots: Sequence[str]) -> None:
        """`roots` are the folders of the workspace in the worktrees of git."""
        self._names = names
        # A worktree may lie in another one.
        by_length = sorted(roots, key=len, reverse=True)
        self._roots = [root.rstrip("/") + "/" for root in by_length]
        self._steps: dict[str, str] = {}
        """Kinds of the listed steps by their texts."""
        self._numbers: dict[str, str] = {}
        """Texts of the tasks that have a number."""
        self._edited: dict[str, None] = {}
        """Files with edits that are neither committed nor restored."""
        self._failed: list[str] = []
        """Commands that failed after the last change."""

    def take(self, spoken: Spoken) -> list[Statement]:
        """Return the facts of the next exchange, each with its last state, without turn
        and time."""
        found: dict[str, Statement] = {}
        before = dict(self._steps)
        edited: dict[str, None] = {}
        for step in spoken.steps:
            for fact in self._facts_of(step, edited):
                found[fact.key or fact.text] = fact
        for text, kind in list(self._steps.items())[-_MOST_STEPS:]:
            if before.get(text) != kind:
                fact = _fact(kind, f"{_HEADS[kind]}: {text}", key=f"step {text}")
                found[fact.key] = fact
        if edited:
            text = f"Edited {_listed(edited)}"
            found[text] = _fact("done", text, edited)
        return list(found.values())

    def _facts_of(self, step: ToolStep, edited: dict[str, None]) -> Iterator[Statement]:
        is_patch = _PATCH in str(step.given)
        if step.name in self._names.shells and not is_patch:
            yield from self._facts_of_command(step, edited)
        elif step.is_failed:
            return
        elif step.name in self._names.writes or is_patch:
            self._failed.clear()
            self._add_edits(named_files(step.given), edited)
        elif isinstance(step.given.get("questions"), list):
            yield from _answers(step)
        elif isinstance(step.given.get("plan"), str):
            plan = " ".join(re.sub(r"[#*`]", "", step.given["plan"]).split())
            yield _fact("decision", f"Plan: {plan}")
        else:
            self._read_steps(step)

    def _add_edits(self, names: Iterable[str], edited: dict[str, None]) -> None:
        for path in filter(None, map(self._inside, names)):
            self._edited[path] = edited[path] = None

    def _inside(self, path: str) -> str:
        """Return a path relative to the workspace; empty for a place outside it."""
        root = next(filter(path.startswith, self._roots), "")
        path = path.removeprefix(root)
        is_outside = path.startswith(("/", "~", "../", ".cuedeck/"))
        return "" if is_outside else path.removeprefix("./")

    # --- steps

    def _read_steps(self, step: ToolStep) -> None:
        listed = _listed_steps(step.given)
        if listed:
            for text, kind in self._steps.items():
                if kind == "open" and not step.given.get("merge"):
                    self._steps[text] = "message"
            self._steps.update(listed)
            return
        number = step.given.get("taskId", step.given.get("task_id"))
        title = step.given.get("subject")
        if number is None and isinstance(title, str) and "task" in step.name.lower():
            named = _TASK_NUMBER.search(step.result)
            self._numbers[named[1] if named else str(len(self._numbers) + 1)] = title
            self._steps[title] = "open"
            return
        text = self._numbers.get(str(number), "")
        if text and "status" in step.given:
            self._steps[text] = _kind_of(step.given["status"])

    # --- commands

    def _facts_of_command(
        self, step: ToolStep, edited: dict[str, None]
    ) -> Iterator[Statement]:
        command = _command(step.given)
        yield from _test_result(command, step.result)
        if step.is_failed:
            program = next(iter(_words(command)), "")
            if 0 < len(command) <= _LONGEST_COMMAND and program not in _SEARCHES:
                self._failed = [*self._failed, command][-_MOST_FAILED:]
            return
        self._add_edits(("".join(each) for each in _WRITTEN.findall(command)), edited)
        for title in _commits(command, step.result):
            yield _fact("done", f"Committed: {title}", self._edited)
            self._edited.clear()
        restored = _RESTORE.search(command)
        if restored is not None:
            words = "." if restored[1] else restored[2]
            yield from self._restored(words, edited)
        failed = next((each for each in self._failed if _is_same(each, command)), "")
        if failed:
            self._failed.remove(failed)
            yield _fact("finding", f"`{failed}` failed, `{command}` succeeded")
        if _CHANGES.search(command):
            self._failed.clear()

    def _restored(self, words: str, edited: dict[str, None]) -> Iterator[Statement]:
        named = [self._inside(each.strip("\"'")) for each in words.split()]
        paths = [path for path in self._edited if path in named or "." in named]
        for path in paths:
            del self._edited[path]
            edited.pop(path, None)
        if paths:
            yield _fact("failed", f"Discarded the edits of {_listed(paths)}", paths)


def _listed_steps(given: JsonView) -> dict[str, str]:
    found: dict[str, str] = {}
    for value in map(given.get, _LISTS):
        if isinstance(value, str):
            for mark, text in _BOX.findall(value):
                found[text] = "open" if mark == " " else "done"
        for each in value if isinstance(value, list) else ():
            if not isinstance(each, dict) or "status" not in each:
                continue
            texts = [each[name] for name in _TITLES if isinstance(each.get(name), str)]
            if texts and texts[0].strip():
                found[" ".join(texts[0].split())] = _kind_of(each["status"])
    return found


def _kind_of(status: object) -> str:
    word = str(status).lower()
    if word in _DONE:
        return "done"
    return "message" if word in _DROPPED else "open"


def _answers(step: ToolStep) -> Iterator[Statement]:
    """Yield the answers of the user to questions of the agent, with the text of the
    chosen options.
    """
    about: dict[str, str] = {}
    for question in step.given["questions"]:
        options = question.get("options") if isinstance(question, dict) else None
        for option in options if isinstance(options, list) else ():
            if isinstance(option, dict):
                about[str(option.get("label"))] = str(option.get("description") or "")
    for question, answer in _ANSWER.findall(step.result):
        described = f"{answer}: {about[answer]}" if about.get(answer) else answer
        yield Statement("choice", "user", f"{question} {described}", 0)


def _command(given: JsonView) -> str:
    value = given.get("command", given.get("cmd", ""))
    if isinstance(value, list):
        words = [each for each in value if isinstance(each, str)]
        value = words[-1] if words[1:2] in (["-c"], ["-lc"]) else " ".join(words)
    text = " ".join(str(value).split())
    return re.sub(r"^cd \S+ && ", "", text)


def _commits(command: str, result: str) -> list[str]:
    if "git commit" not in command:
        return []
    return _COMMIT.findall(result) or [each[1] for each in _MESSAGE.findall(command)]


def _test_result(command: str, result: str) -> Iterator[Statement]:
    lines = [each[each.lastgroup or 0] for each in _TESTS.finditer(result)]
    if not lines:
        return
    red = [line for line in lines if _RED.search(line)]
    line = " ".join((red or lines)[-1].strip(" =").split())
    kind = "failed" if red else "done"
    where = f" (`{command}`)" if len(command) <= _LONGEST_COMMAND else ""
    yield _fact(kind, f"Last test result: {line}{where}", key="tests")


def _is_same(failed: str, command: str) -> bool:
    """Return whether a command is another form of one that failed: it has all words of
    it except the program and options.
    """
    if failed == command or len(command) > _LONGEST_COMMAND:
        return False
    program, *rest = _words(failed)
    needed = {word for word in rest if not word.startswith("-")}
    words = set(_words(command))
    return needed <= words if needed else program in words


def _words(command: str) -> list[str]:
    words = command.split()
    while words and re.match(r"\w+=", words[0]):
        words = words[1:]
    return words


def _fact(
    kind: str, text: str, files: Iterable[str] = (), *, key: str = ""
) -> Statement:
    return Statement(
        kind,
        "tool",
        text,
        0,
        "",
        tuple(files)[:_MOST_FILES],
        key,
    )


def _listed(paths: Iterable[str]) -> str:
    names: Sequence[str] = [f"`{path}`" for path in paths]
    rest = len(names) - _MOST_NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"
