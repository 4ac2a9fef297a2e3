"""Texts with secrets of many formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

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
