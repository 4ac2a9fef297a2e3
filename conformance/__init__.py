"""The conformance suite of the Model Context Protocol, run against `cuedeck mcp
--http`: `make conformance`.
"""
