"""What kind of thing a name is, guessed from the fact it was found in."""

from hermes.memory.entities.names import alias_key
from hermes.types import EntityKind, FactKind

_PEOPLE = frozenset(
    "name manager boss wife husband partner spouse girlfriend boyfriend mother father mom mum dad "
    "sister brother son daughter kid friend colleague mentor supervisor cto ceo pm therapist "
    "landlord doctor dentist roommate cousin uncle aunt contact tutor professor".split()
)
_PLACES = frozenset(("location", "hometown", "office location", "region"))
_ORGANISATIONS = frozenset(("employer", "school", "company", "client", "customer", "university"))
_PROJECTS = frozenset(("project", "what"))


def guess_kind(
    name: str, *, subject: str, attribute: str, value: str, kind: FactKind
) -> EntityKind:
    """The kind a name has as the subject or the value of a fact."""
    label = attribute.split(":", maxsplit=1)[0].split(" (", maxsplit=1)[0]
    is_value = alias_key(name) == alias_key(value)
    if alias_key(name) == alias_key(subject):
        return _subject_kind(kind, label)
    if not is_value:
        return EntityKind.OTHER
    if label in _PEOPLE:
        return EntityKind.PERSON
    if label in _PLACES:
        return EntityKind.PLACE
    if label in _ORGANISATIONS:
        return EntityKind.ORGANISATION
    if label in _PROJECTS:
        return EntityKind.PROJECT
    return EntityKind.PRODUCT if kind in _TOOLS else EntityKind.OTHER


_TOOLS = frozenset({FactKind.ENVIRONMENT, FactKind.DECISION})


def _subject_kind(kind: FactKind, label: str) -> EntityKind:
    if kind is FactKind.RELATIONSHIP or label in {"role", "diet", "age", "employer", "birthday"}:
        return EntityKind.PERSON
    return EntityKind.PROJECT if kind in _TOOLS else EntityKind.OTHER
