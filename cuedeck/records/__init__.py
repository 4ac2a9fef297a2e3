"""The rules of memory: what sessions, decisions, assumptions and progress mean; values in, values out."""
