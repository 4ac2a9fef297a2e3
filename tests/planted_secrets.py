"""Secrets by label and by pattern, and functions that write them through every command
with text.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from record_files import HOME
from sandbox import CommandOutcome

sys.path.insert(0, str(Path(__file__).with_name("unit") / "parse"))
from secret_samples import FORMATS, samples

PATTERNS = (
    "aws-key", "aws-secret", "github-token", "github-token", "gitlab-token", "openai-key", "openai-key",
    "anthropic-key", "google-key", "slack-token", "stripe-key", "npm-token", "jwt", "private-key", "private-key",
    "url-password", "url-password", "password", "token", "api-key",
)  # fmt: skip


class PlantedSecret(NamedTuple):
    """A text with a secret."""

    text: str
    sought: tuple[str, ...]
    """Parts that no output and no file may contain."""


def labelled_secrets() -> list[PlantedSecret]:
    """Return texts that are secret only by their label, each with a unique word."""
    rng = random.Random(1)
    words = [
        "zq"
        + "".join(rng.choice("bdfgklmnprtvw") + rng.choice("aeiou") for _ in range(5))
        for _ in range(20)
    ]
    return [
        PlantedSecret(f"the vault phrase is correct {word} {number}", (word,))
        for number, word in enumerate(words)
    ]


def patterned_secrets(seed: int = 0) -> list[PlantedSecret]:
    """Return texts with secrets of many formats."""
    found: list[PlantedSecret] = []
    for at, kind in enumerate(PATTERNS):
        rows = [row for row, (name, _) in enumerate(FORMATS) if name == kind]
        sample = samples(rows[(at + seed) % len(rows)], at + seed + 1)[-1]
        lines = sample.secret.split("\n")
        found.append(
            PlantedSecret(
                sample.text,
                tuple(line for line in lines if len(line) > 40 and "KEY" not in line)
                or (sample.secret,),
            )
        )
    return found


Run = Callable[..., CommandOutcome]


def plant_labelled(run: Run, secrets: Sequence[PlantedSecret]) -> str:
    """Add texts labelled secret with every command that can; return the id of one
    record.
    """
    texts, label = [each.text for each in secrets], ("--sensitivity", "secret")
    for text, category in zip(
        texts[:5],
        ("note", "learned", "user-preference", "decision", "turn-summary"),
        strict=True,
    ):
        identity = run(
            "memory", "add", text, *label, "--category", category
        ).out.strip()
    for text in texts[5:8]:
        run("remember", text, *label)
    run("memory", "add", "-", *label, text="\n".join(texts[8:12]))
    for text in texts[12:15]:
        plain = run("memory", "add", f"plain {text.split()[-1]}").out.strip()
        run("memory", "edit", plain, "--text", text, *label)
    run("memory", "edit", run("memory", "add", texts[15]).out.strip(), *label)
    run("memory", "supersede", identity, texts[16])
    run("memory", "add", texts[17], *label, "--profile", "work")
    run("memory", "add", f"src/auth.py says {texts[18]}", *label)
    run(
        "memory",
        "edit",
        run("remember", "to be piped", *label).out.strip(),
        "--text",
        "-",
        text=texts[19],
    )
    return identity


def plant_patterned(run: Run, secrets: Sequence[PlantedSecret]) -> None:
    """Write texts with secrets with every command that accepts text."""
    texts = [each.text for each in secrets]
    for text in texts[:4]:
        run("memory", "add", f"say {text} twice")
    for text in texts[4:6]:
        run("remember", text)
    run("memory", "add", "-", text="\n".join(texts[6:9]))
    for text in texts[9:11]:
        run("memory", "edit", run("memory", "add", "plain").out.strip(), "--text", text)
    run("memory", "add", f"once more {texts[11]}")
    run(
        "memory",
        "edit",
        run("memory", "add", "plain too").out.strip(),
        "--text",
        f"now {texts[12]}",
    )
    run("memory", "add", "-", text=texts[13])
    run("memory", "add", f"the key is\n{texts[14]}")
    run("memory", "add", "from there", "--channel", texts[15])
    run("memory", "add", "in a session", "--session", texts[16])
    run("session", "note", texts[17], "--next", texts[17])
    run("session", "checkpoint", texts[18])
    run("experience", "add", texts[19], "--category", "learned")
    run(
        "memory", "supersede", run("memory", "add", "plain again").out.strip(), texts[1]
    )


def plant_by_hand(root: Path, secrets: Sequence[PlantedSecret]) -> None:
    """Append unmasked records to MEMORY.md, as another program would."""
    with (root / HOME / "MEMORY.md").open("a", encoding="utf-8") as file:
        for number, each in enumerate(secrets):
            text = (
                each.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            )
            file.write(
                f'- {{"id":"by-hand-{number}","text":"they said {text}","category":"note"}}\n'
            )
