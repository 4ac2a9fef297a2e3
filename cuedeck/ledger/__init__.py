"""Ledgers: entries with ids in files, in several formats, a package for each kind.

A ledger is usually an append-only file of JSON lines, one entry per line: decisions,
attempts and the statuses of assumptions. `ledger_files` writes it, `jsonl_ledger` reads
it, `model.ledger_entry` is the type of an entry.
"""
