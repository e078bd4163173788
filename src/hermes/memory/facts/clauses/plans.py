"""What somebody will do on a day that is told exactly and still ahead: "I start on 4 May".

Unlike what is due (`dated`), it is the doing that is told, with the day it falls on. What is near
is an errand, and what only lasts until a day, or may come to nothing, is left to others.
"""

import re

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.apply import clause_value
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.dated import SOON_MS, day_told, is_undated
from hermes.memory.facts.clauses.days import Day, find_day
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.riders import whose
from hermes.memory.facts.clauses.stance import is_doubtful
from hermes.memory.facts.clauses.wording import others, render
from hermes.types import FactKind

_DEEDS = frozenset(
    "start begin join leave fly travel sail run race ride sit take submit hand defend present "
    "speak perform play compete host teach exhibit launch release ship sign retire graduate return "
    "come get finish end move marry quit give switch migrate change".split()
)
_OF_ALL = frozenset("start begin launch roll open kick".split())  # told as an order, too
_AWAY = frozenset(
    "holiday holidays leave vacation sabbatical pto break honeymoon away off out abroad".split()
)
_LIMIT = re.compile(r"(?i)\b(?:until|till|by|before|since|after|unless|if|last)\b")
_RANGE = re.compile(r"(?i)\d\s?(?:[-–]|to|till|until)\s?(?:the )?\d|\bto [a-z]+ \d|[a-z] to \d")
_MONTH = re.compile(r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b")
_ORDINAL = re.compile(r"(?i)\bthe \d{1,2}(?:st|nd|rd|th)\b|\d{4}-\d\d")
_ASKED_OF_HERMES = re.compile(r"(?i)\b(?:please|pls|plz|remind|can you|could you|for me)\b")
LONGEST = 18  # words


def read_plan(frame: Frame, setting: Setting, text: str) -> list[Candidate]:
    """The plan that a clause states, if it states one; `text` is the clause as written."""
    if frame.negated or is_doubtful(text) or is_undated(text) or len(frame.words) > LONGEST:
        return []
    if not (_is_own_doing(frame) or _is_ordered(frame, text)) or _LIMIT.search(text):
        return []
    day = _exact_day(frame, setting.day_from(text), text)
    if day is None or day.start_at - setting.at < SOON_MS:
        return []
    ordered = frame.subject.kind == "none"
    said = f"User's plan: {others(list(frame.words))}" if ordered else render(frame)
    return [
        Candidate(
            f"{said} ({day.iso})",
            FactKind.EVENT,
            whose(frame.subject),
            f"event:{frame.verb}",
            clause_value(frame),
            valid_from=day.start_at,
        )
    ]


def _is_own_doing(frame: Frame) -> bool:
    told = frame.tense in {"present", "progressive", "future"} and not frame.passive
    if frame.subject.kind not in {"user", "team", "person", "name"} or not told:
        return False
    if frame.modal not in {"", "will", "'ll", "going"}:
        return False
    if frame.verb == "be":
        return bool({t.low for t in frame.rest[:4]} & _AWAY)
    return frame.verb in _DEEDS


def _is_ordered(frame: Frame, text: str) -> bool:
    """ "start with Deusto on Monday 4 May": no order to anyone here, but what is going to be."""
    plain = frame.subject.kind == "none" and frame.form == "VB" and frame.verb in _OF_ALL
    return plain and not frame.lead and not _ASKED_OF_HERMES.search(text)


def _exact_day(frame: Frame, at: int, text: str) -> Day | None:
    """The first day of it, where a day of the calendar is named."""
    told, day = day_told(frame, at, text)
    if day is None or day.later or not (_MONTH.search(day.text) or _ORDINAL.search(day.text)):
        return None
    if not any(map(str.isdigit, day.text)):
        return None
    return find_day(told, at, first=True) if _RANGE.search(day.text) else day
