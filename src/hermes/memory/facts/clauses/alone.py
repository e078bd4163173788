"""A reading must stand by itself, months later: what it is about is named in it, or it is left.

Here is the one place where that is looked at, after the readers and the gate. A noun that is a part
of something ("the budget", "submission") is given the topic that was spoken of; what points at
words that nobody will see ("mine", "the other one", "there") is left.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.clock import to_datetime
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.frame import Frame, parse
from hermes.memory.facts.clauses.lexicon import KIN_PLURAL, RELATIONS, UNITS
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.memory.facts.clauses.topics import find_kind, find_tool, find_topic
from hermes.memory.facts.clauses.values import CALENDAR
from hermes.memory.facts.clauses.wellformed import is_garbled, tidied
from hermes.memory.facts.clauses.whose import with_owner

NEARBY = 4_000  # characters before a reading that may name its topic; each has to look through them


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said up to a reading: its own message, the user's earlier ones with the nearest
    first, and the question that was answered."""

    message: str
    earlier: Sequence[str] = ()
    question: str = ""
    at: int | None = None


# parts of something: what they are parts of must be said
_PARTS = frozenset(
    "deadline submission budget source target copy start end finish beginning half part scope "
    "minimum maximum min max limit retention format status goal goals phase step answer result "
    "results date day window reason theme owner total hand-in handin cutoff cut-off due timeline "
    "schedule camera-ready everything install installation venue guests seats "
    "rows turnout capacity failover fallback name title".split()
)
_OF_TOOLS = frozenset("retention limit minimum maximum min max".split())
# understood by themselves, and better with what they belong to
_BELONGING = frozenset(
    "exam test training gym teacher trainer coach class lesson session rehearsal rehearsals "
    "practice match hearing location room topic version port lead contact client "
    "clients customers supplier publisher editor designer builder architect photographer "
    "caterer price cost fee rate plan shift router model number default template files data docs "
    "branch account book reader chapter launch release go-live golive kickoff "
    "kick-off demo review soil queen captain treasurer colour color colours font logo tone voice "
    "audience sponsor deposit ticket tickets hotel flight".split()
)
_OWN = RELATIONS | frozenset(
    "boss supervisor advisor adviser accountant lawyer solicitor dentist doctor gp therapist "
    "landlord landlady agent passport visa permit exam surgery notary mortgage pension salary rent "
    "thesis dissertation hometown birthday".split()
)
_EMPTY = frozenset(
    "new next last final first main current old own other whole full only second third total max "
    "min internal public working minimum maximum official actual real exact earliest latest".split()
)
_POINTING = re.compile(
    r"(?i)^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day is|"
    r"mine|ours|yours|both|another|others?|the (?:others?|rest|former|latter|same)|"
    r"half (?:of|is|are)|these|those|this|that|it|he|she|they|them|there|some (?:of|are)|neither|"
    r"either|none|one (?:is|of)|due date is|number (?:\d+|one|two|three)|(?:the )?(?:next|other|"
    r"first|second|third|last) (?:is|are|was|has|have|one)|"
    r"\w+ of (?:mine|ours|them|these|those))\b|"
    r"^(?:the )?[\w-]+ ones? (?!(?-i:[A-Z]))"
)
_ENDS_POINTING = re.compile(
    r"(?i)\b(?:there|the (?:(?:sun|mon|tues|wednes|thurs|fri|satur)?day|week|month|evening|night) "
    r"(?:before|after)|the same|that one|this one|(?<!, )the (?:\w+ )?one)$"
)
_DUE = re.compile(r"(?i)due date is\b")
_EXPECTING = re.compile(r"(?i)\b(?:bab(?:y|ies)|pregnan\w+|midwife|ultrasound|expecting)\b")
_COUNTS_UP = re.compile(r": (?:One|(?:The )?(?:[Oo]ther|[Ff]irst|[Ss]econd)) (?:is|are|was|has)\b")
_COUNTED = re.compile(r"(?i)\bthe (?:two|three|four)(?: (?:at|in|on|with|for|from)\b|$)")
_HEADED = re.compile(
    r"(?im)^[^\n:;]{0,40}\b(?:re|regarding|concerning|about) (?:the |our |my )?"
    r"(?P<what>[^\n:;!?]{3,60}): (?!\n)[^\n]*$"
)
_HERE = re.compile(r"(?i)(?<=\w) here$")
_OF_SOMETHING = frozenset(
    "go own keep drop raise lower take do host rotate start begin finish hand deliver register "
    "submit change switch shift postpone count get have use need pay book buy sell lead defend "
    "present open close bring make send write".split()
)
_TIMES = frozenset(
    "week weeks month months day days year years quarter quarters morning mornings evening "
    "evenings weekend weekends time times few couple noon midnight night nights end beginning "
    "middle mid st nd rd th".split()
)
_OF_USER = re.compile(r"User(?:'s team)? [a-z]")
_BARE_VERSION = re.compile(
    r"(?P<on>User(?:'s team| \(with others\))? (?:is|are)(?: still| now)? on) v?\d+(?:\.[\dx]+)+\b"
)
_ONE_THING = re.compile(r"User wants Hermes to \w+ (?:the new|the old|the other|this|that|it)\b")
_POINTERS = frozenset("that it this them him her one so there those these both u ya you".split())
_COUNTED_ONES = frozenset("people employees engineers developers members kids children".split())
_ANYONE = frozenset("everyone everybody people kids children anyone nobody team family".split())
_TAKEN_BACK = re.compile(
    r"(?i)[\s.…,–-]*(?:i mean\b|no,? wait|wait,? no|scratch that|sorry,? no|not really\b|jk\b|"
    r"just kidding)"
)
_I = re.compile(r"(?i)\bi(?:'\w+)?\b")
_WE = re.compile(r"(?i)\b(?:we|our|us|team|let'?s|everyone|policy|rules?|decided|agreed)\b")
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_RELATIVE = re.compile(
    r"(?i)\b(?:yesterday|today|tonight|tomorrow|"
    r"(?:last|next|this) (?:week|month|year|weekend|night|"
    rf"summer|winter|spring|autumn|fall|quarter|{_DAYS})|"
    rf"(?:\d+|an?|two|three|few|some) (?:days|weeks?|months?|years?) ago|"
    rf"(?:\d+|two|three|four|five|ten) (?:months|years|yrs) now|"
    rf"(?:on|since|from|until|by) {_DAYS})"
    r"\b(?!s| (?:morning|afternoon|evening|night)s)"
)
_EVER = re.compile(r"(?i)\b(?:always|never|usually|only)\b")
_ON_DAY = re.compile(rf"(?i)\b(?:on|until|by) {_DAYS}\b")
_PART_LABEL = re.compile(r"(?:The |the )?(?P<noun>[A-Za-z-]+): ")
_HE = frozenset("he she him her his hers".split())
_BARE_PRONOUNS = frozenset("it its him her hers them there those these".split())
_ASKED = re.compile(r'^Asked "(?P<question>.*)", User answered: ')
_ASKS_OF = re.compile(r"(?i)\b(?:it|that|this|them|those|here|there|one|he|she|him)\b")
_LABEL = re.compile(r"^[^:]{2,60}: ")
_DAY = re.compile(r" \((?:on |due )?\d{4}-\d\d-\d\d(?: or \d{4}-\d\d-\d\d)?\)")


def stand_alone(candidate: Candidate, heard: Heard) -> Candidate | None:
    """The candidate with what it is about, or None where nobody could tell."""
    if is_garbled(candidate) or candidate.value.casefold() in _POINTERS:
        return None
    if _is_taken_back(candidate, heard) or _is_nobodys(candidate, heard):
        return None
    told = with_owner(tidied(candidate), _before(candidate, heard))
    placed = _placed(told, heard) if told is not None else None
    return _as_of(placed, heard) if placed is not None else None


def _is_taken_back(candidate: Candidate, heard: Heard) -> bool:
    """ "she eats nothing beige … I mean only beige"."""
    start = heard.message.find(candidate.quote)
    return start >= 0 and bool(_TAKEN_BACK.match(heard.message, start + len(candidate.quote)))


def _is_nobodys(candidate: Candidate, heard: Heard) -> bool:
    """A decision of a team that is nowhere: "I switched to Helix. no plugins, no config"."""
    decided = candidate.text.startswith("User's team decided: no ")
    return decided and bool(_I.search(heard.message)) and not _WE.search(heard.message)


def _as_of(candidate: Candidate, heard: Heard) -> Candidate:
    """With the day on which it was said, where it tells of one that only then was clear."""
    text = candidate.text
    if heard.at is None or _DAY.search(text) or not _RELATIVE.search(text):
        return candidate
    if _EVER.search(text) and not _RELATIVE.search(_ON_DAY.sub("", text)):
        return candidate  # "never takes calls on Friday"
    return replace(candidate, text=f"{text} (said {to_datetime(heard.at):%Y-%m-%d})")


def _placed(candidate: Candidate, heard: Heard) -> Candidate | None:
    """The same, before the time is looked at."""
    if _HERE.search(candidate.text):
        candidate = replace(candidate, text=_HERE.sub("", candidate.text))
    text = _DAY.sub("", candidate.text).rstrip(" .")
    if asked := _ASKED.match(text):
        return None if _ASKS_OF.search(asked["question"]) else candidate
    if _COUNTS_UP.search(text):
        return None
    if label := _PART_LABEL.match(text):
        return _labelled(candidate, label["noun"].lower(), heard)
    if _LABEL.match(text):
        return candidate
    if _points_back(text, candidate.quote) or _are_unnamed(text, candidate.quote):
        return None
    if text.startswith(("User", "By '")):
        return _with_object(candidate, text, heard)
    return _with_topic(candidate, text, heard)


def _points_back(text: str, quote: str) -> bool:
    """Whether it speaks of something only by a pronoun: "I look for it every summer"."""
    if _COUNTED.search(text) and _COUNTED.search(quote.rstrip(" .!")):
        return True
    if _ENDS_POINTING.search(text) and _ENDS_POINTING.search(quote.rstrip(" .!")):
        return True
    shown = {token.low for token in tokenize(text)}
    if _HE & shown and not any(_is_someone(token) for token in tokenize(text)[1:]):
        return True
    for token in tokenize(quote):
        if token.tag in {"NOUN", "NAME", "ADDR"} and token.low not in RELATIONS:
            return False
        if token.low in _BARE_PRONOUNS and token.low in shown:
            return not _is_expletive(quote, token)
    return False


def _are_unnamed(text: str, quote: str) -> bool:
    """ "blight got them": nobody said which, and it is not the user either."""
    words = tokenize(quote)
    place = next((n for n, t in enumerate(words) if t.low in {"them", "they", "their"}), -1)
    if place < 0 or not {"them", "they", "their"} & {t.low for t in tokenize(text)}:
        return False
    before = words[:place]
    named = any(t.tag in {"NOUN", "NAME"} and t.low.endswith("s") for t in before)
    listed = sum(t.tag == "NAME" for t in before) > 1
    several = _ANYONE | KIN_PLURAL.keys()  # "my sister takes them": never herself
    one = frozenset[str]() if words[place].low == "them" else RELATIONS
    anyone = any(t.low in several or t.low in one for t in before)
    return not (named or listed or anyone)


def _is_someone(token: Token) -> bool:
    return token.tag == "NAME" or token.low in RELATIONS


def _is_expletive(quote: str, token: Token) -> bool:
    """ "there is no lift", "I hate it when you hedge": no pronoun."""
    after = quote[token.end : token.end + 6].lower().lstrip()
    named = after.startswith(("is", "are", "'s", "was", "when", "that", "if"))
    return token.low in {"there", "it"} and named


def _with_topic(candidate: Candidate, text: str, heard: Heard) -> Candidate | None:
    if _POINTING.match(text):
        return _as_owned(candidate, text, heard)
    frame = parse(tuple(tokenize(text)))
    head, plain = _bare_head(frame)
    if (plain or not frame.subject.words) and (heading := _heading(candidate, heard)):
        return replace(candidate, text=f"{_capital(heading)}: {candidate.text}")
    if not frame.verb:
        return candidate
    if head == find_purpose(text):
        return candidate  # "editor is still neovim": nobody's but the user's
    if not plain or head not in _PARTS | _BELONGING | _OWN:
        return _named_fuller(candidate, head, heard) if plain else candidate
    before = _before(candidate, heard) if head not in _OWN else []
    topic = find_topic(before, besides=text, of_tool=head in _OF_TOOLS)
    if topic:
        return replace(candidate, text=f"{_capital(topic)}: {candidate.text}")
    if head in _OWN and text[: len(head)].lower() == head:
        return replace(candidate, text=f"User's {text[0].lower()}{candidate.text[1:]}")
    return None if head in _PARTS else candidate


def _heading(candidate: Candidate, heard: Heard) -> str:
    """ "Note to file, regarding Sato v. Crane: counsel is Ms Oye": what its whole line is about."""
    lines = (line for line in _HEADED.finditer(heard.message) if candidate.quote in line.group())
    found = next(lines, None)
    return found["what"] if found and found["what"] not in candidate.text else ""


def _named_fuller(candidate: Candidate, head: str, heard: Heard) -> Candidate:
    """ "the jenkins agent drops off … the agents are old": the noun as it was named first."""
    if not candidate.text.startswith("The "):
        return candidate
    kind = find_kind(head, _before(candidate, heard)[0])
    return replace(candidate, text=f"The {kind} {candidate.text[4:]}") if kind else candidate


def _labelled(candidate: Candidate, noun: str, heard: Heard) -> Candidate | None:
    """ "The owner: Carla Ruiz": of what?"""
    if noun not in _PARTS | _BELONGING:
        return candidate
    topic = find_topic(_before(candidate, heard), besides=candidate.text)
    if topic:
        return replace(candidate, text=f"{_capital(topic)}: {candidate.text}")
    return None if noun in _PARTS else candidate


def _with_object(candidate: Candidate, text: str, heard: Heard) -> Candidate | None:
    """ "User hosts in October", "User's team keeps 90 days": of what was spoken of, or left."""
    if _ONE_THING.match(text):
        return None
    if not _OF_USER.match(text):
        return candidate
    if version := _BARE_VERSION.match(text):
        tool = find_tool(_before(candidate, heard)[0])
        at = version.end("on")
        named = f"{candidate.text[:at]} {tool}{candidate.text[at:]}"
        return replace(candidate, text=named) if tool else None
    frame = parse(tuple(tokenize(text.replace("User's team", "User", 1))))
    if frame.rest and frame.verb != "turn" and all(t.tag == "NUM" for t in frame.rest):
        return None  # "I work 32"
    rises = frame.verb == "get" and frame.rest[:1] and frame.rest[0].low == "up"
    if rises or frame.verb not in _OF_SOMETHING or frame.negated:
        return candidate
    if any(_tells(token) for token in frame.rest):
        return candidate
    if not any(token.low in CALENDAR | _TIMES for token in frame.rest):
        return None  # "we own five"
    topic = find_topic(_before(candidate, heard), besides=text)
    return replace(candidate, text=f"{_capital(topic)}: {candidate.text}") if topic else None


def _tells(token: Token) -> bool:
    if token.low in CALENDAR:
        return False
    told = token.tag in {"NAME", "ADDR"} or token.low in _COUNTED_ONES
    return told or (token.tag in {"NOUN", "ADJ", "VERB"} and token.low not in UNITS | _TIMES)


def _as_owned(candidate: Candidate, text: str, heard: Heard) -> Candidate | None:
    """ "mine is a Synology", "due date is 9 July": named by what was spoken of, or left."""
    if _DUE.match(text):
        expecting = any(_EXPECTING.search(said) for said in (heard.message, *heard.earlier))
        told = f"Baby's {text[:1].lower()}{candidate.text[1:]}"
        return replace(candidate, text=told) if expecting else None
    topic = find_topic(_before(candidate, heard), besides=text)
    if not topic or not text.lower().startswith("mine "):
        return None
    return replace(candidate, text=f"User's {topic}{candidate.text[4:]}")


def _before(candidate: Candidate, heard: Heard) -> list[str]:
    """What stood before the reading, the nearest first."""
    cut = max(heard.message.find(candidate.quote), 0)
    before = heard.message[max(0, cut - NEARBY) : cut]
    return [before, *(text[-NEARBY:] for text in (heard.question, *heard.earlier))]


def _bare_head(frame: Frame) -> tuple[str, bool]:
    """The noun of the subject, and whether nothing beside it says of what."""
    words = [t for t in frame.subject.words if t.tag not in {"DET", "ADV", "INTJ", "PUNCT"}]
    telling = [t for t in words[:-1] if t.low not in _EMPTY]
    return (words[-1].low if words else ""), bool(words) and not telling


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
