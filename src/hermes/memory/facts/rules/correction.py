"""Corrections that lean on what was said before: "make that Thursday", "Ana, not Anna"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.rules.dates import find_day
from hermes.memory.facts.rules.grammar import Said, bare, is_proper, points_elsewhere, short, words

_LEAD = (
    r"(?:(?:it|that|this|he|she|they)\s+(?:(?:is|are)\s+going\s+to\s+be|will\s+be|is|are|"
    r"was|should\s+be|should\s+have\s+been)(?:\s+on)?|make\s+(?:it|that)|i\s+meant|meant|"
    r"should\s+be|to|is|use)\s+"
)
_NEW_NOT_OLD = re.compile(
    rf"(?:{_LEAD})?(?P<new>[^,;]{{1,60}}?)\s*(?:,\s*|\s+)(?:and\s+)?(?:not|"
    rf"rather\s+than|instead\s+of)\s+(?P<old>[^,;]{{1,60}})$",
    re.I,
)
_NOT_OLD_NEW = re.compile(
    rf"(?:{_LEAD})?not\s+(?P<old>[^,;]{{1,60}}?)\s*(?:,\s*but\s+|"
    rf"\s+but\s+(?:rather\s+)?|,\s*(?:it\s+is\s+|rather\s+)?)(?P<new>[^,;]{{1,60}})$",
    re.I,
)
_NEW = re.compile(
    rf"{_LEAD}(?:now\s+|actually\s+)?(?P<new>[^,;]{{1,60}})(?:,\s[^,]{{1,30}})?$", re.I
)


_ENDED = re.compile(r"\b(?:no longer uses|dropped)\b")


def correct(said: Said, earlier: Sequence[Candidate]) -> Iterator[Candidate]:
    """The fact the clause puts right, with its new value."""
    for pattern in (_NOT_OLD_NEW, _NEW_NOT_OLD):
        if found := pattern.match(said.text):
            target = _mentioning(short(found["old"]), earlier)
            if target and (fixed := _fixed(target, found["new"], said)):
                yield fixed
                return
    target = earlier[-1] if earlier else None
    if target and (said.clause.correction or target.ended) and (found := _NEW.match(said.text)):
        if fixed := _fixed(target, found["new"], said):
            yield fixed


def _mentioning(old: str, earlier: Sequence[Candidate]) -> Candidate | None:
    """The latest fact whose value or quote holds the old words."""
    wanted = bare(old).casefold()
    if not wanted or words(wanted) > 6:
        return None
    pattern = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
    for candidate in reversed(earlier):
        if pattern.search(candidate.value.casefold()) or pattern.search(candidate.quote.casefold()):
            return candidate
    return None


def _fixed(target: Candidate, raw: str, said: Said) -> Candidate | None:
    value = bare(short(raw))
    if points_elsewhere(value) or words(value) > 6:
        return None
    if re.fullmatch(r"\d{4}-\d\d-\d\d", target.value):
        day = find_day(raw, said.at)
        if not day:
            return None
        return _with_value(target, day.iso, day.start_at if target.valid_from else None)
    if (
        is_proper(target.value)
        and not is_proper(value)
        and value == value.lower()
        and words(value) > 2
    ):
        return None
    return _with_value(target, value, target.valid_from)


def _with_value(target: Candidate, value: str, valid_from: int | None) -> Candidate | None:
    if value.casefold() == target.value.casefold():
        return None
    text = _ENDED.sub("switched to", target.text) if target.ended else target.text
    return replace(
        target,
        value=value,
        text=text.replace(target.value, value),
        quote="",
        correction=True,
        replaces=target.value,
        ended=False,
        valid_from=valid_from,
    )
