"""The user as a structured record: lines drawn from facts, each naming the facts it rests on.

Pure. Nothing is invented here and nothing resolved in silence: two facts that contradict each other
share one line that says so, and the graph says which of them stands first and why.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hermes.clock import DAY_MS, parse_time
from hermes.guard.origin import Decision, Target, decide_write
from hermes.memory.facts.clauses.remembered import in_third_person
from hermes.memory.kinship import find_kin
from hermes.memory.usersections import Section, is_first_person, section_of
from hermes.types import Confidence, Fact, FactKind

USER_LIMIT = 1_375
_DATED = frozenset({FactKind.DEADLINE, FactKind.EVENT})
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_SAID_ON = re.compile(r"\(said [^)]*\)")
MOST_VALUES = 8  # of one list
_DEADLINES_AHEAD_MS = 60 * DAY_MS
Rivals = Mapping[int, Sequence[Fact]]
_SURE = {Confidence.HIGH: 2, Confidence.MEDIUM: 1, Confidence.LOW: 0}


class Link(StrEnum):
    CONTRADICTS = "contradicts"
    OUTRANKS = "outranks"
    PREFERRED_OVER = "preferred over"


@dataclass(frozen=True, slots=True)
class Edge:
    """How one fact stands to another (by number), or to a value it is preferred over."""

    kind: Link
    source: int
    target: int | str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the record; `facts` are the numbers of the facts it rests on."""

    section: Section
    text: str
    facts: tuple[int, ...]
    confidence: Confidence
    contested: bool = False


@dataclass(frozen=True, slots=True)
class UserModel:
    lines: tuple[Line, ...]
    graph: tuple[Edge, ...] = ()


_LABELS = {
    Section.LANGUAGES: "Speaks",
    Section.LIKES: "Likes",
    Section.DISLIKES: "Dislikes",
    Section.PROJECTS: "Projects",
    Section.TOOLS: "Works with",
    Section.PEOPLE: "People",
}
_DOING = frozenset(
    "run runs running lead leads leading manage manages teach teaching freelancing work works "
    "make makes drive drives own owns".split()
)
_WORKS_AS = re.compile(r"User works (?:at|for) .+ as ")  # it names the employer, too
_EATING = frozenset("eat drink avoid not no never only".split())
_BY_WHAT = frozenset({Section.PEOPLE, Section.PLACE})  # one value may be there as several things
_ORDER = {section: place for place, section in enumerate(Section)}


def build_model(facts: Iterable[Fact], *, now: int) -> UserModel:
    """The record of what is believed of the user now."""
    believed = [fact for fact in facts if _counts(fact, now)]
    rivals = _find_rivals(believed)
    lines = [*_contested_lines(believed, rivals), *_single_lines(believed, rivals)]
    return UserModel(tuple(sorted(lines, key=_rank)), tuple(_edges(believed, rivals)))


def render_lines(model: UserModel, *, limit: int = USER_LIMIT) -> list[str]:
    """The record's lines for USER.md, best first, as many as fit."""
    shown: list[str] = []
    room = limit
    for line in model.lines:
        if line.confidence is not Confidence.LOW or line.contested:
            cost = len(line.text) + 3
            if cost <= room:
                shown.append(line.text)
                room -= cost
    return shown


def _counts(fact: Fact, now: int) -> bool:
    """About the user, holding now, and trusted enough to stand before every task.

    What is to be replaced on a day ahead holds until then, and what comes then does not yet.
    """
    ahead = fact.valid_to is not None and fact.valid_to > now
    is_open = fact.retracted_at is None and (fact.superseded_by is None or ahead)
    begun = fact.valid_from is None or fact.valid_from <= now or fact.kind in _DATED
    holds = (fact.valid_to is None or ahead) and begun and not fact.ended
    allowed = decide_write(Target.USER_MODEL, fact.trust) is Decision.ALLOW
    return is_open and holds and allowed and _is_timely(fact, now) and section_of(fact) is not None


def _is_timely(fact: Fact, now: int) -> bool:
    """A deadline, or what is to happen, counts while it is ahead, and near.

    What happened once counts where it was meant to be kept.
    """
    if fact.kind not in _DATED:
        return True
    told = _DAY.search(_SAID_ON.sub("", f"{fact.value} {fact.text}"))
    if told is None:
        return fact.kind is FactKind.EVENT and fact.confidence is Confidence.HIGH
    try:
        due_at = parse_time(told.group()) + DAY_MS
    except ValueError:
        return False
    return now <= due_at <= now + _DEADLINES_AHEAD_MS


def _find_rivals(facts: Sequence[Fact]) -> Rivals:
    """Of each contested fact, those here that it stands against, whichever of the two says so."""
    by_id = {fact.id: fact for fact in facts}
    found: dict[int, dict[int, Fact]] = {}
    for fact in facts:
        for other in fact.contradicts:
            if other in by_id and other != fact.id:
                found.setdefault(fact.id, {})[other] = by_id[other]
                found.setdefault(other, {})[fact.id] = fact
    places = {fact.id: place for place, fact in enumerate(facts)}
    return {
        number: sorted(rivals.values(), key=lambda each: places[each.id])
        for number, rivals in found.items()
    }


def _contested_lines(facts: Sequence[Fact], found: Rivals) -> Iterable[Line]:
    seen: set[int] = set()
    for fact in sorted(facts, key=_strength, reverse=True):
        rivals = [] if fact.id in seen else found.get(fact.id, [])
        if rivals:
            group = [fact, *sorted(rivals, key=_strength, reverse=True)]
            seen |= {each.id for each in group}
            values = " or ".join(dict.fromkeys(each.value for each in group))
            text = f"{_label(fact)}: {values} (sources disagree)"
            numbers = tuple(each.number for each in group)
            yield Line(_section(fact), text, numbers, fact.confidence, contested=True)


def _single_lines(facts: Sequence[Fact], contested: Rivals) -> Iterable[Line]:
    groups: dict[tuple[Section, str], list[Fact]] = {}
    for fact in facts:
        if fact.id not in contested:
            groups.setdefault(_group(fact), []).append(fact)
    for (section, _), told in groups.items():
        members = _distinct(section, sorted(told, key=_strength, reverse=True))
        best = max((fact.confidence for fact in members), key=lambda each: _SURE[each])
        numbers = tuple(fact.number for fact in members)
        yield Line(section, _text(section, members), numbers, best)


def _section(fact: Fact) -> Section:
    return section_of(fact) or Section.OTHER


def _group(fact: Fact) -> tuple[Section, str]:
    """Facts that share a line: lists of the same thing, and what belongs together of one person."""
    section = _section(fact)
    if section in _LABELS or section in {Section.WORK, Section.PLACE, Section.NAME}:
        return section, ""
    return section, fact.attribute if section is Section.HEALTH else str(fact.id)


def _distinct(section: Section, facts: Sequence[Fact]) -> list[Fact]:
    """The first few, without what was said twice or what a fuller role beside it says, too."""
    kept: dict[str, Fact] = {}
    values = [fact.value.casefold() for fact in facts] if section is Section.WORK else []
    for fact in facts:
        value = fact.value.casefold()
        key = f"{fact.attribute} {value}" if section in _BY_WHAT else value
        if key not in kept and not any(_says(other, value) for other in values):
            kept[key] = fact
        if len(kept) == MOST_VALUES:
            break
    return list(kept.values()) or list(facts[:1])


def _says(fuller: str, value: str) -> bool:
    """ "run the team at Lumen" says "Lumen", too; "C++ developer" does not say "C"."""
    if not value or len(fuller) <= len(value) or value not in fuller:
        return False
    return re.search(rf"(?<![\w+#&]){re.escape(value)}(?![\w+#&])", fuller) is not None


def _text(section: Section, facts: Sequence[Fact]) -> str:
    if section is Section.PEOPLE:
        people = (_person(fact) for fact in facts)
        return f"People: {'; '.join(dict.fromkeys(people))}"
    if section in _LABELS:
        values = dict.fromkeys(fact.value for fact in facts)
        return f"{_LABELS[section]}: {', '.join(values)}"
    if section in {Section.WORK, Section.PLACE, Section.NAME, Section.HEALTH}:
        parts = dict.fromkeys(_part(fact) for fact in facts)
        return "; ".join(parts)
    return _said_of_user(facts[0].text)


def _part(fact: Fact) -> str:
    """ "Role: data engineer"; what is told as doing reads better as the sentence it is."""
    doing = fact.attribute == "role" and fact.value.split(" ")[0] in _DOING
    doing = doing or fact.attribute == "workplace"  # "on Tuesdays" is no part of the place
    doing = doing or (fact.attribute == "role" and bool(_WORKS_AS.match(fact.text)))
    doing = doing or (fact.attribute == "diet" and fact.value.split(" ")[0] in _EATING)
    return _said_of_user(fact.text) if doing else f"{_label(fact)}: {fact.value}"


def _person(fact: Fact) -> str:
    """ "sister Leila", also of a statement that tells more of her."""
    kin = find_kin(fact.text)
    return " ".join(kin) if kin else f"{fact.attribute} {fact.value}"


def _label(fact: Fact) -> str:
    name = fact.attribute.split(":")[-1].replace("_", " ")
    return f"{name[:1].upper()}{name[1:]}"


def _said_of_user(text: str) -> str:
    """The fact's sentence; that it is the user's goes without saying here."""
    text = in_third_person(text) if is_first_person(text) else text
    for start in ("User's ", "User "):
        if text.startswith(start):
            rest = text[len(start) :]
            return f"{rest[:1].upper()}{rest[1:]}"
    return text


def _edges(facts: Sequence[Fact], rivals: Rivals) -> Iterable[Edge]:
    for fact in facts:
        for rival in rivals.get(fact.id, []):
            if fact.id < rival.id:
                yield Edge(Link.CONTRADICTS, fact.number, rival.number)
                first, second = sorted((fact, rival), key=_strength, reverse=True)
                yield Edge(Link.OUTRANKS, first.number, second.number, _why(first, second))
        if fact.kind is FactKind.PREFERENCE and " over " in fact.value:
            yield Edge(Link.PREFERRED_OVER, fact.number, fact.value.partition(" over ")[2])


def _why(first: Fact, second: Fact) -> str:
    if _SURE[first.confidence] != _SURE[second.confidence]:
        return "surer"
    return "later" if _evidence_at(first) > _evidence_at(second) else "recorded first"


def _strength(fact: Fact) -> tuple[int, int, int, int]:
    """Surest first, then what was said most often, then last."""
    return (_SURE[fact.confidence], len(fact.sources), _evidence_at(fact), -fact.id)


def _evidence_at(fact: Fact) -> int:
    return max((source.at or 0 for source in fact.sources), default=fact.recorded_at)


def _rank(line: Line) -> tuple[int, int, str]:
    return (_ORDER[line.section], -_SURE[line.confidence], line.text)
