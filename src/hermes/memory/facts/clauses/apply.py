"""Reads a frame by the table: which row fits, and the candidate it makes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from hermes.memory.entities.plain import is_plain
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import ENVIRONMENTS, NAMES, PASSING_NOUNS
from hermes.memory.facts.clauses.limits import is_beside, limit_of
from hermes.memory.facts.clauses.marks import SIGNS
from hermes.memory.facts.clauses.riders import (
    as_shown,
    owner_end,
    read_riders,
    role_of,
    whose,
)
from hermes.memory.facts.clauses.slots import Slot, Words, list_items, spell
from hermes.memory.facts.clauses.subjects import is_for_good
from hermes.memory.facts.clauses.table import ROWS, Row
from hermes.memory.facts.clauses.tools import SAME_PURPOSE, find_purpose, is_versioned
from hermes.memory.facts.clauses.verbs import CLASSES
from hermes.memory.facts.clauses.wording import others, render, subject_text
from hermes.types import FactKind

_OPEN = frozenset(
    {"want", "try", "plan", "hope", "would", "could", "might", "may", "should", "expect", "'d"}
)
_AGAINST = re.compile(
    r"\b(?:not|no|nothing|never|avoids?|dislikes?|hates?|loathes?|detests?|despises?|\w+n't)\b"
)
_SEVERAL = frozenset({"tool", "system", "language", "person", "place"})
TOPICS = {
    "indentation": frozenset({"tabs", "spaces", "indents", "indentation"}),
    "units": frozenset({"metric", "imperial", "celsius", "fahrenheit", "grams", "kilometres"}),
    "answer_length": frozenset({"short", "long", "brief", "concise", "detailed", "terse"}),
    "theme": frozenset({"dark", "light"}),
    "spelling": frozenset({"british", "american"}),
}
_AHEAD = frozenset({"turn", "move", "relocate", "join", "start"})  # "is moving to": not there yet
_OVER = re.compile(r"(?i)\s+(to|over|rather than|instead of)\s+")
_SINCE = re.compile(r"(?i)(?:,? (?:now|nowadays|these days|instead|from now on))+$")
_TURNED = frozenset("move migrate switch port rewrite rebuild".split())
_VERSION = re.compile(r"\s*v?\d+(?:\.\d+)*\+?$")


@lru_cache(512)
def _lemmas(verbs: str) -> frozenset[str]:
    found: set[str] = set()
    for name in verbs.split():
        found |= set(CLASSES[name[1:]].split()) if name.startswith("@") else {name}
    return frozenset(found)


def read_by_table(frame: Frame, setting: Setting) -> list[Candidate]:
    """What the first row that fits makes of a frame, with what rides along."""
    if frame.modal in _OPEN or _is_passing_thing(frame, setting):
        return []
    if frame.modal == "need" and "decide" in frame.classes:
        return []  # "we need to pick a database": not picked yet
    for row in ROWS:
        slot = _fits(row, frame, setting)
        if slot is not None:
            found = [as_shown(each, frame) for each in _candidates(row, frame, slot)]
            if found:
                return [*found, *(read_riders(frame, slot) if row.riders else ())]
    return []


def _is_passing_thing(frame: Frame, setting: Setting) -> bool:
    """A thing of this conversation: "this branch", "the function", what stands "in the "
    "tutorial"."""
    subject = frame.subject
    if subject.kind not in {"own", "thing", "name"}:
        return False
    if any(
        t.low in {"this", "that", "these", "those", "your", "his", "her", "their"}
        for t in subject.words[:1]
    ):
        return True
    shown = frame.slot("in")
    if shown is not None and any(
        t.low in {"tutorial", "example", "demo", "docs", "book", "readme"} for t in shown.words
    ):
        return not setting.explicit
    announced = setting.explicit or setting.told or setting.decided or subject.owner == "team"
    return subject.noun in PASSING_NOUNS and not (announced or is_for_good(subject))


def _fits(row: Row, frame: Frame, setting: Setting) -> Slot | None:
    """The slot that gives the value, if the row fits; without needs, the whole rest."""
    if frame.subject.kind not in row.who.split():
        return None
    if row.verbs != "@anything" and frame.verb not in _lemmas(row.verbs):
        return None
    if frame.tense not in row.tenses and not (frame.tense == "present" and "present" in row.tenses):
        return None
    if not _agrees(row.denied, frame.negated) or not _agrees(row.passive, frame.passive):
        return None
    if row.marks and not _marked(row.marks, frame, setting):
        return None
    if not row.needs:
        return Slot("", frame.rest)
    slots = [_needed(need, frame) for need in row.needs.split()]
    return slots[0] if all(slot is not None for slot in slots) else None


def _agrees(wanted: str, is_so: bool) -> bool:
    return wanted == "either" or (wanted == "yes") == is_so


def _marked(marks: str, frame: Frame, setting: Setting) -> bool:
    names = marks.split()
    signs = [name for name in names if name.startswith("@")]
    plain = frozenset(names) - frozenset(signs)
    return all(SIGNS[name](frame, setting) for name in signs) and (
        not plain or any(token.low in plain for token in frame.words)
    )


def _needed(need: str, frame: Frame) -> Slot | None:
    preps, _, kind = need.partition(":")
    test = values.CLASSES[kind]
    for slot in frame.slots:
        if (slot.prep or "obj") in preps.split("|") and test(slot.words):
            return slot
    return None


def _candidates(row: Row, frame: Frame, slot: Slot) -> Iterator[Candidate]:
    kind = row.needs.split()[0].partition(":")[2] if row.needs else ""
    items = [slot.words]
    if kind == "value" and frame.subject.noun in {"stack", "setup", "toolchain", "tooling"}:
        items = [part for part in list_items(slot.words) if values.is_value(part)] or items
    if kind in _SEVERAL and not row.value and not (kind == "place" and row.single):
        preps = row.needs.split()[0].partition(":")[0].replace("obj", "").split("|")
        alike = [
            each.words
            for each in frame.slots
            if each == slot or (each.prep in preps and _is_listed(each, frame))
        ]
        parts = [
            part for words in alike for part in list_items(words) if values.CLASSES[kind](part)
        ]
        items = parts if len(parts) > 1 else items
        beside = frame.slot("with")
        if (
            kind in {"tool", "system"}
            and beside is not None
            and beside != slot
            and _is_tool_too(beside.words)
        ):
            items.append(tuple(values.core(beside.words)))
    for words in items:
        value = _value(row, frame, words)
        if value:
            made = _candidate(row, frame, value, words)
            yield replace(made, text=_apart(made.text, items, value)) if len(items) > 1 else made


def _is_listed(slot: Slot, frame: Frame) -> bool:
    """ "on Debian and on Arch"; but "in a bucket in Oslo" is one place."""
    places = [n for n, t in enumerate(frame.words) if slot.words and t is slot.words[0]]
    before = frame.words[places[0] - 2] if places and places[0] > 1 else None
    return before is not None and (before.tag == "CONJ" or before.low == ",")


def _apart(text: str, items: Sequence[Words], value: str) -> str:
    """Each member of a list in a sentence of its own, so that no two facts read the same."""
    first, last = items[0][0], items[-1][-1]
    start, end = text.find(spell(items[0])), text.rfind(spell(items[-1]))
    if start < 0 or end < start or first.start >= last.end:
        return f"{text} ({value})"
    return f"{text[:start]}{value}{text[end + len(spell(items[-1])) :]}"


def _is_tool_too(words: Words) -> bool:
    """ "Postgres with PostGIS"; but "vim with plugins" is one tool, and how it is used."""
    named = any(t.tag == "NAME" or (t.tag == "NOUN" and not is_plain(t.low)) for t in words)
    tags = [t.tag for t in words]
    return named and len(tags) <= 2 and tags[0] != "NUM" and set(tags) <= {"NAME", "NOUN", "NUM"}


def _value(row: Row, frame: Frame, words: Words) -> str:  # noqa: C901 - one case after the other
    if row.value == "clause":
        about = frame.subject.text if frame.subject.kind in {"thing", "name", "own"} else ""
        told = clause_value(frame)
        return f"{about} {told}".strip() if row.kind is FactKind.DECISION else told
    if row.value == "subject":
        return frame.subject.name or frame.subject.text
    if row.attribute == "likes" and values.is_fan(words):
        return spell([t for t in values.core(words)[:-1] if t.low not in {"more", "a", "an"}])
    if row.value == "obj+":
        return _SINCE.sub("", others(list(frame.rest))) if frame.rest else ""
    if row.value == "@called":
        return _called(frame)
    if row.value == "@of":
        cut = next((n for n, t in enumerate(frame.rest) if t.low == "of"), -1)
        return spell(values.core(frame.rest[cut + 1 :])) if cut >= 0 else ""
    if row.value and (other := frame.slot(*row.value.replace("obj", "").split("|"))):
        words = other.words
    elif row.value and row.value != "obj":
        return ""
    inner = values.core(words)
    if row.attribute == "role":
        inner = role_of(words, frame)
    if row.attribute == "language":
        inner = [t for t in inner if values.is_language([t])] or inner
    if row.attribute in {"employer", "location"}:
        inner = values.undated(inner)
    if row.attribute in NAMES:
        inner = [t for t in inner if t.tag != "OBJ"]
    text = spell(inner)
    return text.title() if row.attribute == "location" and text.islower() else text


def _called(frame: Frame) -> str:
    rest = frame.rest
    for index, token in enumerate(rest):
        if token.low in {"called", "named"}:
            return spell(rest[index + 1 :])
    return ""


def clause_value(frame: Frame) -> str:
    """The predicate as a value: "not eat pork", "runs a print shop in Aarhus"."""
    verb = "not " if frame.negated else ""
    main = next(
        (t.text.lower() for t in reversed(frame.group) if t.tag in {"VERB", "AUX", "HAVE"}), ""
    )
    named = frame.passive and frame.verb in {"call", "name"}  # "is called Wombat"
    main = "" if frame.verb == "be" or named else main
    return f"{verb}{main} {others(list(frame.rest))}".strip()[:160]


def _candidate(row: Row, frame: Frame, value: str, words: Words) -> Candidate:
    subject = whose(frame.subject)
    attribute, single = _attribute(row, frame, value)
    subject = USER if row.attribute == "medication" else subject
    scope = _scope(frame, words)
    if row.kind in {FactKind.DECISION, FactKind.ENVIRONMENT} and subject == USER and scope:
        subject = scope
    text = _text(row, frame, value)
    value, over = _chosen_over(attribute, value)
    if subject == scope and scope:
        text = f"{scope}: {re.sub(rf' (?:for|on|across) (?:the )?{re.escape(scope)}', '', text)}"
    return Candidate(
        text,
        FactKind.OTHER if owner_end(frame.subject) and subject != USER else _kind(row, attribute),
        subject,
        attribute,
        value,
        single=(single or (row.single and not attribute.startswith(("prefers", "uses"))))
        and not is_beside(frame),
        ended=row.ended,
        replaces=over or _replaced(row, frame),
        signs=(f"row:{row.who.split()[0]}:{row.verbs.split()[0]}:{row.attribute}",),
    )


def _chosen_over(attribute: str, value: str) -> tuple[str, str]:
    """ "light mode to dark mode": of a thing with one value at a time, this one and not that."""
    chosen, link, over = [*_OVER.split(value, maxsplit=1), "", ""][:3]
    topic = TOPICS.get(attribute.removeprefix("prefers:"), frozenset())
    both = all(topic & set(each.lower().split()) for each in (chosen, over))
    return (f"{chosen} over {over}", over) if link and both else (value, "")


_OF_SELF = frozenset(
    "timezone name surname nickname pronouns email mail phone job role title hometown address "
    "employer height nationality religion school university".split()
)


def _kind(row: Row, attribute: str) -> FactKind:
    if attribute.startswith(("favourite", "preferred", "go-to", "go to")):
        return FactKind.PREFERENCE
    return (
        FactKind.IDENTITY
        if attribute.split()[-1:] and attribute.rsplit(maxsplit=1)[-1] in _OF_SELF
        else row.kind
    )


def _scope(frame: Frame, used: Words) -> str:
    """The project a clause speaks of: "for Atlas", "On Atlas we …"."""
    lead = [t for t in frame.lead if t.tag == "NAME"]
    opened = any(t.low in {"for", "on", "in", "at"} for t in frame.lead)
    if frame.verb in _TURNED and values.is_place(frame.object):
        return spell(frame.object)
    named = (s.words for s in frame.slots if s.prep in {"for", "on", "across"} and s.words != used)
    found: Words = next((words for words in named if values.is_place(words)), ())
    if not found and opened and lead and values.is_place(lead):
        found = tuple(lead)
    return spell([t for t in values.core(found) if t.low != "project"])


def _text(row: Row, frame: Frame, value: str) -> str:
    whole = render(frame)
    if row.attribute in {"avoids", "dislikes"} and not _AGAINST.search(whole):
        return f"{whole} ({row.attribute} it)"
    begins = frame.form in {"VG", "VB"} and frame.verb in _AHEAD
    trades = row.attribute == "employer" and row.verbs == "@work" and frame.object
    if not row.text or frame.tense == "future" or begins or trades:
        return whole
    limit, lead = limit_of(frame), others(list(frame.lead))
    dated = any(t.tag == "NUM" or t.low in values.CALENDAR for t in frame.lead)
    if dated or (limit and lead.lower() in limit):
        untold = lead.lower().removeprefix("on ") not in whole.lower()
        return f"{whole}, {lead[:1].lower()}{lead[1:]}" if untold else whole
    said = row.text.format(s=subject_text(frame.subject), v=value)
    return said if len(frame.rest) <= 6 else whole


def _replaced(row: Row, frame: Frame) -> str:
    if row.replaces == "subject":
        return frame.subject.name or frame.subject.text
    for prep in row.replaces.split("|"):
        slot = Slot("", frame.object) if prep == "obj" else frame.slot(prep)
        if (
            prep
            and slot is not None
            and slot.words
            and (prep == "obj" or prep != row.needs.partition(":")[0])
        ):
            return spell(values.core(slot.words))
    return ""


def _attribute(row: Row, frame: Frame, value: str) -> tuple[str, bool]:
    attribute = row.attribute
    if attribute in {"@tool", "@runs"}:
        return _tool_attribute(frame, value, named=attribute == "@runs")
    if attribute == "@place":
        noun = noun_of(frame)
        return "region" if noun in ENVIRONMENTS else f"{noun} location", True
    if attribute == "@prefers":
        topic = next(
            (name for name, words in TOPICS.items() if words & set(value.lower().split())), ""
        )
        return f"prefers:{topic}" if topic else "prefers", bool(topic)
    filled = (
        attribute.replace("@noun", noun_of(frame))
        .replace("@object", _object_noun(frame))
        .replace("@verb", frame.verb)
        .replace("@unit", _unit(frame))
        .replace("@value", _topic(value))
    )
    filled = filled.removeprefix("not ").strip()
    return SAME_PURPOSE.get(filled, filled) if "@noun" in attribute else filled, False


def _tool_attribute(frame: Frame, value: str, *, named: bool) -> tuple[str, bool]:
    if is_versioned(value):
        return f"{_VERSION.sub('', value).lower()} version".strip(), True
    left = frame.slot("off", "from")
    purpose = find_purpose(value) or (find_purpose(spell(left.words)) if left else "")
    use = frame.slot("for", "as")
    if (
        use is not None
        and spell(values.core(use.words)) != value
        and (noun := spell(values.core(use.words)).lower())
        and not values.is_place(use.words)
    ):
        purpose = SAME_PURPOSE.get(noun, noun) if len(noun) < 25 else purpose
    if named and frame.subject.kind in {"own", "thing"} and noun_of(frame) not in ENVIRONMENTS:
        noun = noun_of(frame)
        return SAME_PURPOSE.get(noun, noun if not purpose else f"{noun}: {purpose}"), False
    return purpose or "uses", False


def noun_of(frame: Frame) -> str:
    """The subject's noun phrase without its owner, as an attribute is named."""
    cut = owner_end(frame.subject)
    owned = frame.subject.words[cut + 1 :] if cut else frame.subject.words
    words = [t for t in owned if t.tag not in {"DET", "POSS"}]
    text = spell(words).lower().replace("favorite", "favourite")
    return re.sub(r"^(?:current|new|main|primary) (?=\w)", "", text)[:40] or frame.subject.noun


def _object_noun(frame: Frame) -> str:
    words = values.core(frame.object)
    return next((t.low for t in reversed(words) if t.tag == "NOUN"), words[-1].low if words else "")


def _unit(frame: Frame) -> str:
    words = values.core(frame.object)
    end = next((n for n, t in enumerate(words) if t.text == ","), len(words))
    unit = [t for t in words[:end] if t.tag != "NUM" and not t.text[:1].isdigit()]
    return spell(unit).lower()[:30]


def _topic(value: str) -> str:
    skipped = {"the", "a", "an", "our", "to", "with", "on", "their", "not", "is", "of"}
    return " ".join([w for w in value.lower().split() if w not in skipped][:4])
