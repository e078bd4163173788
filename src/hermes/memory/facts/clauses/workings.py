"""Signs of how things are arranged for long: what goes through what, where things are kept, what
is done how often, what a work is about.

Each looks at the words of one frame; what is said of this hour, or of people, has none of them.
"""

from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.certainty import ERRAND
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import (
    KIN_PLURAL,
    MOMENTARY,
    PASSING_NOUNS,
    PETS,
    RELATIONS,
)
from hermes.memory.facts.clauses.slots import Words, spell
from hermes.memory.facts.clauses.stance import is_brief
from hermes.memory.facts.clauses.tools import is_tool

_KEPT = frozenset(
    "doc document documentation transcript recording photo picture video file note minute ticket "
    "task issue bug spec design mockup code source secret password key credential token "
    "certificate cert log metric dashboard alert backup snapshot config configuration setting data "
    "dataset model weight image artifact artefact package build receipt invoice contract template "
    "script manuscript draft chapter recipe record paper citation reference pdf slide deck asset "
    "font contact lead order inventory stock spare manual runbook playbook wiki repo repository "
    "state schema migration translation string requirement roadmap backlog sample spreadsheet "
    "sheet report bookmark todo calendar archive".split()
)
_WORKS = frozenset(
    "thesis dissertation paper book novel talk phd essay article podcast blog newsletter poster "
    "keynote lecture seminar".split()
)
_STATES = frozenset(
    "hold track time schedule ice pause sale paper loan fire mute repeat github arxiv zoom teams "
    "youtube amazon hand display".split()
)
_PURSUITS = frozenset(
    "novel book memoir thesis dissertation phd screenplay play musical album game app cookbook "
    "podcast blog family ancestry genealogy history biography opera symphony comic textbook "
    "monograph boat motorbike motorcycle camper van piano organ barn farmhouse cottage".split()
)
_OFTEN = frozenset(
    "every each daily weekly biweekly fortnightly monthly nightly hourly quarterly yearly annually "
    "overnight".split()
)
_NO_RHYTHM = frozenset("time commit save push request click deploy step word".split())


def is_arranged(frame: Frame, _: Setting) -> bool:
    """ "jobs go through slurm": things of a sort, each time, by one way."""
    subject = frame.subject
    if not _is_standing(frame) or _is_someone(frame) or subject.noun in PASSING_NOUNS:
        return False
    way = frame.slot("through", "via", "over")
    if way is None or not way.words or values.points_elsewhere(way.words):
        return False
    many = subject.noun.endswith("s") or subject.kind == "own" or subject.words[0].tag != "DET"
    return many and (_is_bare(way.words) or bool(values.names_in(way.words)))


def is_filed(frame: Frame, _: Setting) -> bool:
    """ "transcripts live in Dovetree", "the keys are kept in the blue cupboard"."""
    noun = frame.subject.noun
    kept = noun in _KEPT or noun.removesuffix("s") in _KEPT
    place = frame.slot("in", "on", "under", "at", "with")
    if not kept or not _is_standing(frame) or place is None or not place.words:
        return False
    words = place.words
    return not (values.points_elsewhere(words) or words[0].low in MOMENTARY | _STATES)


def has_rhythm(frame: Frame, _: Setting) -> bool:
    """ "is refreshed nightly from prod", "happens every second Tuesday"."""
    lows = {t.low for t in frame.rest}
    days = lows & {day for day in values.CALENDAR if day.endswith("days")}
    if not (lows & _OFTEN or days) or lows & _NO_RHYTHM:
        return False
    return not frame.negated and frame.tense == "present"


def is_on_topic(frame: Frame, _: Setting) -> bool:
    """ "my thesis is on anomaly detection"; but no talk is "on Friday", no book "on the shelf"."""
    subject, topic = frame.subject, frame.slot("about", "on")
    own = subject.kind == "own" or bool(subject.words and subject.words[0].tag == "NOUN")
    if subject.noun not in _WORKS or not own or topic is None or not topic.words or frame.negated:
        return False
    if topic.prep == "about":
        return True
    first = topic.words[0]
    if first.tag in {"DET", "POSS", "NUM", "PRON", "OBJ", "ADDR"} or first.low in _STATES:
        return False
    return first.low not in values.CALENDAR and not is_tool(first.low)


def is_resolved(frame: Frame, _: Setting) -> bool:
    """ "we've decided not to renew": settled, and no errand."""
    told = spell(frame.words)
    for_good = frame.tense == "perfect" or frame.has("not")
    passing = (
        ERRAND.search(told) or is_brief(told) or any(t.low in PASSING_NOUNS for t in frame.rest)
    )
    return for_good and not frame.modal and not passing


def is_pursued(frame: Frame, _: Setting) -> bool:
    """ "I'm researching my family tree": a work of months; but no mail, and no test."""
    lows = {t.low for t in frame.object}
    first = frame.object[0].low if frame.object else ""
    return bool(lows & _PURSUITS) and first not in {"this", "that", "the", "your"}


def _is_standing(frame: Frame) -> bool:
    return frame.tense == "present" and not frame.negated and not frame.modal


def _is_someone(frame: Frame) -> bool:
    noun = frame.subject.noun
    people = noun in RELATIONS | PETS or noun in KIN_PLURAL or noun in {"people", "everyone"}
    return people or values.is_person(frame.subject.words)


def _is_bare(words: Words) -> bool:
    """ "slurm", "the bastion": one thing that is called so."""
    return len(values.core(words)) <= 2 and words[0].tag in {"NOUN", "NAME", "ADDR", "DET", "PUNCT"}
