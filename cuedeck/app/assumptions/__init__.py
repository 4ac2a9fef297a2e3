"""Use cases of assumptions: checkable beliefs about a project, their current validity
and their status in the ledger. `records.assumption_verdicts` holds the pure rules.
"""
