"""Sessions: one stretch of work and its state, from start through restarts to its
end.
"""
