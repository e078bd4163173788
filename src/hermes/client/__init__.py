"""Hermes over HTTP, from Python: `with Client.local() as hermes: hermes.recall("plan the trip")`.

Synchronous, typed, and made of the same shapes the server answers with (`hermes.wire`).
"""

from hermes.client.client import Client

__all__ = ["Client"]
