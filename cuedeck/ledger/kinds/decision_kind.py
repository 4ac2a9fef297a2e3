"""Kind of the decisions: the choice, its rationale and the addresses it affects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product, starmap

from cuedeck.ledger.kind import Field, Kind, LogEntry, text_of
from cuedeck.model.address import overlaps
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.entry_node import LedgerEntry, Retired
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import quoted
from cuedeck.model.ports import Json, JsonView
from cuedeck.text.plain_text import fold_case, with_full_stop

ACCEPTED = "accepted"
SUPERSEDED = "superseded"
REJECTED = "rejected"
_EDGES = " \t\r\n.,;:!?…'\"`‘’“”()[]{}<>-–—_*"
"""Characters ignored at the ends of a subject; `C#` and `C++` keep their last
characters.
"""


_FIELDS = {
    "decision": Field(needed="a decision needs a text", is_line=True),
    "subject": Field(is_line=True),
    "rationale": Field(always=True),
    "alternatives": Field(always=True),
    "file": Field(),
    "impact": Field(always=True),
    "affects": Field(always=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(LogEntry):
    """One decision."""

    decision: str
    subject: str
    """Topic of the decision; the decision text itself if no subject was given."""
    rationale: str
    alternatives: tuple[str, ...]
    affects: tuple[str, ...]
    """Addresses; the `file` of the log line comes first."""
    impact: tuple[str, ...]
    """Free text."""
    status: str
    """`accepted`, `superseded`, `rejected` or another word a person wrote, after
    applying later decisions.
    """
    supersedes: str = ""
    superseded_by: str = ""
    """Id of the first decision that superseded it; empty if there is none."""


class DecisionKind(Kind[Decision]):
    """Decisions, in decisions.jsonl."""

    name = "decision"
    value = Decision
    text_field = "decision"
    cites = "affects"
    fields = _FIELDS
    shown = (
        "decision",
        "subject",
        "rationale",
        "alternatives",
        "affects",
        "impact",
        "card",
        "session",
        "status",
        "supersedes",
        "superseded_by",
    )
    example = 'cuedeck decide "Use bcrypt" --because "proven secure"'
    advice = "supersede it with a decision that names the new address"

    def read(self, entries: Iterable[LedgerEntry]) -> tuple[Decision, ...]:
        """Return the decisions of a log, oldest first. One that another replaces is
        superseded, even if only the other one records this.
        """
        decisions = super().read(entries)
        newer = _successors(decisions)
        return tuple(
            _with_successor(each, newer.get(each.id, "")) for each in decisions
        )

    def make(self, row: JsonView) -> Decision:
        found = super().make(row)
        places = dict.fromkeys((text_of(row, "file"), *found.affects))
        return replace(
            found,
            subject=found.subject or found.decision,
            affects=tuple(filter(None, places)),
            status=found.status.casefold() or ACCEPTED,
        )

    def clean(self, given: JsonView) -> Json:
        """Return masked values as they are written; the text is the default subject."""
        values = super().clean(given)
        values["subject"] = values["subject"] or values["decision"]
        return values

    def in_force(self, values: Sequence[Decision]) -> Sequence[Decision]:
        return accepted_decisions(values)

    def line(self, value: Decision) -> str:
        """Return `We chose X because Y. This affects Z.`."""
        verb = "decided against" if value.status == REJECTED else "chose"
        line = f"We {verb} {chosen(sentence(value.decision))}"
        if value.rationale:
            line += f" because {reason(value.rationale)}"
        words = list(map(sentence, value.impact))
        words = words or [f"`{each}`" for each in value.affects]
        line = with_full_stop(line + by_author(value))
        return f"{line} This affects {with_full_stop(joined(words))}" if words else line

    def reminder(self, value: Decision) -> str:
        return f"Remember: {self.line(value)}"

    def recalled(self, value: Decision) -> Sequence[str]:
        """Return the texts of a decision in force; none of another one."""
        if value.status in (SUPERSEDED, REJECTED):
            return ()
        subject = "" if value.subject == value.decision else value.subject
        rest = (*value.alternatives, *value.impact)
        author = by_author(value)
        return subject, f"{value.decision}{author}", value.rationale, *rest

    def affects(self, value: Decision, values: Sequence[Decision]) -> Iterator[str]:
        """Yield the addresses that a decision affects, then those that it inherits from
        the decisions it superseded.
        """
        for each in (value, *ancestry(values)[value.id]):
            yield from each.affects

    def retired(self, value: Decision, values: Sequence[Decision]) -> Retired | None:
        if value.status not in (REJECTED, SUPERSEDED):
            return None
        successor = replacement(value, values)
        return Retired(value.status, f"decision:{successor.id}" if successor else "")

    def check(
        self, values: Sequence[Decision], rows: Mapping[str, LedgerEntry]
    ) -> Iterator[Diagnostic]:
        for one, other in conflicts(values):
            message = (
                f"decisions `{one.id}` and `{other.id}` are both accepted for the subject"
                f" “{other.subject}” and the same address"
            )
            hint = (
                f"cuedeck decision supersede {quoted(one.id)} --by {quoted(other.id)}"
            )
            row = rows[other.id]
            yield Diagnostic(
                self.path_of(row),
                row.line,
                "error",
                "contradiction",
                message,
                hint,
            )


DECISION = DecisionKind()


def _successors(decisions: Sequence[Decision]) -> dict[str, str]:
    """Return a map from each superseded decision to its direct successor; its own
    `superseded_by` takes precedence.

    A successor that was later replaced still counts: the decisions that it superseded
    do not become valid again. A rejected decision replaces nothing.
    """
    known = {each.id for each in decisions}
    successors = {}
    for each in decisions:
        if each.status != REJECTED and each.supersedes != each.id:
            successors[each.supersedes] = each.id
    for each in decisions:
        if each.status != SUPERSEDED or each.superseded_by == each.id:
            continue
        if each.superseded_by in known:
            successors[each.id] = each.superseded_by
    return successors


def _with_successor(decision: Decision, successor: str) -> Decision:
    is_superseded = successor and decision.status == ACCEPTED
    status = SUPERSEDED if is_superseded else decision.status
    return replace(decision, status=status, superseded_by=successor)


def accepted_decisions(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Return the accepted decisions that are not superseded."""
    return tuple(each for each in decisions if each.status == ACCEPTED)


def _chain(decision: Decision, decisions: Iterable[Decision]) -> Iterator[Decision]:
    known = {each.id: each for each in decisions}
    seen = {decision.id}
    while decision.superseded_by in known and decision.superseded_by not in seen:
        decision = known[decision.superseded_by]
        seen.add(decision.id)
        yield decision


def replacement(decision: Decision, decisions: Iterable[Decision]) -> Decision | None:
    """Return the decision at the end of the chain of replacements.

    None if the last one in the chain is not accepted, or if decisions replace each
    other in a cycle.
    """
    last = None
    for each in _chain(decision, decisions):
        last = each
    return last if last is not None and last.status == ACCEPTED else None


def replaced(decision: Decision, decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Return the decisions that a decision directly superseded, oldest first."""
    return tuple(each for each in decisions if each.superseded_by == decision.id)


def ancestry(decisions: Iterable[Decision]) -> dict[str, tuple[Decision, ...]]:
    """Return, by id of each decision, all decisions it superseded directly or
    indirectly, latest first.
    """
    before: dict[str, list[Decision]] = {}
    for each in decisions:
        before.setdefault(each.superseded_by, []).append(each)
    return {each.id: tuple(_before(each.id, before)) for each in decisions}


def _before(
    identity: str, before: Mapping[str, Sequence[Decision]]
) -> Iterator[Decision]:
    seen = {identity}
    queue = [identity]
    for current in queue:
        for each in before.get(current, ()):
            if each.id not in seen:
                seen.add(each.id)
                queue.append(each.id)
                yield each


def conflicts(decisions: Iterable[Decision]) -> Iterator[tuple[Decision, Decision]]:
    """Yield the pairs of accepted decisions with the same subject and overlapping
    addresses, older one first.
    """
    groups: dict[str, list[Decision]] = {}
    for each in accepted_decisions(decisions):
        groups.setdefault(subject_key(each.subject), []).append(each)
    groups.pop("", None)
    for group in groups.values():
        for one, other in combinations(group, 2):
            if any(starmap(overlaps, product(one.affects, other.affects))):
                yield one, other


def subject_key(subject: str) -> str:
    """Return a subject normalised for comparison: case, whitespace and punctuation at
    its ends are ignored.
    """
    folded = fold_case(subject)
    return folded.strip(_EDGES) or folded


def require_accepted(decision: Decision, decisions: Iterable[Decision]) -> None:
    """Raise Invalid, naming the decision that replaces it, unless a decision is in
    force.
    """
    if decision.status == ACCEPTED:
        return
    message = f"decision `{decision.id}` is {decision.status}"
    if decision.superseded_by:
        message += f" by `{decision.superseded_by}`"
    successor = replacement(decision, decisions)
    if successor is None:
        hint = "`cuedeck decision list` lists the decisions in force"
        raise Invalid(message, hint=hint)
    hint = f"`{successor.id}` replaces it: {successor.decision}"
    raise Invalid(message, hint=hint, candidates=(successor.id,))


_CHOICE = re.compile(
    r"(?:we\s+)?(?:use|chose|choose|adopt|adopted|pick|picked|prefer|go\s+with|went\s+with)\s+(?=\S)",
    re.IGNORECASE,
)
_REASON = re.compile(r"because\s+(?=\S)", re.IGNORECASE)
_PLAIN = re.compile(r"([A-Z][a-z]*)(?:['’][a-z]+)?(?=[\s,;:]|$)")
_NAMES = re.compile(
    "I|Amazon|Angular|Apache|Apple|Azure|Bash|Celery|Chrome|Debian|Django|Docker|Fedora|Firefox|Flask|Git|Go|Google|"
    "Java|Julia|Kafka|Kotlin|Kubernetes|Lambda|Linux|Lua|Microsoft|Mongo|Mozilla|Nginx|Node|Oracle|Perl|Postgres|"
    "Prisma|Python|Qt|React|Redis|Ruby|Rust|Safari|Scala|Spring|Stripe|Swift|Terraform|Ubuntu|Unix|Vite|Vue|Webpack|"
    "Windows|Zig"
)
"""Words that stay capitalised in the middle of a sentence."""


def chosen(text: str) -> str:
    """Return the object of the verb; text that does not start with a verb of choice is
    quoted.
    """
    verb = _CHOICE.match(text)
    if verb:
        return text[verb.end() :]
    return '"{}"'.format(text.replace('"', "'"))


def sentence(text: str) -> str:
    """Return a text on one line, without its final full stop."""
    line = " ".join(text.split())
    if line.endswith(".."):
        return line
    return line.removesuffix(".")


def reason(text: str) -> str:
    """Return a reason for use within a sentence, without its leading `because`."""
    line = sentence(text)
    because = _REASON.match(line)
    return _lowered(line[because.end() :] if because else line)


def _lowered(text: str) -> str:
    """Return a text with its first letter lowered for use within a sentence, except for
    names and words with other capitals or marks.
    """
    first = _PLAIN.match(text)
    if first is None or _NAMES.fullmatch(first[1]):
        return text
    return text[0].lower() + text[1:]


def by_author(value: LogEntry) -> str:
    """Return the author of an entry of another copy in brackets; empty for an own
    one.
    """
    return f" (by {value.author})" if value.author else ""


def joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
