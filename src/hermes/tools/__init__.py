"""What the agent can do besides talking: one file a tool, and the registry that finds them.

A tool knows its arguments and its desk; it does not know the model, the loop or the terminal.
"""
