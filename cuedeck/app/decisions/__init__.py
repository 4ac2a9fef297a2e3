"""Use cases of decisions and failed attempts: create, list, supersede, confirm and
export them. `records` holds their pure rules; their ledgers (`store.ledgers`) are the
only source.
"""
