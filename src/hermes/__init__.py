"""Hermes: an assistant that remembers, and the memory system it lives on."""

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hermes.library import Hermes

__all__ = ["Hermes", "__version__"]
__version__ = "0.1.0"
# What is logged goes where the program that uses Hermes sends it, and else nowhere: not between
# the lines of a chat.
logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> Any:
    """`Hermes` is imported when it is asked for: the program `hermes` must start at once."""
    if name == "Hermes":
        from hermes.library import Hermes  # noqa: PLC0415

        return Hermes
    raise AttributeError(f"module 'hermes' has no attribute {name!r}")
