"""A workspace that stays open for a server: followed by events, asked in turn, its SCENE.md kept true."""
