"""LoCoMo: ten long conversations of two people, each question with the turns that hold its answer.

A shared picture counts as its caption, as in the benchmark's own baselines; the words it was
searched by do not. A few evidence ids are malformed: they are split where several stand in one, and
left out where they name no turn. Every question is asked right after the last turn.

Files like it are read with more lenience than it needs: sessions may be numbered with gaps, a turn
may have no text (its picture's caption stands for it) and an id that another turn has, a question
may lack evidence (it is not asked) or have a category of its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.bench.retrieval.published import iter_entries, parse_date, reading, text_of
from hermes.clock import MINUTE_MS

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_DATE = "%I:%M %p on %d %B, %Y"


def load_locomo(path: Path) -> list[Case]:
    """The conversations in the order of the file, named by their place in it."""
    cases = []
    for number, sample in enumerate(iter_entries(path)):
        with reading(path, number):
            cases.append(_case(number, sample))
    return cases


def _case(number: int, sample: Mapping[str, Any]) -> Case:
    talks = tuple(_talks(sample["conversation"]))
    if not talks:
        raise ValueError("nothing is said in it")
    asked_at = max(said.at for talk in talks for said in talk.said) + MINUTE_MS
    known = {said.key for talk in talks for said in talk.said}
    questions = tuple(
        Question(f"{number}:{place}", text, _category(asked.get("category")), asked_at, evidence)
        for place, asked in enumerate(sample["qa"])
        if (text := text_of(asked["question"])).strip()
        and (evidence := _evidence(asked.get("evidence"), known))
    )
    return Case(f"locomo-{number + 1}", talks, questions)


def _category(told: object) -> str:
    """The name of a category, also where its number is written as text."""
    written = text_of(told).strip()
    number = int(written) if written.isdecimal() else 0
    return CATEGORIES.get(number) or f"category {written or 'unknown'}"


def _talks(conversation: Mapping[str, Any]) -> Iterator[Talk]:
    """Every session there is, in the order of their numbers."""
    names = [found for name in conversation if (found := _SESSION.fullmatch(name))]
    taken = set[str]()
    for name in sorted(names, key=lambda found: int(found[1])):
        if turns := conversation[name[0]]:
            at = parse_date(conversation[f"{name[0]}_date_time"], _DATE)
            if said := tuple(_said(turns, f"D{int(name[1])}", at, taken)):
                yield Talk(f"s{name[1]}", said)


def _said(
    turns: Sequence[Mapping[str, Any]], session: str, at: int, taken: set[str]
) -> Iterator[Said]:
    """What is said in a session; of turns with one id the first keeps it."""
    for place, turn in enumerate(turns):
        if text := _text(turn):
            key = text_of(turn.get("dia_id")) or f"{session}:{place + 1}"
            while key in taken:
                key += " again"
            taken.add(key)
            yield Said(key, text, at + place * 1_000, speaker=text_of(turn["speaker"]))


def _text(turn: Mapping[str, Any]) -> str:
    """What a turn says and shows, or nothing."""
    text, caption = text_of(turn.get("text")), text_of(turn.get("blip_caption"))
    if not text.strip():
        return f"[shares {caption}]" if caption else ""
    return f"{text} [shares {caption}]" if caption else text


def _evidence(listed: list[str] | str | None, known: set[str]) -> frozenset[str]:
    written = [listed] if isinstance(listed, str) else listed or ()
    found = (f"D{int(s)}:{int(t)}" for each in written for s, t in _EVIDENCE.findall(each))
    return frozenset(key for key in found if key in known)
