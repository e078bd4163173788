"""What a later message says to be otherwise, where no fact says so.

"Redis for the retry queue" is no longer so once "we moved the retry queue to SQS" is said, though
neither need be kept as a fact; nor is "User's cat is Biscuit" once Biscuit "had to be put down", be
it in the same breath. Who is found by the old is given the new before it, and the old says so. Only
where that is sure: one clause of the old tells of the same thing, and what it tells is of one sort.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hermes.clock import to_datetime
from hermes.memory.facts.change import read_change
from hermes.memory.facts.change_ways import TOPIC_STEMS, stems_of
from hermes.memory.facts.clauses.lexicon import RELATIONS
from hermes.memory.recall.caveats import LOOKED_AT
from hermes.memory.recall.episodes import find_item
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.fuse import GIVEN_FROM
from hermes.memory.recall.postings import list_postings
from hermes.memory.recall.result import Item
from hermes.memory.recall.retold import (
    LOOKED_AT_CHARS,
    find_retold,
    is_of_another,
    may_tell,
    text_stems,
)
from hermes.memory.recall.succession import MOST_MARKED, SHOWN_CHARS
from hermes.memory.recall.task import telling_words
from hermes.memory.recall.then import asks_of_then
from hermes.memory.recall.waiting import put
from hermes.memory.recall.when import find_times
from hermes.store.base import Tx
from hermes.types import Role

NAME = "says otherwise"
TOLD_ANEW = 5  # of facts and messages, as they come, that are read beside what tells a change
NAMED = 3  # facts, the best first, whose names are looked up for an end…
PER_NAME = 24  # …in so many messages, the newest
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_CLAUSE_END = re.compile(r"[.,;:!?()](?=\s|$)|\n| – | — ")
_DIED = re.compile(
    r"\b(?:died|passed away|(?:was|were|be|got) put (?:down|to sleep)|euthani[sz]ed)\b", re.I
)
_OVER = re.compile(r"\b(?:any ?more|any longer|no longer|outgrew|outgrown)\b", re.I)
_END_STEMS = stems_of("died passed put euthanised any anymore longer outgrew outgrown")
_TELLING_STEMS = TOPIC_STEMS | _END_STEMS  # without one of them nothing is told to be otherwise
_NEGATED = re.compile(r"\b(?:not|no|never|no longer|any ?more|outgrew|outgrown)\b|n't\b", re.I)
# What may follow a thing that something is told of: not another noun ("the meeting room").
_SAYS = r"(?:\s*(?:$|[(=:→-]|v?\d)|\s+(?:is|are|was|on|at|in|with|by|to|uses?|runs?|will)\b)"
_USER = frozenset({"user"})
_WHEN = re.compile(r"\s+(?:over|during|last|this|after|before|because|for)\b.*$", re.I)
_OPINION = re.compile(
    r"\s+(?:is|are|was)\s+(?:an?|the|so|too|very|still|not|really|pretty)\b", re.I
)


@dataclass(frozen=True, slots=True)
class _Teller:
    """A sentence that says something to be otherwise now, and the message it stands in."""

    item: Item
    sentence: str


def overtake(
    tx: Tx, evidence: Evidence, facts: Sequence[Item], messages: Sequence[Item], bank: str
) -> tuple[list[Item], list[Item]]:
    """Facts and messages; what was overtaken says so, and what overtook it stands before it."""
    said = [item for item in messages if _is_by_user(item) and not item.note]
    given = [i for i in (*facts, *said) if i.relevance >= GIVEN_FROM and not (i.note or i.held)]
    tellers = [each for item in said[:LOOKED_AT] for each in _tellers(item)]
    tellers += _look_up(tx, evidence, given, {item.message_id for item in said}, bank)
    listed, notes = list(messages), dict[str, str]()
    reached = dict[int, float]()  # by the message that told it, how relevant what it overtook is
    of_then = asks_of_then(evidence.task)
    anew = find_retold(tx, given[:TOLD_ANEW], said[:LOOKED_AT], bank)
    for item in given[: 2 * LOOKED_AT] if tellers or anew else ():
        found = _find(tx, evidence, item, tellers) or anew.get(item.ref, [])
        notes |= (
            {item.ref: "; ".join(_told(*each) for each in found[:MOST_MARKED])} if found else {}
        )
        for teller, clause in found:
            if not of_then and _is_asked(tx, evidence, item, clause):
                listed = _put_before(listed, teller, item)
                least = max(reached.get(teller.message_id, 0.0), item.relevance)
                reached[teller.message_id] = least
    told, marked = (
        [replace(i, note=notes[i.ref]) if i.ref in notes else i for i in each]
        for each in (_raised(facts, reached, notes), listed)
    )
    return told, marked


def _raised(
    facts: Sequence[Item], reached: Mapping[int, float], notes: Collection[str]
) -> list[Item]:
    """The facts; those that are given before what their message overtook."""

    def least(fact: Item) -> float:
        is_given = fact.relevance >= GIVEN_FROM and not fact.held and fact.ref not in notes
        return max((reached.get(each, 0.0) for each in fact.sources), default=0.0) * is_given

    if not reached:
        return list(facts)
    raised = [replace(f, relevance=max(least(f), f.relevance)) for f in facts if least(f)]
    return [*raised, *(fact for fact in facts if not least(fact))]


def _told(teller: Item, clause: str) -> str:
    day = to_datetime(teller.at).date()
    return f'no longer so since {day}: "{clause[:SHOWN_CHARS]}", see {teller.ref}'


def _is_asked(tx: Tx, evidence: Evidence, item: Item, clause: str) -> bool:
    """Whether the task may ask for what a clause of an item tells, not only for the rest of it."""
    asked = set(tx.texts.tokens(" ".join(evidence.task.terms)))
    whole = asked & set(tx.texts.tokens(item.text))
    return not whole or not whole.isdisjoint(tx.texts.tokens(clause))


def _find(
    tx: Tx, evidence: Evidence, item: Item, tellers: Sequence[_Teller]
) -> list[tuple[Item, str]]:
    """The clauses of an item that were overtaken, each with the newest message that did so."""
    clauses = [each.strip() for each in _CLAUSE_END.split(item.text[:LOOKED_AT_CHARS])]
    later = [each for each in tellers if may_tell(each.item, item)]
    later.sort(key=lambda each: -each.item.at)
    found = []
    for clause in clauses if later else ():
        if clause and not _NEGATED.search(clause):
            by = next((e for e in later if _is_overtaken(tx, evidence, clause, e)), None)
            found += [(by.item, clause)] if by else []
    return found


def _is_overtaken(tx: Tx, evidence: Evidence, clause: str, teller: _Teller) -> bool:
    """Whether a sentence ends what a clause tells, or tells the same thing otherwise."""
    sentence, tokens = teller.sentence, tx.texts.tokens
    told = set(tokens(sentence))
    if _DIED.search(sentence):
        names = {token for name in _names(clause) for token in tokens(name)}
        return bool(names) and names <= told and not _DIED.search(clause)
    if is_of_another(sentence, clause):
        return False
    if _OVER.search(sentence):
        wanted = [w for w in telling_words(clause) if w.casefold() not in RELATIONS | _USER]
        return len(wanted) > 1 and all(set(tokens(word)) <= told for word in wanted)
    change = read_change(sentence)
    if not change.topic or change.topic[0].isupper() or _is_person(change.topic):
        return False
    words = r"\s+".join(map(re.escape, change.topic.split()))
    stated = re.search(rf"\b{words}\b(?={_SAYS})", clause, re.I)
    if stated is None or _OPINION.match(clause, stated.end()) or read_change(clause).new:
        return False
    rest = f"{clause[: stated.start()]} {clause[stated.end() :]}"
    if not telling_words(rest) or set(tokens(change.new)) & set(tokens(rest)):
        return False
    return _sort(evidence, rest) == _sort(evidence, _WHEN.sub("", change.new))


def _is_person(topic: str) -> bool:
    """Of somebody so much is told that a change of one thing says nothing of the others."""
    return not RELATIONS.isdisjoint(topic.casefold().split())


def _sort(evidence: Evidence, text: str) -> str:
    """Of which sort what is told is: a time, a number, or a name."""
    task = evidence.task
    if find_times(text, task.asked_at, zone=task.zone):
        return "time"
    return "number" if any(char.isdigit() for char in text) else "name"


def _put_before(items: list[Item], teller: Item, old: Item) -> list[Item]:
    """The messages with what overtook another before it, and as relevant."""
    listed = put(items, teller, old.relevance)
    at = {item.ref: n for n, item in enumerate(listed)}
    if old.ref not in at or at[teller.ref] < at[old.ref]:
        return listed
    own = listed.pop(at[teller.ref])
    return [*listed[: at[old.ref]], own, *listed[at[old.ref] :]]


def _is_by_user(item: Item) -> bool:
    return bool(item.lines) and item.lines[item.hit].role is Role.USER


def _tellers(item: Item) -> Iterator[_Teller]:
    text = item.text[:LOOKED_AT_CHARS]
    if text_stems(item.text).isdisjoint(_TELLING_STEMS):
        return
    for sentence in _SENTENCE_END.split(text):
        if sentence.endswith("?"):
            continue
        stems = stems_of(sentence)
        if _says_end(sentence, stems) or _names_topic(sentence, stems):
            yield _Teller(item, sentence)


def _says_end(text: str, stems: frozenset[str]) -> bool:
    if stems.isdisjoint(_END_STEMS):
        return False
    return bool(_DIED.search(text) or _OVER.search(text))


def _names_topic(sentence: str, stems: frozenset[str]) -> bool:
    return not stems.isdisjoint(TOPIC_STEMS) and bool(read_change(sentence).topic)


def _look_up(
    tx: Tx, evidence: Evidence, given: Sequence[Item], known: set[int], bank: str
) -> list[_Teller]:
    """Sentences that tell the end of what the best facts name, wherever they were said."""
    facts = [item for item in given if item.sources][:NAMED]
    names = sorted({name for item in facts for name in _names(item.text)})
    found = list_postings(tx, evidence.outline, names, bank, PER_NAME)
    ids = np.array(sorted({n for each in found for n in each.ids.tolist()} - known), np.int64)
    if not len(ids):
        return []
    places = evidence.outline.find_known(ids)
    shown: list[int] = evidence.outline.take("ids", places[evidence.may_show(places)]).tolist()
    texts = {n: text[:LOOKED_AT_CHARS] for n, text in tx.recall.texts(shown).items()}
    ends = [n for n, text in texts.items() if _says_end(text, stems_of(text))]
    items = filter(None, (find_item(tx, number, NAME) for number in ends))
    return [each for item in items if _is_by_user(item) for each in _tellers(item)]


def _names(text: str) -> set[str]:
    """The words of a fact that name somebody or something."""
    words = re.findall(r"\w[\w'-]*", text)
    return {word for word in words[1:] if word[0].isupper() and word[1:].islower()}
