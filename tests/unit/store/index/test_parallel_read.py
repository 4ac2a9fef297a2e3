"""Workers that read files. Each test is a process of its own: one with threads is not
forked.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from sandbox import Sandbox

from cuedeck.store.index.parallel_read import may_fork

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no process is forked")

_HEAD = """
import os, sys, threading
from cuedeck.store.index.parallel_read import map_in_workers, may_fork

os.cpu_count = lambda: 2

def double(number):
    if number == 13:
        os._exit(1)
    if number == 17:
        raise ValueError
    return [number] * 2
"""


def run(code: str, *arguments: str) -> str:
    """Return the output of a new process."""
    ended = subprocess.run(
        [sys.executable, "-c", _HEAD + code, *arguments],
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout.decode()


def test_answers_come_whole_and_in_the_order_of_the_tasks() -> None:
    code = """
for tasks in (0, 1, 7):
    assert list(map_in_workers(double, range(tasks))) == [[n, n] for n in range(tasks)]
sys.stdout.write("once ")
print(sum(map(len, map_in_workers(bytes, [3_000_000] * 4))))
"""
    assert run(code) == "once 12000000\n"


@pytest.mark.parametrize("end", [13, 17])
def test_a_worker_that_dies_is_an_error_after_its_results(end: int) -> None:
    code = f"""
answers = map_in_workers(double, [1, 2, 3, {end}, 5])
print(next(answers), next(answers), next(answers))
try:
    next(answers)
except OSError as error:
    print(type(error).__name__)
"""
    assert run(code) == "[1, 1] [2, 2] [3, 3]\nChildProcessError\n"


def test_workers_end_when_the_reader_stops() -> None:
    code = """
answers = map_in_workers(double, range(10))
next(answers)
answers.close()
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("alone")
"""
    assert run(code) == "alone\n"


def test_a_process_with_threads_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
print(may_fork())
stop = threading.Event()
thread = threading.Thread(target=stop.wait)
thread.start()
print(may_fork())
stop.set()
thread.join()
"""
    assert run(code) == "True\nFalse\n"

    def missing(place: str) -> list[str]:
        raise FileNotFoundError(place)

    monkeypatch.setattr("cuedeck.store.index.parallel_read.os.listdir", missing)
    assert may_fork() is False


@pytest.mark.slow
def test_workers_read_the_same_as_one_process(sandbox: Sandbox) -> None:
    for number in range(130):
        sandbox.write(
            f"docs/{number}.md",
            f"# Doc {number}\\n\\nA token of [another](docs/{number + 1}.md).\\n",
        )
        sandbox.write(
            f"src/m{number}.py",
            f"import m{number + 1}\\n\\n\\ndef step_{number}(token):\\n    return token\\n",
        )
    code = """
from cuedeck.store.index import parallel_read
from cuedeck.engine.open_workspace import workspace_at
from cuedeck.store.workspace_paths import WorkspacePaths

def dump():
    project = workspace_at(WorkspacePaths(sys.argv[1]), {}).reopened(index_in_memory=True)
    progress = []
    project.refresh(lambda done, files: progress.append((done, files)))
    ask = project.index.database.execute
    rows = [ask(f"SELECT * FROM {table}").fetchall() for table in ("nodes", "names", "documents", "places")]
    return rows, progress

several, progress = dump()

def refuse():
    raise PermissionError(1, "Operation not permitted")

parallel_read.os.fork = refuse
one, none = dump()
print(len(one[0]), one == several, none, progress == sorted(progress) and progress[-1])
"""
    files = 260 + len(list(sandbox.place(".cuedeck/cards").glob("*")))
    assert run(code, str(sandbox.root)) == f"{files} True [] ({files}, {files})\n"
