"""Assumptions: checkable beliefs about a project, their current validity and their
status.
"""
