"""Real agent hosts against a scripted model server: the context that a model would
receive from CueDeck.
"""
