"""Shells: they parse a request, call one operation and print one answer."""
