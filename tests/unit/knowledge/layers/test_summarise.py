"""Layers by a summariser command: real processes, checked answers, safe fallbacks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from layer_tree import Layered

from cuedeck.engine.open_workspace import open_workspace
from cuedeck.knowledge.layers.build_layers import BuildReceipt, build_layers
from cuedeck.knowledge.layers.layer_file import parse_layer_file

INTRO_L0 = "resources/guide/.layers/intro.md.l0.md"
HEAD = "import json, sys, time\nrequest = json.load(sys.stdin)\n"


@pytest.fixture
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("command") / "short.py"


def build(layered: Layered, command: Path, code: str, **options: bool) -> BuildReceipt:
    command.write_text(HEAD + code)
    environ = {
        "CUEDECK_LAYERS__SUMMARISER": f"{sys.executable},-IS,{command}",
        "CUEDECK_LAYERS__SUMMARISER_SECONDS": "5",
    }
    workspace = open_workspace(str(layered.sandbox.root), environ)
    try:
        return build_layers(workspace, **options)
    finally:
        workspace.close()


ECHO = 'print("Summary of " + request["address"] + " at level " + request["layer"])'


def test_the_command_writes_the_layers(layered: Layered, command: Path) -> None:
    receipt = build(layered, command, ECHO)
    assert not receipt.notes
    layer = parse_layer_file(layered.files()[INTRO_L0])
    assert layer is not None
    assert layer.body == "Summary of cortex://resources/guide/intro.md at level L0"
    assert layer.generated_by.startswith("command:python")
    assert layered.status()["fresh"] == len(receipt.made)
    assert layered.read("cortex://resources/guide", "L0")["generated_by"] == (
        layer.generated_by
    )


def test_a_layer_is_written_once_for_the_same_input(
    layered: Layered, command: Path
) -> None:
    build(layered, command, ECHO)
    before = layered.files()
    receipt = build(layered, command, "sys.exit(3)")
    assert not receipt.made and not receipt.notes
    assert layered.files() == before


def test_layers_of_folders_never_use_the_words_of_a_command(
    layered: Layered, command: Path
) -> None:
    layered.build()
    wanted = layered.files()["resources/.overview.md"]
    build(layered, command, ECHO, rebuild=True)
    layered.build(rebuild=True)
    assert layered.files()["resources/.overview.md"] == wanted


def test_the_command_receives_masked_texts(layered: Layered, command: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    layered.say("10_00_00_3a2b3c4d", f"Use {secret} for it. " * 30)
    record = command.parent / "requests"
    code = f"open({str(record)!r}, 'a').write(json.dumps(request))\n{ECHO}"
    build(layered, command, code)
    assert secret not in record.read_text()
    assert "<secret:" in record.read_text()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("sys.exit(3)", "ended with 3"),
        ("print('')", "empty"),
        ("print('# Only a heading')", "headings"),
        ("print('word ' * 3000)", "tokens, more than"),
        ("print('It calls `no_such_function` at the end.')", "no_such_function"),
        ("print('As said in [99_99_99_zz] before.')", "99_99_99_zz"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe text that is not text')", "UTF-8"),
        ("print('A bell \\x07 rings in here.')", "control"),
        ("print('Use ghp_' + 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 now.')", "secret"),
    ],
)
def test_any_failure_falls_back_to_the_computed_layer(
    layered: Layered, command: Path, code: str, reason: str
) -> None:
    layered.build(dry_run=True)
    receipt = build(layered, command, code)
    assert reason in receipt.notes[0]
    assert "summariser failed before" in receipt.notes[-1]
    assert len(receipt.notes) == len(receipt.made)
    written = layered.layers()
    for name in written:
        layered.remove(name)
    layered.build()
    assert layered.layers() == written


def test_a_missing_command_falls_back(layered: Layered) -> None:
    environ = {"CUEDECK_LAYERS__SUMMARISER": "/no/such/command"}
    workspace = open_workspace(str(layered.sandbox.root), environ)
    receipt = build_layers(workspace)
    workspace.close()
    assert "cannot be run" in receipt.notes[0]
    assert layered.status()["fresh"] == len(receipt.made)


def test_a_repository_cannot_name_the_command(layered: Layered, command: Path) -> None:
    trace = command.parent / "ran"
    command.write_text(f"open({str(trace)!r}, 'w')")
    table = f'[layers]\nsummariser = ["{sys.executable}", "{command}"]\n'
    layered.sandbox.write(".cuedeck/config.toml", table)
    layered.build()
    assert not trace.exists()
    findings = layered.sandbox.run("doctor", "--json").json["findings"]
    assert any("layers.summariser" in each["message"] for each in findings)
