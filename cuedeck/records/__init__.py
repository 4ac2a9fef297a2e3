"""Rules of memory records, decisions, attempts, assumptions, progress and sessions;
pure functions over values.
"""
