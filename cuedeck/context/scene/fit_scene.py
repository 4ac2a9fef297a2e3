"""Scene within the size limit of a client: rebuilt with a smaller budget until it fits,
never truncated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cuedeck.context.scene.build_scene import (
    BuiltScene,
    Request,
    check_answer,
    make_scene,
)
from cuedeck.model.budget_bounds import SMALLEST_BUDGET

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_MARGIN = 0.97
"""Safety factor of a budget estimated from characters: a smaller scene has different
proportions.
"""


def make_fitting(
    workspace: Workspace, request: Request, most_tokens: int, most_characters: int
) -> BuiltScene:
    """Return the scene of a request, rebuilt with a smaller budget while it has too
    many tokens or characters.

    Units: `most_tokens` 0 for no limit but the budget of the request.
    Raises: as `make_scene`.
    """

    def make(budget: int | None) -> BuiltScene:
        return make_scene(workspace, request._replace(budget=budget))

    made = fit_scene(make, request.budget, most_tokens, most_characters)
    check_answer(workspace.index, request, made)
    return made


def fit_scene(
    make: Callable[[int | None], BuiltScene],
    budget: int | None,
    most_tokens: int,
    most_size: int,
    size: Callable[[str], int] = len,
) -> BuiltScene:
    """Return the scene that `make` builds with the first budget, from `budget`
    downwards, at which it fits.

    Units: `most_tokens` 0 for no limit; `most_size` in the unit of `size`.
    """
    made = make(budget)
    while smaller := _smaller_budget(made, most_tokens, size(made.text), most_size):
        made = make(smaller)
    return made


def _smaller_budget(
    made: BuiltScene, most_tokens: int, size: int, most_size: int
) -> int:
    """Return the budget of the next attempt."""
    budget, tokens = made.report["budget"], made.report["tokens"]
    if most_tokens and tokens > most_tokens:
        wanted = most_tokens
    elif size > most_size:
        wanted = int(min(tokens, budget) * most_size / size * _MARGIN)
    else:
        return 0
    smaller = max(SMALLEST_BUDGET, min(wanted, budget - 1))
    return smaller if smaller < budget else 0
