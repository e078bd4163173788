"""Lessons from an outcome, without a model: each one sentence that can be met again and counted."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hermes.guard.origin import inherit
from hermes.memory.compress.dense import condense, content_words
from hermes.memory.recall.tasktype import infer_task_type
from hermes.memory.reflect.outcome import Outcome, ToolOutcome
from hermes.types import Message, Origin, Role, Trust

MOST_LESSONS = 6
LONGEST_ASKED = 100
NOT_ALLOWED = "not allowed"
LONGEST_LESSON = 200
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing learnt: the lesson itself, and what worked, failed and should be done."""

    task_type: str
    text: str
    succeeded: bool
    worked: str = ""
    failed: str = ""
    next_time: str = ""
    trust: Trust = Trust.MEDIUM


def lesson_key(text: str) -> str:
    """A lesson as it is compared: its telling words in order, numbers aside."""
    telling = content_words(_NUMBER.sub(" ", text))
    words = dict.fromkeys(_WORD.findall(text.casefold()))
    return " ".join(word for word in words if word in telling)


def type_of(outcome: Outcome, title: str, learnt: Mapping[str, Sequence[str]]) -> str:
    """The type of task, by what was asked and what the session is called."""
    found = infer_task_type(outcome.asked, learnt)
    return found.name if found.score else infer_task_type(title, learnt).name


def draw_lessons(outcome: Outcome, task_type: str, messages: Sequence[Message]) -> list[Lesson]:
    """What an outcome teaches, what failed first; nothing from mere talk."""
    if not outcome.is_task:
        return []
    trust = spoken_trust(messages)
    found = [
        *_from_corrections(outcome, task_type, trust),
        *_from_wishes(outcome, task_type, trust),
        *_from_tools(outcome, task_type),
    ]
    if not found and outcome.went_well and (len(outcome.tools) > 1 or outcome.thanks):
        found += _from_success(outcome, task_type, trust)
    return found[:MOST_LESSONS]


def spoken_trust(messages: Sequence[Message]) -> Trust:
    """How far what was made from the users' and the agent's own words may be trusted."""
    spoken = (m.trust for m in messages if m.role in {Role.USER, Role.ASSISTANT})
    return inherit(Origin.AGENT, spoken)


def _from_corrections(outcome: Outcome, task_type: str, trust: Trust) -> Iterator[Lesson]:
    for said in dict.fromkeys((*outcome.corrections, *outcome.complaints)):
        told = said if len(said) <= LONGEST_ASKED else condense(said) or said
        if len(content_words(told)) < 2:
            continue
        yield Lesson(
            task_type,
            f"The user objected: {told}"[:LONGEST_LESSON],
            succeeded=False,
            failed=said,
            next_time="Do it as the user said from the start.",
            trust=trust,
        )


def _from_wishes(outcome: Outcome, task_type: str, trust: Trust) -> Iterator[Lesson]:
    """What the user wants done every time; in mere talk "never" says nothing of how to work."""
    for said in dict.fromkeys(outcome.wishes if outcome.tools else ()):
        if len(content_words(said)) > 1:
            told = f"The user wants: {said}"[:LONGEST_LESSON]
            yield Lesson(task_type, told, succeeded=True, next_time="Keep to it.", trust=trust)


def _from_tools(outcome: Outcome, task_type: str) -> Iterator[Lesson]:
    for tool in outcome.tools:
        if tool.way:
            yield _from_way(tool, task_type)
            continue
        for kind in tool.errors:
            yield Lesson(
                task_type,
                f"{tool.name} {'was' if kind == NOT_ALLOWED else 'gave'} {kind}",
                succeeded=tool.ended_well,
                worked="A later call went well." if tool.ended_well else "",
                failed=_counted(tool),
                next_time=_advice(tool.name, kind),
            )


def _from_way(tool: ToolOutcome, task_type: str) -> Lesson:
    """A call that went well after others had failed: how it was made is worth knowing."""
    gave = f"gave {', '.join(tool.errors[:3])}" if tool.errors else "failed"
    return Lesson(
        task_type,
        f"{tool.name} {gave}; {tool.way} worked"[:LONGEST_LESSON],
        succeeded=True,
        worked=tool.way,
        failed=_counted(tool),
        next_time=f"Begin with {tool.way}",
        trust=tool.trust,
    )


def _from_success(outcome: Outcome, task_type: str, trust: Trust) -> Iterator[Lesson]:
    """The way a task was done, if it can be said which: a tool that was used is no lesson."""
    asked = (condense(outcome.asked) or outcome.asked)[:LONGEST_ASKED].strip()
    if not outcome.tools or len(content_words(asked)) < 2:
        return
    names = " → ".join(tool.name for tool in outcome.tools[:6])
    thanks = f'; the user said "{outcome.thanks[-1]}"' if outcome.thanks else ""
    yield Lesson(
        task_type,
        f'"{asked}" was done by {names}'[:LONGEST_LESSON],
        succeeded=True,
        worked=f"{names} without an error{thanks}",
        next_time="Go about it the same way.",
        trust=trust,
    )


def _advice(tool: str, kind: str) -> str:
    if kind == NOT_ALLOWED:
        return f"Ask the user before {tool} is used so."
    return f"Expect {kind} from {tool} and check for it before going on."


def _counted(tool: ToolOutcome) -> str:
    times = "once" if tool.calls == 1 else f"{tool.calls} times"
    return f"{tool.name}, called {times}: {', '.join(tool.errors)}"
