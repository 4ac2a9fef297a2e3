"""Actions for the events of an agent's session, one module per event. `shells.hook`
reads an event, `ledger.sessions.hook_queue` stores it, `drain_queue` processes stored
events.
"""
