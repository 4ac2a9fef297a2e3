"""Table of all doctor checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from cuedeck.app.doctor.check_cache import check_index, check_leftovers, check_links, check_locks
from cuedeck.app.doctor.check_cards import check_active, check_dates, check_fields, check_idle, check_ids, check_titles
from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.app.doctor.check_files import check_front_matter, check_path_case, check_readable, check_ref_items
from cuedeck.app.doctor.check_git import check_git_index, check_history
from cuedeck.app.doctor.check_layout import check_folders, check_gitignore, check_strays, check_tracked
from cuedeck.app.doctor.check_ledgers import (
    check_assumptions,
    check_cited,
    check_decisions,
    check_ledgers,
    check_sessions,
    check_workflows,
)
from cuedeck.app.doctor.check_memory import check_memory
from cuedeck.app.doctor.check_refs import check_ref_cycles, check_refs, check_unused_docs
from cuedeck.app.doctor.check_settings import check_config, check_config_keys
from cuedeck.app.doctor.check_tags import check_tags
from cuedeck.app.doctor.validate_cards import check_depends_on, check_depends_on_cycles
from cuedeck.model.file import Diagnostic


class Check(NamedTuple):
    """One check: its name, the condition it verifies, and its function."""

    name: str
    doc: str
    run: Callable[[CheckContext], Iterable[Diagnostic]]


CHECKS: tuple[Check, ...] = (
    Check("config", "config.toml is valid and each value can be used", check_config),
    Check("config-keys", "each key of config.toml is one that is read", check_config_keys),
    Check("folders", "cards/ and docs/ are there", check_folders),
    Check("strays", "each name in .cuedeck/ is one that is read", check_strays),
    Check("gitignore", "git ignores what is generated or remembered", check_gitignore),
    Check("tracked", "no generated file and no memory is committed", check_tracked),
    Check("front-matter", "the front matter of each file can be read", check_front_matter),
    Check("card-fields", "status, priority and budget hold known words", check_fields),
    Check("card-titles", "each card has a title", check_titles),
    Check("card-ids", "ids are unique and equal to the file name", check_ids),
    Check("card-dates", "dates of cards are in RFC 3339", check_dates),
    Check("active", "the active card is there and open", check_active),
    Check("idle-cards", "no card is active for 90 days without a change", check_idle),
    Check("depends-on", "each dependency names one card", check_depends_on),
    Check("depends-on-cycles", "no cards wait for each other", check_depends_on_cycles),
    Check("tags", "no tag is misspelt", check_tags),
    Check("ref-items", "each item of refs is a ref", check_ref_items),
    Check("refs", "each ref leads to one place in the workspace", check_refs),
    Check("ref-cycles", "no refs form a cycle", check_ref_cycles),
    Check("unused-docs", "something refers to each doc of .cuedeck/docs/", check_unused_docs),
    Check("ledgers", "each line of a ledger is an entry", check_ledgers),
    Check("decisions", "no two accepted decisions contradict each other", check_decisions),
    Check("cited", "what decisions and attempts are about is there", check_cited),
    Check("assumptions", "what is assumed holds", check_assumptions),
    Check("sessions", "each session can be read", check_sessions),
    Check("workflows", "each workflow can be used", check_workflows),
    Check("memory", "each line of a memory is a record that can be used", check_memory),
    Check("path-case", "no two paths differ in capitals only", check_path_case),
    Check("readable", "each file can be read as what it is", check_readable),
    Check("history", "the history of the repository can be read", check_history),
    Check("git-index", "git can tell what it tracks", check_git_index),
    Check("index", "the index is sound and can be kept", check_index),
    Check("links", "no generated file is a symbolic link", check_links),
    Check("leftovers", "no temporary file was left behind", check_leftovers),
    Check("locks", "no lock is held", check_locks),
)
"""All checks, in order of execution. They share one context and change nothing."""
