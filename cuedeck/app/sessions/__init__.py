"""Use cases of sessions: one stretch of work and its state, from start through restarts
to its end. `app.hooks` calls them at the events of an agent, `store.ledgers` holds the
files.
"""
