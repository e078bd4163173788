"""The `schedule` tool: the door to tasks at a later time. This version runs none, and says so."""

from pydantic import Field

from hermes.errors import Unavailable
from hermes.tools.base import Arguments, Tool, ToolContext, ToolResult
from hermes.types import Origin


class ScheduleArguments(Arguments):
    task: str = Field(description="What is to be done.")
    when: str = Field(description="When, e.g. `every Monday at 9`.")


async def run(args: ScheduleArguments, context: ToolContext) -> ToolResult:
    raise Unavailable(
        "Scheduled tasks are not available in this version of Hermes.",
        "Tell the person so; do not promise to do something later.",
    )


TOOL = Tool(
    name="schedule",
    description="Have a task done at a later time. (Not available yet.)",
    arguments=ScheduleArguments,
    run=run,
    origin=Origin.AGENT,
)
