"""CueDeck's rules in a host's list of tools that run without confirmation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from cuedeck.agents.edits.json_edit import (
    SlotPath,
    check_json,
    outermost_slot,
    put_in,
    take_and_check,
)
from cuedeck.agents.edits.json_tree import Document, index_of, reach, read_json
from cuedeck.agents.edits.managed_part import Put
from cuedeck.agents.hosts.setup_types import Allow
from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, insert


@dataclass(frozen=True, slots=True)
class AllowPart:
    """The managed part for the permission rules of one host: strings in an array of its
    JSON settings.
    """

    allow: Allow

    def rules_of(self, text: str) -> list[str]:
        """Return the own rules in the file, in the order of `allow.rules`. Raises:
        Invalid for malformed JSON.
        """
        rules = read_json(text).find(self.allow.keys)
        if rules is None or rules.kind != "array":
            return []
        found = [slot.node.scalar for slot in rules.slots]
        return [rule for rule in self.allow.rules if rule in found]

    def holds(self, text: str) -> bool:
        """Return whether the file contains any own rule."""
        return bool(self.rules_of(text))

    def is_right(self, text: str) -> bool:
        """Return whether the file contains every own rule."""
        return self.rules_of(text) == list(self.allow.rules)

    def put(self, text: str) -> Put:
        """Append the missing rules to the list."""
        before = document = read_json(text)
        keys = self.allow.keys
        present = self.rules_of(text)
        missing = [rule for rule in self.allow.rules if rule not in present]
        undo: tuple[Cut, ...] = ()
        for rule in missing:
            text, cuts = insert(text, put_in(document, keys, rule, item=True))
            document = read_json(text)
            undo = (*cuts, *undo)
        check_json(before, text, self._wanted(before.value(), missing))
        containers = [keys[: at + 1] for at in range(len(keys))]
        made = tuple(path for path in containers if before.find(path) is None)
        return Put(text, undo, made)

    def renew(self, text: str) -> str:
        """Append the missing rules to the list."""
        return self.put(text).text

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the own rules in the file, because a person may have written each of
        them.
        """
        return tuple(Prior(self.allow.keys, rule) for rule in self.rules_of(text))

    def programs(self, text: str) -> tuple[str, ...]:
        """Return nothing, because a rule does not start a program."""
        return ()

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove the own rules except those in `prior`, and the containers in `made`
        that become empty.
        """
        keys = self.allow.keys
        kept = [entry.value for entry in prior if entry.keys == keys]
        own = [rule for rule in self.allow.rules if rule not in kept]
        document = read_json(text)
        while path := _path_of(document, keys, own):
            container, index = outermost_slot(document, path, keys, made)
            document = take_and_check(document, container, index)
        return document.text

    def _wanted(self, before: Any, missing: Sequence[str]) -> Any:
        """Return the value of the file with the missing rules appended."""
        value = before or {}
        outer, inner = self.allow.keys
        table = value.get(outer, {})
        rules = [*table.get(inner, []), *missing]
        return {**value, outer: {**table, inner: rules}}


def _path_of(document: Document, keys: Keys, rules: Sequence[str]) -> SlotPath:
    """Return the path to the first of some rules in the file; empty if there is
    none.
    """
    nodes = reach(document.root, keys, document.text)
    if len(nodes) <= len(keys):
        return []
    values = [slot.node.scalar for slot in nodes[-1].slots]
    found = [at for at, value in enumerate(values) if value in rules]
    if not found:
        return []
    path = []
    for container, child in pairwise(nodes):
        path.append((container, index_of(container, child)))
    path.append((nodes[-1], found[0]))
    return path
