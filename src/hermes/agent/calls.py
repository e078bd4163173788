"""Runs the calls a model asked for: checked, allowed, side by side where that is safe, bounded.

Whatever goes wrong inside a tool is that call's result: the model reads it and goes on.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from hermes.agent.approval import Answer, Approver
from hermes.agent.events import CallBegan, CallEnded, OnEvent
from hermes.agent.thread import LOST
from hermes.errors import HermesError, Refused
from hermes.guard.origin import is_tainted, trust_of
from hermes.guard.redact import redact
from hermes.interrupts import see_through, unhurried
from hermes.tools.base import AnyTool, Arguments, Question, Receipt, ToolContext, ToolResult
from hermes.tools.registry import Toolbox, parse_arguments
from hermes.types import Origin, ToolCall, Trust

log = logging.getLogger(__name__)
MOST_AT_ONCE = 8
TAINTED = "the agent had read text that is not yours before it wrote this"
SAID_NO = "The person said no to this; do not try it by other means:"
UNASKED = (
    "This was not allowed, as nobody could be asked (`terminal.allow` in the settings says what "
    "may be done then):"
)
REJECTED = "The person said no: nothing was written. Do not say that you remembered it."
INTERRUPTED = "[interrupted before it was done]"
Note = Callable[[ToolResult], None]
"""Takes what a call comes to, should nothing more become known of it."""


@dataclass(frozen=True, slots=True)
class Done:
    """A call and what came of it; `asked` is what the model's words were worth as it asked.

    A result repeats those words (a plan, a note that is held, a path that is not there), and is
    worth no more than they are.
    """

    call: ToolCall
    result: ToolResult
    origin: Origin = Origin.TOOL
    writes_memory: bool = False
    asked: Trust = Trust.HIGH

    @property
    def trust(self) -> Trust:
        told = self.result.trust
        return min(self.asked, trust_of(self.origin) if told is None else told)


Stop = Callable[[], bool]
"""Stops the turn that calls are made in, and all it is part of; whether there was one to stop."""


def _go_on() -> bool:
    """There is nothing to stop besides the call."""
    return False


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs calls with one set of tools and one person to ask, who may `stop` the whole turn.

    `most_chars` is what one result may take of the model's window, whatever its tool allows.
    """

    toolbox: Toolbox
    approver: Approver
    on_event: OnEvent
    stop: Stop = _go_on
    most_chars: int = sys.maxsize

    async def run(self, calls: Sequence[ToolCall], context: ToolContext) -> list[Done]:
        """Every call with its result, in the order of the calls.

        Cancelled, it raises; what was done by then is lost to the caller, so that a caller who
        wants it passes `done` to `run_into`.
        """
        done: dict[str, Done] = {}
        await self.run_into(done, calls, context)
        return [done[call.id] for call in calls]

    async def run_into(
        self, done: dict[str, Done], calls: Sequence[ToolCall], context: ToolContext
    ) -> None:
        """Run calls; each stands in `done` as soon as it is."""
        for group in self._groups(calls):
            async with asyncio.TaskGroup() as tasks:
                for call in group:
                    tasks.create_task(self._run_one(done, call, context))

    def _groups(self, calls: Sequence[ToolCall]) -> Iterator[list[ToolCall]]:
        """Neighbours that may run side by side; each of the others alone."""
        group: list[ToolCall] = []
        for call in calls:
            tool = self.toolbox.tools.get(call.name)
            if tool is not None and tool.parallel:
                group.append(call)
                if len(group) == MOST_AT_ONCE:
                    yield group
                    group = []
                continue
            if group:
                yield group
                group = []
            yield [call]
        if group:
            yield group

    async def _run_one(self, done: dict[str, Done], call: ToolCall, context: ToolContext) -> None:
        def note(result: ToolResult) -> None:
            done[call.id] = self._end(call, result, context.trust)

        self.on_event(CallBegan(call))
        note(await self._attempt(call, context, note))
        self.on_event(CallEnded(call, done[call.id].result))

    def _end(self, call: ToolCall, result: ToolResult, asked: Trust) -> Done:
        """A call with its result as the model may see it; `asked` is what it was asked in."""
        tool = self.toolbox.tools.get(call.name)
        if tool is None:
            return Done(call, result, Origin.AGENT, asked=asked)
        result = replace(result, text=_safe(result.text, min(tool.max_chars, self.most_chars)))
        waits = any(receipt.held for receipt in result.receipts)
        wrote = tool.writes_memory and not result.failed and not waits
        return Done(call, result, tool.origin, writes_memory=wrote, asked=asked)

    async def _attempt(self, call: ToolCall, context: ToolContext, note: Note) -> ToolResult:
        """What a call comes to; what is known of it by then is noted, should it be interrupted."""
        fault, worth = "unknown tool", Trust.MEDIUM
        context = replace(context, places={})
        try:
            tool = self.toolbox.get(call.name)
            fault = "wrong arguments"
            arguments = parse_arguments(tool, call.arguments)
            fault = ""
            if context.incognito and tool.writes_memory:
                raise Refused("This session is incognito: nothing is kept.", "Tell the person so.")
            if denied := await self._denied(tool, arguments, context):
                return denied
            worth = min(worth, trust_of(tool.origin))  # what it now says may quote what it read
            note(_failed(LOST, "interrupted"))
            result = await _perform(tool, arguments, context, note)
            return await self._settle(call, result, context, note)
        except TimeoutError:
            return _failed(f"{call.name} took too long and was stopped.", "timed out")
        except HermesError as error:
            return _failed(f"{error.message} {error.hint}".strip(), fault, worth)
        except Exception as error:  # a tool's mistake is its call's failure, not the turn's
            log.exception("the tool %s failed", call.name)
            return _failed(f"{call.name} failed: {type(error).__name__}: {error}", fault, worth)

    async def _denied(
        self, tool: AnyTool, arguments: Arguments, context: ToolContext
    ) -> ToolResult | None:
        question = tool.approval(arguments, context)
        if question is None:
            return None
        answer = await self._ask(question)
        if answer.is_yes:
            return None
        why = f" ({question.reason})" if question.reason else ""
        told = UNASKED if answer is Answer.UNASKED else SAID_NO
        return _failed(f"{told} {question.action}{why}", "not allowed")

    async def _ask(self, question: Question) -> Answer:
        """What the person says; where they say stop, this call ends with the turn."""
        answer = await self.approver.ask(question)
        if answer is Answer.STOP and self.stop():
            await asyncio.Event().wait()  # a turn that was stopped goes no further than here
        return answer

    async def _settle(
        self, call: ToolCall, result: ToolResult, context: ToolContext, note: Note
    ) -> ToolResult:
        """Ask for what was held back because of what the model had read; unasked it stays held."""
        settled: list[Receipt | None] = list(result.receipts)

        def put(place: int, receipt: Receipt | None) -> None:
            settled[place] = receipt
            note(_after_asking(result, settled))

        for place, receipt in enumerate(result.receipts):
            if receipt.held:
                await self._decide(call, receipt, context, partial(put, place))
        return _after_asking(result, settled)

    async def _decide(
        self,
        call: ToolCall,
        receipt: Receipt,
        context: ToolContext,
        put: Callable[[Receipt | None], None],
    ) -> None:
        """Put a receipt as it is after the person's word on it: None where they said no."""
        reasons = (TAINTED if is_tainted(context.trust) else "", receipt.why)
        why = "; ".join(filter(None, reasons)) or TAINTED
        question = Question(call.name, f"remember: {receipt.text}", why, personal=True)
        answer = await self._ask(question)
        desk = context.desk
        if answer.is_yes:
            await unhurried(lambda: desk.approve_held(receipt.ref), put)
        elif answer is not Answer.UNASKED:
            await unhurried(lambda: desk.reject_held(receipt.ref), put)


async def _perform(
    tool: AnyTool, arguments: Arguments, context: ToolContext, note: Note
) -> ToolResult:
    """Run a tool within its time. What writes to memory is seen through, so that it is told."""

    async def run() -> ToolResult:
        async with asyncio.timeout(tool.timeout_s):
            result: ToolResult = await tool.run(arguments, context)
        return result

    if not tool.writes_memory:
        return await run()
    results: list[ToolResult] = []

    def take_in(result: ToolResult) -> None:
        results.append(result)
        note(result)

    await see_through(run(), take_in)
    return results[0]


def _after_asking(result: ToolResult, settled: Sequence[Receipt | None]) -> ToolResult:
    """A result after what the person said of its receipts; None are those they said no to."""
    kept = tuple(each for each in settled if each is not None)
    if kept == result.receipts:
        return result
    if not kept:
        return _failed(REJECTED, "not allowed")
    allowed = [each.text for each in kept if each not in result.receipts]
    if not allowed:
        return replace(result, receipts=kept)
    told = f"The person allowed it, and it is written now: {'; '.join(allowed)}"
    if any(each.held for each in kept):  # what was said of those still holds
        told = f"{told}\n{result.text}"
    return replace(result, text=told, receipts=kept)


def interrupted(call: ToolCall) -> Done:
    """A call that was not begun."""
    return Done(call, _failed(INTERRUPTED, "interrupted"), Origin.AGENT)


def shorten(text: str, limit: int) -> str:
    """A text with its middle cut out where it is too long: beginnings and ends tell the most."""
    if len(text) <= limit:
        return text
    told = f"\n[… {len(text) - limit:,} characters left out …]\n"
    half = max(0, limit - len(told)) // 2
    return text[:half] + told + text[len(text) - half :]


def _safe(text: str, limit: int) -> str:
    """A result as the model may see it: without secrets, and no longer than it should be.

    What is far too long is cut before it is looked through: only its ends will be shown.
    """
    return shorten(redact(shorten(text, 8 * limit)).text, limit)


def _failed(text: str, fault: str = "", worth: Trust = Trust.MEDIUM) -> ToolResult:
    return ToolResult(text, failed=True, trust=worth, fault=fault)
