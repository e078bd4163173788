"""Readings that were judged, as pairs of texts to teach the reading gate, and with their signs.

Of the labelled chats it is what the present readers propose, judged by its ruling or, where nobody
judged it, by the labels. Of the chats in `facts/taught/`, which have no labels, it is what was
proposed when they were judged, every reading by the author of the chats.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path

from hermes.bench.facts.loader import Conversation, Half, load_half, parse_conversations
from hermes.bench.facts.rulings import Word, find_ruling, load_rulings
from hermes.bench.fit_gate import (
    LINES_AT,
    OPTIONAL,
    PLAIN,
    SEEN,
    TUNED_ON,
    candidates,
    judged_case,
    read_line,
    read_of,
)
from hermes.clock import parse_time
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.gate import AS_SAID, is_held_back, signs_of
from hermes.memory.facts.clauses.pair import Pair, Said, render_pair
from hermes.memory.facts.clauses.sureness import as_told
from hermes.types import Confidence, Message

AUTHORS = tuple("abcdefghijopqrstuvw")
UNRULED = {True: 0.7, False: 0.5}  # what a match of words counts, and the want of one


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of `author`, who is a half or one of `AUTHORS`; without signs where it is not
    proposed any more. `finds` are the labels it says. A copy would be kept if another reading did
    not say as much, or a later message had not ended it: who compares it with what was said learns
    that it is right."""

    author: str
    pair: Pair
    kept: bool
    optional: bool
    ruled: bool
    weight: float
    signs: frozenset[str] = frozenset()
    finds: frozenset[str] = frozenset()
    is_told: bool = False
    is_copy: bool = False


def list_readings(halves: tuple[Half, ...]) -> list[Reading]:
    """All readings of the halves and of the authors who judged their own."""
    own = [each for half in halves for each in _of_half(half)]
    return own + [each for author in AUTHORS for each in _of_author(author)]


def _of_half(half: Half) -> Iterator[Reading]:
    rulings = load_rulings(half)
    for chat in load_half(half):
        for candidate in candidates(chat):
            case = judged_case(half, chat, candidate, rulings)
            ruling = find_ruling(rulings, chat.id, read_of(candidate))
            is_copy = ruling is not None and ruling.verdict in {Word.COPY, Word.OVER}
            tuned = half in TUNED_ON and not is_held_back(candidate)
            weight = (OPTIONAL if case.optional or is_copy else 1.0) * (SEEN if tuned else 1.0)
            yield Reading(
                str(half),
                _pair(chat, candidate),
                case.kept or is_copy,
                case.optional,
                ruling is not None,
                weight * (UNRULED[case.kept] if ruling is None else 1.0),
                case.signs,
                case.finds,
                case.is_told,
                is_copy,
            )


def _of_author(author: str) -> Iterator[Reading]:
    folder = resources.files("hermes.bench.facts") / "taught"
    chats = (folder / f"{author}.chats.jsonl").read_text(encoding="utf-8")
    by_id = {chat.id: chat for chat in parse_conversations(chats, source=f"{author}.chats.jsonl")}
    now = {
        (chat.id, _place(each), each.text): each
        for chat in by_id.values()
        for each in candidates(chat)
    }
    for line in (folder / f"{author}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        chat, key = by_id[row["chat"]], (row["chat"], row["message"], row["reading"])
        word, found = Word(row["verdict"]), now.get(key)
        day = parse_time(f"{row['day']}T12:00:00Z") if row["day"] else None
        pair = render_pair(row["reading"], row["quote"], day, _said(chat, row["message"]))
        verdict = (word is not Word.JUNK, word is Word.FINE, True)
        build = partial(Reading, author, pair, *verdict, is_copy=word in {Word.COPY, Word.OVER})
        weight = OPTIONAL if word in {Word.FINE, Word.COPY, Word.OVER} else 1.0
        if found is None:
            yield build(weight)
        else:
            finds = frozenset({"/".join(map(str, key))} if word is Word.RIGHT else ())
            told = as_told(found).confidence is Confidence.HIGH
            yield build(weight, signs_of(found), finds, told)


def list_lines(folder: Path) -> list[Reading]:
    """The lines of the tests: plain statements, which a person would keep, and small talk."""
    found: list[Reading] = []
    for line in (folder / "statements.tsv").read_text(encoding="utf-8").splitlines():
        text = line.split("\t")[0]
        read = (each for each in read_line(text) if AS_SAID not in each.signs)
        found += [_of_line(text, each, kept=True) for each in read if not is_held_back(each)]
    for line in (folder / "small_talk.txt").read_text(encoding="utf-8").splitlines():
        text = line.replace("\\n", "\n")
        found += [_of_line(text, each, kept=False) for each in read_line(text)]
    return found


def _of_line(text: str, candidate: Candidate, *, kept: bool) -> Reading:
    said = (candidate.text, candidate.quote, candidate.valid_from)
    pair = render_pair(*said, Said(text, LINES_AT))
    return Reading("line", pair, kept, False, True, PLAIN, signs_of(candidate))


def _pair(chat: Conversation, candidate: Candidate) -> Pair:
    said = _said(chat, _place(candidate))
    return render_pair(candidate.text, candidate.quote, candidate.valid_from, said)


def _place(candidate: Candidate) -> int:
    return (candidate.message_id or 0) - 1


def _said(chat: Conversation, place: int) -> Said:
    """What was said there, as the extractor sees it."""
    near = [
        Message(n, chat.id, n, said.at, said.role, said.text, said.speaker)
        for n, said in enumerate(chat.messages[max(0, place - 1) : place + 1], start=place)
    ]
    return Said.of(near[-1], near[0] if place else None)
