"""Table of all doctor checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from cuedeck.doctor.check_cache import (
    check_extra,
    check_index,
    check_leftovers,
    check_links,
    check_locks,
    check_qmd,
    check_recall_index,
)
from cuedeck.doctor.check_cards import (
    check_active,
    check_dates,
    check_fields,
    check_ids,
    check_titles,
)
from cuedeck.doctor.check_context import CheckContext
from cuedeck.doctor.check_cortex import check_cortex, check_layers
from cuedeck.doctor.check_files import (
    check_front_matter,
    check_path_case,
    check_readable,
    check_ref_items,
)
from cuedeck.doctor.check_git import (
    check_git_index,
    check_gitignore,
    check_history,
    check_tracked,
)
from cuedeck.doctor.check_layout import (
    check_config,
    check_config_keys,
    check_folders,
    check_strays,
    check_worktree,
)
from cuedeck.doctor.check_ledgers import (
    check_assumptions,
    check_cited,
    check_entries,
    check_ledgers,
    check_sessions,
    check_workflows,
)
from cuedeck.doctor.check_memory import check_memory
from cuedeck.doctor.check_refs import check_ref_cycles, check_refs, check_unused_docs
from cuedeck.doctor.validate_cards import check_depends_on, check_depends_on_cycles
from cuedeck.model.diagnostic import Diagnostic


class Check(NamedTuple):
    """One check: its name, the condition it verifies, and its function."""

    name: str
    doc: str
    run: Callable[[CheckContext], Iterable[Diagnostic]]


CHECKS: tuple[Check, ...] = (
    Check("config", "config.toml is valid and each value can be used", check_config),
    Check("config-keys", "each key of config.toml is known", check_config_keys),
    Check("folders", "cards/ and docs/ exist", check_folders),
    Check("strays", "each name in .cuedeck/ is known", check_strays),
    Check("worktree", "no private memory is left in a linked worktree", check_worktree),
    Check("gitignore", "git ignores generated and private files", check_gitignore),
    Check("tracked", "no generated file and no memory is committed", check_tracked),
    Check("front-matter", "the front matter of each file can be parsed", check_front_matter),
    Check("card-fields", "status, priority and budget have valid values", check_fields),
    Check("card-titles", "each card has a title", check_titles),
    Check("card-ids", "ids are unique and equal to the file name", check_ids),
    Check("card-dates", "dates of cards can be read", check_dates),
    Check("active", "the active card exists and is open", check_active),
    Check("depends-on", "each dependency names exactly one card", check_depends_on),
    Check("depends-on-cycles", "dependencies form no cycle", check_depends_on_cycles),
    Check("ref-items", "each item of refs is a ref", check_ref_items),
    Check("refs", "each ref has exactly one target in the workspace", check_refs),
    Check("ref-cycles", "no refs form a cycle", check_ref_cycles),
    Check("unused-docs", "each doc of .cuedeck/docs/ is the target of a ref", check_unused_docs),
    Check("ledgers", "each line of a ledger is a valid entry", check_ledgers),
    Check("decisions", "no two accepted decisions contradict each other", check_entries),
    Check("cited", "the targets of decisions and attempts exist", check_cited),
    Check("assumptions", "all assumptions hold", check_assumptions),
    Check("sessions", "each session can be read", check_sessions),
    Check("workflows", "each workflow is valid", check_workflows),
    Check("memory", "each memory file can be read as records", check_memory),
    Check("cortex", "each file of the cortex tree has an address", check_cortex),
    Check("layers", "each layer file of the cortex tree is complete", check_layers),
    Check("path-case", "no two paths differ only in case", check_path_case),
    Check("readable", "each file can be read as its type", check_readable),
    Check("history", "the history of the repository can be read", check_history),
    Check("git-index", "git can list the tracked files", check_git_index),
    Check("index", "the index is intact and can be stored", check_index),
    Check("recall-index", "the index of recall is intact", check_recall_index),
    Check("extra", "each folder outside the workspace that is searched exists", check_extra),
    Check("qmd", "qmd is installed if recall uses it", check_qmd),
    Check("links", "no generated file is a symbolic link", check_links),
    Check("leftovers", "no temporary file of a killed process remains", check_leftovers),
    Check("locks", "no lock is held", check_locks),
)  # fmt: skip
"""All checks, in order of execution. They share one context and change nothing."""
