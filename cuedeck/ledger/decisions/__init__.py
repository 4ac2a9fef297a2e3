"""Rows of decisions and failed attempts."""
