"""Give a task to a sub-agent, which works in a session of its own."""

from pydantic import Field

from hermes.tools.base import Arguments, Tool, ToolContext, ToolResult


class Delegate(Arguments):
    task: str = Field(min_length=1, description="What shall be done, complete in itself")
    background: str = Field(
        default="", description="What must be known for it: the sub-agent sees nothing else"
    )


async def _run(args: Delegate, context: ToolContext) -> ToolResult:
    context.on_progress(f"delegated: {args.task[:80]}")
    done = await context.delegate(args.task, args.background)
    where = f"\n(session {done.session_id})" if done.session_id else ""
    return ToolResult(done.text + where, failed=done.failed, trust=done.trust)


TOOL = Tool(
    name="delegate",
    description=(
        "Give a task to a sub-agent with a session of its own, and get its answer. "
        "For work that would fill this conversation with reading."
    ),
    arguments=Delegate,
    run=_run,
    parallel=True,
    timeout_s=1_800.0,
)
