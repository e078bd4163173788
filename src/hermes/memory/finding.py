"""One search over everything kept: what was said, facts, entities, lessons and notes.

It is made for people who look while they type: words only, never a model, and few reads a kind. A
question of no words but with a filter lists what is newest there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from hermes.memory.entities.names import spelling_key
from hermes.memory.notes import Note
from hermes.memory.pending import mark_rejected
from hermes.memory.prefixes import SMALL, Begun, Lexicon
from hermes.memory.snippet import Snippet, cut_snippet, list_telling
from hermes.store.base import Tx
from hermes.store.base.overview import Window
from hermes.store.base.texts import TextIndex, TextScope
from hermes.store.ranking import SCORED_CHARS, plan, rescore
from hermes.store.text import parse_query
from hermes.types import Entity, Fact, FactKind, Message, Reflection, Role, Session

EVERYWHERE = Window()
CANDIDATES = 60
WHOLE = 600  # of what is short enough to be shown as it is
_TOOL_WEIGHT = 0.6  # as in `memory.sessions`
_LEAST_BEGUN = 3  # letters by which a beginning says anything, where there are other words
_SHORTEST = 3  # to which a beginning that finds nothing is cut
_CUT = 5


class Type(StrEnum):
    """What can be looked for."""

    MESSAGES = "messages"
    FACTS = "facts"
    ENTITIES = "entities"
    REFLECTIONS = "reflections"
    NOTES = "notes"

    @classmethod
    def _missing_(cls, value: object) -> "Type | None":
        """Also as recall and search call them: `fact`, `episode`."""
        known = {"message": cls.MESSAGES, "fact": cls.FACTS, "entity": cls.ENTITIES}
        known |= {"reflection": cls.REFLECTIONS, "lesson": cls.REFLECTIONS, "note": cls.NOTES}
        known |= {"lessons": cls.REFLECTIONS, "episode": cls.MESSAGES, "episodes": cls.MESSAGES}
        return known.get(str(value))


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for, and where; no types are all of them."""

    query: str = ""
    window: Window = EVERYWHERE
    types: tuple[Type, ...] = ()
    kinds: tuple[FactKind, ...] = ()
    limit: int = 8

    def wants(self, kind: Type) -> bool:
        return not self.types or kind in self.types

    @property
    def is_narrow(self) -> bool:
        window = self.window
        return (window.since_at, window.before_at, window.entity_id) != (None, None, None)


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """The best message of a conversation, and how many more of it were looked at."""

    session: Session
    message: Message
    snippet: Snippet
    hits: int = 1


@dataclass(frozen=True, slots=True)
class FoundFact:
    fact: Fact
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class FoundReflection:
    reflection: Reflection
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class FoundNote:
    page: str
    note: Note
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found, kind by kind, best first."""

    words: tuple[str, ...] = ()
    messages: tuple[FoundMessage, ...] = ()
    facts: tuple[FoundFact, ...] = ()
    entities: tuple[Entity, ...] = ()
    reflections: tuple[FoundReflection, ...] = ()
    notes: tuple[FoundNote, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not any((self.messages, self.facts, self.entities, self.reflections, self.notes))


def find_everything(
    tx: Tx,
    sought: Sought,
    notes: Mapping[str, Sequence[Note]],
    lexicon: Lexicon | None = None,
) -> Findings:
    """Everything that holds the words; `notes` are those of each page.

    The `lexicon` of a large memory says which words a beginning may stand for.
    """
    words = list_telling(parse_query(sought.query, as_you_type=True))
    no_kind = not sought.kinds
    known = lexicon or Lexicon()
    return Findings(
        words=tuple(words),
        messages=_messages(tx, words, sought, known)
        if sought.wants(Type.MESSAGES) and no_kind
        else (),
        facts=_facts(tx, words, sought, known) if sought.wants(Type.FACTS) else (),
        entities=_entities(tx, sought) if sought.wants(Type.ENTITIES) and no_kind else (),
        reflections=_reflections(tx, words, sought)
        if sought.wants(Type.REFLECTIONS) and no_kind
        else (),
        notes=find_notes(words, notes) if _may_be_noted(sought) else (),
    )


def _may_be_noted(sought: Sought) -> bool:
    """Notes have no time and no bank but the default one."""
    plain = not sought.is_narrow and not sought.kinds and sought.window.bank in ("", "default")
    return plain and sought.wants(Type.NOTES)


def _messages(
    tx: Tx, words: Sequence[str], sought: Sought, known: Lexicon
) -> tuple[FoundMessage, ...]:
    if not words:
        return _newest_messages(tx, sought) if sought.is_narrow else ()
    scope = TextScope(sought.window.bank)
    index = _quick(tx.texts, scope, known)
    typed = _settled(index, words, scope)
    sift = partial(tx.overview.find_messages, window=sought.window) if sought.is_narrow else None
    planned = plan(index, typed, scope, CANDIDATES, sift=sift)
    read = tx.conversations.get_messages(planned.candidates, chars=SCORED_CHARS)
    scores = rescore(tx.texts, {number: each.text for number, each in read.items()}, planned)
    return tuple(_best_of_sessions(tx, read, scores, typed, sought.limit))


def _best_of_sessions(
    tx: Tx,
    read: Mapping[int, Message],
    scores: Mapping[int, float],
    words: Sequence[str],
    limit: int,
) -> Iterable[FoundMessage]:
    groups: dict[str, list[int]] = {}
    for number in sorted(scores, key=lambda each: _rank(read[each], scores[each]), reverse=True):
        groups.setdefault(read[number].session_id, []).append(number)
    for session_id, numbers in list(groups.items())[:limit]:
        session = tx.conversations.find_session(session_id)
        if session is not None:
            best = read[numbers[0]]
            yield FoundMessage(session, best, cut_snippet(best.text, words), len(numbers))


def _rank(message: Message, score: float) -> tuple[float, int]:
    spoken = message.role in (Role.USER, Role.ASSISTANT)
    return score if spoken else score * _TOOL_WEIGHT, message.id


def _newest_messages(tx: Tx, sought: Sought) -> tuple[FoundMessage, ...]:
    window = sought.window
    if window.entity_id is not None:
        ids = tx.entities.list_messages(window.entity_id, 50 * sought.limit)
    else:
        before = window.before_at
        episodes = tx.conversations.list_episodes(
            window.bank, limit=2 * sought.limit, before_at=before
        )
        ids = [message.id for episode in episodes for message in episode.messages[:1]]
    shown = tx.overview.find_messages(ids, window)
    read = tx.conversations.get_messages([number for number in ids if number in shown])
    recent = {number: float(message.at) for number, message in read.items()}
    return tuple(_best_of_sessions(tx, read, recent, (), sought.limit))


def _facts(tx: Tx, words: Sequence[str], sought: Sought, known: Lexicon) -> tuple[FoundFact, ...]:
    if not words:
        if not sought.is_narrow and not sought.kinds:
            return ()
        listed = tx.overview.list_facts(sought.window, 50 * sought.limit)
        newest = [fact for _, fact in listed if _is_kind(fact, sought)][: sought.limit]
        return tuple(FoundFact(fact, Snippet(fact.text)) for fact in mark_rejected(tx, newest))
    scope = TextScope(sought.window.bank)
    index = _quick(tx.facts.texts, scope, known)
    typed = _settled(index, words, scope)
    planned = plan(index, typed, scope, CANDIDATES)
    found = {
        number: fact
        for number, fact in tx.facts.get_many(planned.candidates).items()
        if _is_wanted(tx, fact, sought)
    }
    scores = rescore(tx.facts.texts, {number: f.text for number, f in found.items()}, planned)
    best = sorted(found.values(), key=lambda fact: (-scores[fact.id], -fact.number))
    return tuple(
        FoundFact(fact, cut_snippet(fact.text, typed, WHOLE))
        for fact in mark_rejected(tx, best[: sought.limit])
    )


def _is_kind(fact: Fact, sought: Sought) -> bool:
    return not sought.kinds or fact.kind in sought.kinds


def _is_wanted(tx: Tx, fact: Fact, sought: Sought) -> bool:
    window = sought.window
    if fact.retracted_at is not None or fact.superseded_by is not None:
        return False
    if not _is_kind(fact, sought):
        return False
    said = first_said_at(fact)
    since, before = window.since_at, window.before_at
    if (since is not None and said < since) or (before is not None and said >= before):
        return False
    if window.entity_id is None:
        return True
    return any(each.id == window.entity_id for each in tx.entities.list_in_fact(fact.id))


def first_said_at(fact: Fact) -> int:
    """When the first of what a fact rests on was said."""
    said = [source.at for source in fact.sources if source.at is not None]
    return min(said, default=fact.recorded_at)


def _entities(tx: Tx, sought: Sought) -> tuple[Entity, ...]:
    key = spelling_key(sought.query)
    found = list(tx.overview.list_begun(sought.window.bank, key, sought.limit))
    for word in key.split()[:8]:
        if len(word) >= _LEAST_BEGUN and word != key:
            found += tx.overview.list_begun(sought.window.bank, word, sought.limit)
    return tuple({entity.id: entity for entity in found}.values())[: sought.limit]


def _reflections(tx: Tx, words: Sequence[str], sought: Sought) -> tuple[FoundReflection, ...]:
    if not words or sought.window.entity_id is not None:
        return ()
    scope = TextScope(sought.window.bank)
    typed = _settled(tx.reflections.texts, words, scope)
    planned = plan(tx.reflections.texts, typed, scope, CANDIDATES)
    found = tx.reflections.get_many(planned.candidates)
    since, before = sought.window.since_at, sought.window.before_at
    best = [
        found[number]
        for number in planned.candidates
        if number in found
        and (since is None or found[number].updated_at >= since)
        and (before is None or found[number].updated_at < before)
    ]
    return tuple(
        FoundReflection(each, cut_snippet(each.lesson, typed, WHOLE))
        for each in best[: sought.limit]
    )


def find_notes(words: Sequence[str], notes: Mapping[str, Sequence[Note]]) -> tuple[FoundNote, ...]:
    """The notes that hold all of the words."""
    if not words:
        return ()
    found: list[FoundNote] = []
    for page, listed in notes.items():
        for note in listed:
            if all(cut_snippet(note.text, [word], WHOLE).highlights for word in words):
                found.append(FoundNote(page, note, cut_snippet(note.text, words, WHOLE)))
    return tuple(found)


def _quick(index: TextIndex, scope: TextScope, known: Lexicon) -> TextIndex:
    """The index, with beginnings looked up by the words they may stand for where it is large."""
    whole = index.size(scope) if known.words else (0, 0)
    return Begun(index, known, whole) if whole[0] >= SMALL else index


def _settled(index: TextIndex, words: Sequence[str], scope: TextScope) -> list[str]:
    """The words with an ending that finds something.

    Beside other words, a letter or two just begun says nothing yet, and costs much to look up. The
    index knows `deploy`, not the `deploym` of someone who is typing on.
    """
    last = words[-1]
    begun = last.removesuffix("*")
    if begun == last or not begun.isascii():
        return list(words)
    if len(begun) < _LEAST_BEGUN and len(words) > 1:
        return list(words[:-1])
    for end in range(len(begun), max(len(begun) - _CUT, _SHORTEST) - 1, -1):
        if index.postings(begun[:end] + "*", scope, 1).ids:
            return [*words[:-1], begun[:end] + "*"]
    return list(words)
