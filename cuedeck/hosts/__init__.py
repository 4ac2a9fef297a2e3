"""Own entries in the files of hosts: recognised, put in, taken out, with every other byte as it was.

JSON with comments and trailing commas, TOML and Markdown are located by small scanners that know places; an edit
inserts or cuts spans of the text and is read back before it is returned: unless the file says what it said before,
own entries aside, `Invalid` is raised and the caller still holds the old bytes.
"""
