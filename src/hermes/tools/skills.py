"""The `skills` tool: the door to procedures. This version keeps none yet, and says so."""

from pydantic import Field

from hermes.errors import Unavailable
from hermes.tools.base import Arguments, Tool, ToolContext, ToolResult
from hermes.types import Origin


class SkillsArguments(Arguments):
    name: str = Field("", description="The skill to read; empty: list them.")


async def run(args: SkillsArguments, context: ToolContext) -> ToolResult:
    raise Unavailable(
        "Skills are not available in this version of Hermes.",
        "Do the task without one; a way of working can be kept with `memory` or `fact_add`.",
    )


TOOL = Tool(
    name="skills",
    description="Read a skill, a procedure kept for a kind of task. (Not available yet.)",
    arguments=SkillsArguments,
    run=run,
    parallel=True,
    origin=Origin.AGENT,
)
