"""`python -m benchmarks.continuity FOLDER`: earlier statements that reach a session.

Real conversations are fed through the hooks of Claude Code, session after session. A
case is a later prompt with quotes of earlier sessions that it needs, or with none; it
begins a session of its own in the workspace as it was then. The context of its first
two hooks is scored: the brief of the session start and the digest of the prompt.

FOLDER holds `corpus/THREAD.jsonl` (one turn a row: `session`, `turn`, `role`, and
`text` of the user or `parts` of the agent) and `cases-*.jsonl` (`id`, `thread`,
`session`, `prompt`, `evidence` with `quote`). The environment variable
`CUEDECK_CONTINUITY` names the folder, too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from benchmarks.lab import Lab

_BARS = {
    "both hooks, R@1,000": 0.60,
    "both hooks, R@2,000": 0.72,
    "digest, R@500": 0.33,
    "digest, silent without need": 0.80,
    "`recall --limit 80`, R@1,000": 0.58,
}
_SHARE = 0.6
"""Share of the distinct words of a quote that one passage must contain."""
_HEAD = "## Relevant memory"
_STOP_WORDS = """
    the and for that this with you are was not have has had can could would
    should will just like from they them there then than when what which who how
    why all any some one two more also into out about over only very much now
    but our your its it's i'm i've don't doesn't didn't please let lets let's
    make sure want need see use used using here been being does did do is it in
    on of to a an as at be by or if so we me my he she us get got new que los
    las del una con por para esto esta este est les des une pour dans sur pas
    qui sont avec ce cette ces nous vous je и в не на что как это для из с у то
    так но а же бы мы вы он она они или если да нет el la lo de en un y o no se
    es al le su más
"""
Row = Mapping[str, Any]


def main() -> int:
    """Print the table; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.getenv("CUEDECK_CONTINUITY"))
    folder = parser.parse_args().folder
    if not folder:
        parser.error("give the folder of the conversations")
    cases = [row for path in _case_files(Path(folder)) for row in _rows(path)]
    threads = sorted({case["thread"] for case in cases})
    answers: dict[str, _Answer] = {}
    with Lab() as lab, ThreadPoolExecutor(os.cpu_count()) as pool:

        def play(thread: str) -> dict[str, _Answer]:
            of_thread = [case for case in cases if case["thread"] == thread]
            rows = _rows(Path(folder) / "corpus" / f"{thread}.jsonl")
            found = dict(_Host(Path(lab.folder) / thread).play(rows, of_thread))
            lab.say(f"{thread}: {len(of_thread)} cases")
            return found

        for found in pool.map(play, threads):
            answers.update(found)
    return _print_table(cases, answers)


def _case_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("cases-*.jsonl"))


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


class _Answer(NamedTuple):
    """The passages that one prompt gets, best first."""

    brief: list[str]
    digest: list[str]
    hits: list[str]


class _Host:
    """Claude Code in one workspace."""

    def __init__(self, base: Path) -> None:
        self.root = base / "work"
        self.home = base / "home"
        self.root.mkdir(parents=True)
        self.home.mkdir()
        self.environ = {
            **{key: os.environ[key] for key in os.environ if "CUEDECK" not in key},
            "HOME": str(self.home),
            "CUEDECK_NO_BACKGROUND": "1",
        }
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        self.cuedeck("init")
        self.cuedeck("capture", "on")

    def play(
        self, rows: Sequence[Row], cases: Sequence[Row]
    ) -> Iterator[tuple[str, _Answer]]:
        """Hold the sessions in order; yield what each case gets before its session."""
        for session, turns in groupby(rows, key=itemgetter("session")):
            for case in cases:
                if case["session"] == session:
                    yield case["id"], self._ask(case)
            self._hold(session, list(turns))

    def _hold(self, session: str, turns: Sequence[Row]) -> None:
        self.hook("session-start", session, source="startup")
        for turn in turns:
            is_user = turn["role"] == "user"
            for text in [turn["text"]] if is_user else turn["parts"]:
                self._write(session, "user" if is_user else "assistant", text)
            if is_user:
                self.hook("prompt", session, prompt=turn["text"])
            else:
                self.hook("stop", session, last_assistant_message=turn["parts"][-1])
        self.hook("session-end", session, reason="other")
        self.cuedeck("memory", "tick")

    def _ask(self, case: Row) -> _Answer:
        before = self.root.with_name("before")
        shutil.copytree(self.root, before, symlinks=True)
        prompt = case["prompt"]
        listed = self.cuedeck("recall", "--json", "--limit", "80", "--", prompt[:2_000])
        hits = [hit["snippet"] for hit in json.loads(listed).get("hits", ())]
        session = f"case-{case['id']}"
        brief = self.hook("session-start", session, source="startup")
        further, _, digest = self.hook("prompt", session, prompt=prompt).partition(
            _HEAD
        )
        shutil.rmtree(self.root)
        before.rename(self.root)
        return _Answer(_passages(brief) + _passages(further), _passages(digest), hits)

    def hook(self, name: str, session: str, **fields: str) -> str:
        """Run a hook; return the context that it gives."""
        request = {
            "session_id": session,
            "transcript_path": str(self._transcript(session)),
            "cwd": str(self.root),
            **fields,
        }
        ran = self.cuedeck(
            "hook", name, "--host", "claude", request=json.dumps(request)
        )
        try:
            answer = json.loads(ran)
        except ValueError:
            return ran
        return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def cuedeck(self, *arguments: str, request: str = "") -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "cuedeck", *arguments],
            cwd=self.root,
            env=self.environ,
            input=request,
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.stdout

    def _transcript(self, session: str) -> Path:
        return self.home / f"{session}.jsonl"

    def _write(self, session: str, role: str, text: str) -> None:
        content = text if role == "user" else [{"type": "text", "text": text}]
        row = {
            "cwd": str(self.root),
            "sessionId": session,
            "type": role,
            "message": {"role": role, "content": content},
        }
        with self._transcript(session).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def _passages(text: str) -> list[str]:
    """Return the list items with the lines below them, without places."""
    items = re.findall(r"^- (.*(?:\n  .*)*)", text, re.MULTILINE)
    return [re.sub(r"\s*\([^()]*`[^`]*`\)", "", item) for item in items]


def _words(text: str) -> set[str]:
    folded = text.lower().replace("’", "'").replace("_", " ")
    words = {word.strip("'") for word in re.findall(r"[\w']+", folded)}
    words.difference_update(_STOP_WORDS.split())
    return {word for word in words if len(word) > 2 or word.isdigit()}


def _tokens(text: str) -> float:
    """Return an estimate: 4 ASCII or 2.2 other characters are a token."""
    others = sum(ord(sign) > 127 for sign in text)
    return (len(text) - others) / 4 + others / 2.2


def _cut(passages: Sequence[str], size: int) -> Iterator[set[str]]:
    """Yield the words of the passages that fit; the last one is shortened."""
    room = float(size)
    for passage in passages:
        needed = _tokens(passage) + 1
        share = min(1.0, room / needed)
        yield _words(passage[: int(len(passage) * share)])
        room -= needed
        if room <= 0:
            return


def _found(passages: Sequence[str], case: Row, size: int) -> float:
    """Return the share of the quotes of a case in the first tokens of passages."""
    given = list(_cut(passages, size))
    found = []
    for quote in case["evidence"]:
        needed = _words(quote["quote"])
        least = _SHARE * len(needed)
        found.append(any(len(needed & words) >= least for words in given))
    return fmean(found)


def _print_table(cases: Sequence[Row], answers: Mapping[str, _Answer]) -> int:
    asked = [(case, answers[case["id"]]) for case in cases if case["evidence"]]
    free = [answers[case["id"]] for case in cases if not case["evidence"]]
    both = [(case, [*got.digest, *got.brief]) for case, got in asked]
    figures = (
        fmean(_found(passages, case, 1_000) for case, passages in both),
        fmean(_found(passages, case, 2_000) for case, passages in both),
        fmean(_found(got.digest, case, 500) for case, got in asked),
        fmean(not got.digest for got in free),
        fmean(_found(got.hits, case, 1_000) for case, got in asked),
    )
    print(f"{len(asked)} prompts that need something earlier, {len(free)} that do not")
    print("| | figure | bar |")
    print("|---|---|---|")
    for (name, bar), figure in zip(_BARS.items(), figures, strict=True):
        print(f"| {name} | {figure:.3f} | {bar:.2f} |")
    return int(any(map(lambda got, bar: got < bar, figures, _BARS.values())))


if __name__ == "__main__":
    sys.exit(main())
