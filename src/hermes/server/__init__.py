"""Hermes as a process that stays: the daemon, and what it offers to others."""
