"""What is done at each event of an agent's session."""
