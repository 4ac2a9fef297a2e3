"""`python -m benchmarks.overload [--hooks 50] [--rounds 4] [--burners 3]`: concurrent
hooks on one busy core lose no message.

Each hook is a `stop` event of a session of its own with a message that no other has.
All hooks of a round start at once, pinned to the same core as processes that only use
it up. After each round every message must be in MEMORY.md or in the queue; after the
queue is processed every message must be in MEMORY.md exactly once. `--burners 0 --core
-1` measures the latency of hooks at once without overload.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from benchmarks.lab import Lab
from benchmarks.process import Launch

_LAUNCHER = "import sys\nfrom cuedeck.__main__ import main\n\nsys.exit(main())\n"
_BURNER = "import time\nend = time.monotonic() + {seconds}\nwhile time.monotonic() < end:\n    pass\n"
_BURN_SECONDS = 90
"""Maximum lifetime of a burner; the end of its round ends it earlier."""
_PATIENCE_SECONDS = 60.0
_MESSAGE = re.compile(r"Round \d+ message \d+\.")
_CARD = "---\nid: aaaaaa\ntitle: Fix login\nstatus: active\nrefs: [README.md]\n---\n"


class Answer(NamedTuple):
    """Exit of one hook."""

    is_sound: bool
    """Whether the exit code was 0 and the output one JSON object."""
    seconds: float


class Round(NamedTuple):
    """Counts of one round."""

    answers: Sequence[Answer]
    in_memory: int
    """Messages in MEMORY.md when the last hook had ended."""
    pending: int
    """Events in the queue at that time."""
    tries: int
    """Maximum number of attempts for one of these events."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rounds; return 1 after a lost or duplicate message, or an answer that is
    no JSON object.
    """
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.overload", description="Start many hooks at once."
    )
    parser.add_argument(
        "--hooks", type=int, default=50, help="hooks at once (default: %(default)s)"
    )
    parser.add_argument(
        "--rounds", type=int, default=4, help="rounds (default: %(default)s)"
    )
    parser.add_argument(
        "--burners",
        type=int,
        default=3,
        help="processes that use up the core (default: %(default)s)",
    )
    parser.add_argument(
        "--core",
        type=int,
        default=0,
        help="core of hooks and burners, -1 for all (default: 0)",
    )
    asked = parser.parse_args(arguments)
    with Lab() as lab:
        storm = HookStorm(lab, asked.core)
        rounds = []
        for number in range(asked.rounds):
            with storm.burning(asked.burners):
                rounds.append(storm.round(number, asked.hooks))
        storm.drain()
        return _show(rounds, storm.messages(), asked.rounds * asked.hooks)


class HookStorm:
    """A workspace in which many hooks start at once."""

    def __init__(self, lab: Lab, core: int) -> None:
        self._launch: Launch = lab.launch
        self._pin = ["taskset", "-c", str(core)] if core >= 0 else []
        self._root = os.path.join(lab.folder, "work")
        self._launcher = os.path.join(lab.folder, "cuedeck-hook")
        self._environ = {**lab.launch.environ, "CUEDECK_NO_BACKGROUND": "1"}
        os.makedirs(os.path.join(self._root, ".cuedeck", "cards"))
        for path, text in {
            ".cuedeck/cards/aaaaaa.md": _CARD,
            ".cuedeck/active": "aaaaaa\n",
            "README.md": "# Login\n",
        }.items():
            with open(os.path.join(self._root, path), "w", encoding="utf-8") as file:
                file.write(text)
        with open(self._launcher, "w", encoding="ascii") as file:
            file.write(_LAUNCHER)
        lab.launch.run(lab.launch.cuedeck("capture", "on"), self._root)
        self._finish_hook(
            self._start_hook(
                "session-start", {"session_id": "first", "source": "startup"}, ()
            )
        )

    @contextmanager
    def burning(self, burners: int) -> Iterator[None]:
        """Occupy the core while the block runs."""
        command = [
            *self._pin,
            sys.executable,
            "-c",
            _BURNER.format(seconds=_BURN_SECONDS),
        ]
        started = [subprocess.Popen(command) for _ in range(burners)]
        try:
            yield
        finally:
            for each in started:
                each.kill()
                each.wait()

    def round(self, number: int, hooks: int) -> Round:
        """Start hooks at once and wait for all of them."""
        requests = [
            {
                "session_id": f"s{number}-{each}",
                "last_assistant_message": f"Round {number} message {each}.",
            }
            for each in range(hooks)
        ]
        begun = [
            (time.monotonic(), self._start_hook("stop", each, self._pin))
            for each in requests
        ]
        left = dict(enumerate(begun))
        answers = []
        while left:
            for each, (start, process) in list(left.items()):
                if (
                    process.poll() is not None
                    or time.monotonic() - start > _PATIENCE_SECONDS
                ):
                    answers.append(
                        Answer(self._finish_hook(process), time.monotonic() - start)
                    )
                    del left[each]
            time.sleep(0.01)
        in_memory = sum(f"Round {number} " in each for each in self.messages())
        pending = self._pending()
        return Round(answers, in_memory, len(pending), max(pending, default=0))

    def drain(self) -> None:
        """Process the waiting events."""
        command = self._launch.python(self._launcher, "session", "status")
        subprocess.run(
            command, cwd=self._root, env=self._environ, capture_output=True, check=False
        )

    def messages(self) -> Counter[str]:
        """Return the messages in MEMORY.md."""
        try:
            with open(
                os.path.join(self._root, ".cuedeck", "MEMORY.md"), encoding="utf-8"
            ) as file:
                return Counter(_MESSAGE.findall(file.read()))
        except FileNotFoundError:
            return Counter()

    def _pending(self) -> list[int]:
        """Return the number of attempts of each event in the queue."""
        try:
            names = os.listdir(
                os.path.join(self._root, ".cuedeck", "sessions", "pending")
            )
        except FileNotFoundError:
            return []
        return [int(name.split(".")[-2]) for name in names if name.endswith(".json")]

    def _start_hook(
        self, event: str, request: dict[str, str], pin: Sequence[str]
    ) -> subprocess.Popen[bytes]:
        command = [
            *pin,
            *self._launch.python(self._launcher, "hook", event, "--host", "claude"),
        ]
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command,
            cwd=self._root,
            env=self._environ,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps({"cwd": self._root, **request}).encode())
        process.stdin.close()
        process.stdin = None
        return process

    def _finish_hook(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait for a hook; return whether its answer is valid."""
        try:
            out, _ = process.communicate(timeout=_PATIENCE_SECONDS)
            return process.returncode == 0 and isinstance(json.loads(out), dict)
        except (subprocess.TimeoutExpired, ValueError):
            process.kill()
            process.wait()
            return False


def _show(rounds: Sequence[Round], messages: Counter[str], expected: int) -> int:
    for number, each in enumerate(rounds):
        seconds = sorted(answer.seconds for answer in each.answers)
        unsound = sum(not answer.is_sound for answer in each.answers)
        print(
            f"round {number}: {len(seconds)} hooks, p50 {statistics.median(seconds):.1f} s, max {seconds[-1]:.1f} s, "
            f"no JSON {unsound}, in memory {each.in_memory}, pending {each.pending}, tries {each.tries}"
        )
    doubled = sum(count - 1 for count in messages.values())
    lost = expected - len(messages)
    print(f"lost {lost} of {expected}, doubled {doubled}")
    return int(
        bool(
            lost
            or doubled
            or any(not answer.is_sound for each in rounds for answer in each.answers)
        )
    )


if __name__ == "__main__":
    sys.exit(main())
