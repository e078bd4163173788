"""What kind of thing a name is, guessed from the fact it was found in."""

import re

from hermes.memory.entities.names import alias_key
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.types import EntityKind, FactKind

_PEOPLE = frozenset(
    "name manager boss wife husband partner spouse girlfriend boyfriend mother father mom mum dad "
    "sister brother son daughter kid friend colleague mentor supervisor cto ceo pm therapist "
    "landlord doctor dentist roommate cousin uncle aunt contact tutor professor".split()
)
_HOUSES = "office flat house home apartment cabin cottage garden shop warehouse depot studio team"
_PLACES = frozenset(
    (*"location hometown region workplace".split(), *(f"{h} location" for h in _HOUSES.split()))
)
_HUMAN = frozenset(
    "said:want said:hate said:love said:like said:prefer said:say said:tell said:think said:talk "
    "said:offer said:promise said:marry said:eat said:drink said:speak said:hope said:ask".split()
)
_KIN = "|".join(sorted(_PEOPLE - {"name", "contact"}))
_ZONE = re.compile(
    r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z][\w/+-]+"
)
_WORK = (
    r"(?:front|back)[- ]?end|data|ops|operations|design|marketing|sales|accounts|books|testing|"
    r"research|support|infrastructure|product|planning"
)
_HOUSE = r"(?:depot|office|branch|warehouse|store|shop|flat|house|apartment|plant|airport)"
_ORGANISATIONS = frozenset(("employer", "school", "company", "client", "customer", "university"))
_PROJECTS = frozenset(("project", "what"))
_WORDS = frozenset(("language", "native_language", "nationality", "diet"))
_ANIMALS = frozenset(("pet", "cat", "dog"))
_BY_LABEL = (
    (_PEOPLE, EntityKind.PERSON),
    (_PLACES, EntityKind.PLACE),
    (_ORGANISATIONS, EntityKind.ORGANISATION),
    (_PROJECTS, EntityKind.PROJECT),
    (_WORDS | _ANIMALS, EntityKind.OTHER),
)


def guess_kind(
    name: str, *, subject: str, attribute: str, value: str, kind: FactKind
) -> EntityKind:
    """The kind a name has as the subject or the value of a fact."""
    label = attribute.split(":", maxsplit=1)[0].split(" (", maxsplit=1)[0]
    is_value = alias_key(name) == alias_key(value)
    if alias_key(name) == alias_key(subject):
        return _subject_kind(kind, attribute if attribute in _HUMAN else label)
    if find_purpose(name) and label not in _PEOPLE | _PLACES | _ANIMALS:
        return EntityKind.PRODUCT
    if not is_value:
        return EntityKind.OTHER
    return _value_kind(kind, label)


def kind_by_words(name: str, text: str) -> EntityKind:
    """The kind that the words around a name give it: who does a job, where a house stands."""
    if _ZONE.fullmatch(name):
        return EntityKind.PLACE
    said = re.escape(name)
    if re.search(rf"(?i)\b(?:my|our|their|his|her|\w+['’]s) (?:{_KIN}),? (?-i:{said})(?!\w)", text):
        return EntityKind.PERSON
    works = rf"(?:^|, ){said} (?:does |do )?the (?:{_WORK})\b"
    if re.search(
        rf"{works}|\b(?:climbs?|runs?|plays?|lives?|trains?|talked|met) [^.]*\bwith {said}\b", text
    ):
        return EntityKind.PERSON
    if re.search(rf"\b{_HOUSE} in {said}(?!\w)|\b{said} {_HOUSE}\b", text):
        return EntityKind.PLACE
    return EntityKind.OTHER


def _value_kind(kind: FactKind, label: str) -> EntityKind:
    for labels, known in _BY_LABEL:
        if label in labels:
            return known
    return EntityKind.PRODUCT if kind in _TOOLS else EntityKind.OTHER


_TOOLS = frozenset({FactKind.ENVIRONMENT, FactKind.DECISION})


def _subject_kind(kind: FactKind, label: str) -> EntityKind:
    if kind is FactKind.RELATIONSHIP or label in _HUMAN | {
        "role",
        "diet",
        "age",
        "employer",
        "birthday",
    }:
        return EntityKind.PERSON
    return EntityKind.PROJECT if kind in _TOOLS else EntityKind.OTHER
