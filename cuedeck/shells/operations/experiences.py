"""Experiences, and dreaming, which promotes facts into MEMORY.md."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from cuedeck.knowledge.dreaming import dream_status as dreams
from cuedeck.knowledge.dreaming.run_dream import run_now
from cuedeck.knowledge.experiences import (
    add_experience,
    delete_experience,
    extract_experiences,
    query_experiences,
)
from cuedeck.model.formatting import counted
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import Param, operation, topic
from cuedeck.shells.operations.memory_params import (
    Category,
    Experience,
    OnlyCategory,
    OnlySession,
    OwnSession,
    Profile,
)
from cuedeck.shells.text_table import printable, problem_lines, table

By = Annotated[str, Param(choices=("category", "session"), help="Group the results.")]
_MOST_SHOWN = 50

topic(
    "experience",
    """Add, query and list experiences.

    Experiences are distilled records without near duplicates.
    """,
    'cuedeck experience add --category learned "The login breaks when the token has no expiry"\n'
    'cuedeck experience query "login token"\n'
    "cuedeck experience list --by category",
)


def _similar(answer: Mapping[str, Any]) -> Iterator[str]:
    if not answer["added"]:
        yield f"a similar experience exists: {answer['text']}"


@operation(
    "experience add",
    'cuedeck experience add --category user-preference "Prefers small commits"',
    lambda answer: answer["id"],
    notes=_similar,
    short_ids=True,
)
def add(
    call: Call,
    text: str,
    *,
    category: Category = "note",
    session: OwnSession = "",
    profile: Profile = "",
) -> dict[str, Any]:
    """Add an experience, unless a similar one exists."""
    memory = call.memory(profile)
    return add_experience.add_experience(
        call.workspace, memory, text, category=category, session=session
    )


@operation(
    "experience query",
    'cuedeck experience query "how are deploys done?" --top 3',
    notes=problem_lines,
    short_ids=True,
)
def query(
    call: Call,
    text: str,
    *,
    top: Annotated[int, Param(least=1, most=50)] = 8,
    by: By = "",
    profile: Profile = "",
) -> Answer:
    """Find experiences by words, best first.

    Args:
        top: Number of results at most.
    """
    memory = call.memory(profile)
    found = query_experiences.query_experiences(
        call.workspace, memory, text, top=top, by=by
    )
    nothing = "no matching experiences"
    return Answer(found, partial(_listing, "results", nothing))


@operation(
    "experience list",
    "cuedeck experience list --category learned",
    notes=problem_lines,
    short_ids=True,
)
def list_experiences(
    call: Call,
    *,
    by: By = "",
    category: OnlyCategory = "",
    session: OnlySession = "",
    profile: Profile = "",
) -> Answer:
    """List experiences, newest last."""
    memory = call.memory(profile)
    found = query_experiences.list_experiences(
        memory, category=category, session=session, by=by
    )
    nothing = "no matching experiences" if category or session else "no experiences"
    return Answer(found, partial(_listing, "experiences", nothing))


def _listing(name: str, nothing: str, answer: Mapping[str, Any]) -> Iterator[str]:
    rows = {each["id"]: each for each in answer[name]}
    if not rows:
        yield nothing
    elif "groups" not in answer:
        yield _experience_table(list(rows.values()))
    else:
        for number, group in enumerate(answer["groups"]):
            gap = "\n" if number else ""
            yield f"{gap}{group['title']}:"
            yield _experience_table([rows[each] for each in group["ids"]])


def _experience_table(rows: Sequence[Mapping[str, Any]]) -> str:
    columns = "id,day,category,text~"
    cells = []
    for each in rows:
        day = (each["timestamp"] or "")[:10]
        cells.append([each["id"], day, each["category"], each["text"]])
    if rows and "score" in rows[0]:
        columns = "id,>score,day,category,text~"
        for row, each in zip(cells, rows, strict=True):
            row.insert(1, f"{each['score']:.2f}")
    return table(columns, cells)


@operation(
    "experience forget",
    "cuedeck experience forget k3f",
    lambda answer: f"{answer['id']}: forgotten",
    short_ids=True,
)
def forget(
    call: Call, identity: Experience, *, profile: Profile = ""
) -> dict[str, Any]:
    """Delete an experience; its record stays.

    `cuedeck memory forget` deletes both.
    """
    return delete_experience.forget_experience(
        call.workspace, call.memory(profile), identity
    )


def _extracted(answer: Mapping[str, Any]) -> Iterator[str]:
    outcomes = answer["outcomes"]
    if not outcomes:
        yield "no experience was extracted: there are no new records since the last extraction"
        return
    shown = outcomes[:_MOST_SHOWN]
    rows = []
    for each in shown:
        rows.append((each["result"], each["experience"], each["reason"], each["text"]))
    yield table("result,experience,why,text", rows)
    if len(outcomes) > _MOST_SHOWN:
        yield f"{len(outcomes) - _MOST_SHOWN:,} more: --json"
    refused = sum(each["result"] == "refused" for each in outcomes)
    totals = f"{answer['added']} made, {answer['duplicates']} joined, {refused} refused"
    if answer["evicted"]:
        totals += (
            f", {answer['evicted']} dropped because the limit of experiences is reached"
        )
    if answer["dry_run"]:
        totals += " (nothing was written)"
    yield totals


@operation(
    "experience extract",
    "cuedeck experience extract --dry-run\ncuedeck experience extract --json",
    _extracted,
    short_ids=True,
)
def extract(
    call: Call, *, dry_run: bool = False, profile: Profile = ""
) -> dict[str, Any]:
    """Distil experiences from the records added since the last run.

    A record similar to an experience is merged into it as a further source.

    Args:
        dry_run: Print the outcome of each record; change no file.
    """
    found = extract_experiences.extract(
        call.workspace, call.memory(profile), dry_run=dry_run
    )
    outcomes = [each._asdict() for each in found.outcomes]
    return {**found._asdict(), "outcomes": outcomes, "dry_run": dry_run}


topic(
    "dream",
    """Promote facts that are recalled often into MEMORY.md.

    A fact is promoted once, if it was recalled often enough, on enough days, by enough
    different queries, and recently.
    """,
    "cuedeck dream run --dry-run\ncuedeck dream status\ncuedeck dream diary --nights 1",
)


def _night(answer: Mapping[str, Any]) -> Iterator[str]:
    facts = counted(answer["facts"], "recalled fact")
    recalls = counted(answer["recalls"], "recall")
    joined = counted(answer["joined"], "near duplicate")
    yield f"{facts}, {recalls}, {joined} joined"
    verb = "would promote" if answer["dry_run"] else "promoted"
    for fact in answer["promoted"]:
        yield f"{verb} {fact['score']:.2f}  {fact['text']}  ({fact['source']})"
    if not answer["promoted"]:
        yield f"{verb} nothing"
    if answer["waiting"]:
        rows = []
        for each in answer["waiting"]:
            score, text = f"{each['score']:.2f}", printable(each["text"])
            rows.append((score, each["reason"], text))
        yield table(">score,not yet~,fact~", rows)
    if answer["diary"]:
        yield f"diary: {answer['diary']}"


@operation("dream run", "cuedeck dream run --dry-run\ncuedeck dream run", _night)
def dream(
    call: Call, *, dry_run: bool = False, profile: Profile = ""
) -> dict[str, Any]:
    """Run one night: promote facts, write DREAMS.md.

    `cuedeck memory tick` does the same once a day if `dream.enabled` is true.

    Args:
        dry_run: Print what would be promoted; change no file.
    """
    return run_now(call.workspace, call.memory(profile), dry_run=dry_run).answer


def _status(answer: Mapping[str, Any]) -> Iterator[str]:
    hits, texts = counted(answer["hits"], "recall"), counted(answer["texts"], "text")
    ready, promoted = answer["ready"], answer["promoted"]
    yield f"{hits} of {texts}, {ready:,} ready for promotion, {promoted:,} promoted"
    if answer["malformed"]:
        lines = counted(answer["malformed"], "malformed line")
        yield f"{lines} in the counts, ignored"
    last_entry = "none" if answer["last_entry"] is None else answer["last_entry"]
    yield f"last entry of the diary: {last_entry}"
    if answer["enabled"]:
        yield f"next night: {answer['next_run']}"
    else:
        yield "disabled (dream.enabled); `cuedeck dream run` works anyway"


@operation("dream status", "cuedeck dream status\ncuedeck dream status --json", _status)
def dream_status(call: Call, *, profile: Profile = "") -> dict[str, Any]:
    """Print the counts of recalls, the promotions and the next night."""
    return dreams.dream_status(call.workspace, call.memory(profile))


def _diary(answer: Mapping[str, Any]) -> str:
    return "\n\n".join(night["text"] for night in answer["nights"]) or "no entries yet"


@operation(
    "dream diary",
    "cuedeck dream diary --nights 1\ncuedeck dream diary --nights 0",
    _diary,
)
def diary(
    call: Call, *, nights: Annotated[int, Param(least=0)] = 3, profile: Profile = ""
) -> dict[str, Any]:
    """Print the newest entries of DREAMS.md.

    Lines about secret, superseded or deleted records are left out.

    Args:
        nights: Number of newest entries; 0 for all.
    """
    return dreams.read_diary(call.workspace, call.memory(profile), nights)
