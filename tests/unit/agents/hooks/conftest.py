"""A workspace for handlers of events."""

import pytest
from sandbox import Sandbox


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: One", "status: active", "refs: [src/a.py]")
    sandbox.activate("aaaaaa")
    sandbox.write("src/a.py", "x = 1\n")
    return sandbox
