"""Use cases, one package or module per capability. They return values; only the shells
print.

A capability often has three packages: the use case in `app`, the pure rules in
`records`, `graph`, `ranking` or `scene`, and the files in `store`.
"""
