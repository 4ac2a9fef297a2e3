"""Scene within the size limit of a client: rebuilt with a smaller budget until it fits, never truncated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.scene.build_scene import BuiltScene, Request, make_scene
from cuedeck.model.budget_bounds import SMALLEST_BUDGET

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_MARGIN = 0.97
"""Safety factor of a budget estimated from characters: a smaller scene has different proportions."""


def make_fitting(workspace: Workspace, request: Request, most_tokens: int, most_characters: int) -> BuiltScene:
    """Return the scene of a request, rebuilt with a smaller budget while it has too many tokens or characters.

    Units: `most_tokens` 0 for no limit but the budget of the request.
    Raises: as `make_scene`.
    """
    made = make_scene(workspace, request)
    while budget := _smaller_budget(made, most_tokens, most_characters):
        made = make_scene(workspace, request._replace(budget=budget))
    return made


def _smaller_budget(made: BuiltScene, most_tokens: int, most_characters: int) -> int:
    """Return the budget of the next attempt; 0 if the scene fits or the budget cannot become smaller."""
    budget, tokens = made.report["budget"], made.report["tokens"]
    if most_tokens and tokens > most_tokens:
        wanted = most_tokens
    elif len(made.text) > most_characters:
        wanted = int(min(tokens, budget) * most_characters / len(made.text) * _MARGIN)
    else:
        return 0
    smaller = max(SMALLEST_BUDGET, min(wanted, budget - 1))
    return smaller if smaller < budget else 0
