"""Recall: searches in the memory."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from cuedeck.model.errors import NotFound, UsageError
from cuedeck.model.recall_values import KINDS
from cuedeck.shells.call import Answer, Call, Note, Raw
from cuedeck.shells.operation import Count, Many, Only, Param, operation
from cuedeck.shells.text_table import printable


@operation(
    "recall",
    'cuedeck recall "which database"           records, logs, decisions, cards and docs\n'
    'cuedeck recall "deploys last week"        prefers units of these days\n'
    "cuedeck recall despliegue --since 2w --kind record --explain\n"
    'cuedeck recall --digest "can we deploy on Friday?"   what an agent receives',
)
def recall(
    call: Call,
    text: str,
    *,
    since: Only = "",
    until: Only = "",
    kinds: Annotated[Many, Param(choices=KINDS)] = (),
    limit: Annotated[int, Param(least=1, most=500)] = 0,
    tokens: Count = 0,
    explain: bool = False,
    digest: bool = False,
) -> Answer:
    """Search memory, decisions, cards and docs by words.

    Searches records, daily logs, the long memory, USER.md, decisions, attempts,
    assumptions, experiences, cards, docs, the cortex tree and the files of
    files.extra.

    Words match in all forms, in English and Spanish also by synonyms. A part in double
    quotes is a phrase. `yesterday`, `la semana pasada` or `March 2026` prefer the
    units of these days. Each hit names its place, which `cuedeck read` opens. Secret
    and superseded records are never found.

    Args:
        since D: Only from this day on: 2026-05-03, 2w.
        until D: Only up to this day, inclusive.
        kinds --kind: Only this kind.
        limit: Print at most N hits.  [default: recall.limit of the settings; with
            --tokens, as many as fit]
        tokens: Print as many hits as have at most N tokens, in the form in which they
            are printed.
        explain: Print the parts of each score.
        digest: Print the lines that agents receive with the message TEXT; nothing if
            no hit is certain.
    """
    if digest:
        if since or until or limit or explain:
            raise UsageError(
                "--digest cannot be combined with --since, --until, --limit or --explain",
                hint="cuedeck recall --digest MESSAGE --tokens 200",
            )
        return _digest(call, text, kinds, tokens)
    from cuedeck.knowledge.recall import recall as work

    found = work.recall(
        call.workspace,
        text,
        since=since,
        until=until,
        kinds=kinds,
        limit=limit,
        tokens=tokens,
        explain=explain,
        as_json=call.json,
    )
    given = (("--since", since), ("--until", until), ("--kind", kinds))
    filters = [name for name, value in given if value]
    more = "" if tokens else "; --limit and --tokens show more"

    def show(answer: Mapping[str, Any]) -> Iterator[str]:
        for note in answer["notes"]:
            yield Note(f"note: {note}")
        if not answer["total"]:
            message, advice = work.no_match(answer["query"], filters)
            raise NotFound(
                message, hint=f"{advice}; `cuedeck find WORDS` searches the code"
            )
        yield work.answer_text(call.workspace, answer, more)

    code = int(not found["hits"])
    return Answer(found, show, code=code)


def _digest(call: Call, message: str, kinds: Many, tokens: int) -> Answer:
    from cuedeck.knowledge.recall import memory_digest as work

    call.workspace.refresh()
    most = tokens or work.TOKENS
    found = work.memory_digest(call.workspace, message, tokens=most, kinds=kinds)
    return Answer(work.answer_of_digest(found), _digest_lines)


def _digest_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    for note in answer["notes"]:
        yield Note(f"note: {note}")
    if not answer["lines"]:
        yield Note("note: no line is certain to be about the message")
    yield Raw(printable(answer["digest"]))
