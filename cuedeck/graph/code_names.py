"""Recognition of code identifiers in text, and their match with definitions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuedeck.graph.counterparts import stem

_NAME = re.compile(
    r"(?:(?:class|def|func|fn|function|struct|interface|new|await)\s+)?([^\W\d]\w*(?:(?:\.|::|#)\w+)*)"
)
_STEP = re.compile(r"\.|::|#")
_DISTINCTIVE = re.compile(r"[^\W_]_+[^\W_]|[a-z][A-Z]|[A-Z]\w{3}")
"""Names unlikely to be plain words inside code marks: `verify_token`, `verifyToken`,
`Token`.
"""
_DISTINCTIVE_IN_PROSE = re.compile(r"[^\W_]_+[^\W_]|[a-z][A-Z]")
"""Stricter pattern for prose, where every sentence begins with a capital letter."""


def read_steps(text: str, *, in_prose: bool = False) -> Sequence[str]:
    """Return the parts of a name that can only be a code identifier; empty for other
    text.

    Example: read_steps("Login.verify(token)") == ["Login", "verify"]
    """
    name, bracket, _ = text.strip().partition("(")
    match = _NAME.fullmatch(name.strip())
    if match is None:
        return ()
    steps = _STEP.split(match[1])
    if len(steps) > 1 or bracket:
        return steps
    distinctive = _DISTINCTIVE_IN_PROSE if in_prose else _DISTINCTIVE
    if not distinctive.search(steps[0]):
        return ()
    return steps


def fits(steps: Sequence[str], path: str, name: str) -> bool:
    """Return whether a name matches the definition `name` of a file.

    It matches by its last parts, or by the full name after a module or package name.
    """
    given = ".".join(steps)
    if f".{name}".endswith(f".{given}"):
        return True
    # `auth.Login.verify` and `crate::auth::Login` begin with modules or packages; the
    # rest must be the full name.
    rest = given.removesuffix(name)
    if not rest.endswith("."):
        return False
    module = steps[rest.count(".") - 1].casefold()
    folders = path.casefold().split("/")[:-1]
    return module == stem(path) or module in folders
