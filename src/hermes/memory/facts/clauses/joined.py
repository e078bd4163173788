"""Sentences told whole, where their clauses lean on each other or on the sentence before.

"I used to smoke, stopped in 2019": each clause by itself says too little. "Marta approved the new
logo. Files are in Dropbox": only the sentence before says which files.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from hermes.memory.facts.clauses.ellipsis import asked_in
from hermes.memory.facts.clauses.freed import JOINED
from hermes.memory.facts.clauses.statements import Before, Said, are_two
from hermes.memory.facts.clauses.telling import as_worded, in_third, of_user, resolved, with_asides
from hermes.memory.facts.clauses.units import Unit, content
from hermes.memory.facts.clauses.wording import group_text, others

LONGEST_WHOLE = 28  # words
LONGEST_ANSWER = 16
FEWEST = 4  # words that say something, where nothing is named

_DANGLING = frozenset(
    "it that then there him them her those these one ones his their mine ours this so".split()
)
_POINTING = frozenset("it there then him them her those these that".split())
_LOOSE = frozenset({"fragment", "supposed", "order"})
_NAMING = frozenset({"NAME", "NUM", "ADDR"})
_BARE = 2  # words of a subject that does not say of what

Group = tuple[Unit, ...]


def list_joined(units: Sequence[Unit], prose: str, before: Before) -> Iterator[Said]:
    """What a sentence says as a whole, with the one before it where it leans on that."""
    groups = [tuple(group) for _, group in groupby(units, key=lambda unit: unit.body.start)]
    for place, group in enumerate(groups):
        previous = groups[place - 1] if place else ()
        if place == 0 and (asked := asked_in(before.asked)) and _answers(group):
            text = f'Asked "{asked}?", User answered: {_whole(group, prose, within=True)}'
            yield _said(text, group, group)
        elif previous and _leans(group[0]) and _leads(previous, group, prose):
            text = f"{_whole(previous, prose, before)}; {_whole(group, prose, within=True)}"
            yield _said(text, previous, group)
        elif len(group) > 1 and _is_loose(group) and not are_two(*group[:2]):
            opening = _opening(group)
            text = opening + _whole(group, prose, before, within=bool(opening))
            yield _said(text, group, group)


def _said(text: str, first: Group, last: Group) -> Said:
    frame = next((unit.frame for unit in last if unit.frame.verb), last[0].frame)
    value = " ".join(others(unit.words) for unit in last)
    return Said(text, value, first[0], last[-1], JOINED, frame)


def _answers(group: Group) -> bool:
    """ "3.11, RHEL ships it", "I am, since Dagny left": what was asked completes it."""
    first = group[0]
    opens = first.sort == "fragment" or (first.sort == "told" and not first.frame.rest)
    short = sum(len(unit.words) for unit in group) <= LONGEST_ANSWER
    told = all(unit.sort not in {"asked", "order"} for unit in group)
    return len(group) > 1 and opens and short and told


def _is_loose(group: Group) -> bool:
    """Whether its clauses cannot all stand by themselves, and it is short enough to be told."""
    sorts = {unit.sort for unit in group}
    conditional = group[0].sort == "supposed" and "order" not in sorts
    if sorts & {"asked", "nothing"} or conditional:
        return False
    leans = any(
        unit.sort in _LOOSE or not _has_subject(unit) or _is_dangling(unit) for unit in group
    )
    return leans and _says_enough(group)


def _says_enough(group: Group) -> bool:
    words = [t for unit in group for t in unit.words]
    told = content(words)
    labelled = len(group) > 1 and group[1].joint == ":"
    named = (labelled or any(t.tag in _NAMING for t in told)) and len(told) > 1
    return len(words) <= LONGEST_WHOLE and (named or len(told) >= FEWEST)


def _has_subject(unit: Unit) -> bool:
    own = {token.start for token in unit.frame.words}
    words = unit.frame.subject.words
    return bool(words) and words[0].start in own


def _is_dangling(unit: Unit) -> bool:
    return any(t.low in _DANGLING for t in unit.words)


def _leans(unit: Unit) -> bool:
    """ "install is 27 May", "I am still the CTO there": of something that was just spoken of."""
    subject = unit.frame.subject
    if unit.sort != "told" or subject.kind != "thing":
        return unit.sort == "told" and any(t.low in _POINTING for t in unit.frame.rest)
    words = [t for t in subject.words if t.tag != "DET"]
    return len(words) <= _BARE and not any(t.tag in _NAMING for t in words)


def _leads(previous: Group, group: Group, prose: str) -> bool:
    if "\n\n" in prose[previous[-1].end : group[0].start]:
        return False
    sorts = {unit.sort for unit in (*previous, *group)}
    told = any(unit.sort == "told" for unit in previous)
    return told and not sorts & {"asked", "order", "supposed"} and _says_enough(previous + group)


def _opening(group: Group) -> str:
    sort = group[0].sort
    return (
        "User asks: " if sort in {"order", "supposed"} else "User says: " if sort == "you" else ""
    )


def _whole(group: Group, prose: str, before: Before | None = None, *, within: bool = False) -> str:
    """All units in the third person, joined as they were said; `within` says that more stands
    before it, and `before` where to look for what a pronoun at its start means."""
    parts: list[str] = []
    for place, unit in enumerate(group):
        told = _part(unit, first=place == 0)
        if place == 0 and before is not None and unit.sort == "points":
            told = resolved(unit, before.texts(prose, unit.start)) or told
        if place:
            gap = " ".join(prose[group[place - 1].end : unit.start].split())
            parts.append(gap if gap[:1] in {",", ":", ";", ")"} else f" {gap}" if gap else "")
        parts.append(f"{' ' if place else ''}{_uncapital(told, unit) if place or within else told}")
    return "".join(parts) if within else of_user("".join(parts))


def _part(unit: Unit, *, first: bool) -> str:
    frame = unit.frame
    bare = bool(frame.group) and frame.group[0].form == "VB" and unit.joint != "and"
    if unit.sort == "told" and not _has_subject(unit) and not first:
        said = f"{group_text(frame)} {others(frame.rest)}".strip()
        return as_worded(unit) if bare else with_asides(said, unit)
    return in_third(unit) if unit.sort in {"told", "points"} else as_worded(unit)


def _uncapital(text: str, unit: Unit) -> str:
    """As it was written within its sentence."""
    first = text.split(" ", 1)[0]
    plain = first[:1].lower() + first[1:]
    small = plain in unit.text.split() or plain in _SMALL or unit.words[0].tag == "NOUN"
    return plain + text[len(first) :] if small and not first.startswith("User") else text


_SMALL = frozenset("the a an my our it he she they this that there in on at for no not".split())
