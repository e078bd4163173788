"""What must be told with a message: that it is made up, or that it was taken back.

A line of a story is no fact of the user: where the user is asked about it counts for little and
says so. What takes something back stands before what it takes back, and each names the other.
Looks at the best few only; a session is read around them, nothing else.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hermes.clock import to_datetime
from hermes.memory.recall import fiction, revoked
from hermes.memory.recall.episodes import find_item
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.features import ROLES
from hermes.memory.recall.merge import merge
from hermes.memory.recall.outline import Positions
from hermes.memory.recall.reading import Reading
from hermes.memory.recall.result import Item
from hermes.memory.recall.supposed import is_supposed
from hermes.memory.recall.task import STOP_WORDS, Subject
from hermes.store.base import Tx
from hermes.types import Role

MOST_MARKED = 32  # messages, the best first, that are looked at for being made up…
LOOKED_AT = 10  # …and so many for being taken back…
LEAST = 0.5  # …of those that may be given
BACK = 4  # messages before one, for the story it may belong to…
FAR_BACK = 24  # …and so many, where the first of them begins one
ON = 2  # messages after one, for what takes it back
MADE_UP = 0.5  # what a line of a story is worth at most where the user is asked about
MANY_WORDS = 3  # of a question, by which a line of a story is meant…
NEARLY_ALL = 0.75  # …if it holds so many of them…
HALF = 0.5  # …and nothing else more than so many
MADE_UP_NOTE = "from a story or role-play, not about the user"
SUPPOSED_NOTE = "only supposed, not so"
NAMED_SHARE = 0.5  # of the words that name what was said and is taken back
LATER = 40  # of what the user said with words of taking back, after the first of the orders
NAME = "takes back"
MOST_FIGURES = 12  # messages with a name that may be a story's; who is in more is somebody
_USER = ROLES.index(Role.USER)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def add_caveats(
    tx: Tx,
    evidence: Evidence,
    items: Sequence[Item],
    reading: Reading,
    *,
    shown: Collection[int] | None = None,
) -> list[Item]:
    """The items, each with what must be told of it; what takes back another stands before it.

    With `shown`, only those messages, and what bears on the task, are shown to anybody.
    """
    said = [
        item
        for item in items
        if item.message_id
        and (shown is None or item.relevance >= LEAST or item.message_id in shown)
    ][:MOST_MARKED]
    if not said:
        return list(items)
    best = [item for item in said if item.relevance >= LEAST][:LOOKED_AT]
    around = read_around(evidence, [item.message_id for item in said], reading)
    listed = _mark_made_up(tx, evidence, items, around, reading)
    return _mark_revoked(tx, evidence, listed, {i.message_id: around[i.message_id] for i in best})


def mark_newest(evidence: Evidence, newest: Sequence[Item], reading: Reading) -> list[Item]:
    """The newest, whatever the task, with what must be told of them as of any other."""
    if not newest:
        return []
    around = read_around(evidence, [item.message_id for item in newest], reading)
    return [
        replace(
            item, note=note_unreal(item.text, around[item.message_id], by_user=_is_by_user(item))
        )
        for item in newest
    ]


def is_about_life(evidence: Evidence, reading: Reading) -> bool:
    """Whether what is asked is how things are, not what was said or made up."""
    is_of_talk = evidence.task.subject is Subject.ASSISTANT
    if is_of_talk or fiction.asks_of_fiction(evidence.task.text):
        return False
    return not _names_figure(evidence, reading)


@dataclass(frozen=True, slots=True)
class Around:
    """What the user said before a message, the nearest first, and the next they said after it."""

    before: tuple[str, ...] = ()
    next_id: int = 0
    next_text: str = ""


def read_around(evidence: Evidence, ids: Sequence[int], reading: Reading) -> dict[int, Around]:
    """What was said around messages; far back only where the first in reach begins a story."""
    outline = evidence.outline
    places = outline.find(np.array(ids, np.int64)).tolist()
    steps = [(outline.walk(at, -1, FAR_BACK), outline.walk(at, 1, ON)) for at in places]
    said = _of_user(evidence, {at for back, on in steps for at in (*back, *on)})
    lines = [([said[at] for at in back], [said[at] for at in on]) for back, on in steps]
    wanted = {number for back, on in lines for number in (*back[:BACK], *on)}
    firsts = [_first(back) for back, _ in lines]
    texts = reading.texts(sorted({*wanted, *firsts} - {0}))
    stories = {first for first in firsts if first and fiction.opens(texts.get(first, ""))}
    told = [
        back if first in stories or _goes_on(back, texts) else back[:BACK]
        for (back, _), first in zip(lines, firsts, strict=True)
    ]
    if any(len(back) > BACK for back in told):
        texts = reading.texts(sorted({number for back in told for number in back} - {0}))
    around = {}
    for own, back, (_, on) in zip(ids, told, lines, strict=True):
        after = next((number for number in on if number and texts.get(number)), 0)
        before = filter(None, (texts.get(number, "") for number in back))
        around[own] = Around(tuple(before), after, texts.get(after, ""))
    return around


def _goes_on(back: Sequence[int], texts: Mapping[int, str]) -> bool:
    """Whether what the user said last before directs a story, which began further back."""
    last = next(filter(None, back[:BACK]), 0)
    return bool(last) and fiction.goes_on(texts.get(last, ""))


def _first(back: Sequence[int]) -> int:
    """The first message of the user in reach, if so many were said that it is worth a look."""
    said = [number for number in back if number]
    return said[-1] if len(said) > BACK // 2 else 0


def _of_user(evidence: Evidence, places: Iterable[int]) -> dict[int, int]:
    """By their places, the ids of what the user said and what may be shown, 0 for others."""
    at = np.fromiter(places, np.int64)
    roles, ids = evidence.outline.take("roles", at), evidence.outline.take("ids", at)
    wanted = roles == _USER
    if not evidence.shows_all:
        wanted &= evidence.may_show(at)
    return dict(zip(at.tolist(), (ids * wanted).tolist(), strict=True))


def _mark_made_up(
    tx: Tx,
    evidence: Evidence,
    items: Sequence[Item],
    around: Mapping[int, Around],
    reading: Reading,
) -> list[Item]:
    """The items, with a note where they are made up.

    Those stand after what is as relevant, and count for little, if it is life that is asked of;
    but for one that is asked for in its own words.
    """
    notes = [
        note_unreal(item.text, around[item.message_id], by_user=_is_by_user(item))
        if item.message_id in around
        else ""
        for item in items
    ]
    if not any(notes):
        return list(items)
    noted = [
        replace(item, note=note) if note else item for item, note in zip(items, notes, strict=True)
    ]
    if not is_about_life(evidence, reading):
        return noted
    meant = _find_meant(tx, evidence, noted)
    parts: tuple[list[Item], list[Item]] = ([], [])
    for item in noted:
        if item.note not in (MADE_UP_NOTE, SUPPOSED_NOTE):
            parts[0].append(item)
        else:
            most = 1.0 if item is meant else MADE_UP
            parts[1].append(replace(item, relevance=min(item.relevance, most)))
    return merge(*parts)


def _find_meant(tx: Tx, evidence: Evidence, items: Sequence[Item]) -> Item | None:
    """The made-up line a task asks for in its own words, where nothing real has half of them."""
    asked = set(tx.texts.tokens(" ".join(evidence.task.terms)))
    if len(asked) < MANY_WORDS:
        return None
    held = [len(asked.intersection(tx.texts.tokens(item.text))) / len(asked) for item in items]
    place = held.index(max(held))
    is_told = any(share > HALF for share, item in zip(held, items, strict=True) if not item.note)
    return items[place] if held[place] >= NEARLY_ALL and not is_told else None


def _names_figure(evidence: Evidence, reading: Reading) -> bool:
    """Whether the task names somebody or something spoken of in stories or suppositions only."""
    return any(
        _is_figure(evidence, term.word, term.places, reading)
        for term in evidence.words.terms
        if 0 < len(term.places) <= MOST_FIGURES and term.word.casefold() not in STOP_WORDS
    )


def _is_figure(evidence: Evidence, word: str, places: Positions, reading: Reading) -> bool:
    shown = places[evidence.may_show(places)]
    ids, roles = (evidence.outline.take(of, shown).tolist() for of in ("ids", "roles"))
    texts = reading.texts(ids)
    named = re.compile(rf"\b{re.escape(word.capitalize())}\b")
    if not ids or not all(named.search(texts.get(number, "")) for number in ids):
        return False
    around = read_around(evidence, ids, reading)
    return all(
        _is_unreal(texts[number], around[number].before, by_user=role == _USER)
        for number, role in zip(ids, roles, strict=True)
    )


def _is_unreal(text: str, before: Sequence[str], *, by_user: bool) -> bool:
    """Whether a message is of a story or a supposition, or answers one."""
    if fiction.is_made_up(text, before, by_user=by_user):
        return True
    return is_supposed(text if by_user else next(iter(before), ""))


def note_unreal(text: str, around: Around, *, by_user: bool) -> str:
    """What must be told of a message that does not say how things are; nothing of others."""
    if fiction.is_made_up(text, around.before, by_user=by_user):
        return MADE_UP_NOTE
    return SUPPOSED_NOTE if by_user and is_supposed(text) else ""


def _is_by_user(item: Item) -> bool:
    return item.lines[item.hit].role is Role.USER


def _mark_revoked(
    tx: Tx, evidence: Evidence, items: list[Item], around: Mapping[int, Around]
) -> list[Item]:
    looked_at = [item for item in items if item.message_id in around]
    for pair in find_pairs(tx, evidence, looked_at, list_takers(items), around):
        is_asked = _is_asked(tx, evidence, pair)
        items = _put_before(items, pair) if is_asked else _mark_only(items, pair)
    return items


def find_pairs(
    tx: Tx,
    evidence: Evidence,
    items: Sequence[Item],
    takers: "Sequence[tuple[Item, revoked.Revocation]]",
    around: Mapping[int, Around],
) -> "list[Pair]":
    """Those of the items that were taken back, each with what takes it back."""
    found = [_find_taker(tx, item, around[item.message_id], takers) for item in items]
    pairs = [pair for pair in found if pair is not None]
    known = {pair.item.ref for pair in pairs}
    orders = [i for i in items if i.ref not in known]
    if evidence.takers.named and (orders := [item for item in orders if _is_order(item)]):
        pairs += _look_further(tx, evidence, orders)
    return pairs


@dataclass(frozen=True, slots=True)
class Pair:
    """A message and what takes it back: what it names of it (`of`), or all of it."""

    item: Item
    taker: Item
    of: str = ""

    @property
    def note(self) -> str:
        day = to_datetime(self.taker.at).date().isoformat()
        named = f': "{self.of}"' if self.of else ""
        return f"taken back on {day} by {self.taker.ref}{named}"


def _is_asked(tx: Tx, evidence: Evidence, pair: Pair) -> bool:
    """Whether the task may ask for what was taken back, not only for the rest of the message."""
    if not pair.of:
        return True
    tokens = tx.texts.tokens
    named, asked = set(tokens(pair.of)), set(tokens(" ".join(evidence.task.terms)))
    parts = [set(tokens(each)) for each in _SENTENCE_END.split(pair.item.text)]
    taken = set[str]().union(named, *(part for part in parts if part & named))
    rest = set[str]().union(*(part for part in parts if not part & named))
    return bool(asked & taken) or not asked & rest


def _is_order(item: Item) -> bool:
    return _is_by_user(item) and revoked.is_order(item.text)


def list_takers(items: Sequence[Item]) -> list[tuple[Item, revoked.Revocation]]:
    """Those of the items that take something back, and what."""
    said = [item for item in items if item.lines and _is_by_user(item)]
    return [(i, taken) for i in said if (taken := revoked.find_revocation(i.text)) is not None]


def _find_taker(
    tx: Tx, item: Item, around: Around, takers: Sequence[tuple[Item, revoked.Revocation]]
) -> Pair | None:
    """What takes an item back: said next and meaning it, or among the items and naming it."""
    if not _is_by_user(item):
        return None
    following = revoked.find_revocation(around.next_text) if around.next_text else None
    if following is not None and _takes_last(tx, following, item.text):
        listed = next((each for each, _ in takers if each.message_id == around.next_id), None)
        found = listed or find_item(tx, around.next_id, NAME)
        is_right = found is not None and _may_take(found, item)
        return Pair(item, found, following.of) if found is not None and is_right else None
    for other, taken in takers:
        if _may_take(other, item) and taken.of and names(tx, taken, item.text):
            return Pair(item, other, taken.of)
    return None


def _takes_last(tx: Tx, taken: revoked.Revocation, text: str) -> bool:
    """Whether what was said just before is taken back: "never mind" after a question leaves what
    else was said with it.
    """
    if taken.of:
        return names(tx, taken, text)
    return not text.rstrip().endswith("?") and (taken.of_words or revoked.is_order(text))


def _may_take(taker: Item, item: Item) -> bool:
    """What is trusted less takes nothing back, nor what was said before."""
    return taker.at > item.at and taker.trust >= item.trust


def names(tx: Tx, taken: revoked.Revocation, text: str) -> bool:
    """Whether what is taken back is this text: most of the words, or all that name an order."""
    words, instead = (
        {token for word in each for token in tx.texts.tokens(word)}
        for each in (taken.words, taken.instead)
    )
    said = set(tx.texts.tokens(text if taken.of_words else revoked.find_order(text)))
    share = NAMED_SHARE if taken.of_words else 1.0
    is_named = bool(words) and len(words & said) >= share * len(words)
    return is_named and not (instead and instead.isdisjoint(said))


def _look_further(tx: Tx, evidence: Evidence, orders: Sequence[Item]) -> list[Pair]:
    """What takes orders back elsewhere in the bank: the newest first, of those said after them."""
    first_at = min(item.at for item in orders)
    places = evidence.outline.find_known(evidence.takers.ids)
    places = places[evidence.outline.take("at", places) > first_at]
    wanted = set([each for each in _of_user(evidence, places.tolist()).values() if each][-LATER:])
    pairs: dict[str, Pair] = {}
    named = [each for each in evidence.takers.named.items() if each[0] in wanted]
    for number, taken in named:
        for order in orders:
            if order.ref not in pairs and order.message_id < number:
                if (
                    not names(tx, taken, order.text)
                    or (taker := find_item(tx, number, NAME)) is None
                ):
                    continue
                if _may_take(taker, order):
                    pairs[order.ref] = Pair(order, taker, taken.of)
    return list(pairs.values())


def _mark_only(items: Sequence[Item], pair: Pair) -> list[Item]:
    """The items, where they are, with a word of what was taken back."""
    return [
        replace(item, note=join_notes(item.note, pair.note)) if item.ref == pair.item.ref else item
        for item in items
    ]


def _put_before(items: list[Item], pair: Pair) -> list[Item]:
    """The items with the taker right before what it takes, or where it stands if earlier."""
    place = {item.ref: n for n, item in enumerate(items)}
    taken, taker = pair.item, pair.taker
    own, other = items[place[taken.ref]], items[place.get(taker.ref, 0)]
    taker = other if other.ref == taker.ref else taker
    marked = replace(own, note=join_notes(own.note, pair.note))
    if not taker.note.startswith(NAME):
        taker = replace(taker, note=join_notes(taker.note, f"{NAME} {own.ref}"))
    taker = replace(taker, relevance=max(taker.relevance, own.relevance))
    listed = [marked if item.ref == own.ref else item for item in items]
    if taker.ref in place and place[taker.ref] < place[own.ref]:
        listed[place[taker.ref]] = taker
        return listed
    listed = [item for item in listed if item.ref != taker.ref]
    at = next(n for n, item in enumerate(listed) if item.ref == own.ref)
    return [*listed[:at], taker, *listed[at:]]


def join_notes(note: str, more: str) -> str:
    return f"{note}; {more}" if note else more
