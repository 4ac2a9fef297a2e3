"""The reference graph: resolution of refs, the neighbourhood of a root, cycles, imports
and drawings.

Only this package uses networkx.
"""
