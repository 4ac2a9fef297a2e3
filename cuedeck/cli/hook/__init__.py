"""The `hook` command, which runs at every turn of an agent. It imports little more than `json` until there is work."""
