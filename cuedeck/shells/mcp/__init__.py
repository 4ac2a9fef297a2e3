"""The MCP shell: operations as tools, resources and prompts of a Model Context Protocol
server.
"""
