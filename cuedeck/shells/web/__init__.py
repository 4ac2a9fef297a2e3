"""The web page: shows the context of an agent, its reasons, and the memory."""
