"""The `hook` command, which runs at every turn of an agent: it imports little more than
`json` until there is work. `app.hooks` holds the actions of each event.
"""
