"""What becomes of a new statement beside what is already believed. Pure: facts in, verdict out.

An old fact is closed only by one about the same subject and attribute, where one value excludes
the other and the evidence is later, or where the source itself says that the old value is gone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from hermes.memory.entities.names import alias_key
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.compare import (
    day_of,
    is_near,
    is_part,
    is_related_attribute,
    is_same_attribute,
    is_same_text,
    is_same_value,
    numbers,
    stems,
)
from hermes.memory.facts.distinction import tells_apart
from hermes.memory.facts.preference import is_taken_back
from hermes.memory.facts.restatement import is_told_anew
from hermes.memory.facts.rivals import excludes, find_rivals, is_opposite
from hermes.memory.facts.sorts import tells_two_days
from hermes.memory.facts.times import is_begun_before, is_of_its_time, is_over
from hermes.types import Confidence, Fact, FactKind, Trust

ONE_BREATH_MS = 10 * 60_000  # said so close together, with no word of a change, neither is newer

_NEW_PLACE = re.compile(r"^New (?=[A-Z])")
_OF_ONE_THING = re.compile(r"[: ]")  # "api key for staging", "decision:queue"
_WORKING = frozenset({FactKind.ENVIRONMENT, FactKind.DECISION})
_OF_A_DAY = frozenset({FactKind.DEADLINE, FactKind.EVENT})


class Verdict(StrEnum):
    ADD = "add"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict, the facts it touches and why.

    MERGE adds the candidate's source to `targets[0]` and closes the others, which it settles, at
    `closes_at`. SUPERSEDE closes the targets at `closes_at`. CONTRADICT adds the candidate and
    marks both sides. ADD with `closes_at` adds what holds until then; with `closed_by` too, as
    history: the named fact has taken its place, and `targets` ended when it began.
    """

    verdict: Verdict
    reason: str
    targets: tuple[int, ...] = ()
    closes_at: int | None = None
    closed_by: int | None = None


def decide(
    candidate: Candidate,
    known: Sequence[Fact],
    *,
    trust: Trust = Trust.HIGH,
    replaced: Sequence[Fact] = (),
) -> Decision:
    """The one thing to do with a candidate; `known` are facts of its subject, open or not.

    `replaced` are facts, of whatever subject, that the change it tells speaks of. What is trusted
    less never closes what is trusted more: it contradicts it.
    """
    about = [f for f in known if _is_beside(f, candidate) and _is_of_same(f, candidate)]
    if any(_has_source(fact, candidate) for fact in about):
        return Decision(Verdict.SKIP, "this very sentence was already read")
    if same := _duplicate(candidate, about):
        return _merge(candidate, same, about, trust)
    gone = [] if candidate.change.off else _said_to_be_gone(candidate, about)
    gone = _all_gone(gone, candidate, replaced, about)
    if candidate.leaning and not gone:
        back = [f for f in about if is_taken_back(candidate.text, candidate.value, f.text)]
        gone = back or _moved(candidate, about)
    if candidate.leaning and not gone:
        return Decision(Verdict.SKIP, "it tells a change of what is not known")
    told_before = [fact for fact in about if not _is_told_with(fact, candidate)]
    rivals = gone or find_rivals(candidate, told_before)
    if rivals and is_over(candidate):
        return _contradict(rivals, "both are said to have held at that time")
    if any(fact.trust > trust for fact in rivals):
        return _contradict(rivals, "it stands against what is trusted more")
    if any(map(_tells_more, rivals)) and not tells_two_days(candidate.text):
        return _contradict(rivals, "what it stands against tells of another day as well")
    if gone:
        return _close(candidate, gone, "the source says the old value no longer holds")
    return _beside(candidate, rivals)


def _merge(candidate: Candidate, same: Fact, about: Sequence[Fact], trust: Trust) -> Decision:
    """Heard again; where it was in doubt beside another since that was said, it settles that."""
    against = [f for f in about if f.id in same.contradicts or same.id in f.contradicts]
    lost = [f for f in against if f.trust <= trust and not _tells_more(f)]
    lost = [f for f in lost if not is_over(candidate) and _has_order(candidate, [f])]
    if not lost:
        return Decision(Verdict.MERGE, "says the same as a known fact", (same.id,))
    targets = (same.id, *(fact.id for fact in lost))
    closes_at = same.valid_from if same.valid_from is not None else _said_at(candidate)
    return Decision(Verdict.MERGE, "said again since what stood against it", targets, closes_at)


def place_in_past(candidate: Candidate, history: Decision, past: Sequence[Fact]) -> Decision:
    """What `decide` adds as history, beside what is history already: one value at a time.

    `past` are facts that have been superseded. What began next has taken its place, and what held
    as it began ended then.
    """
    begins = candidate.holds_from if candidate.holds_from is not None else _said_at(candidate)
    told = [f for f in past if f.retracted_at is None and _is_of_same(f, candidate)]
    held = [f for f in told if f.valid_to is None or f.valid_to > max(begins, _began(f))]
    same = [f for f in held if _began(f) <= begins and _says_the_same(candidate, f)]
    if same and same[0].ended == candidate.ended:
        return Decision(Verdict.MERGE, "says the same as what held at that time", (same[0].id,))
    held = [f for f in held if f.single and not f.ended and excludes(candidate, f)]
    held = [f for f in held if not is_same_value(f.value, candidate.value)]
    following = [f for f in held if _began(f) > begins]
    first = min(following, key=_began, default=None)
    if first is not None and _began(first) < (history.closes_at or 0):
        history = replace(history, closes_at=_began(first), closed_by=first.id)
    ended = () if candidate.ended else tuple(f.id for f in held if _began(f) <= begins)
    return replace(history, targets=ended)


def _began(fact: Fact) -> int:
    return fact.valid_from if fact.valid_from is not None else _evidence_at(fact)


def _tells_more(fact: Fact) -> bool:
    """Whether something would be lost if a fact were closed for the one day it is filed under."""
    return fact.kind in _OF_A_DAY and tells_two_days(fact.text)


def _beside(candidate: Candidate, rivals: Sequence[Fact]) -> Decision:
    if not rivals:
        return Decision(Verdict.ADD, "nothing known stands against it")
    believed = [fact for fact in rivals if not fact.held]  # what waits for a yes closes nothing
    if ahead := [fact for fact in believed if _is_to_come(fact, candidate)]:
        first = min(ahead, key=lambda fact: fact.valid_from or 0)
        reason = "it holds until the day on which what is known begins"
        return Decision(Verdict.ADD, reason, closes_at=first.valid_from)
    later = [fact for fact in believed if _evidence_at(fact) > _said_at(candidate)]
    if later:
        latest = max(later, key=_evidence_at)
        closes_at = latest.valid_from or _evidence_at(latest)
        reason = "older evidence than what is believed: kept as history"
        return Decision(Verdict.ADD, reason, closes_at=closes_at, closed_by=latest.id)
    if _has_order(candidate, rivals) and not _is_told_of_before(candidate, rivals):
        return _close(candidate, rivals, "one value at a time, and this evidence is later")
    return _contradict(rivals, "both cannot hold, and nothing says which is newer")


def _is_to_come(fact: Fact, candidate: Candidate) -> bool:
    """ "I live in Kassel", said before the day of "I'm moving to Ulm on 4 May"."""
    said = _said_at(candidate)
    if candidate.correction or candidate.change.gone or candidate.kind in _OF_A_DAY:
        return False
    begins = candidate.holds_from if candidate.holds_from is not None else said
    told = max(begins, _evidence_at(fact))
    return fact.kind not in _OF_A_DAY and told <= said < (fact.valid_from or 0)


def _contradict(rivals: Sequence[Fact], reason: str) -> Decision:
    return Decision(Verdict.CONTRADICT, reason, tuple(fact.id for fact in rivals))


def _close(candidate: Candidate, targets: Sequence[Fact], reason: str) -> Decision:
    closes_at = candidate.holds_from if candidate.holds_from is not None else candidate.at
    return Decision(Verdict.SUPERSEDE, reason, tuple(fact.id for fact in targets), closes_at)


def _is_beside(fact: Fact, candidate: Candidate) -> bool:
    """Believed, and of the time that the candidate tells of."""
    believed = fact.retracted_at is None and fact.superseded_by is None
    return believed and is_of_its_time(fact, candidate)


def _is_of_same(fact: Fact, candidate: Candidate) -> bool:
    """About one subject, and, of what there may be two, about the same one."""
    if alias_key(fact.subject) != alias_key(candidate.subject):
        return False
    return not tells_apart(fact.text, candidate.text, is_end=candidate.ended)


def _has_source(fact: Fact, candidate: Candidate) -> bool:
    same_words = fact.text == candidate.text and fact.attribute == candidate.attribute
    return (
        candidate.message_id is not None
        and same_words
        and any(source.message_id == candidate.message_id for source in fact.sources)
    )


def _is_told_with(fact: Fact, candidate: Candidate) -> bool:
    """Whether one message tells both: who says two things in one breath means both."""
    own = {source.message_id for source in fact.sources} == {candidate.message_id}
    return own and candidate.message_id is not None and not candidate.correction


def _duplicate(candidate: Candidate, about: Sequence[Fact]) -> Fact | None:
    for fact in about:
        if is_opposite(candidate, fact):  # in the same words, perhaps: tea to coffee, coffee to tea
            continue
        if fact.ended == candidate.ended and _says_the_same(candidate, fact):
            return fact
    return None


def _says_the_same(candidate: Candidate, fact: Fact) -> bool:
    if is_same_text(fact.text, candidate.text):
        return True
    if not is_same_attribute(fact.attribute, candidate.attribute):
        return _is_same_working_value(candidate, fact)
    if is_same_value(fact.value, candidate.value):
        return not is_told_anew(fact.text, candidate.text)
    if candidate.single:
        return _is_less_said(candidate, fact)
    return is_near(candidate.text, fact.text)


def _is_less_said(candidate: Candidate, fact: Fact) -> bool:
    """ "Anna" for "Anna Berg": but no "York" for "New York", and of numbers only a day's year."""
    if (day := day_of(candidate.value)) and day == day_of(fact.value)[:2]:
        return True
    if not is_part(candidate.value, fact.value) or _NEW_PLACE.search(fact.value):
        return False
    return not numbers(candidate.value) or candidate.attribute == "birthday"


def _is_same_working_value(candidate: Candidate, fact: Fact) -> bool:
    """A tool decided on and then used is one fact, whichever of the two was said."""
    return (
        {fact.kind, candidate.kind} <= _WORKING
        and not candidate.replaces
        and not _OF_ONE_THING.search(f"{fact.attribute}{candidate.attribute}")
        and is_same_value(fact.value, candidate.value)
        and not is_told_anew(fact.text, candidate.text)  # "for the queue", not "for the cache"
    )


def _said_to_be_gone(candidate: Candidate, about: Sequence[Fact]) -> list[Fact]:
    """Facts whose value the source itself denies, and the rivals that fall with them."""
    denied = candidate.value if candidate.ended else candidate.replaces
    if not denied:
        return []
    gone = [fact for fact in about if _is_denied(fact, candidate, denied)]
    named = [fact for fact in gone if is_same_attribute(fact.attribute, candidate.attribute)]
    gone = named or gone  # "the queue from Redis to NATS": the cache may stay with Redis
    gone = [fact for fact in gone if _evidence_at(fact) <= _said_at(candidate)]
    rivals = find_rivals(candidate, about) if gone else []
    return list({fact.id: fact for fact in [*gone, *rivals]}.values())


def _replaced_by(
    candidate: Candidate, replaced: Sequence[Fact], about: Sequence[Fact]
) -> list[Fact]:
    """What the told change ends, and what else cannot hold beside the new value."""
    gone = [
        f for f in replaced if _is_beside(f, candidate) and _evidence_at(f) <= _said_at(candidate)
    ]
    gone = [f for f in gone if candidate.change.gone or not _can_stay(f, candidate)]
    rivals = [] if candidate.ended or not gone else find_rivals(candidate, about)
    return list({fact.id: fact for fact in [*gone, *rivals]}.values())


def _all_gone(
    denied: list[Fact], candidate: Candidate, replaced: Sequence[Fact], about: Sequence[Fact]
) -> list[Fact]:
    """What the change ends; beside what the source denies, only what says the same of that thing:
    "will use RabbitMQ for the payout events" beside "decided on RabbitMQ"."""
    if not denied:
        return _replaced_by(candidate, replaced, about)
    again = [fact for fact in replaced if _says_what_is_gone(fact, candidate)]
    again = _replaced_by(candidate, again, about) if again else []
    return list({fact.id: fact for fact in [*denied, *again]}.values())


def _says_what_is_gone(fact: Fact, candidate: Candidate) -> bool:
    """Whether it gives the very thing that a change names the very value that is gone."""
    change = candidate.change
    of_it = change.topic and stems(change.topic) in (
        stems(fact.attribute),
        stems(fact.text.rpartition(" for ")[2]),
    )
    return bool(of_it) and is_same_value(fact.value, change.gone)


def _can_stay(fact: Fact, candidate: Candidate) -> bool:
    """ "I'm a mother now", said by a nurse: nothing says that the other is gone."""
    if candidate.leaning or not (candidate.single and fact.single):
        return False
    same = is_same_attribute(fact.attribute, candidate.attribute) and _is_of_same(fact, candidate)
    return same and not excludes(candidate, fact, changed=True)


def _moved(candidate: Candidate, about: Sequence[Fact]) -> list[Fact]:
    """ "the report slipped to Monday", where the report is known to be due on Friday."""
    if candidate.kind not in _OF_A_DAY or not (candidate.single and candidate.change.new):
        return []
    same = [fact for fact in about if is_same_attribute(fact.attribute, candidate.attribute)]
    return [fact for fact in same if _evidence_at(fact) <= _said_at(candidate)]


def _is_denied(fact: Fact, candidate: Candidate, denied: str) -> bool:
    if fact.ended or not (is_same_value(fact.value, denied) or is_part(denied, fact.value)):
        return False
    related = is_same_attribute(fact.attribute, candidate.attribute) or is_related_attribute(
        fact.attribute, candidate.attribute
    )
    return related or ({fact.kind, candidate.kind} <= _WORKING)


def _has_order(candidate: Candidate, rivals: Sequence[Fact]) -> bool:
    """The new statement is a correction, or later and more than a guess."""
    if candidate.correction:
        return True
    firm = candidate.confidence is not Confidence.LOW
    in_talk = candidate.message_id is not None and not candidate.change
    gap = ONE_BREATH_MS if in_talk else 0
    return firm and all(_said_at(candidate) > _evidence_at(fact) + gap for fact in rivals)


def _is_told_of_before(candidate: Candidate, rivals: Sequence[Fact]) -> bool:
    """ "in Madrid since 2020", said after "in Porto since 2025": later said, and not later so."""
    is_change = candidate.correction or bool(candidate.change)
    return not is_change and any(is_begun_before(candidate, fact) for fact in rivals)


def _evidence_at(fact: Fact) -> int:
    """When the latest words for a fact were said."""
    times = [source.at for source in fact.sources if source.at is not None]
    return max(times) if times else fact.recorded_at


def _said_at(candidate: Candidate) -> int:
    return candidate.at if candidate.at is not None else candidate.valid_from or 0
