"""LoCoMo: ten long conversations of two people, each question with the turns that hold its answer.

A shared picture counts as its caption, as in the benchmark's own baselines; the words it was
searched by do not. A few evidence ids are malformed: they are split where several stand in one, and
left out where they name no turn. Every question is asked right after the last turn.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.bench.retrieval.published import iter_entries, reading
from hermes.clock import MINUTE_MS, from_datetime

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_DATE = "%I:%M %p on %d %B, %Y"


def load_locomo(path: Path) -> list[Case]:
    """The conversations in the order of the file."""
    cases = []
    for number, sample in enumerate(iter_entries(path)):
        with reading(path, number):
            cases.append(_case(number, sample))
    return cases


def _case(number: int, sample: Mapping[str, Any]) -> Case:
    talks = tuple(_talks(sample["conversation"]))
    asked_at = max(said.at for talk in talks for said in talk.said) + MINUTE_MS
    known = {said.key for talk in talks for said in talk.said}
    questions = tuple(
        Question(
            f"{number}:{place}",
            asked["question"],
            CATEGORIES[asked["category"]],
            asked_at,
            evidence,
        )
        for place, asked in enumerate(sample["qa"])
        if (evidence := _evidence(asked["evidence"], known))
    )
    return Case(str(sample.get("sample_id", number)), talks, questions)


def _talks(conversation: Mapping[str, Any]) -> Iterator[Talk]:
    number = 1
    while f"session_{number}_date_time" in conversation:
        started = datetime.strptime(conversation[f"session_{number}_date_time"], _DATE)
        at = from_datetime(started.replace(tzinfo=UTC))
        turns = conversation.get(f"session_{number}") or []
        if turns:
            said = (_said(turn, at + place * 1_000) for place, turn in enumerate(turns))
            yield Talk(f"s{number}", tuple(said))
        number += 1


def _said(turn: Mapping[str, Any], at: int) -> Said:
    caption = turn.get("blip_caption")
    text = f"{turn['text']} [shares {caption}]" if caption else turn["text"]
    return Said(turn["dia_id"], text, at, speaker=turn["speaker"])


def _evidence(listed: list[str], known: set[str]) -> frozenset[str]:
    found = (f"D{int(s)}:{int(t)}" for each in listed for s, t in _EVIDENCE.findall(each))
    return frozenset(key for key in found if key in known)
