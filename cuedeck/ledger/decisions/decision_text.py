"""One-line summaries of decisions and attempts for reminders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuedeck.model.attempt import Attempt
from cuedeck.model.decision import REJECTED, Decision

_CHOICE = re.compile(
    r"(?:we\s+)?(?:use|chose|choose|adopt|adopted|pick|picked|prefer|go\s+with|went\s+with)\s+(?=\S)",
    re.IGNORECASE,
)
_REASON = re.compile(r"because\s+(?=\S)", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Z][a-z]*(?:['’][a-z]+)?(?=[\s,;:]|$)")
_NAMES = frozenset(
    [
        "I",
        "Amazon",
        "Angular",
        "Apache",
        "Apple",
        "Azure",
        "Bash",
        "Celery",
        "Chrome",
        "Debian",
        "Django",
        "Docker",
        "Fedora",
        "Firefox",
        "Flask",
        "Git",
        "Go",
        "Google",
        "Java",
        "Julia",
        "Kafka",
        "Kotlin",
        "Kubernetes",
        "Lambda",
        "Linux",
        "Lua",
        "Microsoft",
        "Mongo",
        "Mozilla",
        "Nginx",
        "Node",
        "Oracle",
        "Perl",
        "Postgres",
        "Prisma",
        "Python",
        "Qt",
        "React",
        "Redis",
        "Ruby",
        "Rust",
        "Safari",
        "Scala",
        "Spring",
        "Stripe",
        "Swift",
        "Terraform",
        "Ubuntu",
        "Unix",
        "Vite",
        "Vue",
        "Webpack",
        "Windows",
        "Zig",
    ]
)
"""Words that stay capitalised in the middle of a sentence."""


def reminder(decision: Decision) -> str:
    """Return `Remember: We chose X because Y. This affects Z.`."""
    return f"Remember: {decision_line(decision)}"


def decision_line(decision: Decision) -> str:
    """Return `We chose X because Y. This affects Z.`; parts without content are
    omitted.
    """
    verb = "decided against" if decision.status == REJECTED else "chose"
    line = f"We {verb} {_chosen(_sentence(decision.decision))}"
    rationale = _sentence(decision.rationale)
    because = _REASON.match(rationale)
    reason = rationale[because.end() :] if because else rationale
    if reason:
        line += f" because {_lowered(reason)}"
    words = [_sentence(each) for each in decision.impact] or [
        f"`{each}`" for each in decision.affects
    ]
    return (
        f"{_ended(line)} This affects {_ended(_joined(words))}"
        if words
        else _ended(line)
    )


def _chosen(text: str) -> str:
    """Return the object of the verb; text that does not start with a verb of choice is
    quoted.
    """
    verb = _CHOICE.match(text)
    if verb:
        return text[verb.end() :]
    return '"{}"'.format(text.replace('"', "'"))


def attempt_line(attempt: Attempt) -> str:
    """Return ``Tried on `src/auth.py`: X. It failed: Y.``"""
    places = _joined([f"`{each}`" for each in attempt.on])
    where = f" on {places}" if places else ""
    return f"Tried{where}: {_ended(_sentence(attempt.tried))} It failed: {_ended(_sentence(attempt.failed))}"


def _sentence(text: str) -> str:
    """Return a text on one line, without its final full stop."""
    line = " ".join(text.split())
    if line.endswith(".."):
        return line
    return line.removesuffix(".")


def _ended(text: str) -> str:
    if text.endswith((".", "…", "!", "?")):
        return text
    return f"{text}."


def _lowered(text: str) -> str:
    """Return a text with its first letter lowered for use within a sentence, except for
    names.
    """
    first = _PLAIN.match(text)
    if first is None:
        return text
    word = re.split("['’]", first[0])[0]
    if word in _NAMES:
        return text
    return text[0].lower() + text[1:]


def _joined(words: Sequence[str]) -> str:
    return (
        " and ".join((", ".join(words[:-1]), words[-1]))
        if len(words) > 1
        else "".join(words)
    )
