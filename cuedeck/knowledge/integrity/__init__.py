"""Integrity check of records: contradictions, broken supersession and staleness.

Two records contradict each other if they state the same key with another value
(`claims` defines keys and values). `find_findings` runs the whole check.
"""
