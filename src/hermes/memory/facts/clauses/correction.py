"""Corrections that lean on what was said before: "make that Thursday", "Ana, not Anna"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.days import Day, find_day
from hermes.memory.facts.sorts import is_of_one_sort
from hermes.types import FactKind

_LEAD = (
    r"(?:(?:it|that|this|he|she|they)(?:\s+(?:(?:is|are)\s+going\s+to\s+be|will\s+be|is|are|was|"
    r"should\s+be)|'s|'re)(?:\s+(?:on|now|actually|going to be))*|"
    r"(?:his|her|their|its)\s+name(?:\s+is|'s)|make\s+(?:it|that)|i\s+meant|"
    r"meant|"
    r"should\s+be|(?:they|we|he|she|i|it)(?:\s+(?:have|has|was|got|is))*\s+(?:moved|changed|pushed|shifted|"
    r"rescheduled|slipped|delayed|postponed|extended)(?:\s+(?:it|that|them|this))?\s+to|to|is|use)\s+"
)
_NEW_NOT_OLD = re.compile(
    rf"(?:{_LEAD})?(?P<new>[^,;]{{1,60}}?)\s*(?:,\s*|\s+)(?:and\s+)?(?:not|rather\s+than|instead\s+of)\s+"
    r"(?:on\s+)?(?P<old>[^,;]{1,60})$",
    re.I,
)
_NOT_OLD_NEW = re.compile(
    rf"(?:{_LEAD})?not\s+(?P<old>[^,;]{{1,60}}?)\s*(?:,\s*but\s+|\s+but\s+(?:rather\s+)?|,\s*(?:it\s+is\s+|"
    r"it's\s+|rather\s+)?)(?P<new>[^,;]{1,60})$",
    re.I,
)
_NEW = re.compile(
    rf"{_LEAD}(?:now\s+|actually\s+)?(?P<new>[^,;]{{1,60}})(?:,\s[^,]{{1,30}})?$", re.I
)
_EDGES = " \t\n\"'“”.,!?:;*_~…-–—"
_TAIL = re.compile(
    r"(?:[\s,]+(?:now|actually|instead|please|pls|btw|sorry|though|final answer|then|with \w+))+$",
    re.I,
)
_ARTICLE = re.compile(r"^(?:an?|the|on|in)\s+", re.I)
_ENDED = re.compile(r"\b(?:is not using|no longer uses|dropped|does not use)\b")
_WEEKDAYS = re.compile(r"(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b")
_HOUR = re.compile(r"(?i)\b\d{1,2}(?:[:.]\d\d)(?:\s?[ap]m)?\b|\b\d{1,2}\s?[ap]m\b")
_NO_VALUE = re.compile(r"(?i)(?:it|this|that|what|how|fine|ok|not|my|our|your|so|really|just)\b")
_TOLD_DAY = re.compile(r" \((?:on |due )?\d{4}-\d\d-\d\d\)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SENTENCE = re.compile(r"(?i)\S (?:is|are|am|was|were)\b|(?:'m|'re) ")  # it says of whom itself
_IT = re.compile(r"(?i)(?:it|that|this)\b")
# "we moved to Utrecht" is no other value of what was said before, unless that was a day.
_WENT = re.compile(r"(?i)(?:they|we|he|she|i)\b[\w ']*\b(?:moved|changed|shifted|pushed)\s+to\b")
_SHIFTED = re.compile(
    r"(?i)it(?:'s| (?:has|was|got|is|been))* (?:moved|pushed|shifted|rescheduled|slipped|delayed|"
    r"postponed|extended)\b"
)
_WHEN = r" last (?:week|month|year|night|\w+day)| this (?:week|month|year)| yesterday| today"
MOST_WORDS = 6


def correct(text: str, at: int, earlier: Sequence[Candidate], *, marked: bool) -> list[Candidate]:
    """The fact a clause puts right, with its new value; `marked` if it was announced as one."""
    bare = _TAIL.sub("", text.rstrip(_EDGES))
    for pattern in (_NOT_OLD_NEW, _NEW_NOT_OLD):
        if found := pattern.match(bare):
            target = _mentioning(_bare(found["old"]), earlier)
            if target and (fixed := _fixed(target, found["new"], at)):
                return [fixed]
    target = earlier[-1] if earlier else None
    if target and _WENT.match(text) and not _DAY.fullmatch(target.value):
        return []
    if target and _IT.match(text) and target.kind is FactKind.RELATIONSHIP:
        return []  # nobody's partner is "it": that is said of what else the sentence told
    moved = target is not None and _DAY.fullmatch(target.value) and _SHIFTED.match(text)
    if target and (marked or target.ended or moved) and (found := _NEW.match(text)):
        if fixed := _fixed(target, found["new"], at):
            return [fixed]
    return []


def _bare(text: str) -> str:
    return _ARTICLE.sub("", _TAIL.sub("", text.strip(_EDGES)).strip(_EDGES))


def _mentioning(old: str, earlier: Sequence[Candidate]) -> Candidate | None:
    """The latest fact whose value holds the old words, or whose day was told by them.

    A sentence may tell several facts: that it holds the words says of none that they are its value.
    """
    wanted = old.casefold()
    if not wanted or len(wanted.split()) > MOST_WORDS:
        return None
    pattern = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
    for candidate in reversed(earlier):
        is_day = _DAY.fullmatch(candidate.value) is not None
        told = candidate.quote if is_day else candidate.value
        if pattern.search(told.casefold()):
            return candidate
    return None


def _fixed(target: Candidate, raw: str, at: int) -> Candidate | None:
    value = _bare(re.split(rf"(?i),| because | so | since | for now|(?:{_WHEN})\b", raw)[0])
    if (
        not value
        or len(value.split()) > MOST_WORDS
        or _NO_VALUE.match(value)
        or _SENTENCE.search(value)
    ):
        return None
    if _DAY.fullmatch(target.value):
        day = find_day(raw, at)
        if day is None:
            return None
        said = _with_day(target, day, at)
        return _with_value(said, day.iso, day.start_at if target.valid_from else None)
    if target.value[:1].isupper() and value == value.lower() and len(value.split()) > 2:
        return None
    if not is_of_one_sort(target.value, value):
        return None
    return _with_value(target, _kept_rest(target.value, value), target.valid_from)


def _kept_rest(old: str, value: str) -> str:
    """ "Mondays" in the place of "on Wednesdays at 19:00": the hour stays."""
    for pattern in (_WEEKDAYS, _HOUR):
        if pattern.fullmatch(value) and len(pattern.findall(old)) == 1:
            return pattern.sub(value, old)
    return value


def _with_day(target: Candidate, day: Day, at: int) -> Candidate:
    """The old fact in the words of the new day: "the wedding is on the 20th of June"."""
    told = _TOLD_DAY.sub("", target.text)
    old = find_day(told, target.at if target.at is not None else at)
    if old is None or old.iso != target.value or old.text not in told:
        return target
    lead = re.match(r"(?i)(?:on|by|the|in|at)\s+(?:the\s+)?", old.text)
    words = re.sub(r"(?i)^(?:on|by|in|at)\s+", "", day.text.strip())
    return replace(
        target, text=target.text.replace(old.text, f"{lead.group() if lead else ''}{words}", 1)
    )


def _with_value(target: Candidate, value: str, valid_from: int | None) -> Candidate | None:
    if value.casefold() == target.value.casefold():
        return None
    text = _ENDED.sub("switched to", target.text) if target.ended else target.text
    changed = text.replace(target.value, value)
    return replace(
        target,
        value=value,
        text=changed if value in changed else f"{changed} (corrected: {value})",
        quote="",
        correction=True,
        replaces=target.value,
        ended=False,
        valid_from=valid_from,
    )
