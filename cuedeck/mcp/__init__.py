"""The MCP shell: the functions of app as tools, resources and prompts of a Model
Context Protocol server.
"""
