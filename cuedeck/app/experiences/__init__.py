"""Use cases of experiences: extract them from records, add, query, list and delete
them. `records.experiences` holds the pure rules, `store.ledgers` the files.
"""
