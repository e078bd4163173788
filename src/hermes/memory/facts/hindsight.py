"""What a later message of the same conversation makes of readings that nobody believes yet.

Facts are read some time after they were said. By then the conversation may have gone on: "Évora is
cancelled, too hot". Where it is plain what took whose place, the new reading supersedes the old one
and both are kept (`replacement`, `decide`). Else only what is taken back, called off or corrected
is left out, and told with the reason: that a later message speaks of the same person or thing takes
nothing away. Nothing here knows a store.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.change import read_change
from hermes.memory.facts.clauses.frame import Frame, parse
from hermes.memory.facts.clauses.gate import EXPLICIT
from hermes.memory.facts.clauses.lexicon import RELATIONS
from hermes.memory.facts.clauses.prose import own_prose
from hermes.memory.facts.clauses.reader import speaks_for_user
from hermes.memory.facts.clauses.split import Clause, Sentence, split_clauses, split_sentences
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.compare import stems
from hermes.memory.facts.decide import Verdict, decide
from hermes.memory.facts.ledger import Birth, born
from hermes.memory.facts.replacement import find_replaced
from hermes.memory.facts.sorts import sorts_of
from hermes.types import Fact, FactKind, FactSource, Message

_STAMP = re.compile(r" \((?:on |due |said )?\d{4}-\d\d-\d\d\)")
_NEXT_STEP = re.compile(r"(?i)\W*(?:ok(?:ay)?,? |and |so |great,? |good,? )*now\b")
_ANNOUNCES = re.compile(
    r"(?i)\W*(?:(?:hi|hey|hello|ok|okay|so|oh|and|but|again|sorry|one|an?|little|small|slight|"
    r"quick|tiny)\b\W*)*(?:correction|edit)\b(?! (?:the|my|our|your|it|that|this)\b)"
)
_TAKES_BACK = re.compile(
    r"(?i)\W*(?:(?:oh|ah|ugh|hm+|ok|okay|sorry|oops|wait|no|actually|nvm)\b\W*)*"
    r"(?:(?:scratch|strike) that|(?:forget|ignore|scratch) what i (?:just )?said|i was wrong|jk|"
    r"i take (?:that|it) back|i misspoke|(?:(?:that|it)(?:['’]?s| is) )?not happening|"
    r"(?:just |only )?(?:kidding|joking))(?: (?:after all|again|now|sorry))?\W*$"
)
_NO = re.compile(
    r"(?i)\W*(?:(?:oh|ah|hm+|wait)\b\W*)*(?:actually,? (?:no|not)|no,? (?:actually|wait))\W*"
)
_REVERSES = re.compile(
    r"(?i)\b(?:after all|no longer|any ?more|(?:was|were) wrong|got (?:that|it) wrong)\b"
)
_AFTER_ALL = re.compile(r"(?i)\bafter all\b")
_THIS_TIME = re.compile(
    r"(?i)\b(?:today|tonight|tomorrow|(?:this|next) (?:time|week|month|morning|afternoon|evening|"
    r"\w+day)|for (?:now|a \w+|the \w+))\b"
)
_RESCHEDULES = frozenset("move push shift slip postpone delay reschedule extend".split())
_DROPS = _RESCHEDULES | frozenset(
    "leave quit resign retire cancel scrap shelve drop ditch dump swap switch replace rename "
    "change close end stop sell cut lose skip".split()
)
_GOES_TO = re.compile(r"(?i)\b(?:to|into|onto)\s+(?P<where>.+)")
_TIMES = frozenset({"weekday", "date", "clock"})
_OTHERS = frozenset("them him her it".split())
_STANDS = frozenset("be stay remain keep run live sit".split())
_SINCE = frozenset("now since".split())
_OF_A_DAY = frozenset({FactKind.EVENT, FactKind.DEADLINE})
_NAMED = frozenset({"name", "thing", "other", "person"})
_SMALL = frozenset("DET POSS PRON PREP CONJ ADV INTJ AUX BE HAVE NUM PUNCT OBJ WH NEG ADJ".split())
_COMMON = frozenset(
    "january february march april may june july august september october november december jan feb "
    "mar apr jun jul aug sep sept oct nov dec day days week weeks month months year years today "
    "tomorrow time times thing things people user team family others hermes one ones lot name news "
    "update work plan help".split()
)  # nouns that two statements may share without being about one thing
_OF_ANOTHER = re.compile(rf"(?i)User's (?P<who>{'|'.join(sorted(RELATIONS))})\b")
_SHORTEST = 3  # letters of a word that names something

_LINKS = frozenset({Verdict.SUPERSEDE, Verdict.MERGE, Verdict.CONTRADICT})
Link = tuple[Candidate, Candidate, Verdict]  # the newer reading first


class Why(StrEnum):
    """How a clause tells that something is not as it was."""

    OFF = "off"  # "Évora is cancelled"
    REVERSED = "reversed"  # "we skip Sundays after all"
    ANNOUNCED = "announced"  # "one correction, crit is Wednesdays"
    MOVED = "moved"  # "judo got moved"


_PLAIN = frozenset({Why.OFF, Why.REVERSED})


@dataclass(frozen=True, slots=True)
class Turn:
    """A clause that tells of something changed, and of what: `topic` are the stems of its words."""

    why: Why
    topic: frozenset[str]
    said: str
    sentence: str
    frame: Frame


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reading, and the words of a later message that make it unsure."""

    reading: Candidate
    said: str
    message_id: int


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What stays of readings, those left out with the reason, and what is taken back of before."""

    kept: tuple[Candidate, ...]
    left_out: tuple[str, ...] = ()
    taken_back: tuple[Doubt, ...] = ()


def look_back(
    found: Sequence[Candidate], messages: Sequence[Message], whole: Sequence[Message] = ()
) -> Hindsight:
    """What was read of messages, without what a later one of them takes back.

    What a later reading supersedes is history, and what one repeats is so: both stay. So does all
    else where it is known what the words that tell a change have changed. What one contradicts
    stays beside it, for a person to settle. `found` may hold readings of the messages of `whole`
    before these: of them the ones are named that the first of these takes back.
    """
    new = {message.id for message in messages}
    fresh = [each for each in found if each.message_id in new]
    back = list(_list_taken_back(found, whole or messages))
    doubts = [*_list_doubts(fresh, messages), *(d for d in back if d.reading.message_id in new)]
    links = _list_links(fresh) if doubts else []
    linked = {id(old) for _, old, _ in links}
    left = {id(each.reading): each for each in doubts if not _is_settled(each, links)}
    left = {key: each for key, each in left.items() if key not in linked}
    return Hindsight(
        tuple(each for each in fresh if id(each) not in left),
        tuple(_told(each) for each in left.values()),
        tuple(d for d in back if d.message_id in new and d.reading.message_id not in new),
    )


def _told(doubt: Doubt) -> str:
    text, said = doubt.reading.text[:80], " ".join(doubt.said.split())[:80]
    return f"A fact was left out: a later message takes it back ({said!r}): {text!r}"


def _list_doubts(found: Sequence[Candidate], messages: Sequence[Message]) -> Iterator[Doubt]:
    for message in filter(speaks_for_user, messages):
        before = [each for each in found if (each.message_id or 0) < message.id and each.text]
        for turn in list_turns(message.text) if before else ():
            met = (each for each in before if is_doubted(each, turn))
            yield from (Doubt(each, turn.sentence, message.id) for each in met)


def _list_taken_back(found: Sequence[Candidate], messages: Sequence[Message]) -> Iterator[Doubt]:
    """The readings of what was said last before a message that takes it back."""
    last: Message | None = None
    for place, message in enumerate(messages):
        if not speaks_for_user(message):
            continue
        at_once = place > 0 and last is messages[place - 1]
        own = last is not None and last.speaker == message.speaker
        if last is not None and own and takes_back(message.text, at_once=at_once):
            said = [each for each in _said_last(last, found) if each.text]
            yield from (Doubt(each, message.text, message.id) for each in said)
        last = message


def takes_back(text: str, *, at_once: bool = False) -> bool:
    """Whether a message begins by taking back what was said last, and says nothing in its place.

    "Actually no" does only `at_once`: else it answers whoever spoke in between.
    """
    first = next(split_sentences(own_prose(text)), None)
    if first is None:
        return False
    return bool(_TAKES_BACK.match(first.text) or (at_once and _NO.fullmatch(first.text)))


def list_turns(text: str) -> list[Turn]:
    """The clauses of a message that tell of something changed."""
    sentences = split_sentences(own_prose(text))
    told = (each for each in sentences if not each.is_question and not _NEXT_STEP.match(each.text))
    return [turn for sentence in told for turn in _turns_of(sentence)]


def is_doubted(candidate: Candidate, turn: Turn) -> bool:
    """Whether a reading is about what a turn says to be otherwise."""
    if candidate.ended or candidate.leaning:
        return False
    if EXPLICIT in candidate.signs and turn.why not in _PLAIN:
        return False  # what was asked to be remembered goes only if it is plainly taken back
    text = _STAMP.sub("", candidate.text)
    if not turn.topic <= stems(text) or _is_anothers(text, turn):
        return False
    if candidate.kind is FactKind.RELATIONSHIP and turn.why is not Why.ANNOUNCED:
        return False  # who one is to the user lasts, whatever else is over with them
    if turn.why is Why.MOVED:
        return bool(sorts_of(text) & _TIMES)
    if turn.why is Why.OFF and _THIS_TIME.search(turn.sentence):
        return candidate.kind in _OF_A_DAY  # "no crit today": it is every week all the same
    in_passing = turn.why is Why.ANNOUNCED and turn.frame.subject.kind not in _NAMED
    of_another = turn.why is Why.REVERSED and turn.frame.subject.kind in _NAMED
    if turn.topic <= stems(candidate.subject) or in_passing or of_another:
        return _is_alike(candidate, text, turn)
    return True


def _turns_of(sentence: Sentence) -> Iterator[Turn]:
    change = read_change(f"{sentence.text}{sentence.mark}")
    announced = bool(_ANNOUNCES.match(sentence.text))
    for clause in split_clauses(sentence):
        frame, said = parse(clause.tokens), sentence.text[clause.start : clause.end]
        gone = _naming(tokenize(change.gone)) if change.gone in said else frozenset[str]()
        off = change.off and gone
        why = Why.OFF if off else _why(frame, clause, said, announced=announced)
        if why is None or frame.modal:
            continue
        if topic := gone or _topic(frame, of_days=why is Why.REVERSED):
            yield Turn(why, topic, said, sentence.text, frame)


def _why(frame: Frame, clause: Clause, said: str, *, announced: bool) -> Why | None:
    since = any(token.low in _SINCE for token in clause.tokens[1:])
    ordered, named = frame.form == "VB", frame.subject.kind in _NAMED
    if _REVERSES.search(said):
        dropped = frame.negated or frame.verb in _DROPS
        kept = _AFTER_ALL.search(said) and not (named or dropped)
        return None if kept else Why.REVERSED  # "we go with Postgres after all"
    if announced and (frame.verb or since) and not ordered:
        return Why.ANNOUNCED
    elsewhere = (went := _GOES_TO.search(said)) and not sorts_of(went["where"]) & _TIMES
    return Why.MOVED if named and _is_moved(frame) and not elsewhere else None


def _is_moved(frame: Frame) -> bool:
    """ "judo got moved"; "judo moves about" tells how it is, "Anna moved the car" of no time."""
    done = frame.passive or frame.tense in {"past", "perfect"}
    if not done or frame.negated or frame.verb not in _RESCHEDULES:
        return False
    things = (token.tag not in _SMALL or token.low in _OTHERS for token in frame.object)
    return frame.passive or not any(things)


def _topic(frame: Frame, *, of_days: bool) -> frozenset[str]:
    """What a clause is about: who or what is named as its subject, else what is done to."""
    if frame.subject.kind in _NAMED and (named := _naming(frame.subject.words)):
        return named
    things = [token for token in frame.rest if token.tag != "VERB"]
    return _naming(things, of_days=of_days)


def _naming(tokens: Iterable[Token], *, of_days: bool = False) -> frozenset[str]:
    """The stems of the words that name something."""
    named = (each for each in tokens if each.tag not in _SMALL and each.low not in _COMMON)
    if not of_days:
        named = (each for each in named if not sorts_of(each.text))
    told = stems(" ".join(each.text for each in named))
    return frozenset(each for each in told if len(each) >= _SHORTEST and not each.isdigit())


def _is_anothers(text: str, turn: Turn) -> bool:
    """Whether a reading is of one person or thing and the turn of another."""
    subject = turn.frame.subject
    if subject.kind in _NAMED:
        return not _naming(subject.words) <= stems(text)
    whose = _OF_ANOTHER.match(text)
    return whose is not None and whose["who"].lower() not in turn.said.lower()


def _is_alike(candidate: Candidate, text: str, turn: Turn) -> bool:
    """Whether reading and turn tell the same side of what both are about.

    A person or project has many: that Elio lives here now says nothing of what he eats.
    """
    planned = candidate.kind in _OF_A_DAY
    if planned and _AFTER_ALL.search(turn.said):
        return True
    shared = _naming(turn.frame.words) - turn.topic
    if shared & stems(text) or sorts_of(text) & sorts_of(turn.said):
        return True
    told = parse(tuple(tokenize(text)))
    preps = {slot.prep for slot in told.slots} & {slot.prep for slot in turn.frame.slots}
    return told.verb in _STANDS and bool(preps - {""})


def _said_last(message: Message, found: Sequence[Candidate]) -> list[Candidate]:
    """The readings of the last sentence of a message."""
    sentences = list(split_sentences(own_prose(message.text)))
    end = sentences[-1].text if sentences else ""
    return [each for each in found if each.message_id == message.id and each.quote in end]


def _is_settled(doubt: Doubt, links: Sequence[Link]) -> bool:
    """Whether a reading of the words that raise a doubt supersedes another: they meant that."""
    told = (new for new, _, verdict in links if verdict is Verdict.SUPERSEDE)
    quotes = [new.quote for new in told if new.message_id == doubt.message_id]
    return any(quote in doubt.said or doubt.said in quote for quote in quotes)


def _list_links(found: Sequence[Candidate]) -> list[Link]:
    """Which would supersede, repeat or contradict which, if all were believed in their order."""
    facts = [_as_fact(each, place) for place, each in enumerate(found)]
    links: list[Link] = []
    for new in found:
        told_at = new.message_id or 0
        before = [
            fact
            for fact, old in zip(facts, found, strict=True)
            if (old.message_id or 0) < told_at and not old.leaning
        ]
        replaced = find_replaced(new, before) if new.change or new.correction else []
        decision = decide(new, before, replaced=replaced)
        if decision.verdict in _LINKS:
            links += [(new, found[place], decision.verdict) for place in decision.targets]
    return links


def _as_fact(candidate: Candidate, place: int) -> Fact:
    """A reading as the fact that it would be if it were believed."""
    source = FactSource(candidate.quote, message_id=candidate.message_id, at=candidate.at)
    return born(candidate, Birth(place, place, "", candidate.at or 0), source)
