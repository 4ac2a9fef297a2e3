"""The reference graph: resolution of refs, reachable subgraph, cycles, imports and drawings.

Only this package uses networkx.
"""
