"""Fits how later sentences end statements: `python -m hermes.bench.fit_turnover [FOLDER]`.

A pair is a reading of a labelled chat and a later sentence of it that has a word of a change. It is
right where a label says that what the sentence tells took the place of what the reading says, wrong
where nothing says so, and left out where that is not known. Each author is judged by what the
others taught; there the edge is taken: of the links it makes `RIGHT` are right. A sentence links
the one statement that it fits best. With a FOLDER, the weights are written there.
"""

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hermes.bench.facts.loader import Conversation, Expected, Half, load_half
from hermes.bench.facts.match import is_match
from hermes.bench.facts.rulings import Rulings, Word, find_ruling, load_rulings
from hermes.bench.facts.runner import Read
from hermes.bench.fit_gate import candidates, read_of
from hermes.bench.logistic import Floats, Held, fit_model
from hermes.embed.base import EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.prose import own_prose
from hermes.memory.facts.clauses.reader import speaks_for_user
from hermes.memory.facts.clauses.split import split_sentences
from hermes.memory.facts.compare import stems
from hermes.memory.facts.turnover import WEIGHTS, Embed, Row, can_stay, nearest, weigh
from hermes.memory.facts.turnover_signs import Later, earlier_of, tells_turn
from hermes.types import Message, Role

HALVES = (
    Half.DEV,
    Half.DEV2,
    Half.DEV5,
    Half.DEV6,
    Half.DEV7,
    Half.DEV9,
    Half.DEV10,
    Half.DEV12,
    Half.DEV13,
    Half.DEV14,
    Half.DEV15,
    Half.DEV16,
    Half.DEV17,
    Half.CHANGE,
)
RIGHT = 0.9
FEWEST = 20  # links that say how many are right
COMMON = 5  # chats from which on it is known how rare a word is
HELD = Held(signs=3.0, meaning=3.0, rarest=6)
SAME = 0.5  # share of the words of a label's quote that stand in a sentence that tells it


@dataclass(frozen=True, slots=True)
class Case:
    """A pair: who wrote it, the sentence it is of, and whether it is right; None if not known."""

    author: str
    sentence: tuple[str, int, str]
    row: Row
    right: bool | None
    told: str


def main() -> None:
    chats = [(half, chat) for half in HALVES for chat in load_half(half)]
    rarity = _rarities([chat for _, chat in chats])
    embedder = open_embedder(EmbedderOptions())
    known: dict[str, tuple[float, ...]] = {}

    def embed(text: str) -> tuple[float, ...]:
        if text not in known:
            known[text] = tuple(embedder.embed_queries([text])[0].tolist())
        return known[text]

    rulings = {half: load_rulings(half) for half in HALVES}
    cases = [
        case for half, chat in chats for case in _cases(half, chat, rulings[half], embed, rarity)
    ]
    edge = _report(cases)
    told = _fitted(cases)
    told |= {"edge": edge, "rarity": rarity, "space": str(embedder.space)}
    if len(sys.argv) > 1:
        text = json.dumps(told, indent=0, sort_keys=True, ensure_ascii=False)
        (Path(sys.argv[1]) / WEIGHTS).write_text(text + "\n", encoding="utf-8")


def _rarities(chats: Sequence[Conversation]) -> dict[str, float]:
    """How rare each word is that several chats have; any other is as rare as can be."""
    seen: Counter[str] = Counter()
    for chat in chats:
        said = " ".join(each.text for each in chat.messages if each.role is Role.USER)
        seen.update(stems(said))
    many = math.log(len(chats))
    return {
        word: round(1 - math.log(times) / many, 3)
        for word, times in sorted(seen.items())
        if times >= COMMON
    }


def _cases(
    half: Half, chat: Conversation, rulings: Rulings, embed: Embed, rarity: dict[str, float]
) -> Iterator[Case]:
    read = [each for each in candidates(chat) if each.text]
    held = {each.text: (each, labels) for each in read if (labels := _labels(chat, each, rulings))}
    author = chat.id.partition("-")[0] if half is Half.DEV13 else str(half)
    for message in _messages(chat):
        sentences = split_sentences(own_prose(message.text)) if speaks_for_user(message) else ()
        before = [pair for pair in held.values() if (pair[0].message_id or 0) < message.id]
        upto = ""
        for sentence in sentences:
            upto += f" {sentence.text}"
            later = Later(sentence.text, upto, message.at, sentence.is_question)
            able = [p for p in before if tells_turn(later.text) and _is_open(chat, p[1], message)]
            yield from _of_sentence(chat, author, message, later, able, embed, rarity)


def _of_sentence(
    chat: Conversation,
    author: str,
    message: Message,
    later: Later,
    able: Sequence[tuple[Candidate, frozenset[str]]],
    embed: Embed,
    rarity: dict[str, float],
) -> Iterator[Case]:
    earlier = [earlier_of(each) for each, _ in able]
    near = [n for n in nearest(earlier, later, rarity) if not later.is_question]
    rows = weigh([earlier[n] for n in near], later, embed, rarity)
    for n, row in zip(near, rows, strict=True):
        if not can_stay(earlier[n], later):
            right = _is_right(chat, able[n][1], message, later)
            told = f"{earlier[n].text} -> {later.text}"
            yield Case(author, (chat.id, message.id, later.text), row, right, told)


def _labels(chat: Conversation, each: Candidate, rulings: Rulings) -> frozenset[str]:
    """The labels that a reading says; "over", "fine" where it is only judged so."""
    read = read_of(each)
    ruling = find_ruling(rulings, chat.id, read)
    if ruling is None:
        return _matching(chat, read)
    if ruling.verdict in {Word.JUNK, Word.COPY}:
        return frozenset()
    return frozenset({str(ruling.verdict), *ruling.labels})


def _matching(chat: Conversation, read: Read) -> frozenset[str]:
    return frozenset(
        label.id
        for label in chat.facts
        if is_match(read, label, speaker=chat.messages[label.message].speaker)
    )


def _messages(chat: Conversation) -> list[Message]:
    return [
        Message(n, chat.id, n, said.at, said.role, said.text, said.speaker)
        for n, said in enumerate(chat.messages, start=1)
    ]


def _enders(chat: Conversation, labels: frozenset[str]) -> list[Expected]:
    return [each for each in chat.facts if each.supersedes in labels]


def _is_open(chat: Conversation, labels: frozenset[str], message: Message) -> bool:
    """Whether nothing said before a message has ended it already."""
    return all(each.message + 1 >= message.id for each in _enders(chat, labels))


def _is_right(
    chat: Conversation, labels: frozenset[str], message: Message, later: Later
) -> bool | None:
    here = [each for each in _enders(chat, labels) if each.message + 1 == message.id]
    if here:
        return True if any(_tells(later.text, each.quote) for each in here) else None
    against = (f for f in chat.facts if f.contradicts in labels and f.message + 1 == message.id)
    return None if Word.OVER in labels or any(against) else False


def _tells(sentence: str, quote: str) -> bool:
    """Whether a sentence holds a quote, or enough of one that runs over several."""
    words, said = set(quote.split()), set(sentence.split())
    return quote in sentence or sentence in quote or len(words & said) >= SAME * len(words)


def _fit(cases: Sequence[Case]) -> tuple[dict[str, float], dict[str, float], float]:
    """Weights of signs, of measures as they are, and the bias."""
    sure = [each for each in cases if each.right is not None]
    names = sorted(sure[0].row.measures)
    rows = np.array([[each.row.measures[name] for name in names] for each in sure])
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    wanted = np.array([float(bool(each.right)) for each in sure])
    signs = [each.row.signs for each in sure]
    even: Floats = (rows - mean) / spread
    model = fit_model(signs, even, wanted=wanted, counts=np.ones(len(sure)), held=HELD)
    steep = model.meaning / spread
    measures = {name: float(each) for name, each in zip(names, steep, strict=True)}
    return model.signs, measures, float(model.bias - mean @ steep)


def _score(case: Case, fitted: tuple[dict[str, float], dict[str, float], float]) -> float:
    signs, measures, bias = fitted
    told = sum(signs.get(sign, 0.0) for sign in case.row.signs)
    return bias + told + sum(measures[name] * value for name, value in case.row.measures.items())


def _fitted(cases: Sequence[Case]) -> dict[str, object]:
    signs, measures, bias = _fit(cases)
    return {
        "bias": round(bias, 3),
        "signs": {name: round(each, 3) for name, each in signs.items() if abs(each) >= 0.03},
        "measures": {name: round(each, 3) for name, each in measures.items()},
    }


def _report(cases: Sequence[Case]) -> float:
    """How each author fares by what the others taught; and the edge."""
    links: list[tuple[float, Case]] = []
    for author in sorted({each.author for each in cases}):
        fitted = _fit([each for each in cases if each.author != author])
        best: dict[tuple[str, int, str], tuple[float, Case]] = {}
        for each in cases:
            if each.author == author and (scored := _score(each, fitted)) > _of(best, each):
                best[each.sentence] = (scored, each)
        links += best.values()
    links.sort(key=lambda link: -link[0])
    right = len({each.sentence for each in cases if each.right})
    sys.stdout.write(f"{len(cases)} pairs, {right} sentences that end something\n")
    for edge in (3.0, 2.5, 2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0):
        sys.stdout.write(f"from {edge}: {_told(links, edge)}\n")
    edge = _edge(links)
    sys.stdout.write(f"edge {edge:.2f}: {_told(links, edge)}\n")
    for author in sorted({each.author for each in cases}):
        own = [link for link in links if link[1].author == author]
        sys.stdout.write(f"{author}: {_told(own, edge)}\n")
    for score, case in links:
        if score >= edge - 1 and not case.right:
            sys.stdout.write(f"{score:.1f} {case.right} {case.sentence[0]} {case.told}\n")
    return round(edge, 2)


def _of(best: dict[tuple[str, int, str], tuple[float, Case]], case: Case) -> float:
    return best[case.sentence][0] if case.sentence in best else -math.inf


def _told(links: Sequence[tuple[float, Case]], edge: float) -> str:
    counts = Counter(case.right for score, case in links if score >= edge)
    judged = counts[True] + counts[False]
    share = counts[True] / max(1, judged)
    return f"{counts[True]} right, {counts[False]} wrong, {counts[None]} unknown: {share:.3f}"


def _edge(links: Sequence[tuple[float, Case]]) -> float:
    """The lowest score from which on enough of the links are right."""
    right = wrong = 0
    found = math.inf
    for score, case in links:
        right += case.right is True
        wrong += case.right is False
        if right + wrong >= FEWEST and right >= RIGHT * (right + wrong):
            found = score
    return found


if __name__ == "__main__":
    main()
