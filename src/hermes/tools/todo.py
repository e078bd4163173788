"""The `todo` tool: the plan of a longer task, written anew each time, so that it is never lost.

It holds no state: the list is in the conversation, as the call that wrote it.
"""

from typing import Literal

from pydantic import Field

from hermes.tools.base import Arguments, Tool, ToolContext, ToolResult
from hermes.types import Origin, Trust

MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]", "dropped": "[-]"}


class Todo(Arguments):
    text: str = Field(min_length=1, max_length=300)
    state: Literal["open", "doing", "done", "dropped"] = "open"


class TodoArguments(Arguments):
    todos: list[Todo] = Field(max_length=50, description="The whole list, in order.")


async def run(args: TodoArguments, context: ToolContext) -> ToolResult:
    lines = [f"{MARKS[todo.state]} {todo.text}" for todo in args.todos]
    left = sum(todo.state in ("open", "doing") for todo in args.todos)
    doing = sum(todo.state == "doing" for todo in args.todos)
    advice = "\nOne at a time: mark only one as doing." if doing > 1 else ""
    text = "\n".join([*lines, f"{left} left{advice}"])
    context.on_progress(text)
    return ToolResult(text, trust=Trust.HIGH)


TOOL = Tool(
    name="todo",
    description=(
        "Write down the plan of a task of three steps or more, and keep it current: send the whole "
        "list each time, one of it `doing`."
    ),
    arguments=TodoArguments,
    run=run,
    origin=Origin.AGENT,
)
