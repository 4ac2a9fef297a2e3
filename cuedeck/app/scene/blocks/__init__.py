"""What the ledgers say to a scene: assumptions that fail, decisions and attempts, progress and session."""
