"""The agent: a chat that remembers. It knows models, tools and memory, and no surface."""
