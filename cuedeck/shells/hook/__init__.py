"""The `hook` command, which runs at every turn of an agent: it imports little more than
`json` until there is work. `agents.hooks` has the actions of each event.
"""
