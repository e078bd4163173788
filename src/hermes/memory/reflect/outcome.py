"""How a task went, told by what happened: tool errors, retries, corrections, thanks, complaints.

How a call of our own agent ended it has told itself; of conversations from elsewhere it is guessed
by the result. Of what tools gave back only the kind of error is read, a word or a number in a fixed
form: what a page or a program says never becomes a lesson.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile

from hermes.guard.fence import strip_fences
from hermes.guard.origin import inherit, is_tainted
from hermes.memory.compress.dense import split_sentences
from hermes.memory.reflect.call_outcome import Told
from hermes.types import Message, Origin, Role, ToolCall, Trust

_ERROR = re.compile(
    r"\b([A-Z][A-Za-z]{2,38}(?:Error|Exception))\b|\b(exit (?:code|status) [1-9]\d{0,2})\b"
    r"|\b(HTTP[ /]?[45]\d\d)\b|\b(permission denied|connection refused|timed out|no such file"
    r"|command not found|out of memory|disk full)\b|\b([1-9]\d* failed)\b",
    re.I,
)
_NAMED_ERROR = re.compile(r"[A-Z][A-Za-z]{2,38}(?:Error|Exception)")
_TOOL_NAME = re.compile(r"[A-Za-z_][\w.-]{0,60}")
_PROGRAM = re.compile(r"[A-Za-z][\w.+-]{0,40}")
_PREAMBLE = re.compile(r"^(?:\s*(?:cd\s+[^;&|]+(?:&&|;)|[A-Z_]+=\S+\s|sudo\s|time\s|env\s))+")
# These say by exit 1 that there is nothing to tell, and have done their work.
_LOOKING = frozenset("grep egrep fgrep rg diff cmp test which pgrep".split())
_CORRECTION = re.compile(
    r"^(?:no[,.!]|nope\b|wrong\b|not (?:that|what|like)|that(?:'s| is)(?:n't| not)? (?:wrong|not)"
    r"|i (?:meant|said|asked|told)|actually[, ]|please (?:undo|revert|don't|do not)|don't\b"
    r"|stop\b|undo\b|revert\b|instead\b|you (?:forgot|missed|should have|shouldn't have))",
    re.I,
)
# These object only where they open an answer to what was done, not to what was asked.
_MERE_NO = re.compile(r"^(?:no[,.!]|nope\b|actually[, ]|instead\b|don't\b|stop\b)", re.I)
_NO_OBJECTION = re.compile(
    r"^(?:no[,.!] (?:problem|worries|rush|need|thanks|thank you|it's fine|all good|that's all)"
    r"|don't (?:worry|know|mind|think|forget|care|need)|stop (?!it|that|this|doing|using|\w+ing)"
    r"|actually,? (?:yes|that works|great|good|fine|perfect|it works)|i said yes|i told (?!you)"
    # of the user's own life; what they want, meant or asked for is another matter
    r"|actually,? (?:my|our|(?:i|we)(?!'d|\s+(?:want|need|mean|ask|said|told|would|prefer|think)))"
    r")\b",
    re.I,
)
_THANKS = re.compile(
    r"\b(?:thanks|thank you|thx|perfect|great|awesome|excellent|well done|nice work|works now"
    r"|that(?:'s| is) (?:it|right|exactly)|exactly what|danke|merci|gracias)\b",
    re.I,
)
_COMPLAINT = re.compile(
    r"\b(?:doesn't work|does not work|still (?:broken|failing|wrong)|not working|useless"
    r"|this is wrong|waste of time|frustrat\w+|too slow|you broke|broken again|not what i)\b",
    re.I,
)
_WISH = re.compile(
    r"^(?:(?:and|but|so|also|please|ok|good)[,.]? )*(?:from now on|next time|in (?:the )?future"
    r"|always|never(?! mind)|remember to|make sure (?:to|you|that|it))\b",
    re.I,
)
# What of a command may be told where others may have put words in it.
_PLAIN_WORD = re.compile(r"-{0,2}[A-Za-z][\w.+=:-]{0,24}")
# Keeping and looking up what is known is no task, and teaches nothing of how one is done.
OF_MEMORY = frozenset(
    "memory memory_recall session_search fact_add fact_revise fact_forget fact_why".split()
)
LONGEST_QUOTE = 160
LONGEST_WAY = 120
_PLAIN_WORDS = 4
_OWN = (Origin.USER, Origin.IMPORT)


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """How often a tool was called, what kinds of error it gave, and whether it ended well.

    A tool that runs commands counts as one for each program: `terminal (make)`. `way` is how a
    later call went well that was made otherwise, and `trust` that of what worded it.
    """

    name: str
    calls: int
    errors: tuple[str, ...] = ()
    ended_well: bool = True
    way: str = ""
    trust: Trust = Trust.MEDIUM


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened in a task; quotes are the user's own sentences."""

    asked: str
    tools: tuple[ToolOutcome, ...] = ()
    corrections: tuple[str, ...] = ()
    complaints: tuple[str, ...] = ()
    thanks: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    duration_ms: int = 0
    message_ids: tuple[int, ...] = field(default=())

    @property
    def is_task(self) -> bool:
        """Whether there is anything to learn from it."""
        return bool(self.tools or self.corrections or self.complaints)

    @property
    def went_well(self) -> bool:
        if self.complaints and not self.thanks:
            return False
        return all(tool.ended_well for tool in self.tools) or bool(self.thanks)


def read_outcome(messages: Sequence[Message], told: Mapping[int, Told] | None = None) -> Outcome:
    """What happened in the messages of a session, in order; `told` is how calls ended, if known."""
    users = [m for m in messages if m.role is Role.USER and m.origin in _OWN]
    quotes = [(n, s) for n, m in enumerate(users) for s in _sentences(m)]
    later = [(n, s) for n, s in quotes if n > 0]  # the first message asks, it answers nothing
    pairs = zip([None, *messages], messages, strict=False)
    before = {said.id: earlier for earlier, said in pairs}
    objections = tuple(s for m in users[1:] for s in _objections(m, before[m.id]))
    return Outcome(
        asked=_asked(users),
        tools=_tools(messages, told or {}),
        corrections=objections,
        complaints=tuple(s for _, s in later if _COMPLAINT.search(s)),
        thanks=tuple(s for _, s in later if _THANKS.search(s) and not _CORRECTION.match(s)),
        wishes=tuple(s for _, s in quotes if _WISH.match(s) and s not in objections),
        duration_ms=messages[-1].at - messages[0].at if messages else 0,
        message_ids=tuple(m.id for m in messages),
    )


def _objections(said: Message, before: Message | None) -> list[str]:
    """The sentences by which a user puts right what was done.

    A "no" that answers a question, or that stands amid something else, objects to nothing.
    """
    answers = before is not None and before.role is Role.ASSISTANT and "?" in before.text[-200:]
    found: list[str] = []
    for place, sentence in enumerate(_sentences(said)):
        if not _CORRECTION.match(sentence) or _NO_OBJECTION.match(sentence):
            continue
        if not _MERE_NO.match(sentence) or (place == 0 and not answers):
            found.append(sentence)
    return found


def error_kind(text: str) -> str:
    """The kind of error a tool's result tells of, or nothing."""
    found = _ERROR.search(text[:20_000])
    if found is None:
        return ""
    kind = next(group for group in found.groups() if group)
    if kind.casefold().endswith(" failed"):
        named = _NAMED_ERROR.search(text[:20_000])
        return named[0] if named else "failures"
    return kind if _NAMED_ERROR.fullmatch(kind) else kind.lower()


def _asked(users: Sequence[Message]) -> str:
    telling = (" ".join(strip_fences(m.text).split()) for m in users)
    return next((text[:500] for text in telling if len(text.split()) > 2), "")


def _sentences(message: Message) -> list[str]:
    own = strip_fences(message.text)[:4_000]
    return [s[:LONGEST_QUOTE] for s in split_sentences(own) if len(s) <= 4 * LONGEST_QUOTE]


@dataclass(slots=True)
class _Calls:
    """What is known of a tool, call by call; `open` are those of which nobody knows how they ended.

    That is so of a call during which the program was killed.
    """

    count: int = 0
    open: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    failed_with: ToolCall | None = None
    way: str = ""
    trust: Trust = Trust.MEDIUM

    def outcome(self, name: str) -> ToolOutcome:
        kinds = tuple(kind for kind in dict.fromkeys(self.errors) if kind)
        ended_well = self.failed_with is None and not self.open
        return ToolOutcome(name, self.count, kinds, ended_well, self.way, self.trust)


def _tools(messages: Sequence[Message], told: Mapping[int, Told]) -> tuple[ToolOutcome, ...]:
    asked: dict[str, tuple[ToolCall, Message]] = {}
    known: dict[str, _Calls] = {}
    for message in messages:
        for call in message.calls:
            if _TOOL_NAME.fullmatch(call.name) and call.name not in OF_MEMORY:
                asked[call.id] = call, message
                calls = known.setdefault(_subject(call), _Calls())
                calls.count += 1
                calls.open.add(call.id)
        if message.role is Role.TOOL and message.call_id in asked:
            call, by = asked[message.call_id]
            failed, kind = _ended(message, told.get(message.id))
            name = _subject(call)
            known[name].open.discard(call.id)
            if failed and not (kind == "exit 1" and _program_in(name) in _LOOKING):
                known[name].errors.append(kind)
                known[name].failed_with = call
            else:
                known[name].open.clear()
                _settle(known, call, by)
    return tuple(calls.outcome(name) for name, calls in known.items())


def _settle(known: Mapping[str, _Calls], call: ToolCall, by: Message) -> None:
    """A call went well: those before it that did the same have ended well, maybe in another way."""
    for name, calls in known.items():
        failed = calls.failed_with
        if failed is None or failed.name != call.name or not _does(call, name):
            continue
        calls.failed_with = None
        way = _way(call, by) if failed.arguments != call.arguments else ""
        is_told = way not in (_line(failed) or failed.arguments)  # what was other
        if is_told and not calls.way:
            calls.way, calls.trust = way, inherit(Origin.AGENT, [by.trust])


def _does(call: ToolCall, subject: str) -> bool:
    """Whether a call is of a subject, or runs its program by way of another: `uv run pytest`."""
    return _subject(call) == subject or _program_in(subject) in _line(call).split()


def _way(call: ToolCall, by: Message) -> str:
    """How a call was made; only plain words of it where others may have had a hand in it."""
    line = _line(call) or call.arguments
    if not is_tainted(by.trust):
        return line if len(line) <= LONGEST_WAY and "\n" not in line else ""
    words = takewhile(_PLAIN_WORD.fullmatch, _PREAMBLE.sub("", _line(call)).split())
    return " ".join(islice(words, _PLAIN_WORDS))


def _ended(result: Message, told: Told | None) -> tuple[bool, str]:
    """Whether a call failed, and the kind of its failure where that can be told."""
    if told is None:
        kind = error_kind(result.text)
        return bool(kind), kind
    return told.failed, (error_kind(result.text) or told.fault) if told.failed else ""


def _subject(call: ToolCall) -> str:
    """What a call is counted as: its tool, and the program where it runs one."""
    words = _PREAMBLE.sub("", _line(call)).split(maxsplit=1)
    program = words[0].rpartition("/")[2] if words else ""
    return f"{call.name} ({program})" if _PROGRAM.fullmatch(program) else call.name


def _line(call: ToolCall) -> str:
    """The command that a call runs; empty where it runs none."""
    try:
        line = json.loads(call.arguments or "{}").get("command")
    except (ValueError, AttributeError, RecursionError):
        line = None
    return line[:2_000].strip() if isinstance(line, str) else ""


def _program_in(subject: str) -> str:
    return subject.partition(" (")[2].rstrip(")")
