"""Use cases, one package or module per capability. They return values; only the shells
print.
"""
