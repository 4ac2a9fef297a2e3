"""Recall: one search over records, logs, ledgers, cards, docs and files outside."""
