"""The printed forms of an answer of recall: one line per hit, or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.app.recall.unit_address import printable_citation
from cuedeck.model.paths import HOME

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_LOGS = "memory"
"""Folder of the daily logs below that of CueDeck."""


def answer_text(
    workspace: Workspace,
    answer: Mapping[str, Any],
    more: str = "--limit and --tokens show more",
) -> str:
    """Return the hits of an answer, one line each; the last line says how many hits are
    left out, and how to get `more`.

    The places of daily logs lack `.cuedeck/`, which `read` adds, unless the project has
    a folder of the same name.
    """
    above = "" if workspace.paths.has_folder(_LOGS) else f"{HOME}/"
    lines = [line for hit in answer["hits"] for line in _hit_lines(hit, above)]
    if answer["left_out"]:
        lines.append(f"… and {answer['left_out']:,} more; {more}")
    return "\n".join(lines)


def json_text(answer: Mapping[str, Any]) -> str:
    """Return an answer as the command prints it with `--json`."""
    return json.dumps({"schema": 1, **answer}, ensure_ascii=False, indent=2)


def _hit_lines(hit: Mapping[str, Any], above: str) -> list[str]:
    """Return the line of a hit: place, date, kind or address, and passage; with
    `--explain` a second line with the reason.

    The place of a daily log contains its date and its kind.
    """
    place, kind, address = hit.get("citation", ""), hit["kind"], hit["address"]
    if address.startswith(f"{kind}:"):
        kind = "" if address == place else address
    date = "" if hit["date"] in place else hit["date"]
    if place.startswith(f"{above}{_LOGS}/"):
        place = place.removeprefix(above)
        kind = "" if kind == "log" and not date else kind
    words = (printable_citation(place), date, kind)
    lines = [f"{' '.join(filter(None, words))}: {hit['snippet']}"]
    if "parts" in hit:
        parts = ", ".join(f"{name} {value:g}" for name, value in hit["parts"].items())
        lines.append(f"  score {hit['score']:.3f}: {hit['why']} ({parts})")
    return lines
