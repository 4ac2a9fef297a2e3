"""Memory commands for crash tests, each with the check of its result."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from memory_corpus import MemoryCorpus
from record_files import ARCHIVE, MEMORY, RecordFiles, all_ids
from sandbox import CommandOutcome

NEW_TEXT = "deploys go out on Wednesdays, says"
"""Prefix of every text that a command writes."""


class FinalState(NamedTuple):
    """State after a command."""

    files: RecordFiles
    listed: Mapping[str, Any]
    """Records as listed by the product, by id."""
    experiences: Sequence[str]
    """Experiences, each as id and text."""


class MemoryCommand(NamedTuple):
    """A command and the workspace that it needs."""

    command: tuple[str, ...]
    """Arguments, with placeholders such as `OLDEST` for the ids of records."""
    check: Callable[[CommandOutcome, MemoryCorpus, FinalState], None]
    """Checks the result of a complete run."""
    settings: str = ""
    """Settings; {records} and {chars} are the size of MEMORY.md, {fewer} and {half}
    smaller numbers of records.
    """
    text: str = ""
    """Standard input."""
    setup: tuple[tuple[str, ...], ...] = ()
    """Commands that are run first, with `setup_settings`."""
    setup_settings: str = ""
    """Settings of the commands in `setup`."""
    victim: str = "OLDEST"
    """Placeholder of the record that is forgotten afterwards."""
    rerun_error: str = "^$"
    """Pattern of the error that the command may report if the crash came after most of
    its work.
    """
    is_new: bool = False
    """Whether the workspace has no memory."""
    is_open: bool = False
    """Whether MEMORY.md ends with an incomplete line."""
    own_files: str = ""
    """Pattern of the files that only this command writes. A test of all points omits
    the others.
    """
    removes_victim: bool = False
    """Whether the command removes the victim."""


def check_added(ran: CommandOutcome, corpus: MemoryCorpus, state: FinalState) -> None:
    """Check that each printed id is in MEMORY.md and in a daily log."""
    days = [
        each for name, each in state.files.items() if re.fullmatch(r"memory/\d.*", name)
    ]
    for printed in ran.out.split():
        (identity,) = (
            each for each in state.files[MEMORY].texts if each.startswith(printed)
        )
        assert state.files[MEMORY].texts[identity].startswith(NEW_TEXT)
        assert sum(identity in each.texts for each in days) == 1


def check_trimmed(ran: CommandOutcome, corpus: MemoryCorpus, state: FinalState) -> None:
    """Check that the new records exist, and that records removed from MEMORY.md are
    only in the archive.
    """
    check_added(ran, corpus, state)
    assert not set(state.files[MEMORY].ids) & set(state.files[ARCHIVE].ids)
    assert corpus.current[0].id in state.files[ARCHIVE].ids


def check_corrected(
    ran: CommandOutcome, corpus: MemoryCorpus, state: FinalState
) -> None:
    """Check that a record has the new text in each file."""
    printed = ran.out.split()[0]
    message = [
        text
        for each in state.files.values()
        for identity, text in each.texts.items()
        if identity.startswith(printed)
    ]
    assert len(message) > 1 and all(each.startswith(NEW_TEXT) for each in message)


def check_superseded(
    ran: CommandOutcome, corpus: MemoryCorpus, state: FinalState
) -> None:
    """Check that the record is superseded by an existing one."""
    assert state.listed[state.listed[corpus.named["OLDEST"].id]["superseded_by"]]


def check_compacted(
    ran: CommandOutcome, corpus: MemoryCorpus, state: FinalState
) -> None:
    """Check that there are fewer records, and that each removed one is in the archive,
    once.
    """
    now, archived = state.files[MEMORY], state.files[ARCHIVE]
    assert len(now.ids) < len(corpus.current)
    assert {kept.id for kept in corpus.current} <= {*now.ids, *archived.ids}
    assert not set(now.ids) & set(archived.ids)


def check_undone(ran: CommandOutcome, corpus: MemoryCorpus, state: FinalState) -> None:
    """Check that MEMORY.md has the records of before."""
    assert [kept.id for kept in corpus.current] == list(state.files[MEMORY].ids)


def check_experiences(
    ran: CommandOutcome, corpus: MemoryCorpus, state: FinalState
) -> None:
    """Check that there are experiences without duplicates."""
    assert state.experiences and len(set(state.experiences)) == len(state.experiences)


def check_one_experience(
    ran: CommandOutcome, corpus: MemoryCorpus, state: FinalState
) -> None:
    """Check that exactly one of two experiences is removed."""
    assert len(state.experiences) == 1


def check_forgotten(
    ran: CommandOutcome, corpus: MemoryCorpus, state: FinalState
) -> None:
    """Check that no file contains the record."""
    printed = ran.out.split()[0]
    assert not any(each.startswith(printed) for each in all_ids(state.files))


WINDOW = "[memory]\nmax_records = {fewer}\n"
ADD, EDIT = (
    ("memory", "add", f"{NEW_TEXT} she"),
    ("memory", "edit", "--text", f"{NEW_TEXT} he"),
)
COMPACT = (("memory", "compact"),)
COMPACTION = "[compaction]\nenabled = true\nthreshold_records = 4\ntarget_records = {half}\ntarget_chars = {chars}\n"
EXPERIENCES = ("Fridays are quiet", "caches hide mistakes", "names matter most")
LEARN = tuple(("experience", "add", text) for text in EXPERIENCES)
NOTE = tuple(("memory", "add", text) for text in EXPERIENCES)
MEMORY_COMMANDS = {
    "add": MemoryCommand(ADD, check_added),
    "add-first": MemoryCommand(ADD, check_added, is_new=True),
    "add-after-half-a-line": MemoryCommand(ADD, check_added, is_open=True),
    "add-lines": MemoryCommand(
        ("memory", "add", "-"),
        check_added,
        text=f"{NEW_TEXT} one\n{NEW_TEXT} two\n\n{NEW_TEXT} three\n",
    ),
    "remember": MemoryCommand(("remember", f"{NEW_TEXT} she"), check_added),
    "trim": MemoryCommand(ADD, check_trimmed, WINDOW),
    "trim-by-length": MemoryCommand(
        ADD, check_trimmed, "[memory]\nmax_chars = {chars}\n"
    ),
    "trim-lines": MemoryCommand(
        ("memory", "add", "-"),
        check_trimmed,
        WINDOW,
        text=f"{NEW_TEXT} one\n{NEW_TEXT} two\n{NEW_TEXT} three\n",
        own_files="archive",
    ),
    "trim-first": MemoryCommand(
        ADD, check_added, "[memory]\nmax_records = 1\n", is_new=True, setup=(ADD,)
    ),
    "trim-away": MemoryCommand(ADD, check_added, WINDOW + 'archive = ""\n'),
    "edit": MemoryCommand((*EDIT, "MIDDLE"), check_corrected, victim="MIDDLE"),
    "edit-archived": MemoryCommand(
        (*EDIT, "ARCHIVED"), check_corrected, victim="ARCHIVED"
    ),
    "edit-label": MemoryCommand(
        ("memory", "edit", "OLDEST", "--sensitivity", "secret"),
        lambda ran, corpus, state: None,
    ),
    "supersede": MemoryCommand(
        ("memory", "supersede", "OLDEST", f"{NEW_TEXT} he"),
        check_superseded,
        rerun_error="is superseded by",
    ),
    "supersede-by": MemoryCommand(
        ("memory", "supersede", "OLDEST", "--by", "NEWEST"),
        check_superseded,
        rerun_error="is superseded by",
    ),
    "supersede-trims": MemoryCommand(
        ("memory", "supersede", "OLDEST", f"{NEW_TEXT} he"),
        check_superseded,
        WINDOW,
        rerun_error="is superseded by",
    ),
    "forget": MemoryCommand(
        ("memory", "forget", "OLDEST"), check_forgotten, removes_victim=True
    ),
    "forget-experience-too": MemoryCommand(
        ("memory", "forget", "OLDEST"),
        check_forgotten,
        setup=(("experience", "extract"),),
        removes_victim=True,
        own_files="experiences",
    ),
    "forget-archived": MemoryCommand(
        ("memory", "forget", "ARCHIVED"),
        check_forgotten,
        victim="ARCHIVED",
        removes_victim=True,
    ),
    "forget-merged": MemoryCommand(
        ("memory", "forget", "OLDEST"),
        check_forgotten,
        setup=COMPACT,
        setup_settings=COMPACTION,
        removes_victim=True,
        own_files="LONGMEMORY|undo",
    ),
    "compact": MemoryCommand(("memory", "compact"), check_compacted, COMPACTION),
    "compact-again": MemoryCommand(
        ("memory", "compact"),
        check_compacted,
        COMPACTION + "min_age_days = 0\n",
        setup=(*COMPACT, *NOTE),
        setup_settings=COMPACTION,
        own_files="LONGMEMORY-before|undo",
    ),
    "compact-undo": MemoryCommand(
        ("memory", "compact", "--undo"),
        check_undone,
        COMPACTION,
        setup=COMPACT,
        setup_settings=COMPACTION,
    ),
    "tick": MemoryCommand(
        ("memory", "tick"),
        check_compacted,
        COMPACTION + "[experiences]\nenabled = true\n",
        own_files=r"schedule|log\.jsonl",
    ),
    "experience": MemoryCommand(
        ("experience", "add", f"{NEW_TEXT} she"), check_experiences
    ),
    "experience-many": MemoryCommand(("experience", "extract"), check_experiences),
    "experience-more": MemoryCommand(
        ("experience", "extract"),
        check_experiences,
        "[experiences]\nmax_count = 3\n",
        setup=LEARN,
    ),
    "experience-forget": MemoryCommand(
        ("experience", "forget", "EXPERIENCE"),
        check_one_experience,
        setup=LEARN[:2],
        rerun_error="no experience",
    ),
}

SIMILAR_COMMANDS = {
    "remember": "add",
    "trim-by-length": "trim",
    "supersede-trims": "trim",
    "edit-archived": "edit",
    "forget-archived": "forget",
    "compact-in-own-words": "compact",
}
"""Commands that write the same files as another one; only the benchmark kills them."""
