"""Signs of what people do for long: work, habits, likes, turns of a life."""

import re
from dataclasses import dataclass

from hermes.memory.facts.change import is_of_a_moment
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import (
    EVENT_NOUNS,
    FUNCTIONS,
    KIN_PLURAL,
    PASSING_NOUNS,
    RELATIONS,
)
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.tools import find_purpose

_BARE_DAY = re.compile(
    r"(?i)\bthe \d{1,2}(?:st|nd|rd|th)\b(?! (?:of|this|next|[jfmasond][a-z]+)\b)"
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What stands around a clause: its time, and how its sentence was announced.

    `decided`: as a decision; `explicit`: as something to remember; `told`: as news ("fyi", "note");
    `correction`: as a correction; `laughing`: with laughter; `standing`: for good ("from now on").
    `ahead`: the day that its sentence named last, or 0.
    """

    at: int
    decided: bool = False
    explicit: bool = False
    told: bool = False
    correction: bool = False
    laughing: bool = False
    standing: bool = False
    ahead: int = 0

    def day_from(self, text: str) -> int:
        """The day that a bare "the 21st" is seen from: the one its sentence named before it."""
        return self.ahead if self.ahead and _BARE_DAY.search(text) else self.at


_FREQUENT = frozenset(
    "every each daily weekly monthly usually always never rarely seldom only mondays tuesdays "
    "wednesdays thursdays fridays saturdays sundays weekends weekdays mornings evenings nights "
    "week "
    "often mostly typically weekday twice".split()
)


_LIFE = frozenset(
    "house flat apartment home car dog cat puppy kitten greyhound book novel phd masters master's "
    "degree thesis marathon ankle leg arm wrist rib shoulder collarbone business company shop seed "
    "round business mum mom dad grandmother grandfather boat van farm land triathlon album award "
    "licence license bachelor studies baby greyhound tortoise rabbit horse".split()
)


_SOLID_HOBBIES = frozenset(
    "play sing collect volunteer brew knit garden climb paint dance sail row ski juggle "
    "fence".split()
)


def lows_of(frame: Frame) -> set[str]:
    return {token.low for token in frame.words}


def is_posted(frame: Frame, _: Setting) -> bool:
    """Work by what surrounds it: an employer, a place, years, or a name of a department."""
    if any(t.low in {"this", "that", "it"} for t in frame.object[:1]):
        return False
    if frame.object and frame.object[-1].low in FUNCTIONS and frame.object[0].tag != "DET":
        return True
    org = frame.slot("at", "for", "with")
    if org is not None and values.is_org(org.words):
        return True
    place = frame.slot("in", "near")
    if place is not None and values.is_place(place.words):
        return True
    since = frame.slot("since", "for")
    long = since is not None and any(
        t.low in {"years", "year", "ages", "decades"} for t in since.words
    )
    return long or {"for", "a", "living"} <= lows_of(frame)


def is_serious(frame: Frame, setting: Setting) -> bool:
    return not setting.laughing


def is_intransitive(frame: Frame, _: Setting) -> bool:
    """Who moves themselves; "moving in with my mum for a year to save" goes to no place "Save"."""
    goal = frame.slot("to")
    why = goal is not None and goal is frame.slots[-1] and frame.slots[0].prep in {"in", "out"}
    if why and goal is not None and spell(goal.words).islower():
        return False
    return not frame.object or frame.object[-1].low in {"house", "home", "back", "everything"}


def is_liked(frame: Frame, _: Setting) -> bool:
    """A thing one can like for long, not a weekday and not what went just wrong."""
    passing = {
        "error",
        "bug",
        "bugs",
        "on-call",
        "myself",
        "option",
        "version",
        "suggestion",
        "idea",
    }
    found = {t.low for t in frame.rest}
    return not found & (passing | values.CALENDAR | {"when", "how", "where"})


def has_left(frame: Frame, _: Setting) -> bool:
    """ "I left Lumen": not "Lumen's laptop at home", and not for an hour."""
    told = object_text(frame)
    if "'s" in told.replace("’", "'") or is_of_a_moment(" ".join(t.text for t in frame.rest)):
        return False
    return bool(values.names_in(frame.object)) and not find_purpose(told)


_BUSY = frozenset(
    "need want have see get try think know hope like look fix find talk ask check wait debug "
    "call install "
    "upgrade restart be do say go come love hate mean feel guess seem remember forget care mind "
    "make take "
    "give tell show hit expect wish bet believe understand work plan lose win break".split()
)


def is_steady(frame: Frame, _: Setting) -> bool:
    """A present habit of work that names its tool: "we monitor everything with Grafana"."""
    if frame.verb in _BUSY or frame.negated or frame.modal or not frame.verb:
        return False
    return not any(t.low in {"this", "that", "it", "these", "here"} for t in frame.rest)


def is_ruled(frame: Frame, setting: Setting) -> bool:
    """Said by a team as a rule, in a sentence that announces one."""
    if (
        not setting.decided
        or frame.verb in _BUSY - {"do", "take", "make", "go", "work"}
        or frame.modal in {"can", "ca", "must"}
    ):
        return False
    strong = {t.low for t in frame.words} & {
        "no",
        "never",
        "always",
        "only",
        "every",
        "not",
        "n't",
        "anymore",
    }
    named = [t for t in frame.rest if t.tag in {"NAME", "NUM", "ADDR"}]
    return bool(strong or named) and not frame.has("this", "that", "it")


_CODING = frozenset(
    "click open save type press paste copy import pass return define add remove delete create "
    "send run "
    "execute print parse load select query test compile build push commit merge rebase hit "
    "enter log use "
    "start stop move switch set put turn read write change let keep follow notice realise "
    "realize agree "
    "appreciate assume doubt suppose wonder bring leave deploy update close reset apologise "
    "apologize "
    "recommend suggest prefer love hate like live call agree miss promise swear".split()
)


def is_habitual(frame: Frame, _: Setting) -> bool:
    """A present custom of one's own: "I coach the under-12s at SV Adler", "I keep bees"."""
    if frame.form != "VB" or frame.verb in {"quit", "learn", "meet", "owe"}:
        return False
    if (
        frame.verb in _BUSY | (_CODING - {"keep"})
        or frame.negated
        or frame.modal
        or frame.tense != "present"
    ):
        return False
    if (
        any(t.low in {"this", "that", "it", "these", "here", "you", "your"} for t in frame.rest)
        or frame.tail
    ):
        return False
    if values.is_activity(frame.object):
        return False
    named = any(values.names_in(slot.words) for slot in frame.slots)
    custom = frame.verb in {
        "keep",
        "wear",
        "coach",
        "share",
        "own",
        "grow",
        "breed",
        "teach",
        "train",
        "mentor",
        "foster",
    }
    bare = (
        bool(frame.object)
        and frame.object[0].tag in {"NOUN", "NAME"}
        and frame.object[-1].low.endswith("s")
    )
    return named or (custom and bare)


def is_owned(frame: Frame, _: Setting) -> bool:
    found = frame.object
    if not found or found[0].tag == "PRON" or frame.negated:
        return False
    head = found[-1].low
    if head in PASSING_NOUNS | EVENT_NOUNS or any(t.low in PASSING_NOUNS for t in found):
        return False
    if head.endswith(("exception", "error")) or head.isdigit():
        return False
    if any(t.low in RELATIONS or t.low in KIN_PLURAL for t in found):
        return False
    named = [t for t in values.names_in(found) if t.is_capital or any(map(str.isdigit, t.text))]
    return bool(named) and found[0].tag in {"DET", "NUM", "POSS", "NAME", "ADJ"}


def is_hobby(frame: Frame, _: Setting) -> bool:
    return frame.verb in _SOLID_HOBBIES and not frame.has("video", "this", "that", "it")


def is_frequent(frame: Frame, _: Setting) -> bool:
    lows = lows_of(frame)
    if {"every", "time"} <= lows or lows & {"it", "this", "that"}:
        return False
    return bool(lows & _FREQUENT) and frame.verb not in {"get", "be"}


def is_refused(frame: Frame, setting: Setting) -> bool:
    topics = {"meetings", "calls", "interviews", "linkedin", "phone", "anymore", "ever", "weekends"}
    return bool(lows_of(frame) & (topics | _FREQUENT - {"never"}))


def is_life_object(frame: Frame, _: Setting) -> bool:
    if frame.verb == "launch":
        return any(t.is_capital for t in values.names_in(frame.object))
    return any(t.low in _LIFE for t in frame.object)


def is_lived(frame: Frame, _: Setting) -> bool:
    lived = frame.tense in {"past", "perfect", "progressive"} or frame.passive
    return lived and not frame.has("this", "that", "it")


def object_text(frame: Frame) -> str:
    return " ".join(t.text for t in frame.object)


_DOSE = frozenset("mg mcg ug ml units iu".split())
_DRUG = re.compile(
    r"(?:\w{3,}(?:pril|sartan|statin|olol|formin|gliptin|gliflozin|glutide|prazole|dipine|oxetine|"
    r"triptyline|cycline|cillin|xaban|parin|lukast|mab)|insulin|warfarin|levothyroxine|sertraline|"
    r"citalopram|escitalopram|venlafaxine|methotrexate|prednisolone|prednisone|lithium|ritalin|"
    r"methylphenidate|tamoxifen|ozempic|antidepressants|ssris?|statins|blood thinners?|"
    r"beta[- ]?blockers?|the pill|hrt)"
)
_TODAY = frozenset("today tonight tomorrow".split())


def is_dosed(frame: Frame, _: Setting) -> bool:
    """ "I'm on lisinopril 10 mg": a medicine by its dose, or by its name."""
    slot = frame.slot("on")
    lows = [t.low for t in slot.words] if slot is not None else []
    dosed = any(t.tag == "NUM" for t in frame.rest) and any(t.low in _DOSE for t in frame.rest)
    return bool(lows) and (dosed or bool(_DRUG.match(" ".join(lows))))


def is_traded(frame: Frame, _: Setting) -> bool:
    """ "I sell ceramics": a trade, and no one thing that is for sale."""
    found = frame.object
    things = bool(found) and found[0].tag in {"NOUN", "ADJ", "VERB"} and frame.form == "VB"
    return things and not lows_of(frame) & _TODAY and "?" not in spell(frame.tail)


SIGNS_OF_TRADE_AND_BODY = {"@dosed": is_dosed, "@traded": is_traded}
