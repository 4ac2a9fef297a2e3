"""Runs the external summariser command of compaction: JSON in, JSON out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cuedeck.model.errors import StorageError
from cuedeck.store.files.external_command import Limits, run_command

LONGEST_ANSWER = 10_000_000
"""Largest output in bytes; a command that prints more is killed."""
_HINT = "compaction.summariser names the command and its arguments"


def ask(
    command: Sequence[str], request: Mapping[str, Any], seconds: float, folder: str
) -> Any:
    """Send a JSON request to a command on stdin and return the JSON it prints. No shell
    is involved.

    The command and its child processes are killed after `seconds`. Raises: StorageError
    if the command cannot be run, fails, takes too long, or prints something else.
    """
    data = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
    limits = Limits(seconds, LONGEST_ANSWER, _HINT, "compaction.summariser_seconds")
    answer = run_command(command, data, limits, folder)
    try:
        return json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{command[0]} did not print JSON", hint=_HINT) from error
