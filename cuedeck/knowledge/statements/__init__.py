"""Statements of conversations: capture, digest of a prompt, part of a brief."""
