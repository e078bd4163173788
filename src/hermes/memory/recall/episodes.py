"""Ranked messages as items: read from the store, with the messages around them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hermes.memory.recall.copies import SPARE, count_wanted
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.focus import SHORT_CHARS, Asked, asked_words, find_focus, start_of_window
from hermes.memory.recall.fuse import Weights
from hermes.memory.recall.hits import Hits
from hermes.memory.recall.outline import NOWHERE, Positions
from hermes.memory.recall.ranking import Ranked
from hermes.memory.recall.reading import Reading
from hermes.memory.recall.relevance import in_order, judge
from hermes.memory.recall.result import NEWEST, Found, Item, Line
from hermes.store.base import Tx
from hermes.store.base.recall import Spoken
from hermes.store.text import render_calls
from hermes.types import Kind, Message

SHOWN_CALL_CHARS = 600

Said = Message | Spoken


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many messages are wanted, beside the newest and copies of one another."""

    limit: int
    newest: frozenset[int] = frozenset()

    def count(self, ids: Sequence[int], reading: Reading) -> int:
        """So many of the best, so that the wanted are among them."""
        texts = reading.texts(ids)
        said = [texts.get(number, "") for number in ids]
        return count_wanted(said, [number not in self.newest for number in ids], self.limit)


def as_items(
    tx: Tx, evidence: Evidence, ranked: Ranked, weights: Weights, reading: Reading, wanted: Wanted
) -> list[Item]:
    """An item for each of the best messages that are wanted, best first, with its neighbours."""
    rows, told = in_order(evidence, ranked, judge(evidence, ranked, weights))
    likely = weights.find_likely(ranked.scores, ranked.repeats)
    rows = rows[: wanted.limit + SPARE]
    around = _around(evidence, ranked.places[rows])
    count = wanted.count([ids[0] for ids in around], reading)
    relevance, rows, around = told[:count].tolist(), rows[:count], around[:count]
    messages = tx.recall.spoken(sorted({i for ids in around for i in ids}))
    reading.keep(messages.values())
    places = ranked.places[rows].tolist()
    ranks = [_ranks(hits, set(places)) for hits in ranked.passes]
    scores = ranked.scores[rows].tolist()
    gains = (ranked.columns[rows] * weights.values).tolist()
    words = evidence.words
    asked = asked_words([term.word for term in words.terms], words.gains.tolist())
    items = []
    for row, ids in enumerate(around):
        place, own = places[row], messages.get(ids[0])
        if own is None or not _shown(own).strip():
            continue
        found = tuple(Found(name, at[place] + 1) for name, at in ranks if place in at)
        lines = [messages[i] for i in sorted(ids) if i in messages]
        weight = Weight(relevance[row], scores[row], tuple(gains[row]), rows[row] == likely)
        items.append(_focused(_item(own, lines, weight, found), asked, evidence, place))
    return items


def _focused(item: Item, asked: Asked, evidence: Evidence, place: int) -> Item:
    """An item whose long lines have the place where what the task asks for stands."""
    if all(len(line.text) <= SHORT_CHARS for line in item.lines):
        return item
    lines = [line._replace(focus=find_focus(line.text, asked)) for line in item.lines]
    own = lines[item.hit]
    if not own.focus and evidence.meaning is not None:
        start = start_of_window(own.text, evidence.meaning.nearest_part(place))
        lines[item.hit] = own._replace(focus=start)
    return replace(item, lines=tuple(lines))


def list_newest(tx: Tx, evidence: Evidence, bank: str, count: int) -> list[Item]:
    """The newest episodes of a bank that say anything, newest first; one that goes on after the
    time that is asked as of, up to there.
    """
    if not count:
        return []
    before_at = None if evidence.as_of is None else evidence.as_of + 1
    newest = tx.conversations.list_episodes(bank, limit=count, before_at=before_at)
    spoken = [[m for m in episode.messages if m.text.strip()] for episode in newest]
    if evidence.as_of is not None:
        shown = set(evidence.list_shown(m.id for said in spoken for m in said))
        spoken = [[m for m in said if m.id in shown] for said in spoken]
    return [
        _item(said[0], said, Weight(), (Found(NEWEST, rank),))
        for rank, said in enumerate(spoken, start=1)
        if said
    ]


def find_item(tx: Tx, message_id: int, by: str) -> Item | None:
    """A message by itself, given for what it says of another."""
    own = tx.recall.spoken([message_id]).get(message_id)
    return None if own is None else _item(own, [own], Weight(), (Found(by, 1),))


def add_newest(items: Sequence[Item], newest: Sequence[Item]) -> list[Item]:
    """The items, with the newest episodes among them whether they were found or not."""
    known = {item.message_id: place for place, item in enumerate(items)}
    listed = list(items)
    for episode in newest:
        places = (known.get(line.message_id) for line in episode.lines)
        place = next((each for each in places if each is not None), None)
        if place is None:
            listed.append(episode)
        else:
            listed[place] = listed[place].also(*episode.found)
    return listed


@dataclass(frozen=True, slots=True)
class Weight:
    """How much a message bears on the task, and what each feature added to that."""

    relevance: float = 0.0
    score: float = 0.0
    gains: tuple[float, ...] = ()
    likely: bool = False


def _item(own: Said, around: Sequence[Said], weight: Weight, found: tuple[Found, ...]) -> Item:
    lines = tuple(Line(m.id, m.at, m.role, m.speaker, _shown(m), m.trust) for m in around)
    return Item(
        kind=Kind.EPISODE,
        ref=f"message:{own.id}",
        relevance=weight.relevance,
        score=weight.score,
        at=own.at,
        text=_shown(own),
        session_id=own.session_id,
        episode_id=own.episode_id,
        trust=own.trust,
        lines=lines,
        hit=[m.id for m in around].index(own.id),
        found=found,
        gains=weight.gains,
        likely=bool(weight.likely),
    )


def _shown(message: Said) -> str:
    """A message as recall shows it: what it says, and the beginning of what it has tools do."""
    if not message.calls:
        return message.text
    calls = render_calls(message.calls)[:SHOWN_CALL_CHARS]
    return f"{message.text}\n{calls}" if message.text.strip() else calls


def _around(evidence: Evidence, places: Positions) -> list[list[int]]:
    """The ids of each message and its neighbours that may be shown, the message first."""
    outline = evidence.outline
    steps = [places, outline.neighbours(places, -1), outline.neighbours(places, 1)]
    if not evidence.shows_all:
        steps = [np.where(evidence.may_show(at), at, NOWHERE) for at in steps]
    ids = [outline.take("ids", at).tolist() for at in steps]
    return [[i for i in group if i != NOWHERE] for group in zip(*ids, strict=True)]


def _ranks(hits: Hits, wanted: Collection[int]) -> tuple[str, dict[int, int]]:
    """Where those of the wanted places stand that a pass found."""
    found = enumerate(hits.places.tolist())
    return hits.name, {place: rank for rank, place in found if place in wanted}
