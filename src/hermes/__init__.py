"""Hermes: an assistant that remembers, and the memory system it lives on."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hermes.library import Hermes

__all__ = ["Hermes", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`Hermes` is imported when it is asked for: the program `hermes` must start at once."""
    if name == "Hermes":
        from hermes.library import Hermes  # noqa: PLC0415

        return Hermes
    raise AttributeError(f"module 'hermes' has no attribute {name!r}")
