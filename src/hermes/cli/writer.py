"""Who calls `hermes`: the person, or an agent's terminal, whose children are marked.

A person's words count as given by hand; an agent's are worth what its conversation is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes.cli.context import current_environ
from hermes.errors import Refused
from hermes.guard.door import find_agent, is_open_to_agents
from hermes.guard.origin import is_tainted, origin_of_agent
from hermes.types import Origin, Trust


@dataclass(frozen=True, slots=True)
class CallingWriter:
    """In whose name a command writes, and how far that is trusted."""

    origin: Origin = Origin.USER
    trust: Trust = Trust.HIGH
    by: str = "person"

    @property
    def is_agent(self) -> bool:
        return self.origin is Origin.AGENT

    @property
    def fact_origin(self) -> Origin:
        return origin_of_agent(self.trust) if self.is_agent else self.origin

    def refuse_tainted(self) -> "CallingWriter":
        """For changes that cannot be held for approval."""
        if self.is_agent and is_tainted(self.trust):
            raise Refused(
                "An agent that has read words of others may not change this by itself.",
                "Use the tool fact_revise, which asks the person.",
            )
        return self


def calling_writer() -> CallingWriter:
    """Who gave the command that is running."""
    trust = find_agent(current_environ())
    return CallingWriter() if trust is None else CallingWriter(Origin.AGENT, trust, "agent")


def refuse_agent(argv: Sequence[str], environ: Mapping[str, str]) -> None:
    """Stop a command that is the person's to give, where an agent's terminal gives it."""
    if find_agent(environ) is None or is_open_to_agents(argv):
        return
    raise Refused(
        "An agent's terminal, or what was started in one, may not give this command: it is the "
        "person's.",
        "Use the memory tools, or ask the person to type it in a terminal of their own.",
    )
