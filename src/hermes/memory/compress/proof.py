"""The proof before anything is discarded: what could be asked of the raw episodes, asked of the
summary.

A probe is made from a quote of a fact, or from a sentence that tells something, whether or not a
summary is likely to have kept it: some of its words ask, the names, numbers and dates, or else the
rarest words, are the answer. It is found if one of the parts that a search for the asking words
brings up first holds all of the answer; of a sentence that says what is not so, in one line and
with its "not". No probe at all proves nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hermes.memory.compress.dense import Sentence, condense, is_strong, read_sentences
from hermes.memory.compress.extract import speakers_of
from hermes.memory.compress.lexicon import LIMITING, TELLING
from hermes.store.base.summaries import SummaryPart
from hermes.types import Fact, Message, Role

ASKING_WORDS = 4
ANSWERING_WORDS = 2
SEARCHED_PARTS = 3
MOST_PROBES = 8  # of one message
LEAST_SCORE = {Role.USER: 0.55, Role.ASSISTANT: 2.0, Role.TOOL: 99.0, Role.SYSTEM: 99.0}

Tokens = Callable[[str], Sequence[str]]
"""The words of a text as the store's index sees them."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question and its answer, both as words of the index; `said` is the sentence it is from.

    The answer is in one line if it says what is not so: elsewhere "not" would be of something else.
    """

    message_id: int
    said: str
    asks: frozenset[str]
    answer: frozenset[str]
    in_one_line: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    probes: int
    missed: tuple[Probe, ...]

    @property
    def found(self) -> int:
        return self.probes - len(self.missed)

    @property
    def share(self) -> float:
        return self.found / self.probes if self.probes else 0.0


def make_probes(messages: Sequence[Message], facts: Iterable[Fact], tokens: Tokens) -> list[Probe]:
    """What a person may want to know again of these messages."""
    names = speakers_of(messages)
    told = [(message, each) for message in messages for each in _telling(message, names)]
    common = Counter(token for _, each in told for token in set(tokens(each.text)))
    found = [_probe(message.id, each.text, tokens, common) for message, each in told]
    found += [
        _probe(source.message_id, source.quote, tokens, common)
        for fact in facts
        for source in fact.sources
        if source.message_id is not None
    ]
    known = {message.id for message in messages}
    unique = {(p.message_id, p.asks, p.answer): p for p in found if p.answer}
    return [probe for probe in unique.values() if probe.message_id in known]


def prove(probes: Sequence[Probe], parts: Sequence[SummaryPart], tokens: Tokens) -> Proof:
    """Ask every probe of the parts."""
    held = [_Held.read(part.text, tokens) for part in parts]
    return Proof(len(probes), tuple(probe for probe in probes if not _is_found(probe, held)))


def mend(
    parts: Sequence[SummaryPart], missed: Sequence[Probe], tokens: Tokens
) -> tuple[SummaryPart, ...]:
    """The parts with the sentences that were missed, as short as may be, where they belong."""
    mended = []
    for part in parts:
        lines = dict.fromkeys(
            _shortest(probe, tokens)
            for probe in missed
            if part.first_id <= probe.message_id <= part.last_id
        )
        text = "\n".join([part.text, *lines])
        mended.append(replace(part, text=text))
    return tuple(mended)


def _shortest(probe: Probe, tokens: Tokens) -> str:
    dense = condense(probe.said)
    return dense if probe.answer | probe.asks <= set(tokens(dense)) else probe.said


def _telling(message: Message, names: frozenset[str]) -> Iterator[Sentence]:
    """The sentences that may be asked about, the most telling of a long message."""
    found = [
        each
        for each in read_sentences(message, names)
        if not each.is_question and not each.is_gist and _is_telling(each, message.role)
    ]
    kept = sorted(found, key=lambda each: -each.score)[:MOST_PROBES]
    yield from (each for each in found if each in kept)


def _is_telling(sentence: Sentence, role: Role) -> bool:
    if role is Role.USER and sentence.score > 0 and LIMITING.search(sentence.text):
        return True
    if sentence.score < LEAST_SCORE[role]:
        return False
    return role is Role.USER or TELLING.search(sentence.text) is not None


def _probe(message_id: int, said: str, tokens: Tokens, common: Counter[str]) -> Probe:
    words = said.split()
    strong = [word for n, word in enumerate(words) if is_strong(word, first=n == 0)]
    kept = condense(said)
    rare = sorted(set(tokens(kept)), key=lambda token: (common[token], -len(token), token))
    rare = [token for token in rare if len(token) > 1 or token.isdigit()]
    answer = frozenset(tokens(" ".join(strong))) or frozenset(rare[:ANSWERING_WORDS])
    asks = frozenset([token for token in rare if token not in answer][:ASKING_WORDS])
    limits = frozenset(tokens(" ".join(LIMITING.findall(said))))
    return Probe(message_id, said, asks - limits, answer | limits, in_one_line=bool(limits))


@dataclass(frozen=True, slots=True)
class _Held:
    """The words of a part, and of each of its lines."""

    words: frozenset[str]
    lines: tuple[frozenset[str], ...]

    @classmethod
    def read(cls, text: str, tokens: Tokens) -> "_Held":
        lines = tuple(frozenset(tokens(line)) for line in text.split("\n"))
        return cls(frozenset().union(*lines), lines)

    def answers(self, probe: Probe) -> bool:
        if not probe.answer <= self.words:
            return False
        return not probe.in_one_line or any(probe.answer <= line for line in self.lines)


def _is_found(probe: Probe, held: Sequence[_Held]) -> bool:
    asked = probe.asks or probe.answer
    ranked = sorted(held, key=lambda part: -len(part.words & asked))
    return any(part.answers(probe) for part in ranked[:SEARCHED_PARTS])
