"""Rules of memory records, decisions, attempts, assumptions, progress and sessions:
pure functions over values. `app` reads and writes the files by `store`.
"""
