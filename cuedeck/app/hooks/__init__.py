"""Actions for the events of an agent's session, one module per event. `cli.hook` reads
an event, `store.ledgers.hook_queue` stores it, `drain_queue` processes stored events.
"""
