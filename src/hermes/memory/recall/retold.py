"""What later messages tell otherwise, read as facts are read, where none was kept of them.

"We live in Ghent" is no longer so once "we've moved to Mechelen" was said. No word of the one
stands in the other: only reading them shows that both tell where the user lives. Reading a sentence
takes milliseconds, so first it must tell a change and touch on what was found, which few do; and
what was read once is remembered. Whether one ends another is decided as it is for facts.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from hermes.clock import to_datetime
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.change import NOTHING, Change, read_change
from hermes.memory.facts.change_ways import CHANGE_STEMS, stems_of
from hermes.memory.facts.clauses.lexicon import RELATIONS
from hermes.memory.facts.compare import is_same_attribute, stems
from hermes.memory.facts.decide import Verdict, decide
from hermes.memory.facts.ledger import Birth, born
from hermes.memory.facts.reference import parse_ref
from hermes.memory.facts.replacement import find_replaced
from hermes.memory.facts.retelling import is_retold, retold
from hermes.memory.facts.sorts import sorts_of
from hermes.memory.recall.lacks import names_in, stem_of
from hermes.memory.recall.result import Item
from hermes.memory.recall.task import STOP_WORDS
from hermes.store.base import Tx
from hermes.store.base.facts import FactFilter
from hermes.types import Fact, FactSource, Kind, Message, Role

MOST_READ = 32  # facts of one message
MOST_TOLD = 4  # items whose sentences are read beside one that tells a change
LOOKED_AT_CHARS = 600
_SENTENCE_END = re.compile(r"(?i)(?<=[.!?])(?<!\b[dm]r\.)(?<!\bmrs\.)(?<!\bprof\.)\s+|\n")
# What says that a thing is somewhere, or somebody something, without a word of the other.
_ALIKE = tuple(
    stems_of(words)
    for words in (
        "live lives living moved moving home flat based relocated",
        "boss manager supervisor lead report",
        "work works working job employer company position started quit",
        "diet eat eats eating vegan vegetarian meat fish",
        "drive drives car van sold bought",
    )
)
_LITTLE = stems_of(" ".join(STOP_WORDS)) | CHANGE_STEMS
_BACK = re.compile(r"(?i)\b(?:forget|ignore|scratch|disregard|never ?mind|skip)\b")  # see `revoked`
# A change of a while, of long ago, or none but in somebody's head.
_PASSING = re.compile(
    r"(?i)\b(?:ago|back then|at the time|tomorrow|tonight|temporarily|for now|for once|(?<!from )"
    r"(?<!starting )(?<!as of )(?:this|next) (?:week|time|once)|when (?:i|we) (?:was|were)|as a "
    r"(?:child|kid|student|teenager)|for (?:an?|one|two|three|a few|\d+) \w+|dream\w*|pretend\w*|"
    r"jok(?:e|ed|ing)|in (?:the|my) (?:story|novel|game|book|film|movie))\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_OWNED = re.compile(r"\b([^\W\d_]+)['’]s\b(?= \w)")
_POINTS = frozenset("it that this there here what who let he she".split())
_WORKING = frozenset("boss manager supervisor lead doctor dentist landlord teacher".split())
_ADDED = re.compile(r"(?i)\b(?:also|too|as well|another|second|additional(?:ly)?|besides)\b")
_WORD = re.compile(r"\w+")
_LIKES, _DISLIKES = frozenset({"likes", "loves"}), "dislikes"


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence of an item, read for what it says; of a fact all of it, and no need to read it."""

    item: Item
    text: str
    is_change: bool = False
    fact: Fact | None = None


@dataclass(slots=True)
class _Known:
    """What was told so far: the facts, who told each, and which of them a later sentence ended."""

    facts: dict[int, Fact] = field(default_factory=dict)
    by: dict[int, list[tuple[Item, str]]] = field(default_factory=dict)
    heard: list[tuple[Item, str]] = field(default_factory=list)
    ended: list[tuple[Item, str, Item]] = field(default_factory=list)

    def hold(self, fact: Fact, item: Item, words: str) -> None:
        self.facts[fact.id] = fact
        self.by.setdefault(fact.id, []).append((item, words))

    def end(self, ids: Iterable[int], teller: Item, said: str) -> None:
        for number in ids:
            self.facts.pop(number, None)
            for item, words in self.by.pop(number, []):
                self.mark(item, words, teller, said)

    def mark(self, item: Item, words: str, teller: Item, said: str) -> None:
        is_told = any(item.ref == each.ref and by is teller for each, _, by in self.ended)
        if (
            not is_told
            and not is_of_another(said, words)
            and item is not teller
            and may_tell(teller, item)
        ):
            self.ended.append((item, words, teller))


def may_tell(teller: Item, item: Item) -> bool:
    """What is trusted less says nothing of another, nor what was said before it."""
    is_own = teller.message_id in item.sources
    return is_own or (teller.at > item.at and teller.trust >= item.trust)


def find_retold(
    tx: Tx, given: Sequence[Item], said: Sequence[Item], bank: str
) -> dict[str, list[tuple[Item, str]]]:
    """By what is given, the words of it that are no longer so, each with the newest message of
    those said that tells the same thing otherwise.
    """
    told = list(_list_told(tx, given, said))
    known = _Known()
    for each in sorted(told, key=lambda each: each.item.at):
        _hear(known, each)
    found: dict[str, list[tuple[Item, str]]] = {}
    last = {item.ref: teller for item, _, teller in known.ended}
    refs = {item.ref for item in given}
    for item, words, teller in known.ended:
        if any(_is_refused(tx, each, bank) for each in (item, teller) if not _is_fact(each)):
            continue
        if item.ref in refs and words not in [each for _, each in found.get(item.ref, [])]:
            found.setdefault(item.ref, []).append((last.get(teller.ref, teller), words))
    return found


def _is_refused(tx: Tx, message: Item, bank: str) -> bool:
    """Whether something that was read of a message waits for approval, or was refused or taken
    back: what it says is not for a reader to decide."""
    read = tx.facts.list(FactFilter(bank=bank, message_id=message.message_id), MOST_READ)
    return any(fact.held or fact.rejected or fact.retracted_at is not None for fact in read)


def _list_told(tx: Tx, given: Sequence[Item], said: Sequence[Item]) -> Iterator[_Told]:
    """The sentences that tell a change of what is given, and those they may be about."""
    tellers = [item for item in said if _may_tell_change(item, given)]
    if not tellers:
        return
    stood = [item for item in given if any(may_tell(each, item) for each in tellers)]
    near = frozenset[str]().union(*(text_stems(item.text) for item in stood)) - _LITTLE
    changes = [(teller, words) for teller in tellers for words in _changes(teller, near)]
    if not changes:
        return
    known = {item.ref for item in stood}
    old = [*stood, *(item for item in said if item.ref not in known)]
    sentences = {item.ref: [_Words(each) for each in _sentences(item.text)] for item in old}
    found: dict[tuple[str, str], _Told] = {}
    for teller, words in changes:
        about = [
            (item, each)
            for item in old
            if item is not teller and teller.message_id not in item.sources
            for each in sentences[item.ref]
            if words.is_about(each) and _is_by_same(teller, item)
        ]
        is_about = any(item.ref in known and may_tell(teller, item) for item, _ in about)
        if is_about and (_names_new(words.change) or _read(words.text, *_place(teller))):
            found[teller.ref, words.text] = _Told(teller, words.text, is_change=True)
            for item, each in about[:MOST_TOLD]:
                found.setdefault((item.ref, each.text), _Told(item, each.text))
    yield from _with_facts(tx, list(found.values()))


def _with_facts(tx: Tx, found: Sequence[_Told]) -> Iterator[_Told]:
    """What was found, with the facts there are of it, unless a change was read as one of them."""
    tellers = {each.item.message_id for each in found if each.is_change}
    for told in found:
        if not _is_fact(told.item):
            yield told
        elif tellers.isdisjoint(told.item.sources):
            fact = tx.facts.find(parse_ref(told.item.ref))
            if fact is not None:
                yield replace(told, fact=fact)


def _may_tell_change(item: Item, given: Sequence[Item]) -> bool:
    if text_stems(item.text).isdisjoint(CHANGE_STEMS):
        return False
    return any(item.at > each.at and item.trust >= each.trust for each in given)


@lru_cache(1 << 12)
def text_stems(text: str) -> frozenset[str]:
    """The beginnings of the words of a text, as far as it is looked at."""
    return stems_of(text[:LOOKED_AT_CHARS])


class _Words:
    """A sentence, and what it touches on, by the beginnings of its words."""

    def __init__(self, text: str) -> None:
        self.text, self.stems = text, stems_of(text)
        self.change = NOTHING

    @cached_property
    def alike(self) -> list[frozenset[str]]:
        """What it tells of without naming it."""
        return [group for group in _ALIKE if not group.isdisjoint(self.stems)]

    def is_about(self, old: "_Words") -> bool:
        """Whether the change that is told here may be of what the old tells."""
        change = self.change
        named = (stems_of(f"{change.gone} {change.topic}") - _LITTLE) & old.stems
        if named or (change.new and any(group in old.alike for group in self.alike)):
            return True
        return not (change.new or change.gone) and len(self.stems & old.stems - _LITTLE) > 1


def _changes(item: Item, near: frozenset[str]) -> Iterator[_Words]:
    """The sentences of a message that say something to have changed of what is near it."""
    for sentence in _sentences(item.text):
        words = _Words(sentence)
        if words.stems.isdisjoint(CHANGE_STEMS):
            continue
        if words.stems.isdisjoint(near) and not words.alike:
            continue
        words.change = read_change(sentence)
        if words.change.new or words.change.gone or (words.change.cued and sorts_of(sentence)):
            if _is_lasting(sentence, item.at):
                yield words


def _is_lasting(sentence: str, at: int) -> bool:
    """Whether what a sentence tells may be so from then on; what asks or takes back tells not."""
    if sentence.endswith("?") or _BACK.search(sentence) or _PASSING.search(sentence):
        return False
    return all(int(year) >= to_datetime(at).year for year in _YEAR.findall(sentence))


def is_of_another(sentence: str, old: str) -> bool:
    """Whether a sentence tells of somebody else's: of a relation, or of what belongs to a name,
    that does not stand in the old."""
    mine, theirs = _people(sentence), _people(old)
    return not mine <= theirs


def _people(text: str) -> set[str]:
    words = {stem_of(word) for word in re.findall(r"[^\W\d_]+", text)}
    owners = {stem_of(each) for each in _OWNED.findall(text)} - _POINTS - {"user"}
    return {*(words & RELATIONS - _WORKING), *(f"{each}'s" for each in owners)}


def _sentences(text: str) -> list[str]:
    return [each for each in _SENTENCE_END.split(text[:LOOKED_AT_CHARS]) if each.strip()]


def _is_by_same(teller: Item, item: Item) -> bool:
    """Whether both are told by one person; a fact may be told by whoever is the user."""
    speaker = teller.lines[teller.hit].speaker
    return not speaker if _is_fact(item) else item.lines[item.hit].speaker == speaker


def _is_fact(item: Item) -> bool:
    """Of one that was written by hand there is neither a message nor a line."""
    return item.kind is Kind.FACT


def _hear(known: _Known, told: _Told) -> None:
    """What is known once a sentence is heard, and what it ended."""
    if told.fact is not None:
        known.hold(told.fact, told.item, told.text)
    else:
        for candidate in _read(told.text, *_place(told.item)):
            _learn(known, told, candidate)
    if told.is_change:
        _end_retold(known, told)
    known.heard.append((told.item, told.text))


def _learn(known: _Known, told: _Told, candidate: Candidate) -> None:
    facts = list(known.facts.values())
    if own := [f for f in facts if f.id > 0 and _is_read_from(f, told.item, candidate)]:
        known.by[own[0].id].append((told.item, candidate.quote))
        return
    replaced = find_replaced(candidate, facts) if told.is_change else []
    if replaced and is_retold(candidate, replaced[0]):
        candidate = retold(candidate, replaced[0])
    decision = decide(candidate, facts, replaced=replaced)
    if decision.verdict is Verdict.MERGE:
        known.by[decision.targets[0]].append((told.item, candidate.quote))
        return
    ended = list(decision.targets) if decision.verdict is Verdict.SUPERSEDE else []
    if told.is_change:
        ended += [fact.id for fact in facts if _is_otherwise(candidate, fact)]
        known.end(ended, told.item, told.text)
    if candidate.text and decision.verdict is not Verdict.SKIP:
        number = -1 - len(known.by) - len(known.ended)
        source = FactSource(candidate.quote, told.item.message_id, at=told.item.at)
        fact = born(candidate, Birth(number, 0, "", told.item.at), source)
        known.hold(fact, told.item, candidate.quote)


def _is_read_from(fact: Fact, item: Item, candidate: Candidate) -> bool:
    is_same = fact.text == candidate.text and fact.attribute == candidate.attribute
    return is_same and any(source.message_id == item.message_id for source in fact.sources)


def _is_otherwise(candidate: Candidate, fact: Fact) -> bool:
    """Whether what tells a change tells the same of the same thing in another way."""
    if candidate.subject != fact.subject or _ADDED.search(candidate.quote):
        return False
    new, old = candidate.value.casefold(), fact.value.casefold()
    if candidate.attribute == _DISLIKES and fact.attribute in _LIKES:
        return bool(new) and f"{old} ".startswith(f"{new} ")
    is_same = is_same_attribute(candidate.attribute, fact.attribute)
    if not is_same or not fact.attribute.startswith("schedule:"):
        return False
    return bool(sorts_of(new) & sorts_of(old)) and not stems(new) <= stems(old)


def _names_new(change: Change) -> bool:
    """Whether a change says where a thing went, so that it need not be read to be known."""
    return bool(change.topic) and bool(sorts_of(change.new))


def _place(message: Item) -> tuple[int, int]:
    return message.at, message.message_id


def _end_retold(known: _Known, told: _Told) -> None:
    """ "Graça moved my lesson to Thursdays", after "lessons, every Tuesday, with Graça": of one
    thing, with a value of one sort, and a name in both."""
    change = read_change(told.text)
    topic, sorts = stems(change.topic), sorts_of(change.new)
    if not topic or not sorts:
        return
    words = {word.casefold() for word in _WORD.findall(told.text)}
    for item, old in known.heard:
        same = topic <= stems(old) and bool(sorts & sorts_of(old))
        if same and not stems(change.new) <= stems(old) and names_in(old) & words:
            known.mark(item, old, told.item, told.text)


@lru_cache(1 << 10)
def _read(text: str, at: int, message_id: int) -> tuple[Candidate, ...]:
    """What a sentence of the user says, sure or leaning on what is known."""
    message = Message(message_id, "", 0, at, Role.USER, text)
    return tuple(each for each in _reader()([message]) if each.attribute != "asks")


@lru_cache(1)
def _reader() -> Callable[[Sequence[Message]], list[Candidate]]:
    from hermes.memory.facts.clauses.reader import RuleExtractor  # noqa: PLC0415 - slow

    return RuleExtractor(lean=True).extract
