"""Assumptions of the project."""

from collections.abc import Iterator
from typing import Annotated

from cuedeck.model.errors import Invalid
from cuedeck.model.ports import Json, JsonView
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import (
    Addresses,
    Assumption,
    Many,
    Param,
    Words,
    operation,
    topic,
)
from cuedeck.shells.text_table import table
from cuedeck.shells.text_template import write_lines
from cuedeck.work.assumptions import assumption_commands

_EMPTY = 'no assumptions here; add one: `cuedeck assumption add "The project uses React" --check dependency=react`'
_DIAGNOSTICS = "*diagnostics {level}: {path}{line:?:{line}}  {message}{hint:?; {hint}}"
_LISTED = f"""|assumptions id | status | check={{check}}{{check:!-}} | text~
!assumptions {{diagnostics:?no readable assumptions}}{{diagnostics:!{_EMPTY}}}
#{_DIAGNOSTICS}"""
_MARKS = {True: "holds", False: "fails", None: "-"}

topic(
    "assumption",
    "List, check and add assumptions of the project.",
    "cuedeck assumption check",
)


@operation("assumption list", "cuedeck assumption list --json", _LISTED)
def list_assumptions(call: Call) -> Json:
    """List assumptions with their last known status.

    `cuedeck assumption check` checks them.
    """
    return assumption_commands.list_assumptions(call.workspace)


def _checked(answer: JsonView) -> Iterator[str]:
    rows = []
    for row in answer["assumptions"]:
        state = _MARKS[row["holds"]]
        detail = row["evidence"] or row["message"] or "it has no check"
        if row["holds"] is False:
            detail = row["message"]
            if row["status"] == "resolved":
                state = row["status"]
        rows.append((state, row["id"], detail))
    if rows:
        yield table("state,id,evidence~", rows)
    yield from write_lines(_DIAGNOSTICS, answer)
    if not rows and not answer["diagnostics"]:
        yield _EMPTY


@operation(
    "assumption check",
    "cuedeck assumption check\ncuedeck assumption check uses-react",
    _checked,
)
def check(
    call: Call, ids: Annotated[Many, Param("assumption", "[ID]...")] = ()
) -> Answer:
    """Check assumptions.

    Exit code 1 if an unresolved assumption fails or a check is invalid.
    """
    found, well = assumption_commands.check_assumptions(call.workspace, ids)
    return Answer(found, code=int(not well))


@operation(
    "assumption resolve",
    'cuedeck assumption resolve api-is-rest --because "The client speaks both"',
    "{id}: resolved{changed:! (unchanged)}",
)
def resolve(call: Call, name: Assumption, *, because: str = "") -> Json:
    """Mark a failing assumption as dealt with.

    Once it holds again, a later failure is reported again.

    Args:
        because: How the failure was dealt with.
    """
    return assumption_commands.resolve_assumption(call.workspace, name, because)


def _failing(answer: JsonView) -> Iterator[str]:
    is_known = answer["holds"] is not None or answer["evidence"]
    if is_known and not answer["holds"]:
        yield f"warning: it does not hold: {answer['evidence']}"


@operation(
    "assumption add",
    'cuedeck assumption add "The project uses React" --check dependency=react --impact "the views"\n'
    'cuedeck assumption add "The API is REST" --check not_contains=src/api.py:GraphQL --affects src/api.py',
    "{id}",
    notes=_failing,
)
def add(
    call: Call,
    text: Words,
    *,
    identity: str = "",
    impact: str = "",
    affects: Addresses = (),
    checks: Many = (),
) -> Json:
    """Add an assumption to .cuedeck/assumptions.toml. Put `--` before a TEXT that
    begins with a dash.

    Args:
        identity --id ID: Id of the assumption.  [default: made from TEXT]
        impact WORDS: Parts that depend on the assumption, such as "the auth
            implementation".
        affects: Doc, file or symbol that relies on it.
        checks --check KIND=VALUE: file_exists=PATH, file_absent=PATH,
            contains=PATH:TEXT, not_contains=PATH:TEXT, dependency=NAME or
            dependency=NAME>=VERSION, config=PATH:KEY=VALUE or doc_says=ADDRESS:TEXT.
    """
    if len(checks) > 1:
        raise Invalid(
            "an assumption takes one --check", hint="add an assumption for each"
        )
    wanted = assumption_commands.NewAssumption(
        text, identity, impact, affects, "".join(checks)
    )
    return assumption_commands.add_new(call.workspace, wanted)
