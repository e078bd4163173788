"""What is said without a verb: introductions, labels, "Postgres it is", "no Friday deploys"."""

import re

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.introductions import name_fact, whereabouts
from hermes.memory.facts.clauses.labels import Words, role_facts, slots_of, tool_fact
from hermes.memory.facts.clauses.lexicon import (
    ANSWER_NOUNS,
    ENVIRONMENTS,
)
from hermes.memory.facts.clauses.slots import spell, split_slots
from hermes.memory.facts.clauses.tools import SAME_PURPOSE, find_purpose
from hermes.memory.facts.clauses.wording import others
from hermes.types import FactKind


def find_fragment(frame: Frame, setting: Setting, *, introduced: bool) -> list[Candidate]:
    """The fact of a clause that has no verb; `introduced` says that the speaker was just named."""
    words = [t for t in frame.rest if t.tag not in {"EMOJI"}]
    while words and words[-1].tag in {"INTJ", "PUNCT"}:
        words.pop()
    if not words:
        return []
    for read in (_terse, _fan, _here, _parent, _diet, _refusal, _home, _where, _rhythm, _still):
        if found := read(words, frame, setting):
            return found
    if values.is_role(words) and words[0].tag not in {"POSS", "PRON"}:
        return list(role_facts(words, introduced=introduced))
    return []


def find_as_a(words: Words) -> list[Candidate]:
    """ "as a diabetic, what should I": what one is, taken for granted."""
    lows = [t.low for t in words[:4]]
    if lows[:2] not in (["as", "a"], ["as", "an"]) or not values.is_condition(words[2:4]):
        return []
    end = 3 if values.is_condition(words[2:3]) else 4
    value = spell(words[2:end])
    return [Candidate(f"User is {value}", FactKind.OTHER, USER, "trait", value)]


_FILLING = frozenset("then so ok okay alright right great fine yes yep".split())
_CHOOSING = (
    *("let 's go with", "lets go with", "let 's use", "lets use", "let 's stick with"),
    *("let 's stay with", "going with", "we 'll go with", "we will go with", "i 'll go with"),
    *("we 'll stick with", "settled on", "we settled on", "we 've settled on"),
)
_CHOOSING_THEN = ("we 'll use", "we will use", "i 'll use")  # a choice where "then" follows
_CHOSEN_WORDS = 6
_AT_ISSUE = re.compile(r"(?i)\b(?:the|that|this) (\w+) (?:thing|question|issue|matter)\b")
_USE_WORDS = 3
_NO_USES = frozenset(
    "now start beginning moment time sake rest future project team everything reason reasons "
    "week month year today good".split()
)


def find_it_is(words: Words, said: str = "") -> list[Candidate]:
    """ "Postgres it is then", "let's go with Postgres": something with a name was chosen; or an
    amount of what was `said` before, as in "the rate thing: 0.13 it is, from 1 January"."""
    if amount := _amount_it_is(words, said):
        return amount
    commas = [n for n, t in enumerate(words) if t.low == ","]
    called = (
        commas[-1] + 1 if commas and values.is_person(words[commas[-1] - 1 : commas[-1]]) else 0
    )
    own = words[called:] if called > 1 else words  # "Done, Henrike, tenors it is"
    plain = [t for t in own if t.tag not in {"INTJ", "PUNCT", "EMOJI"} and t.low not in _FILLING]
    if words and words[-1].text == "?":
        return []
    if len(plain) >= 3 and [t.low for t in plain[-2:]] in (["it", "is"], ["it", "'s"]):
        return _choice(plain[:-2])
    said = " ".join(t.low for t in plain)
    ends_then = any(t.low == "then" for t in words[-2:])
    for opening in (*_CHOOSING, *(_CHOOSING_THEN if ends_then else ())):
        if said.startswith(f"{opening} "):
            return _choice(plain[len(opening.split()) :])
    return []


def _amount_it_is(words: Words, said: str) -> list[Candidate]:
    about = [found[1].lower() for found in _AT_ISSUE.finditer(said)]
    told = [t for t in words if t.tag not in {"INTJ", "EMOJI"}]
    end = next((n for n, t in enumerate(told) if t.low in {"it"}), 0)
    is_then = [t.low for t in told[end : end + 2]] in (["it", "is"], ["it", "'s"])
    if not (about and is_then and 0 < end < _CHOSEN_WORDS and told[0].tag == "NUM"):
        return []
    value, since = spell(told[:end]), spell(told[end + 2 :])
    text = f"User decided on {value} for the {about[-1]}{', ' if since else ''}{since}"
    return [Candidate(text, FactKind.DECISION, USER, about[-1], value, single=True)]


def _choice(words: Words) -> list[Candidate]:
    """What was chosen, if it has a name and is nobody to go along with."""
    purposes = [n for n, t in enumerate(words) if t.low == "for"]
    chosen = words[: purposes[0]] if purposes else words
    if not chosen or len(words) > _CHOSEN_WORDS or values.is_person(chosen[:1]):
        return []
    named = [t for t in chosen if t.tag == "NAME"]
    if (
        not named
        or values.points_elsewhere(chosen)
        or not (find_purpose(spell(chosen)) or chosen[0].is_capital)
    ):
        return []
    value = spell(chosen)
    use = _use(words[purposes[0] + 1 :]) if purposes else ""
    attribute = use or find_purpose(value) or f"decision:{value.lower()}"
    return [
        Candidate(
            f"User's team decided on {spell(words)}",
            FactKind.DECISION,
            USER,
            attribute,
            value,
            single=":" not in attribute,
        )
    ]


def _use(words: Words) -> str:
    """ "for the queue": what it was chosen for names the slot, whatever else it could be used
    for; a name after "for" is a project and names none."""
    nouns = [t for t in words if t.tag not in {"DET", "POSS"}]
    if not 0 < len(nouns) <= _USE_WORDS or nouns[-1].tag != "NOUN":
        return ""
    if any(t.tag not in {"NOUN", "ADJ"} or t.low in values.CALENDAR for t in nouns):
        return ""
    noun = spell(nouns).lower()
    return "" if noun in _NO_USES else SAME_PURPOSE.get(noun, noun)


def _here(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "Tom Haversham here from Lockwood & Sons"."""
    end = 0
    while end < len(words) and words[end].tag == "NAME" and end < 3:
        end += 1
    if (
        not end
        or end >= len(words)
        or words[end].low != "here"
        or not values.is_person(words[:end])
    ):
        return []
    slots, _ = split_slots(words[end + 1 :])
    return [
        name_fact(spell(words[:end])),
        *whereabouts(slots_of(slots, "from"), slots_of(slots, "at"), role=True),
    ]


def _parent(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "mum of three here"."""
    lows = [t.low for t in words]
    if (
        lows[0] not in {"mum", "mom", "dad", "mother", "father", "parent"}
        or "of" not in lows[:2]
        or len(lows) < 3
    ):
        return []
    text = f"User is a {' '.join(lows[:3])}"
    return [Candidate(text, FactKind.RELATIONSHIP, USER, "children", lows[2])]


def _diet(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    plain = [t for t in words if t.tag not in {"ADV", "INTJ", "DET"}]
    if not plain or not values.is_diet(plain[:2]) or len(plain) > 2:
        return []
    marked = any(t.low in {"btw", "here", "fyi"} for t in frame.words)
    value = plain[0].low
    return (
        [Candidate(f"User is {value}", FactKind.PREFERENCE, USER, "diet", value, single=True)]
        if marked
        else []
    )


_NO_SUCH = frozenset(
    "idea problem worries way rush clue luck fever one wonder objections bugs "
    "pressure need thanks doubt coffee discussion please pls ui readme wait going exception "
    "exceptions excuse excuses".split()
)


def _refusal(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "no more Friday deploys", "no dairy for me", "no meetings on Wednesdays" once announced."""
    if words[0].low != "no" or len(words) < 2 or len(words) > 9:
        return []
    lows = {t.low for t in words}
    if lows & _NO_SUCH:
        return []
    value = spell(words)
    if lows & ANSWER_NOUNS:
        return []
    more = words[1].low == "more" and any(t.tag == "NAME" for t in words)
    own = {"for", "me"} <= lows and "today" not in lows
    if own or (setting.explicit and not (setting.decided or more)):
        what = spell(words[1:-2] if own else words[1:])
        return [
            Candidate(
                f"User wants no {spell(words[1:])}", FactKind.PREFERENCE, USER, "avoids", what
            )
        ]
    if setting.decided or more:
        return [
            Candidate(
                f"User's team decided: {value}",
                FactKind.DECISION,
                USER,
                f"decision:{value.lower()[:40]}",
                value,
            )
        ]
    return []


_OF_A_PERSON = frozenset(
    "widow widower retired pensioner student single married divorced unemployed mum mom dad mother "
    "father parent grandmother grandfather job shifts freelance freelancer self-employed".split()
)
_GROWN = range(12, 100)


def _terse(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "52, lorry driver": an age and what one is, of who says it."""
    if len(words) < 3 or words[1].low != "," or not words[0].text.isdecimal():
        return []
    said = words[2 : next((n for n in range(2, len(words)) if words[n].low == ","), len(words))]
    person = values.is_role(said) or bool({t.low for t in words} & _OF_A_PERSON)
    if int(words[0].text) not in _GROWN or not person or any(t.tag == "NUM" for t in said):
        return []
    text = f"User is {others(words)}"
    return [Candidate(text, FactKind.IDENTITY, USER, "age", words[0].text, single=True)]


def _fan(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "not a fan of horror movies", "big fan of boring technology here"."""
    lows = [t.low for t in words]
    if "fan" not in lows[:4] or "of" not in lows[1:6]:
        return []
    value = spell([t for t in words[lows.index("of") + 1 :] if t.low != "here"])
    denied = any(t.low in {"not", "no"} for t in frame.words[: lows.index("fan") + 2])
    attribute = "dislikes" if denied else "likes"
    return (
        [Candidate(f"User {attribute} {value}", FactKind.PREFERENCE, USER, attribute, value)]
        if value
        else []
    )


def _where(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "dev on minikube, live on GKE"."""
    if len(words) < 3 or words[0].low not in ENVIRONMENTS or words[1].tag != "PREP":
        return []
    value = spell(words[2:])
    return [
        Candidate(
            f"{words[0].text} {words[1].low} {value}",
            FactKind.ENVIRONMENT,
            words[0].low,
            "runs on",
            value,
            single=True,
        )
    ]


def _rhythm(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "releases every second Tuesday", once announced."""
    lows = {t.low for t in words}
    if not (setting.decided or setting.told or setting.explicit) or not lows & {
        "every",
        "each",
        "daily",
        "weekly",
        "anytime",
    }:
        return []
    if words[0].tag not in {"NOUN", "NAME"} or len(words) > 9:
        return []
    value = spell(words)
    return [
        Candidate(
            f"User's team: {value}",
            FactKind.DECISION,
            USER,
            f"schedule:{words[0].low}",
            value,
            single=True,
        )
    ]


def _still(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "Node 18 still on our side"."""
    lows = {t.low for t in frame.words}
    if not ({"on", "our", "side"} <= lows or {"here", "still"} <= lows or {"at", "work"} <= lows):
        return []
    value = spell([t for t in words[:3] if t.tag in {"NAME", "NUM"}])
    return [tool_fact(value)] if value and find_purpose(value) else []


def _home(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "back home in Tallinn after 4 years in London"."""
    lows = [t.low for t in frame.words if t.tag != "INTJ"]
    if not lows or "home" not in lows[:2]:
        return []
    slots, _ = split_slots(words)
    place = slots_of(slots, "in")
    if not place or not values.is_place(place):
        return []
    text = spell(values.core(place))
    return [
        Candidate(f"User lives in {text}", FactKind.IDENTITY, USER, "location", text, single=True)
    ]
