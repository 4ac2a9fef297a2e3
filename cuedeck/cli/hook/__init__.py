"""The `hook` command. It runs at every turn of an agent, so it imports little more than
`json` until there is work.
"""
