"""One sentence that is a fact by being given as one: `fact add "…"`, "remember that …"."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes.memory.entities import name_mentions
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.clauses import Clause, plain
from hermes.memory.facts.rules.grammar import Said, points_elsewhere, words
from hermes.memory.facts.rules.lexicon import PURPOSE_WORDS
from hermes.memory.facts.rules.tables import read_by_rules
from hermes.types import Confidence, FactKind

# The third person of a note, turned into the first person that rules read.
_FIRST_PERSON = (
    (re.compile(r"^(?:the )?user's\s+", re.I), "my "),
    (re.compile(r"^(?:the )?user\s+is\b", re.I), "I am"),
    (re.compile(r"^(?:the )?user\s+has\b", re.I), "I have"),
    (re.compile(r"^(?:the )?user\s+does\s+not\b", re.I), "I do not"),
    (re.compile(r"^(?:the )?user\s+(\w+?)s\b", re.I), r"I \1"),
    (re.compile(r"^(?:the )?user\b", re.I), "I"),
    (re.compile(r"^(primary|main|current|side)\s+project\b", re.I), r"my \1 project"),
    (re.compile(r"^(preferred\s+[\w -]{2,30}):\s*", re.I), r"my \1 is "),
    (re.compile(r"^(favou?rite\s+[\w -]{2,30}):\s*", re.I), r"my \1 is "),
    (re.compile(r"^prefers?\s+", re.I), "I prefer "),
    (
        re.compile(
            r"^(name|timezone|time zone|role|location|birthday|email|pronouns)\s*:\s*", re.I
        ),
        r"my \1 is ",
    ),
)
_LOCATION = re.compile(r"^my location is ", re.I)
_QUOTED = re.compile(r"(?<!\w)['\"“‘]([^'\"”’]{1,60})['\"”’](?!\w)")
_OWNED = re.compile(
    r"(?P<subject>[^,:;]{1,60}?)'s\s+(?P<attribute>[\w -]{2,40}?)\s+(?:is|"
    r"are)\s+(?P<value>.+)"
)
_LABEL = re.compile(r"(?P<attribute>[A-Za-z][\w /'-]{1,40}?)\s*:\s+(?P<value>.+)")
_IS = re.compile(
    r"(?:(?:the|our|my)\s+)?(?P<subject>[\w'’./@#-]+(?:\s[\w'’./@#-]+){0,4}?)\s+"
    r"(?P<verb>is|are|was|were|uses?|runs?|has|have|lives?|needs?|requires?|owns?|"
    r"must|should|can|will|works?|likes?|wants?|does|do)\s+"
    r"(?P<value>.+)",
    re.I,
)
# What ties a sentence to this person's world; without it, it is a proverb.
_VAGUE = re.compile(
    r"(?:it|this|that|these|those|to|when|how|what|why|if)\b|i (?:was|felt|said|told|"
    r"asked|had)\b",
    re.I,
)
_ANCHOR = re.compile(r"^[Tt]he\b|\b(?:I|[Mm]y|[Ww]e|[Oo]ur|us|me)\b|(?<!^)\b[A-Z]|\d|@|://")
_TODO = re.compile(
    r"(?:to\s+)?(?:buy|call|send|check|pick|book|fix|do|finish|reply|ask|tell|text|"
    r"remind|water|feed|pay)\b",
    re.I,
)


def parse_statement(text: str, at: int) -> Candidate:
    """A candidate for any sentence: subject, attribute and value where they can be read."""
    text = re.sub(r"\s+", " ", text).strip()
    candidates = list(_by_rules(text, at))
    if len(candidates) == 1:
        found = candidates[0]
    elif candidates:
        found = _joined(candidates, text)
    else:
        found = _by_shape(text)
    return replace(
        found,
        text=text,
        quote=text,
        at=at,
        confidence=Confidence.HIGH,
        entities=_entities(found, text),
        valid_from=found.valid_from if found.valid_from is not None else at,
    )


def parse_remembered(clauses: list[Clause], at: int) -> Iterator[Candidate]:
    """What the user asked to remember, in their words, when no rule reads it."""
    first = clauses[0]
    text = plain(first.sentence[first.sentence.find(first.quote) :])
    body = plain(first.text) if len(clauses) == 1 else _after_marker(text, first)
    if _VAGUE.match(body) or not 3 <= words(body) <= 40 or _TODO.match(body):
        return
    if not _ANCHOR.search(body):
        return
    yield replace(_by_shape(body), text=_sentence_case(body), quote=first.sentence)


def _after_marker(text: str, first: Clause) -> str:
    start = text.find(first.text)
    return text[start:] if start >= 0 else first.text


def _sentence_case(text: str) -> str:
    swapped = re.sub(r"\bmy\b", "the user's", text, flags=re.I)
    swapped = re.sub(r"\bI am\b", "the user is", swapped)
    return swapped[:1].upper() + swapped[1:]


def _by_rules(text: str, at: int) -> Iterator[Candidate]:
    spoken = _QUOTED.sub(r"\1", text.rstrip(". "))
    for pattern, spoken_form in _FIRST_PERSON:
        spoken, changed = pattern.subn(spoken_form, spoken)
        if changed:
            break
    spoken = _LOCATION.sub("I live in ", spoken)
    spoken = re.sub(r"(?<=\bis):\s+", " ", plain(spoken))
    said = Said(Clause(spoken, text, 0, text), at)
    yield from read_by_rules(said)


def _joined(candidates: list[Candidate], text: str) -> Candidate:
    """Several values in one statement: kept whole, so that no part of it is closed alone."""
    first = candidates[0]
    values = ", ".join(dict.fromkeys(each.value for each in candidates))
    same = {each.attribute for each in candidates} == {first.attribute}
    attribute = (
        first.attribute
        if same
        else "uses"
        if first.kind is FactKind.ENVIRONMENT
        else first.attribute
    )
    return replace(first, attribute=attribute, value=values, single=first.single and same)


def _by_shape(text: str) -> Candidate:
    plain_text = plain(text).rstrip(".")
    if found := _OWNED.match(plain_text):
        return _shaped(text, found["subject"], found["attribute"].lower(), found["value"])
    if found := _LABEL.match(plain_text):
        return _shaped(text, USER, found["attribute"].lower(), found["value"])
    if (found := _IS.match(plain_text)) and not points_elsewhere(found["subject"]):
        return _shaped(text, found["subject"], found["verb"].lower(), found["value"])
    return Candidate(text, FactKind.OTHER, USER, "note", text)


def _shaped(text: str, subject: str, attribute: str, value: str) -> Candidate:
    subject = re.sub(r"^(?:the|my|our)\s+", "", subject.strip(), flags=re.I)
    if subject.lower() in {"user", "i", "we"}:
        subject = USER
    purpose = PURPOSE_WORDS.get(attribute)
    kind = FactKind.ENVIRONMENT if purpose else FactKind.OTHER
    return Candidate(text, kind, subject, purpose or attribute, value.strip(" ."))


def _entities(candidate: Candidate, text: str) -> tuple[str, ...]:
    names = [candidate.subject] if candidate.subject != USER else []
    names += [found.group(1) for found in _QUOTED.finditer(text)]
    names += name_mentions(text)
    kept = (name for name in names if name.lower() not in {"user", "preferred", "primary"})
    return tuple(dict.fromkeys(kept))
