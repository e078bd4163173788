"""Names of adapters in settings: our own are known here, a plugin's is looked up when it is used.

A plugin declares itself as an entry point, so a setting may name it without a change to Hermes.
"""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic import AfterValidator


@dataclass(frozen=True, slots=True)
class Adapter:
    """A check that lets through our names, and those installed under an entry-point group."""

    group: str
    ours: tuple[str, ...]

    def __call__(self, name: str) -> str:
        if name in self.ours:
            return name
        # Reading what is installed takes longer than all else here; most settings need it never.
        from importlib.metadata import entry_points  # noqa: PLC0415

        installed = {point.name for point in entry_points(group=self.group)}
        if name in installed:
            return name
        known = ", ".join([*self.ours, *sorted(installed - set(self.ours))])
        raise ValueError(f"{name!r} is not one of {known}")


StoreName: TypeAlias = Annotated[
    str,
    AfterValidator(Adapter("hermes.stores", ("sqlite", "postgres"))),
]
EmbedderName: TypeAlias = Annotated[
    str,
    AfterValidator(
        Adapter("hermes.embedders", ("local", "ollama", "openai", "voyage", "anthropic", "none"))
    ),
]
ModelProviderName: TypeAlias = Annotated[
    str,
    AfterValidator(Adapter("hermes.models", ("none", "openai", "anthropic"))),
]
MemoryProviderName: TypeAlias = Annotated[
    str,
    AfterValidator(Adapter("hermes.providers", ("builtin", "hindsight", "mem0", "honcho"))),
]
TerminalName: TypeAlias = Annotated[
    str,
    AfterValidator(Adapter("hermes.terminals", ("shell", "docker", "ssh", "modal", "daytona"))),
]
GatewayName: TypeAlias = Annotated[
    str,
    AfterValidator(
        Adapter("hermes.gateways", ("telegram", "discord", "slack", "whatsapp", "signal"))
    ),
]
