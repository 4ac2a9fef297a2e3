"""Real agent hosts against a model server that plays a script: what a model would
receive of CueDeck.
"""
