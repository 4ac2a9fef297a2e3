"""Files of ledgers, sessions, experiences, workflows, the hook queue and the state of
set-up.

A ledger is an append-only file of JSON lines, one entry per line: decisions, attempts
and the statuses of assumptions. `ledger_files` writes it, `parse.jsonl_ledger` reads
it, `model.ledger_entry` is the type of an entry.
"""
