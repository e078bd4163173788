"""Stand-ins for what Hermes talks to, shipped so that builders can test against them too.

They are real where it matters: the server is a real server, on a real socket of this machine.
"""

from hermes.testing.ledger import MemoryLedger
from hermes.testing.model import ScriptedModel
from hermes.testing.server import Received, ScriptedServer
from hermes.testing.steps import (
    Call,
    Fail,
    Flood,
    Garbage,
    Hang,
    Html,
    Refuse,
    Say,
    Step,
    Truncate,
)
from hermes.testing.vectors import hash_vector

__all__ = [
    "Call",
    "Fail",
    "Flood",
    "Garbage",
    "Hang",
    "Html",
    "MemoryLedger",
    "Received",
    "Refuse",
    "Say",
    "ScriptedModel",
    "ScriptedServer",
    "Step",
    "Truncate",
    "hash_vector",
]
