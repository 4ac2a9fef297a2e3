"""Decisions and failed attempts."""

from typing import Annotated

from cuedeck.model.errors import UsageError
from cuedeck.model.ports import Json
from cuedeck.shells.call import Call
from cuedeck.shells.operation import (
    PROBLEMS,
    WARNINGS,
    Address,
    Addresses,
    Card,
    Decision,
    Many,
    OwnCard,
    Param,
    Piped,
    Words,
    operation,
    topic,
)
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


@operation(
    "decision list",
    "cuedeck decision list\ncuedeck decision list --all --affects src/auth.py --json",
    """\
|decisions id | status | decision~={decision}{author:? (by {author})} | affects={affects!w} | cited code~={mark}
!decisions {total:?none of {total} decisions matches; `cuedeck decision list --all` lists them}\
{total:!no decisions yet; record one: `cuedeck decide "TEXT" --because "REASON"`}""",
    notes=PROBLEMS,
)
def list_decisions(
    call: Call,
    *,
    everything: bool = False,
    card: Card = "",
    affects: Address = "",
    subject: str = "",
) -> Json:
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


@operation(
    "decision show",
    "cuedeck decision show k3f",
    """\
=decision id status decision subject rationale alternatives impact card session supersedes \
replaces superseded_by replacement timestamp commit
*decision[freshness] affects        {address}: {state}
*decision[other] {key:<13}  {value}
*decision[history] {timestamp:<13}  {change}{status:? {status}}\
{by:? by {by}}{supersedes:? supersedes {supersedes}}{because:?: {because}}""",
)
def show_decision(call: Call, identity: Decision) -> Json:
    """Show one decision: reason, affected places, status."""
    return decision_list.show_decision(call.workspace, identity)


@operation(
    "decision supersede",
    'cuedeck decision supersede k3f --by m8q --because "too slow"',
    "{id}: superseded{superseded_by:? by {superseded_by}}",
    notes=WARNINGS,
)
def supersede(
    call: Call, identity: Decision, *, by: Decision = "", because: str = ""
) -> Json:
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
    "{id}: confirmed",
    notes=WARNINGS,
)
def confirm(call: Call, identity: Decision) -> Json:
    """Record that a decision was reviewed and is still valid."""
    return create_decision.confirm(call.workspace, identity)


@operation(
    "decision export",
    "cuedeck decision export\ncuedeck decision export doc/adr --all",
    """\
*written {it}
!written {folder} is up to date""",
)
def export(
    call: Call,
    folder: Annotated[str, Param("place", "[DIR]")] = "",
    *,
    everything: bool = False,
) -> Json:
    """Write decisions as Markdown files into DIR.

    DIR is docs/adr by default. Files that this command did not write are never changed.

    Args:
        everything --all: Include superseded and rejected decisions.
    """
    return export_decisions(call.workspace, folder, everything=everything)


@operation(
    "decide",
    'cuedeck decide "Use bcrypt for password hashing" --because "Industry standard, proven secure" \\\n'
    '    --alternative "argon2 (slower)" --file src/auth.py --impact "user model"\n'
    'cuedeck decide "Use argon2" --because "bcrypt cuts long passwords" --supersedes k3f\n'
    "cuedeck decide --from statement:9f2c1a7b",
    "{id}  {decision}{supersedes:? (supersedes {supersedes})}",
    notes=WARNINGS,
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
) -> Json:
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
    "{id}  {tried}",
    notes=WARNINGS,
)
def add_attempt(
    call: Call,
    *,
    on: Addresses,
    tried: str,
    failed: str,
    error: Annotated[str, Param("place", "FILE", stdin="output")] = "",
    card: OwnCard = "",
) -> Json:
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


@operation(
    "attempt list",
    "cuedeck attempt list --on src/auth.py",
    """\
|attempts id | tried~={tried}{author:? (by {author})} | failed~ | on={on!w} | cited code~={mark}
!attempts no failed attempts{on:? there}""",
    notes=PROBLEMS,
)
def list_attempts(call: Call, *, on: Address = "") -> Json:
    """List failed attempts, newest last.

    Args:
        on: Only attempts on this file, symbol or folder.
    """
    return failed_attempts.list_attempts(call.workspace, on or None)
