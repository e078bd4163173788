"""What kind of thing a name is, guessed from the fact it was found in."""

from hermes.memory.entities.names import alias_key
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.types import EntityKind, FactKind

_PEOPLE = frozenset(
    "name manager boss wife husband partner spouse girlfriend boyfriend mother father mom mum dad "
    "sister brother son daughter kid friend colleague mentor supervisor cto ceo pm therapist "
    "landlord doctor dentist roommate cousin uncle aunt contact tutor professor".split()
)
_PLACES = frozenset(("location", "hometown", "office location", "region"))
_ORGANISATIONS = frozenset(("employer", "school", "company", "client", "customer", "university"))
_PROJECTS = frozenset(("project", "what"))
_WORDS = frozenset(("language", "native_language", "nationality", "diet"))
_BY_LABEL = (
    (_PEOPLE, EntityKind.PERSON),
    (_PLACES, EntityKind.PLACE),
    (_ORGANISATIONS, EntityKind.ORGANISATION),
    (_PROJECTS, EntityKind.PROJECT),
    (_WORDS, EntityKind.OTHER),
)


def guess_kind(
    name: str, *, subject: str, attribute: str, value: str, kind: FactKind
) -> EntityKind:
    """The kind a name has as the subject or the value of a fact."""
    label = attribute.split(":", maxsplit=1)[0].split(" (", maxsplit=1)[0]
    is_value = alias_key(name) == alias_key(value)
    if alias_key(name) == alias_key(subject):
        return _subject_kind(kind, label)
    if find_purpose(name) and label not in _PEOPLE | _PLACES:
        return EntityKind.PRODUCT
    if not is_value:
        return EntityKind.OTHER
    return _value_kind(kind, label)


def _value_kind(kind: FactKind, label: str) -> EntityKind:
    for labels, known in _BY_LABEL:
        if label in labels:
            return known
    return EntityKind.PRODUCT if kind in _TOOLS else EntityKind.OTHER


_TOOLS = frozenset({FactKind.ENVIRONMENT, FactKind.DECISION})


def _subject_kind(kind: FactKind, label: str) -> EntityKind:
    if kind is FactKind.RELATIONSHIP or label in {"role", "diet", "age", "employer", "birthday"}:
        return EntityKind.PERSON
    return EntityKind.PROJECT if kind in _TOOLS else EntityKind.OTHER
