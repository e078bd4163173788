"""A summary without a model: the telling sentences of a cluster, condensed, dated, by whom."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from math import ceil

from hermes.clock import to_datetime
from hermes.guard.origin import inherit
from hermes.memory.compress.dense import Sentence, content_words, is_strong, read_sentences
from hermes.memory.compress.lexicon import LIMITING, TELLING
from hermes.memory.compress.worth import UNKNOWN, Vocabulary, new_words, weigh_sentence
from hermes.store.base.summaries import SummaryPart
from hermes.types import Message, Origin, Role, ToolCall, Trust

# Each part has one vector: longer parts save many, and this much an embedding still reads whole
# (docs/lifecycle.md; `memory.recall.passage` leaves such a part undivided).
PART_CHARS = 2_000
RECENT_LINES = 12
SHORT_REPLY_CHARS = 48
# Of each role: characters always kept of a message, and the share of what goes beyond.
BUDGETS = {Role.USER: (500, 0.3), Role.ASSISTANT: (160, 0.15), Role.TOOL: (160, 0.0)}
# An assistant explains a lot: what it says without a name, a number or a cue is no memory.
LEAST_OF_ASSISTANT = 1.2
# Whoever else speaks: a sentence with one word to tell, and that no name or number, is none.
LEAST_OF_ALL = 0.35
# What a sentence without a new name or number must add, in words never said before. Chosen on
# conversations 0 to 4 of LoCoMo, looked at on 5 to 9 (docs/lifecycle.md).
LEAST_NEW = 4.0
LEAST_WEIGHT = 0.65
LEAST_WORDS = 2  # of that weight, or else it goes
CALL_CHARS = 80
CALL_SCORE = 1.5
REPEATED = {Role.USER: 0.9, Role.ASSISTANT: 0.65, Role.TOOL: 1.1}


_ROLES = frozenset(role.value for role in Role)  # U and A need no explanation


@dataclass(frozen=True, slots=True)
class Line:
    """What is left of a message."""

    message_id: int
    at: int
    by: str
    text: str


@dataclass(slots=True)
class _Said:
    """The words of the lines before, so that repeats are noticed."""

    vocabulary: Vocabulary
    lines: list[frozenset[str]] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)

    def is_other_call(self, call: Sentence) -> bool:
        """Whether none was made like it: how a call differs from others may be all it tells."""
        if call.text in self.calls:
            return False
        self.calls.add(call.text)
        return True

    def repeats(self, sentence: Sentence, share: float) -> bool:
        """Whether the lines before it said the same."""
        recent = self._recent()
        if not sentence.words or is_new_strong(sentence, recent):
            return False
        if LIMITING.search(sentence.text):  # its words may have been said the other way round
            return any(sentence.words <= line for line in self.lines[-RECENT_LINES:])
        return len(sentence.words & recent) >= share * len(sentence.words)

    def adds(self, sentence: Sentence) -> bool:
        """Whether it adds something to the lines before it. No sentence is cut to what it adds:
        a few words of it would not say what it says.
        """
        recent = self._recent()
        if sentence.is_gist or is_new_strong(sentence, recent):
            return True
        if TELLING.search(sentence.text) or LIMITING.search(sentence.text):
            return True
        if weigh_sentence(sentence, recent, self.vocabulary) >= LEAST_NEW:
            return True
        return len(new_words(sentence, recent, self.vocabulary, LEAST_WEIGHT)) >= LEAST_WORDS

    def _recent(self) -> frozenset[str]:
        return frozenset().union(*self.lines[-RECENT_LINES:])


def extract_lines(messages: Sequence[Message], vocabulary: Vocabulary = UNKNOWN) -> list[Line]:
    """What a summary says of each message, those that say nothing left out."""
    said = _Said(vocabulary)
    names = speakers_of(messages)
    is_chat = not any(message.role is Role.ASSISTANT for message in messages)
    lines: list[Line] = []
    for place, message in enumerate(messages):
        if message.role is Role.SYSTEM:
            continue
        around = _Around(
            messages[place - 1] if place else None,
            messages[place + 1] if place + 1 < len(messages) else None,
            is_chat,
        )
        sentences = list(_chosen(message, around, said, names))
        if sentences:
            text = ". ".join(sentence.dense for sentence in sentences)
            lines.append(Line(message.id, message.at, name_of(message), text))
            # what was only asked has not been said: an answer may well repeat it
            stated = (each.words for each in sentences if not each.is_question)
            said.lines.append(frozenset().union(*stated))
    return lines


def make_parts(
    lines: Sequence[Line], messages: Sequence[Message], title: str
) -> tuple[SummaryPart, ...]:
    """Lines as the messages of a summary; each covers all up to the next one's beginning."""
    groups = list(_grouped(lines))
    ids = [message.id for message in messages]
    firsts = [ids[0], *(group[0].message_id for group in groups[1:])]
    lasts = [max(i for i in ids if i < first) for first in firsts[1:]] + [ids[-1]]
    trusts = {message.id: message.trust for message in messages}
    return tuple(
        SummaryPart(first, last, _render(group, title if n == 0 else ""), _trust(group, trusts))
        for n, (group, first, last) in enumerate(zip(groups, firsts, lasts, strict=True))
    )


def speakers_of(messages: Sequence[Message]) -> frozenset[str]:
    """The folded names of everyone who speaks."""
    return frozenset(part for m in messages for part in m.speaker.casefold().split())


def name_of(message: Message) -> str:
    return message.speaker or message.role.value


def is_new_strong(sentence: Sentence, known: frozenset[str]) -> bool:
    """Whether it names a name or a number that is not known."""
    return any(
        is_strong(word, first=n == 0) and not folded_words(word) <= known
        for n, word in enumerate(sentence.text.split())
    )


def folded_words(word: str) -> frozenset[str]:
    parts = "".join(char if char.isalnum() else " " for char in word.casefold()).split()
    return frozenset(part for part in parts if len(part) > 1 or part.isdigit())


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands before and after a message, and whether only people speak."""

    before: Message | None
    after: Message | None
    is_chat: bool

    @property
    def was_asked(self) -> bool:
        return self.before is not None and self.before.text.rstrip().endswith(("?", "？"))


def _chosen(
    message: Message, around: _Around, said: _Said, names: frozenset[str]
) -> Iterator[Sentence]:
    is_reply = around.was_asked and _is_short_reply(message)
    wanted = [
        each
        for each in read_sentences(message, names)
        if not said.repeats(each, REPEATED[message.role]) and _is_wanted(each, message, around)
    ]
    wanted += [each for each in map(_read_call, message.calls) if said.is_other_call(each)]
    sentences = wanted if is_reply else [each for each in wanted if said.adds(each)]
    base, share = BUDGETS[message.role]
    room = base + share * max(0, len(message.text) - base)
    ranked = sorted(range(len(sentences)), key=lambda n: -sentences[n].score)
    kept: set[int] = set()
    for n in ranked:
        room -= len(sentences[n].dense) + 2
        if room < 0 and kept:
            break
        kept.add(n)
    return (each for n, each in enumerate(sentences) if n in kept)


def _read_call(call: ToolCall) -> Sentence:
    """What a tool was asked for: its command, or what else the call says in a line."""
    told = " ".join(_arguments(call).split())
    cut = f"{told[:CALL_CHARS]}…" if len(told) > CALL_CHARS else told
    text = f"[{call.name}: {cut}]" if cut else f"[{call.name}]"
    return Sentence(text, text, CALL_SCORE, content_words(text), is_gist=True)


def _arguments(call: ToolCall) -> str:
    try:
        given = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return call.arguments
    values = given.values() if isinstance(given, dict) else [given]
    return " ".join(str(value) for value in values)


def _is_wanted(sentence: Sentence, message: Message, around: _Around) -> bool:
    is_assistant = message.role is Role.ASSISTANT
    if sentence.score < (LEAST_OF_ASSISTANT if is_assistant else LEAST_OF_ALL):
        return not is_assistant and (sentence.is_short_answer or around.was_asked)
    if not sentence.is_question or (message.role is Role.USER and not around.is_chat):
        return True
    return around.after is not None and _is_short_reply(around.after)


def _is_short_reply(message: Message) -> bool:
    """A reply that means nothing without its question."""
    sentences = read_sentences(message)
    first = sentences[0] if sentences else None
    if first is not None and first.is_short_answer:
        return True
    return sum(len(each.dense) for each in sentences) < SHORT_REPLY_CHARS


def _grouped(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines in parts of about equal length, none of them torn."""
    sizes = [len(line.text) + 4 for line in lines]
    wanted = sum(sizes) / ceil(sum(sizes) / PART_CHARS)
    group: list[Line] = []
    passed, end = 0, wanted
    for line, size in zip(lines, sizes, strict=True):
        if group and passed + size / 2 > end:
            yield group
            group, end = [], end + wanted
        group.append(line)
        passed += size
    yield group


def _trust(group: Sequence[Line], trusts: Mapping[int, Trust]) -> Trust:
    """A summary is its author's word, and worth no more than the least of what it repeats."""
    return inherit(Origin.AGENT, (trusts[line.message_id] for line in group))


def _render(group: Sequence[Line], title: str) -> str:
    letters = _letters(group)
    who = "".join(f"; {letter}={name}" for name, letter in letters.items() if name not in _ROLES)
    told = [f"[{_span(group)}{who}]" + (f" {title}:" if title else "")]
    day, by = _day(group[0].at), ""
    for line in group:
        text = line.text
        if line.by != by:
            text, by = f"{letters[line.by]}: {text}", line.by
        if _day(line.at) != day:
            day = _day(line.at)
            text = f"({day}) {text}"
        told.append(text)
    return "\n".join(told)


def _letters(group: Sequence[Line]) -> dict[str, str]:
    """A letter for everyone who speaks, the whole name where letters would be the same."""
    names = list(dict.fromkeys(line.by for line in group))
    firsts = [name[:1].upper() for name in names]
    return {
        name: letter if firsts.count(letter) == 1 else name
        for name, letter in zip(names, firsts, strict=True)
    }


def _day(at: int) -> str:
    return f"{to_datetime(at):%Y-%m-%d}"


def _span(group: Sequence[Line]) -> str:
    first, last = to_datetime(group[0].at), to_datetime(group[-1].at)
    begun = f"{first:%Y-%m-%d %H:%M}"
    if last - first < timedelta(minutes=1):
        return begun
    end = f"{last:%H:%M}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M}"
    return f"{begun} to {end}"
