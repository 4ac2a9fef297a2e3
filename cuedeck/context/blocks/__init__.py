"""Scene blocks made from ledgers: failing assumptions, decisions, attempts, memory,
experiences, session progress.
"""
