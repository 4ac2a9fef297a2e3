"""The command line: parse a request, call one function of app, print one result."""
