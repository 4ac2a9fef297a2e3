"""Exchange of entries with other copies through a hub."""
