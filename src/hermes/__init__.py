"""Hermes: an assistant that remembers, and the memory system it lives on."""

__version__ = "0.1.0"
