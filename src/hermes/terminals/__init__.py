"""Places where commands run."""
