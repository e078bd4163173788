"""Reflection: after each task, what worked, what failed, and what to do next time."""
