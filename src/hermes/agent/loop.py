"""A turn of the agent: recall, ask the model, run its calls, until it has answered.

What the person says is on disk before the model is asked; each step of the agent is on disk before
the next. However a turn ends (an answer, a fault, an interrupt), what was said stays, and says how
it ended.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from hermes.agent.calls import Done, Runner, Stop, interrupted, shorten
from hermes.agent.context import build_request, inject, recall_budget, room_for_recall
from hermes.agent.delegate import delegate_to
from hermes.agent.endings import DECLINED, STOPPED, mark_cut, mark_steps
from hermes.agent.events import (
    End,
    Noted,
    OnEvent,
    Outcome,
    Progress,
    Recalled,
    Remembered,
    Spoke,
    Thought,
    add_usage,
    ignore,
)
from hermes.agent.keeping import Asked, Keeper
from hermes.agent.memory_answer import answer_from_memory, read_first
from hermes.agent.parts import (
    Parts,
    chars_of_result,
    cut_short,
    tokens_besides,
    tokens_fixed,
    tokens_left,
)
from hermes.agent.prompt import render_prefix
from hermes.agent.thread import Thread, mend
from hermes.agent.words import claims_to_remember
from hermes.errors import HermesError, Unavailable
from hermes.guard.redact import REDACTED
from hermes.interrupts import see_through, unhurried
from hermes.llm.base import (
    Finish,
    Finished,
    Model,
    ModelReply,
    StoodIn,
    TextDelta,
    ThoughtDelta,
    Waiting,
)
from hermes.llm.halves import join_halves
from hermes.memory.recall.answer import Recall
from hermes.net.faults import EndpointError, Fault
from hermes.tools.base import Receipt, ToolContext
from hermes.types import EventKind

MOST_PARTIAL = 100_000  # characters of an answer that went wrong
HEAD_START_S = 0.05  # for recall, before what was said is written
SHORTENED = (
    "This task fills the model's window by itself: what its tools gave back earlier is shortened."
)
CUT = "The answer was cut at its limit: raise model.maxTokens, or say `go on`."
CUT_OUT = (
    "A secret was cut out of your message: neither the model nor the disk gets it. Where a program "
    "needs it, put it into a file and name that."
)
CLAIMED = "Nothing was written to memory in this turn, whatever the answer says."


class Agent:
    """Talks, and remembers. One agent serves one conversation at a time."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    async def turn(
        self,
        thread: Thread,
        asked: Asked,
        on_event: OnEvent = ignore,
        *,
        stop: Stop | None = None,
    ) -> Outcome:
        """One message of the person and all that follows from it.

        Cancelled, it ends at once with what was said so far. It raises only where nothing could be
        kept; what goes wrong with the model is told in the outcome. `stop` ends more than this
        turn, where it is part of another.
        """
        turn = _Turn(self.parts, thread, on_event, stop or _stop_here())
        try:
            recall = await turn.begin(asked)
            if self.parts.model is None:
                is_kept = not self.parts.options.incognito
                recall = await read_first(self.parts, thread, recall, turn.tell_learnt)
                text = answer_from_memory(recall, besides=turn.asked_id, is_kept=is_kept)
                return replace(turn.outcome(End.MEMORY), text=text, error=self.parts.lack)
            return await turn.go_on(self.parts.model)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not task.uncancel() == 0 or not turn.is_begun:
                raise
            return await turn.stop(End.INTERRUPTED)
        except HermesError as error:
            if not turn.is_begun:
                raise
            return await turn.stop(End.FAILED, error)


def _stop_here() -> Stop:
    """What interrupts the turn that the running task takes."""
    task = asyncio.current_task()
    return task.cancel if task is not None else lambda: False


class _Turn:
    """The state of one turn."""

    def __init__(self, parts: Parts, thread: Thread, on_event: OnEvent, stop: Stop) -> None:
        self._parts = parts
        self._thread = thread
        self._on_event = on_event
        self._stop = stop
        self._keeper = Keeper(parts.journal, parts.clock, thread)
        self._found: Recalled | None = None
        self._place = 0
        self._partial: list[str] = []
        self._acting: ModelReply | None = None
        self._done: dict[str, Done] = {}
        self._receipts: list[Receipt] = []
        self._wrote_memory = False
        self._is_told_long = False
        self._is_told_short = False
        self._outcome = Outcome(End.DONE, session_id=thread.id)
        self._heard_before = thread.heard

    @property
    def is_begun(self) -> bool:
        """Whether what the person said was kept; also where that was interrupted."""
        return self._thread.heard > self._heard_before

    async def begin(self, asked: Asked) -> Recall:
        """Keep what was said, and see what is remembered for it.

        An interrupt before it was kept waits until it is.
        """
        thread, parts = self._thread, self._parts
        looking: list[asyncio.Future[Recall]] = []
        try:
            await see_through(self._hear(asked, looking.append))
            recall = await looking[0]
        finally:
            for each in looking:
                each.cancel()  # nobody wants to know any more
        thread.since_review += 1
        if REDACTED in thread.lines[self._place].message.text and REDACTED not in asked.text:
            self._on_event(Noted(CUT_OUT))
        if self._found is not None:
            self._on_event(self._found)
        injected = inject(recall, thread, parts.clock.now(), parts.options)
        thread.lines[self._place] = replace(thread.lines[self._place], injected=injected)
        return recall

    async def _hear(self, asked: Asked, on_look: Callable[[asyncio.Future[Recall]], None]) -> None:
        """Keep what was said; what is looked for meanwhile is given to `on_look`."""
        thread, parts = self._thread, self._parts
        thread.lines = mend(thread.lines)  # a turn whose results could not be kept left its calls
        if not thread.prefix:
            gathered = await asyncio.to_thread(parts.prefix, thread.bank)
            thread.prefix = render_prefix(gathered)
        budget = recall_budget(parts.options.recall_tokens, tokens_left(thread, parts))
        room = room_for_recall(thread, budget)
        looking = asyncio.ensure_future(asyncio.to_thread(self._recall, asked.text, room))
        on_look(looking)
        # Both at once would be in each other's way; a slow recall does not keep a message waiting.
        await asyncio.wait([looking], timeout=HEAD_START_S)
        self._place = await self._keeper.keep_asked(asked)

    @property
    def asked_id(self) -> int:
        """The number of the message the turn began with."""
        return self._thread.lines[self._place].id

    def outcome(self, end: End) -> Outcome:
        receipts = tuple(self._receipts)
        return replace(self._outcome, end=end, receipts=receipts)

    async def go_on(self, model: Model) -> Outcome:
        """Ask the model and do what it asks for, until it has answered."""
        for step in range(1, self._parts.options.max_steps + 1):
            await self._make_room()
            reply = await self._ask(model)
            name = reply.model or model.name
            self._outcome = replace(self._outcome, steps=step, model=name)
            if not reply.calls:
                return await self._finish(reply)
            await self._act(reply)
        return await self._give_up()

    async def stop(self, end: End, error: HermesError | None = None) -> Outcome:
        """End a turn that did not come to its end; what was said by then is kept, and marked."""
        said = shorten("".join(self._partial), MOST_PARTIAL)
        mark = STOPPED if error is None else mark_cut(error.message)
        if self._acting is not None:
            await self._keep_results(self._acting)
        elif said or error is None:
            await self._keeper.keep_said(f"{said}\n{mark}".strip(), self._thread.trust)
        if error is not None:
            await self._tell(EventKind.FAILURE, f"A turn failed: {error.message}")
        return replace(self.outcome(end), text=said, error=error)

    async def _finish(self, reply: ModelReply) -> Outcome:
        ends = {Finish.LENGTH: End.CUT, Finish.REFUSAL: End.REFUSED}
        end = ends.get(reply.finish, End.DONE)
        text = reply.text
        if text and not self._partial:  # a refusal comes in one piece, outside the stream
            self._on_event(Spoke(text))
        if end is End.CUT:
            self._on_event(Noted(CUT))
        if end is End.REFUSED:
            text = f"{text}\n{DECLINED}".strip()
        await self._keeper.keep_said(text, self._thread.trust)
        self._partial = []
        if self._wrote_memory:
            self._thread.since_review = 0
        elif claims_to_remember(reply.text):
            self._on_event(Noted(CLAIMED))
        return replace(self.outcome(end), text=reply.text)

    async def _give_up(self) -> Outcome:
        text = mark_steps(self._parts.options.max_steps)
        await self._keeper.keep_said(text, self._thread.trust)
        return replace(self.outcome(End.STEPS), text=text)

    async def _ask(self, model: Model) -> ModelReply:
        """The model's next reply; a conversation too long for it is shortened once."""
        try:
            reply = await self._listen(model)
        except EndpointError as error:
            if error.fault is not Fault.TOO_LONG or not await self._compact():
                raise
            reply = await self._listen(model)
        if reply.calls or reply.text.strip() or reply.finish is Finish.REFUSAL:
            return reply
        if reply.finish is not Finish.LENGTH:  # asked again, it would be as long again
            reply = await self._listen(model)
        if reply.calls or reply.text.strip():
            return reply
        if reply.finish is Finish.LENGTH:
            raise cut_short(model.name, self._parts.options)
        hint = "Ask again, perhaps in other words, or choose another model by `hermes model`."
        raise Unavailable(f"The model {model.name} answered with nothing.", hint)

    async def _listen(self, model: Model) -> ModelReply:
        specs, is_asked = self._parts.toolbox.specs(), self._outcome.steps == 0
        request = build_request(self._thread, specs, asked=is_asked)
        self._partial = []
        # Also where it is no adapter of ours: half a character breaks the screen.
        async with aclosing(join_halves(model.stream(request))) as events:
            async for event in events:
                if isinstance(event, Finished):
                    usage = add_usage(self._outcome.usage, event.reply.usage)
                    self._outcome = replace(self._outcome, usage=usage)
                    return event.reply
                if isinstance(event, TextDelta):
                    self._partial.append(event.text)
                    self._on_event(Spoke(event.text))
                elif isinstance(event, ThoughtDelta):
                    self._on_event(Thought(event.text))
                elif isinstance(event, Waiting):
                    self._on_event(Noted(_retrying(event)))
                elif isinstance(event, StoodIn):
                    self._tell_stood_in(model.name, event)
        raise Unavailable(f"The model {model.name} broke off.", "Ask again.")

    def _tell_stood_in(self, name: str, event: StoodIn) -> None:
        if self._outcome.stood_in:
            return  # said once is enough
        self._outcome = replace(self._outcome, stood_in=event.name)
        absent = event.instead or name
        self._on_event(Noted(f"{event.name} answers in place of {absent}: {event.reason}"))

    async def _act(self, reply: ModelReply) -> None:
        """Run the calls of a reply; they are kept before, their results after."""
        self._acting, self._done, self._partial = reply, {}, []
        try:
            await self._keeper.keep_calls(reply, self._thread.trust)
        except HermesError:
            self._acting = None  # what cannot be kept is not done
            raise
        parts, most = self._parts, chars_of_result(self._thread, self._parts)
        runner = Runner(parts.toolbox, parts.approver, self._on_event, self._stop, most)
        await runner.run_into(self._done, reply.calls, self._context())
        await self._keep_results(reply)

    async def _keep_results(self, reply: ModelReply) -> None:
        done = [self._done.get(call.id) or interrupted(call) for call in reply.calls]
        self._acting = None
        self.tell_learnt([receipt for each in done for receipt in each.result.receipts])
        self._wrote_memory |= any(each.writes_memory for each in done)
        await self._keeper.keep_results(done)

    def tell_learnt(self, receipts: Sequence[Receipt]) -> None:
        for receipt in receipts:
            self._receipts.append(receipt)
            self._on_event(Remembered(receipt))

    def _context(self) -> ToolContext:
        parts, thread = self._parts, self._thread
        context = ToolContext(
            desk=parts.desk,
            session_id=thread.id,
            bank=thread.bank,
            workdir=parts.options.workdir,
            trust=self._thread.trust,
            said=thread.said,
            incognito=parts.options.incognito,
            delegate=delegate_to(parts, thread, Agent, self._on_event, stop=self._stop),
            on_progress=lambda text: self._on_event(Progress(text)),
        )
        return parts.equip(context)

    def _recall(self, text: str, budget: int) -> Recall:
        begun = time.perf_counter()
        recall = self._parts.desk.recall(text, bank=self._thread.bank, budget_tokens=budget)
        took_ms, trace = (time.perf_counter() - begun) * 1000, recall.trace
        self._found = Recalled(len(recall.items), trace.went_by, trace.reason, round(took_ms, 1))
        return recall

    async def _make_room(self) -> None:
        others = tokens_besides(self._thread, self._parts)
        if self._parts.compactor.is_needed(self._thread, others):
            await self._compact()
        self._tell_if_too_long()

    def _tell_if_too_long(self) -> None:
        """Say once what no shortening mends: many servers cut what is too long, and keep quiet."""
        window, thread = self._parts.options.window_tokens, self._thread
        tokens = thread.tokens + tokens_fixed(thread, self._parts)
        if tokens <= window or self._is_told_long:
            return
        self._is_told_long = True
        self._on_event(Noted(_too_long(tokens, window)))

    async def _compact(self) -> bool:
        """Put older turns into few words; where this one is too long by itself, shorten it."""
        compactor = self._parts.compactor
        others = tokens_besides(self._thread, self._parts)
        gone = await compactor.compact(self._thread, self._place, others, self.tell_learnt)
        self._place -= gone
        if gone:
            self._on_event(Noted(_put_in_few_words(gone)))
        if gone and not compactor.is_needed(self._thread, others):
            return True
        shortened = compactor.shorten(self._thread, self._place, others)
        if shortened and not self._is_told_short:
            self._is_told_short = True
            self._on_event(Noted(SHORTENED))
        return gone + shortened > 0

    async def _tell(self, kind: EventKind, summary: str) -> None:
        if self._parts.options.incognito:
            return
        ref, desk = f"session:{self._thread.id}", self._parts.desk
        await unhurried(lambda: desk.tell(kind, summary, details={}, ref=ref))


def _retrying(event: Waiting) -> str:
    soon = f" in {event.delay_s:.0f} s" if event.delay_s >= 1 else ""
    return f"retrying{soon}: {event.reason}"


def _too_long(tokens: int, window: int) -> str:
    told = f"This takes about {tokens:,} tokens with its tools, and the model's window is taken to "
    told += f"be {window:,}: it may not see all of it. "
    return told + "If it reads more, set model.contextTokens."


def _put_in_few_words(gone: int) -> str:
    told = f"The conversation filled its room in the model's window: {gone} older "
    told += "message was " if gone == 1 else "messages were "
    return told + "put into few words. All of them can still be found."
