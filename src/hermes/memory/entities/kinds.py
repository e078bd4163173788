"""What kind of thing a name is, guessed from the fact it was found in."""

import re

from hermes.memory.entities.names import alias_key, without_title
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.types import EntityKind, FactKind

_PEOPLE = frozenset(
    "name manager boss wife husband partner spouse girlfriend boyfriend mother father mom mum dad "
    "sister brother son daughter kid friend colleague mentor supervisor cto ceo pm therapist "
    "landlord doctor dentist roommate cousin uncle aunt contact tutor professor".split()
)
_HOUSES = "office flat house home apartment cabin cottage garden shop warehouse depot studio team"
_PLACES = frozenset(
    (
        *"location hometown region workplace hotel hostel restaurant venue".split(),
        *(f"{h} location" for h in _HOUSES.split()),
    )
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
_TOGETHER = r"climbs?|runs?|plays?|lives?|trains?|talked|met"
_GAME = r"(?:the )?(?:chess|football|tennis|badminton|piano|guitar|violin|cello|drums)"
_STATE = r"allergic|vegan|vegetarian|pregnant|retired|divorced|engaged|married"
_HOUSE = r"(?:depot|office|branch|warehouse|store|shop|flat|house|apartment|plant|airport)"
_ORGANISATIONS = frozenset(("employer", "school", "company", "client", "customer", "university"))
_PROJECTS = frozenset(("project", "what"))
_WORDS = frozenset(("language", "native_language", "nationality", "diet"))
_ANIMALS = frozenset(("pet", "cat", "dog"))
_OWN_TOOLS = frozenset(("editor", "shell", "phone", "keyboard", "browser"))  # no project has one
_TOOLS = frozenset({FactKind.ENVIRONMENT, FactKind.DECISION})
_AS_SAID = "said"
_FIRM = re.compile(
    r".+ (?:University|College|School|Institute|Hospital|Bank|Foundation|Council|GmbH|AG|LLC|"
    r"Ltd\.?|Inc\.?|& Sons|& Co\.?)"
)
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
    """The kind a name has as the subject or the value of a fact, where that is plain."""
    label = _label(attribute)
    if kind is FactKind.RELATIONSHIP:
        label = label.rpartition(" ")[2]  # an eye doctor is a doctor
    if _is_same(name, subject):
        human = kind is FactKind.RELATIONSHIP or attribute in _HUMAN or label in _OF_SOMEONE
        return EntityKind.PERSON if human else EntityKind.OTHER
    if find_purpose(name) and label not in _PEOPLE | _PLACES | _ANIMALS:
        return EntityKind.PRODUCT
    known = (of for labels, of in _BY_LABEL if label in labels and _is_same(name, value))
    return next(known, EntityKind.OTHER)


def presume_kind(
    name: str, *, subject: str, attribute: str, value: str, kind: FactKind
) -> EntityKind:
    """The kind of a name of which nothing better is known: what has tools is a project."""
    label = _label(attribute)
    if kind not in _TOOLS:
        return EntityKind.OTHER
    if _is_same(name, subject):
        return EntityKind.PROJECT
    # Of what stands as it was said, nobody knows what the value is.
    named = _is_same(name, value) and label not in {_AS_SAID, *_WORDS, *_ANIMALS}
    return EntityKind.PRODUCT if named else EntityKind.OTHER


def kind_by_words(name: str, text: str) -> EntityKind:
    """The kind that the words around a name give it: who does a job, where a house stands."""
    if _ZONE.fullmatch(name):
        return EntityKind.PLACE
    if _FIRM.fullmatch(name):
        return EntityKind.ORGANISATION
    marked = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "NAME", text)
    return next((kind for kind, words in _AROUND if words.search(marked)), EntityKind.OTHER)


def is_called_project(name: str, text: str) -> bool:
    """ "the Phoenix project", whatever else has that name."""
    said = re.escape(name)
    return bool(re.search(rf"\b(?i:the) {said} project\b|\b(?i:project) {said}(?!\w)", text))


def _label(attribute: str) -> str:
    return attribute.split(":", maxsplit=1)[0].split(" (", maxsplit=1)[0]


def _is_same(name: str, other: str) -> bool:
    return alias_key(name) == alias_key(without_title(other))


_OF_SOMEONE = frozenset({"role", "diet", "age", "employer", "birthday", "allergy"}) | _OWN_TOOLS
# What the words around NAME say it is; the first that fits counts.
_AROUND = tuple(
    (kind, re.compile(words))
    for kind, words in (
        (EntityKind.PERSON, rf"(?i)\b(?:my|our|their|his|her|\w+['’]s) (?:{_KIN}),? (?-i:NAME)\b"),
        (EntityKind.PERSON, rf"(?:^|, )NAME (?:does |do )?the (?:{_WORK})\b"),
        (EntityKind.PERSON, rf"\b(?:{_TOGETHER}) [^.]*\bwith NAME\b"),
        (EntityKind.PERSON, r"\b(?:is|are) NAME['’]s(?= now\b|[.,;]|$)"),
        (EntityKind.PERSON, r"\b(?i:owner|lead) (?:of [\w ]+ )?is NAME\b"),
        (EntityKind.PERSON, r"\bNAME (?:(?:moved|switched|went) to|joined) the [\w ]{2,20} team\b"),
        (EntityKind.PERSON, rf"\bNAME['’]s (?:{_KIN}|birthday|wedding)\b"),
        (EntityKind.PERSON, rf"^NAME (?:works (?:at [A-Z]|as an? )|plays {_GAME}\b)"),
        (EntityKind.PERSON, rf"^NAME is (?:(?:{_STATE})\b|on \w*\s?(?:leave|holiday)\b)"),
        (EntityKind.ORGANISATION, r"\b(?:works?|working|worked|job|intern) at NAME\b"),
        (EntityKind.ORGANISATION, r"^NAME has [\d,.]+ (?:employees|staff)\b"),
        (EntityKind.PLACE, rf"\b{_HOUSE} in NAME\b|\bNAME {_HOUSE}\b"),
        (EntityKind.PLACE, r"\b(?:flying|flies|flight|trip) to NAME\b|\bwas born in NAME\b"),
    )
)
