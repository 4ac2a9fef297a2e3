"""Sessions: one stretch of work and its state, from start through restarts to its end.
`agents.hooks` calls them at the events of an agent.
"""
