"""The progress block of a prompt. It is made at the end of a turn, because reading the
session and masking its text takes longer than everything else that a prompt needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.agents.hooks.watched_files import session_paths, stat_now
from cuedeck.context.blocks.session_block import session_block
from cuedeck.context.scene.ledger_blocks import fit_blocks
from cuedeck.engine.mask_answers import mask_value
from cuedeck.engine.open_session import open_session
from cuedeck.ledger.sessions.agent_sessions import print_as_indexed, print_at
from cuedeck.model.agent_session import Progress
from cuedeck.model.paths import HOME, WORKFLOWS

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.agent_session import StatRow

_BUDGET = 3_750
"""Token limit of a scene in which the progress block has 150 tokens."""


def make_progress(workspace: Workspace) -> Progress:
    """Return the progress of the open session, with the files that decide whether it is
    current; the text is empty without an open session. Raises: StorageError.
    """
    rows = _stat_inputs(workspace)
    content = workspace.settled(lambda: session_block(workspace, "", workspace.mask()))
    text = ""
    if content is not None:
        blocks = fit_blocks((content,), _BUDGET, workspace.counter())
        text = "".join(block.text for block in blocks)
    return Progress(text, rows)


def _stat_inputs(workspace: Workspace) -> dict[str, StatRow]:
    """Return the stat rows of the files that the block shows, read before the block is
    made. A path that contains a secret is masked and has no row.
    """
    rows: dict[str, StatRow] = {}
    for path in session_paths(workspace):
        rows[path] = stat_now(workspace.paths.root, path)
    session = open_session(workspace)
    if session is not None and session.workflow:
        path = f"{WORKFLOWS}/{session.workflow}.toml"
        rows[path] = print_at(workspace.paths.absolute(path))
    if session is not None and session.card:
        path = f"{HOME}/cards/{session.card}.md"
        rows[path] = print_as_indexed(workspace.index, workspace.paths, path)
    masked_paths = mask_value(list(rows), workspace)
    return {
        masked: row if masked == path else None
        for (path, row), masked in zip(rows.items(), masked_paths, strict=True)
    }
