"""Settings of all tests: number of Hypothesis examples, and delivery of interrupts; and
a folder for laws.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline, because tests assert no durations. HYPOTHESIS_PROFILE=thorough runs ten
# times as many examples.
settings.register_profile("suite", deadline=None, max_examples=40)
settings.register_profile("thorough", deadline=None, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

# A background shell, nohup and some build servers start processes with SIGINT ignored,
# and children inherit that. With a handler of Python in its place, the children that
# tests interrupt start with the default action.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart() -> None:
    """Collect garbage less often, because the tests create many objects and few
    cycles.
    """
    gc.set_threshold(5_000, 10, 10)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Import the tests without garbage collection, and exempt the objects that exist
    then from later collections, which would visit all of them.
    """
    gc.disable()
    _import_share(session.config)
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def _import_share(config: pytest.Config) -> None:
    """Import this worker's share of the test files before it collects all of them.

    The first run after a checkout rewrites the assertions of each file and writes its
    bytecode; so each worker finds the bytecode that the others have written.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    folders = [Path(each) for each in config.args if Path(each).is_dir()]
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    first, last = (len(files) * at // workers for at in (worker, worker + 1))
    for file in files[first:last] if worker else ():
        folder = str(file.parent.resolve())
        if folder not in sys.path:
            sys.path.insert(0, folder)
        # The collection imports a file again and reports its error.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(file.stem)


@pytest.fixture(scope="module")
def base() -> Iterator[Path]:
    """A folder in memory if available, for laws that create hundreds of small trees."""
    shared = Path("/dev/shm")
    place = shared if os.access(shared, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place, prefix="cuedeck-laws-") as folder:
        yield Path(os.path.realpath(folder))
