"""Stores of exchanged entries outside of this machine."""
