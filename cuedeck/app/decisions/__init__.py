"""Decisions: create, list, supersede, confirm and export them. The ledger is their only
source.
"""
