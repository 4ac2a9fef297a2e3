"""CueDeck's entries in the configuration files of agent hosts: detected, added and
removed, all other bytes kept.

Small scanners give the offsets of entries in JSON (with comments and trailing commas),
TOML and Markdown. An edit inserts or cuts spans of the text, and is verified by parsing
the result: `Invalid` is raised unless everything except CueDeck's entries is unchanged.
An entry that belongs to CueDeck is called an own entry.
"""
