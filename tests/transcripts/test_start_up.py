"""Modules that a search imports: its start-up takes longer than its work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterable
from pathlib import Path

import pytest
from agent_host import SimulatedAgent, recorded_request
from sandbox import Sandbox, until

MOST_OF_COMMAND = 122
"""Own modules that `cuedeck recall` imports."""
MOST_OF_HOOK = 103
"""Own modules that a prompt imports whose words are in no record."""
MOST_WITH_TIMELINE = 107
"""The same in a workspace whose hooks write a timeline."""
MOST_OF_ANSWERING_HOOK = 122
"""The same for a prompt that records answer."""
HEAVY = {
    "asyncio",
    "difflib",
    "hashlib",
    "logging",
    "lz4",
    "networkx",
    "pyromark",
    "re2",
    "subprocess",
    "tempfile",
    "tiktoken",
    "tomllib",
    "tree_sitter",
    "watchfiles",
    "yaml",
}
HEAVY_FOR_HOOKS = HEAVY | {
    "click",
    "dataclasses",
    "inspect",
    "pathlib",
    "threading",
    "typing",
}
RECORDS = ("The staging server listens on port 5433", "We deploy on Fridays")
LATER = "The port of the staging server is 5433 in the harbour of"
HARBOURS = ("Bergen", "Hull", "Porto", "Genoa", "Split", "Dover")
QUESTION = "Which port does the staging server have?"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write("docs/login.md", "# Login\n\nThe form has two fields.\n")
    for text in RECORDS:
        sandbox.ok("memory", "add", text)
    sandbox.answer("recall", "port")
    return sandbox


@pytest.fixture
def counting_shop(shop: Sandbox, tmp_path: Path) -> Sandbox:
    """The workspace with a cache folder of its own, whose table of token ranks is built
    and verified.

    The first processes that count tokens build and verify the table, which takes
    modules that later ones do not load. In the cache folder that all tests share,
    another test or another worker may be the first.
    """
    environ = {**shop.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    made = Sandbox(shop.root, environ)
    count = ["recall", "--tokens", "1000", QUESTION]
    until(lambda: "hashlib" not in imported(made, count), "the ranks are verified")
    return made


def imported(
    shop: Sandbox, arguments: Iterable[str], request: object = None
) -> set[str]:
    """Return the modules that a command imports, in all its processes."""
    ran = subprocess.run(
        [sys.executable, "-m", "cuedeck", *arguments],
        cwd=shop.root,
        env={**shop.environ, "PYTHONPROFILEIMPORTTIME": "1"},
        input=json.dumps(request).encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    lines = os.fsdecode(ran.stderr).splitlines()
    return {line.rsplit("|", 1)[1].strip() for line in lines if "|" in line}


def own(names: Collection[str]) -> list[str]:
    return sorted(name for name in names if name.startswith("cuedeck"))


def imported_by_prompt(shop: Sandbox, prompt: str) -> set[str]:
    """Return the modules that the second prompt of a session imports. The brief of the
    session lacks the records about harbours.
    """
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    for harbour in HARBOURS:
        shop.ok("memory", "add", f"{LATER} {harbour}")
    agent.send("prompt", prompt="Where is the form?")
    fields = {"prompt": prompt, "transcript_path": ""}
    event, request = recorded_request("claude", "prompt", shop.root, **fields)
    return imported(shop, ["hook", event, "--host", "claude"], request)


def test_a_search_imports_few_modules(shop: Sandbox) -> None:
    shop.ok("recall", "port")
    names = imported(shop, ["recall", QUESTION])
    assert not names & HEAVY
    assert len(own(names)) <= MOST_OF_COMMAND, own(names)


def test_a_prompt_with_new_words_imports_few_modules(shop: Sandbox) -> None:
    names = imported_by_prompt(shop, "Explain the zebra crossing in Oslo")
    assert "cuedeck.knowledge.recall.memory_digest" in names
    assert sorted(names & HEAVY_FOR_HOOKS) == []
    assert len(own(names)) <= MOST_OF_HOOK, own(names)


def test_a_prompt_in_a_workspace_with_a_timeline_imports_few_modules(
    shop: Sandbox,
) -> None:
    shop.write(".cuedeck/config.toml", "[cortex]\ntimeline = true\n")
    shop.ok("cortex", "add", "The zebra crossing in Oslo is new")
    shop.ok("cortex", "commit")
    shop.answer("recall", "port")
    names = imported_by_prompt(shop, "Explain the llama market in Lima")
    assert "cuedeck.store.cortex.cortex_tree" in names
    assert sorted(names & HEAVY_FOR_HOOKS) == []
    assert len(own(names)) <= MOST_WITH_TIMELINE, own(names)


def test_a_prompt_with_an_answer_imports_few_modules(counting_shop: Sandbox) -> None:
    names = imported_by_prompt(counting_shop, QUESTION)
    assert "cuedeck.knowledge.recall.rank_units" in names
    assert "cuedeck.knowledge.dreaming.count_recalls" in names
    assert "cuedeck.store.tokens.token_counter" in names
    assert sorted(names & HEAVY_FOR_HOOKS) == []
    assert len(own(names)) <= MOST_OF_ANSWERING_HOOK, own(names)


def test_a_command_leaves_no_log_of_sqlite(shop: Sandbox) -> None:
    """A connection that is not closed leaves its write-ahead log."""
    shop.ok("memory", "add", "The parser moved")
    shop.ok("recall", "parser")
    left = [path.name for path in shop.private("recall.sqlite").parent.iterdir()]
    assert "recall.sqlite" in left
    assert [name for name in left if name.endswith(("-wal", "-shm"))] == []
