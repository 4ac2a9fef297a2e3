"""The cortex tree: messages of a session, commit, archive, deletion."""
