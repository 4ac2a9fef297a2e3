"""CueDeck's rules in a host's list of tools that run without confirmation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuedeck.agents.edits.json_edit import Addition, put_all, take_all
from cuedeck.agents.edits.json_tree import Document, SlotPath, read_json
from cuedeck.agents.edits.managed_part import Part, Put
from cuedeck.agents.hosts.setup_types import Allow
from cuedeck.model.replaced_entry import Keys, Prior


@dataclass(frozen=True, slots=True)
class AllowPart(Part):
    """The managed part for the permission rules of one host: strings in an array of its
    JSON settings.
    """

    name = "a rule that allows a tool"
    allow: Allow

    def rules_of(self, text: str) -> list[str]:
        """Return the own rules in the file, in the order of `allow.rules`. Raises:
        Invalid for malformed JSON.
        """
        rules = read_json(text).find(self.allow.keys)
        if rules is None or rules.kind != "array":
            return []
        found = rules.value()
        return [rule for rule in self.allow.rules if rule in found]

    def holds(self, text: str) -> bool:
        return bool(self.rules_of(text))

    def is_right(self, text: str) -> bool:
        return self.rules_of(text) == list(self.allow.rules)

    def put(self, text: str) -> Put:
        present = self.rules_of(text)
        missing = [rule for rule in self.allow.rules if rule not in present]
        return put_all(
            text, [Addition(self.allow.keys, each, True) for each in missing]
        )

    def prior(self, text: str) -> tuple[Prior, ...]:
        # A person may have written each of them.
        return tuple(Prior(self.allow.keys, rule) for rule in self.rules_of(text))

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        keys = self.allow.keys
        staying = [entry.value for entry in prior if entry.keys == keys]
        own = [rule for rule in self.allow.rules if rule not in staying]

        def find(document: Document) -> SlotPath:
            path = document.path(keys)
            rules = document.find(keys)
            if rules is None:
                return ()
            for at, slot in enumerate(rules.slots):
                if slot.node.scalar in own:
                    return (*path, (rules, at))
            return ()

        return take_all(text, find, made)
