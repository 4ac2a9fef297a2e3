"""Types of parameters that operations on the memory have."""

from typing import Annotated

from cuedeck.model.memory_record import CATEGORIES, SENSITIVITIES
from cuedeck.shells.operation import Param

Sensitivity = Annotated[
    str,
    Param(
        choices=SENSITIVITIES, help="Who may see it; no agent gets a `secret` record."
    ),
]
AllowSecret = Annotated[
    bool, Param(help="Include records with the sensitivity `secret`.")
]
Profile = Annotated[
    str,
    Param(
        metavar="ID",
        help="Memory profile from the settings.  [default: the workspace memory]",
    ),
]
Category = Annotated[str, Param(help=f"One of {', '.join(CATEGORIES)}.")]
OnlyCategory = Annotated[str, Param(once=True, help="Only this category.")]
Record = Annotated[str, Param("record", "ID")]
Experience = Annotated[str, Param("experience", "ID")]
OwnSession = Annotated[
    str, Param("session", "ID", help="Its session.  [default: the open session]")
]
OnlySession = Annotated[
    str, Param("session", "ID", once=True, help="Only this session.")
]
