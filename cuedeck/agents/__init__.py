"""Agent hosts: properties, edits of their configuration files, hooks and set-up."""
