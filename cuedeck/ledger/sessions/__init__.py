"""Files of sessions, of agent sessions and of their hook events."""
