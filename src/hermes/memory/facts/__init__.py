"""Statements Hermes can prove."""
