"""What needs no row of its own: decided or to be remembered, or said in parentheses."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.apply import clause_value, noun_of, read_by_table
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.frame import Frame, parse
from hermes.memory.facts.clauses.labels import tool_fact
from hermes.memory.facts.clauses.lexicon import PASSING_NOUNS
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.stance import (
    is_brief,
)
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.memory.facts.clauses.wording import render
from hermes.types import FactKind


def read_aside(
    aside: tuple[Token, ...], frame: Frame, found: Sequence[Candidate], setting: Setting
) -> list[Candidate]:
    """ "(lives alone in Bari)" says more of the subject; "(laravel, forge)" more of the same."""
    parts = [part for part in _comma_parts(aside) if part]
    fresh: list[Candidate] = []
    for part in parts:
        inner = parse(tuple(part), frame.subject)
        if values.is_zone(spell(part)):
            zone = spell(part)
            fresh.append(
                Candidate(
                    f"User's timezone is {zone}",
                    FactKind.IDENTITY,
                    USER,
                    "timezone",
                    zone,
                    single=True,
                )
            )
        elif values.is_address(part) and any(each.kind is FactKind.ENVIRONMENT for each in found):
            fresh.append(replace(found[0], value=spell(part)))
        elif inner.verb and inner.subject == frame.subject:
            fresh += read_by_table(inner, setting)
        elif any(each.kind is FactKind.ENVIRONMENT for each in found) or frame.has("stack", "runs"):
            fresh += [tool_fact(spell(part))] if find_purpose(spell(part)) else []
    return fresh


def _comma_parts(words: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in words:
        if token.text == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def read_announced(frame: Frame, text: str, setting: Setting) -> list[Candidate]:
    """What was announced as decided or to be remembered needs no row of its own."""
    thing = frame.subject.kind in {"own", "thing", "name"} and frame.verb
    lasting = frame.tense in {"present", "progressive", "future"} and not is_brief(text)
    if not thing or not lasting or not (setting.decided or setting.explicit):
        return []
    if frame.subject.words and frame.subject.words[0] not in frame.words:
        return []  # the subject is that of another clause
    if (
        frame.subject.noun in PASSING_NOUNS
        or values.is_momentary(frame.rest)
        or (len(frame.rest) < 2 and not frame.passive and not _is_exact(frame))
    ):
        return []
    if values.points_elsewhere(frame.rest) or len(frame.words) > 22:
        return []
    noun = noun_of(frame)
    value = f"{frame.subject.text} {clause_value(frame)}".strip()
    kind = FactKind.DECISION if setting.decided else FactKind.OTHER
    return [Candidate(render(frame), kind, USER, f"policy:{noun}", value, single=True)]


def _is_exact(frame: Frame) -> bool:
    """ "metric is pr-auc": one word, but no mere property."""
    word = frame.rest[0] if frame.verb == "be" and frame.rest else None
    shaped = word is not None and bool(set("-_/.0123456789") & set(word.text))
    return word is not None and (shaped or word.tag in {"NAME", "NUM", "ADDR"})
