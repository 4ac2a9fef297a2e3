"""Experiences, and dreaming, which promotes facts into MEMORY.md."""

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from cuedeck.knowledge.dreaming import dream_status as dreams
from cuedeck.knowledge.dreaming.run_dream import run_now
from cuedeck.knowledge.experiences import (
    add_experience,
    delete_experience,
    extract_experiences,
    query_experiences,
)
from cuedeck.model.ports import Json, JsonView
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import (
    PROBLEMS,
    Category,
    Experience,
    OnlyCategory,
    OnlySession,
    OwnSession,
    Param,
    Profile,
    operation,
    topic,
)
from cuedeck.shells.text_template import write_lines

By = Annotated[str, Param(choices=("category", "session"), help="Group the results.")]
_MOST_SHOWN = 50
_EXTRACTED = """|shown result | experience | why={reason} | text
?more {more:,} more: --json
{added} made, {duplicates} joined, {refused} refused\
{evicted:?, {evicted} dropped because the limit of experiences is reached}{dry_run:? (nothing was written)}"""

topic(
    "experience",
    """Add, query and list experiences.

    Experiences are distilled records without near duplicates.
    """,
    'cuedeck experience add --category learned "The login breaks when the token has no expiry"\n'
    'cuedeck experience query "login token"\n'
    "cuedeck experience list --by category",
)


@operation(
    "experience add",
    'cuedeck experience add --category user-preference "Prefers small commits"',
    "{id}",
    notes="!added a similar experience exists: {text}",
    short_ids=True,
)
def add(
    call: Call,
    text: str,
    *,
    category: Category = "note",
    session: OwnSession = "",
    profile: Profile = "",
) -> Json:
    """Add an experience, unless a similar one exists."""
    memory = call.memory(profile)
    return add_experience.add_experience(
        call.workspace, memory, text, category=category, session=session
    )


@operation(
    "experience query",
    'cuedeck experience query "how are deploys done?" --top 3',
    notes=PROBLEMS,
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
    notes=PROBLEMS,
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


def _listing(name: str, nothing: str, answer: JsonView) -> Iterator[str]:
    score = "" if name == "experiences" else ">score={score:.2f} | "
    listed = f"|rows id | {score}day={{timestamp:.10}} | category | text~"
    rows = {each["id"]: each for each in answer[name]}
    if not rows:
        yield nothing
    elif "groups" not in answer:
        yield from write_lines(listed, {"rows": list(rows.values())})
    else:
        for number, group in enumerate(answer["groups"]):
            gap = "\n" if number else ""
            yield f"{gap}{group['title']}:"
            chosen = [rows[each] for each in group["ids"]]
            yield from write_lines(listed, {"rows": chosen})


@operation(
    "experience forget",
    "cuedeck experience forget k3f",
    "{id}: forgotten",
    short_ids=True,
)
def forget(call: Call, identity: Experience, *, profile: Profile = "") -> Json:
    """Delete an experience; its record stays.

    `cuedeck memory forget` deletes both.
    """
    return delete_experience.forget_experience(
        call.workspace, call.memory(profile), identity
    )


def _extracted(answer: JsonView) -> Iterator[str]:
    outcomes = answer["outcomes"]
    if not outcomes:
        yield "no experience was extracted: there are no new records since the last extraction"
        return
    more = max(0, len(outcomes) - _MOST_SHOWN)
    refused = sum(each["result"] == "refused" for each in outcomes)
    counts = {"shown": outcomes[:_MOST_SHOWN], "more": more, "refused": refused}
    yield from write_lines(_EXTRACTED, {**answer, **counts})


@operation(
    "experience extract",
    "cuedeck experience extract --dry-run\ncuedeck experience extract --json",
    _extracted,
    short_ids=True,
)
def extract(call: Call, *, dry_run: bool = False, profile: Profile = "") -> Json:
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


@operation(
    "dream run",
    "cuedeck dream run --dry-run\ncuedeck dream run",
    """\
{facts:+recalled fact}, {recalls:+recall}, {joined:+near duplicate} joined
*promoted {dry_run:?would promote}{dry_run:!promoted} {score:.2f}  {text}  ({source})
!promoted {dry_run:?would promote}{dry_run:!promoted} nothing
|waiting >score={score:.2f} | not yet~={reason} | fact~={text}
?diary diary: {diary}""",
)
def dream(call: Call, *, dry_run: bool = False, profile: Profile = "") -> Json:
    """Run one night: promote facts, write DREAMS.md.

    `cuedeck memory tick` does the same once a day if `dream.enabled` is true.

    Args:
        dry_run: Print what would be promoted; change no file.
    """
    return run_now(call.workspace, call.memory(profile), dry_run=dry_run).answer


@operation(
    "dream status",
    "cuedeck dream status\ncuedeck dream status --json",
    """\
{hits:+recall} of {texts:+text}, {ready:,} ready for promotion, {promoted:,} promoted
?malformed {malformed:+malformed line} in the counts, ignored
last entry of the diary: {last_entry}{last_entry:!none}
?enabled next night: {next_run}
!enabled disabled (dream.enabled); `cuedeck dream run` works anyway""",
)
def dream_status(call: Call, *, profile: Profile = "") -> Json:
    """Print the counts of recalls, the promotions and the next night."""
    return dreams.dream_status(call.workspace, call.memory(profile))


def _diary(answer: JsonView) -> str:
    return "\n\n".join(night["text"] for night in answer["nights"]) or "no entries yet"


@operation(
    "dream diary",
    "cuedeck dream diary --nights 1\ncuedeck dream diary --nights 0",
    _diary,
)
def diary(
    call: Call, *, nights: Annotated[int, Param(least=0)] = 3, profile: Profile = ""
) -> Json:
    """Print the newest entries of DREAMS.md.

    Lines about secret, superseded or deleted records are left out.

    Args:
        nights: Number of newest entries; 0 for all.
    """
    return dreams.read_diary(call.workspace, call.memory(profile), nights)
