"""The right memory for a task, with no model to call."""
