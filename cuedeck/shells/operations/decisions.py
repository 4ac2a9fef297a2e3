"""Decisions and failed attempts."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from cuedeck.model.errors import UsageError
from cuedeck.shells.call import Answer, Call, warnings_of
from cuedeck.shells.operation import (
    Address,
    Addresses,
    Decision,
    Many,
    Only,
    OnlyAddress,
    OnlyCard,
    OwnCard,
    Param,
    Piped,
    Words,
    operation,
    topic,
)
from cuedeck.shells.text_table import problem_lines, table
from cuedeck.work.decisions import create_decision, failed_attempts
from cuedeck.work.decisions import list_decisions as decision_list
from cuedeck.work.decisions.export_adr import export_decisions

topic(
    "decision",
    """List, show, supersede, confirm and export decisions.

    `cuedeck decide` records a new one.
    """,
    "cuedeck decision list --affects src/auth.py",
)


def _decision_table(answer: Mapping[str, Any]) -> str:
    if not answer["decisions"]:
        if answer["total"]:
            return f"none of {answer['total']} decisions matches; `cuedeck decision list --all` lists them"
        return (
            'no decisions yet; record one: `cuedeck decide "TEXT" --because "REASON"`'
        )
    rows = []
    for each in answer["decisions"]:
        places = " ".join(each["affects"])
        row = (each["id"], each["status"], each["decision"], places, each["mark"])
        rows.append(row)
    return table("id,status,decision~,affects,cited code~", rows)


@operation(
    "decision list",
    "cuedeck decision list\ncuedeck decision list --all --affects src/auth.py --json",
    _decision_table,
    notes=problem_lines,
)
def list_decisions(
    call: Call,
    *,
    everything: bool = False,
    card: OnlyCard = "",
    affects: OnlyAddress = "",
    subject: Only = "",
) -> dict[str, Any]:
    """List the decisions in force, newest last.

    Args:
        everything --all: Include superseded and rejected decisions.
        card: Only decisions made for this card.
        affects: Only decisions that apply to this file, symbol or folder.
        subject WORDS: Only decisions whose subject contains WORDS.
    """
    return decision_list.list_decisions(
        call.workspace,
        everything=everything,
        card=card,
        affects=affects or None,
        subject=subject,
    )


_SHOWN = ("id", "status", "decision", "subject", "rationale", "alternatives", "impact", "card", "session",
          "supersedes", "replaces", "superseded_by", "replacement", "timestamp", "commit")  # fmt: skip


def _shown_decision(answer: Mapping[str, Any]) -> Iterator[str]:
    shown = answer["decision"]
    for key in _SHOWN:
        value = shown[key]
        if isinstance(value, list):
            value = ", ".join(value)
        if value:
            yield f"{key:<13}  {value}"
    for each in shown["freshness"]:
        yield f"{'affects':<13}  {each['address']}: {each['state']}"
    for key, value in shown["other"].items():
        yield f"{key:<13}  {value}"
    for each in shown["history"]:
        words = [each["change"]]
        if each["status"]:
            words.append(each["status"])
        for name in ("by", "supersedes"):
            if each[name]:
                words.append(f"{name} {each[name]}")
        because = f": {each['because']}" if each["because"] else ""
        yield f"{each['timestamp']:<13}  {' '.join(words)}{because}"


@operation("decision show", "cuedeck decision show k3f", _shown_decision)
def show_decision(call: Call, identity: Decision) -> dict[str, Any]:
    """Show one decision: reason, affected places, status."""
    return decision_list.show_decision(call.workspace, identity)


def _superseded(answer: Mapping[str, Any]) -> str:
    new = f" by {answer['superseded_by']}" if answer["superseded_by"] else ""
    return f"{answer['id']}: superseded{new}"


@operation(
    "decision supersede",
    'cuedeck decision supersede k3f --by m8q --because "too slow"',
    _superseded,
    notes=warnings_of,
)
def supersede(
    call: Call, identity: Decision, *, by: Decision = "", because: str = ""
) -> dict[str, Any]:
    """Mark a decision as superseded.

    It is no longer shown in scenes and stays in the log.

    Args:
        by: Decision that replaces it.
        because: The reason.
    """
    return create_decision.supersede(call.workspace, identity, by or None, because)


@operation(
    "decision confirm",
    "cuedeck decision confirm k3f",
    lambda answer: f"{answer['id']}: confirmed",
    notes=warnings_of,
)
def confirm(call: Call, identity: Decision) -> dict[str, Any]:
    """Record that a decision was reviewed and is still valid."""
    return create_decision.confirm(call.workspace, identity)


@operation(
    "decision export",
    "cuedeck decision export\ncuedeck decision export doc/adr --all",
    lambda answer: answer["written"] or f"{answer['folder']} is up to date",
)
def export(
    call: Call,
    folder: Annotated[str, Param("place", "[DIR]")] = "",
    *,
    everything: bool = False,
) -> dict[str, Any]:
    """Write decisions as Markdown files into DIR.

    DIR is docs/adr by default. Files that this command did not write are never changed.

    Args:
        everything --all: Include superseded and rejected decisions.
    """
    return export_decisions(call.workspace, folder, everything=everything)


def _decided(answer: Mapping[str, Any]) -> str:
    old = answer["supersedes"]
    instead = f" (supersedes {old})" if old else ""
    return f"{answer['id']}  {answer['decision']}{instead}"


@operation(
    "decide",
    'cuedeck decide "Use bcrypt for password hashing" --because "Industry standard, proven secure" \\\n'
    '    --alternative "argon2 (slower)" --file src/auth.py --impact "user model"\n'
    'cuedeck decide "Use argon2" --because "bcrypt cuts long passwords" --supersedes k3f\n'
    "cuedeck decide --from statement:9f2c1a7b",
    _decided,
    notes=warnings_of,
)
def decide(
    call: Call,
    text: Words = "",
    *,
    statement: str = "",
    date: str = "",
    because: str = "",
    alternatives: Many = (),
    file: Address = "",
    affects: Addresses = (),
    impact: Many = (),
    subject: str = "",
    card: OwnCard = "",
    supersedes: Decision = "",
    status: Annotated[str, Param(choices=("accepted", "rejected"))] = "accepted",
) -> dict[str, Any]:
    """Record a decision with its reason.

    Args:
        statement --from ADDRESS: Captured decision, choice or rule to record: text,
            reason, files and date that no option gives.
        date DATE: Time of the decision.  [default: now]
        because: The reason.
        alternatives --alternative: Alternative that was not chosen.
        file: File that the decision is mainly about.
        affects: Doc, file or symbol that the decision applies to.
        impact WORDS: Consequence of the decision, in words.
        subject WORDS: Topic of the decision.  [default: its text]
        supersedes: Decision that this one replaces.
        status: `rejected` records a choice against TEXT.
    """
    if not text and not statement:
        raise UsageError(
            "give TEXT, or --from with a captured statement",
            hint="see `cuedeck decide --help`",
        )
    wanted = create_decision.NewDecision(
        text=text,
        because=because,
        alternatives=alternatives,
        file=file or None,
        affects=affects,
        impact=impact,
        subject=subject,
        card=card,
        supersedes=supersedes or None,
        status=status,
        date=date,
        statement=statement,
    )
    return create_decision.decide(call.workspace, wanted)


topic(
    "attempt",
    """Record and list failed attempts.

    A scene shows the attempts on the files that it shows.
    """,
    'cuedeck attempt add --on src/auth.py --tried "a retry loop" --failed "the token is gone by then"',
)


@operation(
    "attempt add",
    'cuedeck attempt add --on src/auth.py#refresh --tried "a retry loop" --failed "the token is gone by then"\n'
    'pytest 2>&1 | cuedeck attempt add --on src/auth.py --tried "asyncio" --failed "deadlock" --error -',
    lambda answer: f"{answer['id']}  {answer['tried']}",
    notes=warnings_of,
)
def add_attempt(
    call: Call,
    *,
    on: Addresses,
    tried: str,
    failed: str,
    error: Annotated[str, Param("place", "FILE", stdin="output")] = "",
    card: OwnCard = "",
) -> dict[str, Any]:
    """Record a failed attempt.

    Args:
        on: File or symbol of the attempt.
        tried: The attempt.
        failed: How it failed.
        error: File with the error output, or `-` for stdin. Its end is kept.
    """
    if error and not isinstance(error, Piped):
        error = failed_attempts.read_error(error)
    attempt = failed_attempts.NewAttempt(on, tried, failed, error, card)
    return failed_attempts.add_attempt(call.workspace, attempt)


def _attempt_table(attempts: list[dict[str, Any]]) -> str:
    rows = []
    for each in attempts:
        places = " ".join(each["on"])
        row = (each["id"], each["tried"], each["failed"], places, each["mark"])
        rows.append(row)
    return table("id,tried~,failed~,on,cited code~", rows)


@operation("attempt list", "cuedeck attempt list --on src/auth.py", notes=problem_lines)
def list_attempts(call: Call, *, on: OnlyAddress = "") -> Answer:
    """List failed attempts, newest last.

    Args:
        on: Only attempts on this file, symbol or folder.
    """
    nothing = "no failed attempts there" if on else "no failed attempts"
    return Answer(
        failed_attempts.list_attempts(call.workspace, on or None),
        lambda answer: _attempt_table(answer["attempts"]) or nothing,
    )
