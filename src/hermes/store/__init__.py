"""Durable storage behind one protocol."""
