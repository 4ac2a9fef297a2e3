"""Refs and dependencies of cards."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from cuedeck.model.errors import UsageError
from cuedeck.shells.call import Call
from cuedeck.shells.operation import Address, Card, Param, operation, topic
from cuedeck.work.cards import card_dependencies, edit_card

CardId = Annotated[str, Param("card", "ID")]

topic(
    "card ref",
    "Add or remove refs of a card.",
    "cuedeck card ref add 2a9 docs/auth.md#LoginFlow",
)


def _ref_added(answer: Mapping[str, Any]) -> str:
    known = "" if answer["changed"] else " (already there)"
    return f"{answer['path']} → {answer['address']}{known}"


@operation(
    "card ref add", "cuedeck card ref add 2a9 src/auth.py#Login.verify", _ref_added
)
def add_ref(call: Call, name: Card, address: Address) -> dict[str, Any]:
    """Add a ref; a ref without a target is refused."""
    return edit_card.add_ref(call.workspace, name, address)


@operation(
    "card ref rm",
    "cuedeck card ref rm 2a9 docs/auth.md",
    lambda answer: f"{answer['path']}: removed {answer['ref']}",
)
def remove_ref(
    call: Call, name: Card, address: Annotated[str, Param("written address")]
) -> dict[str, Any]:
    """Remove a ref, given as it is written in the card."""
    change = edit_card.CardChange(drop_refs=(address,))
    return {**edit_card.update_card(call.workspace, name, change), "ref": address}


def _dependency_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    for each in answer["cards"]:
        yield f"{each['id']}  {each['status']:<8}  {each['title']}"
    if not answer["cards"]:
        yield "none"


@operation(
    "card deps",
    "cuedeck card deps 2a9\ncuedeck card deps 2a9 --add 7bk",
    _dependency_lines,
)
def dependencies(
    call: Call,
    name: Card,
    *,
    reverse: bool = False,
    add: CardId = "",
    drop: CardId = "",
) -> dict[str, Any]:
    """Show or change the dependencies of a card.

    Args:
        reverse: Show the cards that depend on this one.
        add: Add a dependency on card ID; a cycle is refused (code 1002).
        drop: Remove a dependency.
    """
    if add and drop:
        raise UsageError(
            "--add and --drop cannot be combined", hint="run the command once for each"
        )
    if add:
        change = edit_card.CardChange(add_depends_on=(add,))
        edit_card.update_card(call.workspace, name, change)
    if drop:
        change = edit_card.CardChange(drop_depends_on=(drop,))
        edit_card.update_card(call.workspace, name, change)
    return card_dependencies.dependencies(call.workspace, name, reverse=reverse)
