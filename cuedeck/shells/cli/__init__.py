"""The command line: parse a request, call one operation, print one result."""
