"""Memory for agents of any make, over the Model Context Protocol: stdio, and HTTP in the daemon.

What comes in this way is the agent's word, never the person's.
"""
