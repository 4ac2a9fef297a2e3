"""Settings of all tests: number of Hypothesis examples, and delivery of interrupts."""

from __future__ import annotations

import gc
import os
import signal

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


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collection, which visits them all."""
    gc.collect()
    gc.freeze()
