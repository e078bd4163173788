"""What a message has said so far, and the project, person or thing it speaks of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.days import find_either
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import EVENT_NOUNS, RELATIONS
from hermes.memory.facts.clauses.referents import is_role_noun
from hermes.memory.facts.clauses.slots import Words, spell
from hermes.memory.facts.clauses.split import Sentence
from hermes.memory.facts.clauses.stance import has_laughter
from hermes.memory.facts.clauses.subjects import Subject, noun_subject
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.memory.facts.clauses.verbs import FORMS
from hermes.types import FactKind

_OF_WHOM = re.compile(r"(?i)\b(?:who|whose|whom|name[ds]?|call(?:ed)?)\b")
_IN_PARENTHESES = re.compile(r"\([^()]*\)")
_LAUGHS_AFTER = 12  # letters behind a sentence: ". lol", " 😂"
_LONGEST_PHRASE = 60  # letters
_ANYONE = frozenset("person someone guy woman man girl boy girlfriend kid".split())
_REMARK = 3  # words that may only greet or thank
RECENT = 40  # facts that a later clause may lean on


@dataclass
class Talk:
    """What one message has said so far, for the clauses that lean on it."""

    text: str
    at: int
    earlier: list[Candidate]
    question: str = ""
    found: list[Candidate] = field(default_factory=list)
    person: Subject | None = None
    thing: Subject | None = None
    greeted: bool = False
    introduced: bool = False
    decided: bool = False
    laughing: bool = False
    asked_for: bool = False
    scope: str = ""
    brought: str = ""  # the project that messages before this one spoke of
    as_said: list[Candidate] = field(default_factory=list)
    signs: tuple[str, ...] = ()
    place: int = 0  # where the clause begins that is read

    @property
    def before(self) -> str:
        """What the message said before the clause that is read."""
        return self.text[: self.place]

    def is_of_other(self, words: Words) -> bool:
        """Whether the clause that is read tells of whom the words before it name."""
        return is_of_other(self.before, words)

    @property
    def recent(self) -> list[Candidate]:
        """What a correction may mean: the last things said, in this message and before it."""
        return [*self.earlier[-RECENT:], *self.found[-RECENT:]]

    def notes(self, sentence: Sentence, *, asked_for: bool) -> bool:
        """Whether a sentence is to be remembered: "Remember that I work in base R. No pipes."."""
        goes_on = self.asked_for and sentence.text[:3].lower() == "no "
        self.asked_for = asked_for or goes_on
        return self.asked_for

    @property
    def has_decided(self) -> bool:
        return any(each.kind is FactKind.DECISION for each in self.found[-RECENT:])

    def is_of_itself(self, sentence: Sentence) -> bool:
        """Whether a correction can only mean words before it in its message, none of which was a
        fact: "TLS mostly, we weren't reusing any. No wait, it's DNS". Not so where it tells a day:
        "ugh, the venue double booked us. Actually it's the 20th now"."""
        said = self.text[: sentence.start].split()
        return not self.found and len(said) > _REMARK and not find_either(sentence.text, self.at)

    def laughs_at(self, sentence: Sentence) -> bool:
        """Whether laughter stands in a sentence or right behind it; what is in parentheses laughs
        at something else."""
        end = sentence.start + len(sentence.text)
        said = _IN_PARENTHESES.sub("", self.text[sentence.start : end + _LAUGHS_AFTER])
        return self.laughing and has_laughter(said)

    def keep(self, fresh: list[Candidate]) -> list[Candidate]:
        self.found += fresh
        return fresh


def scope_of(earlier: Sequence[Candidate]) -> str:
    """The project that the last fact about one named: what is decided next is decided of it."""
    last = earlier[-1] if earlier else None
    if last is None or last.kind not in {FactKind.DEADLINE, FactKind.DECISION}:
        return ""
    names = [
        name
        for name in last.entities
        if name.isalpha() and name.lower() not in values.CALENDAR and not find_purpose(name)
        if not values.is_zone(name)
    ]
    if len(names) != 1 or _is_someone(names[0], earlier) or f"{names[0]}'s" in last.text:
        return ""
    return names[0]


def _is_someone(name: str, earlier: Sequence[Candidate]) -> bool:
    """Whether a name is a person's, as far as the talk has told."""
    low = name.casefold()
    people = [each for each in earlier[-RECENT:] if each.kind is FactKind.RELATIONSHIP]
    return any(low in (each.subject.casefold(), each.value.casefold()) for each in people)


_OF_PEOPLE = frozenset(
    "send say tell ask want write call mail decide own lead approve sign think know like prefer "
    "join leave answer confirm promise bring give report explain suggest do".split()
)


_TO_WHOM = 2  # words between "told" and what was told: "me that"
_FINITE = frozenset({"BE", "HAVE", "AUX", "VERB"})


_OF_THINGS = frozenset("be take use drink eat drive speak play read run wear".split())


def notice(frame: Frame, talk: Talk) -> None:
    """Whom and what the next "she" or "it" may mean: the last person and thing that were named."""
    answers = not frame.verb and talk.question and not _OF_WHOM.search(talk.question)
    named = {"with"} if answers else {"", "with"}  # "Lemon. She doesn't like chocolate."
    slots = [slot for slot in frame.slots if slot.prep in named]
    for slot in slots:
        names = values.names_in(slot.words)
        if (
            names
            and len(slot.words) <= 3
            and values.is_person(names)
            and frame.verb not in _OF_THINGS
        ):
            talk.person = Subject("person", (), name=names[0].text)
    if frame.verb in {"move", "push", "postpone", "think"} and frame.object:
        own = next((n for n, t in enumerate(frame.object) if t.low in {"my", "the", "our"}), -1)
        end = next(
            (n for n, t in enumerate(frame.object) if n > own and t.tag in {"BE", "HAVE", "AUX"}),
            None,
        )
        if own >= 0:
            talk.thing = noun_subject(tuple(frame.object[own:end]))
    if not frame.verb and _is_topic(frame.words):
        talk.thing = noun_subject(tuple(t for t in frame.words if t.tag in _NAMING_IT))
    _notice_scope(frame, talk)


def _notice_scope(frame: Frame, talk: Talk) -> None:
    """The project or place that what comes next is said of."""
    subject = frame.subject.words
    of = [
        t
        for n, t in enumerate(subject)
        if n and t.tag == "NAME" and subject[n - 1].low in {"for", "of"}
    ]
    if of and not find_purpose(of[0].text):
        talk.scope = of[0].text
        return
    places = [
        slot
        for slot in frame.slots
        if slot.prep in {"for", "of", "on"} and values.is_place(slot.words)
        if not ("decide" in frame.classes and slot.prep == "on")  # it was chosen, and is no project
    ]
    whose = frame.rest[:1] and frame.rest[0].low == "me"  # "PI is me": no project
    if frame.subject.kind == "name" and not find_purpose(frame.subject.name) and not whose:
        talk.scope = "" if frame.verb in _OF_PEOPLE else frame.subject.name
    elif places:
        talk.scope = places[0].text
    lead = [t for t in frame.lead if t.tag == "NAME" and t.low not in values.CALENDAR]
    if (
        lead
        and any(t.low in {"for", "on", "in"} for t in frame.lead)
        and not find_purpose(lead[0].text)
    ):
        talk.scope = lead[0].text


_NAMING_IT = frozenset({"DET", "POSS", "NOUN", "NAME", "ADJ"})


def _is_topic(words: Words) -> bool:
    """ "ok so the ups." announces what is spoken of next, and says nothing yet."""
    said = [t for t in words if t.tag not in {"INTJ", "CONJ", "ADV", "PUNCT"}]
    opens = bool(said) and (said[0].low in {"the", "my", "our"})
    return opens and 1 < len(said) < 5 and {t.tag for t in said} <= _NAMING_IT


def _told_of(frame: Frame) -> Subject | None:
    """The thing that reported words are about: "Priya told me the launch is not in May"."""
    rest = frame.rest
    start = next((n for n, t in enumerate(rest) if t.low in {"the", "my", "our"}), -1)
    if not 0 <= start <= _TO_WHOM:
        return None
    end = next((n for n, t in enumerate(rest) if n > start and t.tag in _FINITE), -1)
    told = tuple(rest[start:end]) if end > start + 1 else ()
    return noun_subject(told) if told and not any(t.tag in {"PUNCT", "WH"} for t in told) else None


def scoped(candidate: Candidate, frame: Frame, talk: Talk) -> Candidate:
    """What is said of "the demo" right after a project was named is said of its demo."""
    about = candidate.kind in {FactKind.DEADLINE, FactKind.DECISION, FactKind.ENVIRONMENT} or (
        candidate.attribute.endswith(("lead", "owner", "manager"))
        and candidate.kind is FactKind.RELATIONSHIP
    )
    if not about or not talk.scope or candidate.subject != USER or talk.scope in candidate.text:
        return candidate
    whole = frame.subject.kind == "thing" and (_is_pointed(frame) or _has_named(talk))
    if whole and talk.brought == talk.scope and talk.scope not in talk.text:
        return candidate  # it has a subject of its own, and the project was named elsewhere
    someone = talk.person is not None and talk.person.name == talk.scope
    if someone or _is_someone(talk.scope, talk.recent):
        return candidate
    tool = frame.subject.kind == "name" and bool(find_purpose(frame.subject.name))
    if not (tool or frame.subject.kind in {"thing", "none"}) or talk.scope in candidate.value:
        return candidate
    return replace(candidate, text=f"{talk.scope}: {candidate.text}")


def _is_pointed(frame: Frame) -> bool:
    """ "The inspection is on 14 July" is a sentence; "dark theme is cut" goes on with a list."""
    return any(t.tag in {"DET", "POSS"} for t in frame.subject.words[:1])


def _has_named(talk: Talk) -> bool:
    """Whether the message has named something before this clause: it is of that, if of anything."""
    return any(token.tag == "NAME" for token in tokenize(talk.text[: talk.place]))


def remember_subjects(frame: Frame, people: Sequence[Candidate], talk: Talk) -> None:
    if people and people[-1].value[:1].isupper():
        talk.person = Subject("person", (), name=people[-1].value)
    elif frame.subject.owner and any(t.tag == "GEN" for t in frame.subject.words):
        cut = next(n for n, t in enumerate(frame.subject.words) if t.tag == "GEN")
        owner = noun_subject(frame.subject.words[:cut]) if cut else frame.subject
        talk.person = owner if owner.kind == "person" else talk.person
    elif frame.subject.kind == "person" and (frame.subject.owner or frame.subject.name):
        talk.person = frame.subject
    elif frame.subject.kind == "name":
        talk.person = frame.subject
    if "say" in frame.classes and (told := _told_of(frame)) is not None:
        talk.thing = told
    elif frame.subject.kind in {"own", "thing", "name"}:
        talk.thing = frame.subject


def means_thing(frame: Frame, talk: Talk, joint: str = "") -> bool:
    """Whether "it" means the last thing: not "at work it is all Java", nor a second value."""
    if joint == "so" and frame.verb == "be" and find_either(spell(frame.rest), talk.at):
        return False  # "the review isn't done so it's 10 April now": what slips is, not its cause
    elsewhere = any(t.low in {"work", "home", "side", "office"} for t in frame.lead)
    elsewhere = elsewhere or any(t.low in {"everywhere", "throughout"} for t in frame.rest)
    another = frame.verb == "be" and bool(frame.object) and bool(talk.found)
    return not elsewhere and not another and not _may_be_person(talk.thing)


def _may_be_person(thing: Subject | None) -> bool:
    """A lone name that no tool bears may be someone's, a trade is: "it" is not said of people."""
    if thing is not None and thing.kind != "name" and is_role_noun(thing.noun):
        return True
    if thing is None or thing.kind != "name" or find_purpose(thing.name):
        return False
    return thing.name.isalpha() and thing.noun == thing.name.lower()


_IS_PLACED = {"lives": "live", "sits": "sit", "stays": "stay", "belongs": "belong"}


def with_noun_first(words: Words) -> Words:
    """The words, the first as a noun where it only reads like an order: "code freeze is in May"."""
    if len(words) > 2 and words[0].form in {"VN", "VD"} and _is_told_of(words):
        return (replace(words[0], tag="ADJ", form=""), *words[1:])
    if len(words) < 3 or words[0].form != "VB":
        return words
    if _is_occasion(words):
        return (replace(words[0], tag="NOUN", form=""), *words[1:])
    if words[1].low in _IS_PLACED and words[2].tag == "PREP":  # "we chose X, state lives in S3"
        verb = replace(words[1], tag="VERB", lemma=_IS_PLACED[words[1].low], form="VZ")
        return (replace(words[0], tag="NOUN", form=""), verb, *words[2:])
    if words[1].tag in {"DET", "POSS", "PRON", "OBJ", "PREP", "ADV"}:
        return words
    for before, token in pairwise(words):
        if token.tag in {"PUNCT", "CONJ", "WH", "PRON"}:
            return words
        finite = token.form == "VZ" or (
            before.tag == "NUM" and FORMS.get(token.low, "  ")[1] == "VZ"
        )
        if finite or token.tag == "BE" or token.low in {"will", "has", "must"}:
            return (replace(words[0], tag="NOUN", form=""), *words[1:])
    return words


def _is_told_of(words: Words) -> bool:
    """ "written exams start 19 May": a noun follows, and what is said of it."""
    noun, verb = words[1], words[2]
    plain = noun.tag == "NOUN" and noun.low.endswith("s")
    return plain and (verb.form == "VB" or verb.low in {"are", "were", "have"})


def _is_occasion(words: Words) -> bool:
    """ "Launch for all depots on 14 November": what falls on a day of the calendar, no order."""
    of = words[1].low in {"for", "of", "with"} and words[0].low in EVENT_NOUNS
    days = [n for n, t in enumerate(words) if t.low == "on" and n + 1 < len(words)]
    dated = any(t.low in values.CALENDAR for n in days for t in words[n + 1 : n + 3])
    return of and dated and not any(t.tag in {"VERB", "BE", "PRON", "OBJ"} for t in words[1:])


_MADE = frozenset(
    "write host build deploy make power publish serve sync license store compile package".split()
)


_FOR_SOMEONE = re.compile(
    r"(?i)\b(?:for|about|to|of|with|from) (?:an?|my|our|the|this) (?:[\w-]+ ){0,2}?"
    r"(?P<who>[\w-]+)\s*,\s*$"
)


def is_of_other(before: str, words: Words) -> bool:
    """Whether a clause tells of whom the words before it name: "for a colleague, turning 50"."""
    third = bool(words) and words[0].form in {"VG", "VZ"}
    other = _FOR_SOMEONE.search(before[-_LONGEST_PHRASE:]) if third else None
    return other is not None and other["who"].lower() in RELATIONS | _ANYONE


def is_elided(frame: Frame, before: str) -> bool:
    """A gap where "I" would stand: "living in Seville", "can't eat nuts", "prefer dark roast"."""
    if not frame.group or is_of_other(before, frame.words):
        return False
    first = frame.group[0]
    if first.form in {"VN", "VD"} and first.lemma in _MADE and not frame.object:
        return False  # "written in Swift": of a thing
    if first.tag == "VERB":
        known = first.low in FORMS
        return (known and first.form in {"VG", "VN", "VD"}) or first.lemma in {
            "own",
            "prefer",
            "like",
            "love",
            "hate",
            "live",
        }
    return first.low in {"been", "ca", "can", "'ve", "'m", "have"} and (
        frame.negated or first.low != "can"
    )
