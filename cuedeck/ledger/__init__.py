"""Ledgers: entries with ids in files, in several formats, a package for each kind.

A log is an append-only file of JSON lines, one entry per line: decisions, attempts and
the statuses of assumptions. `ledger` writes it, `codecs` reads it, and a module of
`kinds` declares each kind.
"""
