"""Other names that people are said to have: "Katarina, also known as Kat", "Kat is short for …".

Only what the user says plainly counts: not what is asked, supposed, denied, doubted, reported or
made up. What is learnt can be taken back (`hermes memory entities split`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hermes.memory.entities.antecedent import PEOPLE, find_antecedent
from hermes.memory.entities.keeping import merge_entities, names_of
from hermes.memory.entities.names import alias_key
from hermes.memory.entities.plain import is_plain
from hermes.memory.facts.assertion import is_asserted
from hermes.memory.facts.clauses.cues import read_opening
from hermes.memory.facts.clauses.lexicon import CLOSED
from hermes.memory.facts.clauses.split import Sentence, split_sentences
from hermes.memory.facts.clauses.stance import is_doubtful, is_jest
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.store.base import Tx
from hermes.store.base.texts import TextScope
from hermes.store.text import parse_query
from hermes.types import Entity, EntityKind, EventKind, Message, Role, Trust

_WORD = r"[^\W\d_a-z][\w'’-]*"
_FULL = rf"(?P<full>{_WORD}(?:\s{_WORD}){{0,2}})"
_SHORT = rf"[\"“'‘«]?(?P<short>{_WORD}(?:\s{_WORD}){{0,2}})"
_SAID = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_FULL},?\s\(?(?:(?:is\s)?(?:also|better)\sknown\sas|aka|a\.k\.a\.|AKA)\s{_SHORT}",
        rf"\b{_SHORT}[\"”'’»]?(?:,|\sis|\swas)\sshort\sfor\s{_FULL}",
        rf"\b{_FULL}(?:,\sor|\sor|\s\()\s?{_SHORT}[\"”'’»]?\sfor\sshort\b",
        rf"\b{_FULL}\sgoes\sby\s(?:the\sname\s)?{_SHORT}",
        rf"\b[Ee]very(?:one|body)\scalls\s(?P<full>{_WORD})\s[\"“'‘«]?(?P<short>{_WORD})",
        rf"\b{_FULL}['’]s\snickname\sis\s{_SHORT}",
    )
)
_OF_WHOM = re.compile(  # "Everyone calls her Kez": of whom is said before
    r"\b(?:(?:[Ee]very(?:one|body)|[Ww]e(?:\sall)?|[Pp]eople|I)\scalls?\s(?:her|him)|"
    rf"(?:[Ss]he|[Hh]e)\sgoes\sby)\s[\"“'‘«]?(?P<short>{_WORD})(?=[\"”'’».,;!]|\s*$)"
)
_ASKED = re.compile(r"[^.!\n]*\?")
_BREAK = re.compile(r"[,;:–—]\s|\b(?:and|but|so)\s", re.IGNORECASE)
_OF_NONE = frozenset("no nobody none neither nor wrong false that whether".split())
_MEETING = frozenset("meet see call visit know have invite be".split())
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_OPENING = re.compile(r"(?:[\w'’]+,?\s){0,2}")  # "oh and everyone calls her Kez"
_LOOKED_AT = 200  # messages that hold both names, newest first


@dataclass(frozen=True, slots=True)
class SaidAlias:
    """A name, and another one for the same; no name where only "her" or "him" is said."""

    full: str
    short: str


def find_aliases(text: str) -> list[SaidAlias]:
    """The names that a text says to be another's, in order."""
    found = []
    for pattern in (*_SAID, _OF_WHOM):
        for match in pattern.finditer(text):
            full = match["full"] if pattern is not _OF_WHOM else _meant(text[: match.start()])
            alias = None if full is None else SaidAlias(_bare(full), _bare(match["short"]))
            if alias and _is_sound(alias) and _is_plainly_said(text, *match.span()):
                found.append((match.start(), alias))
    return [alias for _, alias in sorted(found, key=lambda each: each[0])]


def _bare(name: str) -> str:
    """A name without the word before it that only begins the sentence: "And Samir"."""
    words = name.split()
    while len(words) > 1 and words[0].lower() in CLOSED:
        words.pop(0)
    return " ".join(words)


def _is_plainly_said(text: str, start: int, end: int) -> bool:
    """Whether a name is told outright: nothing stands before it that could turn what is said."""
    if _ASKED.match(text, end) or not is_asserted(text, start, end):
        return False
    whole = next((each for each in split_sentences(text) if _holds(each, start)), None)
    if whole is None:
        return False
    following = text[whole.start + len(whole.text) :]
    if is_jest(whole.text, following) or is_doubtful(whole.text):
        return False
    told = whole.text[read_opening(whole.text).offset : start - whole.start]
    return not any(_turns(word) for word in tokenize(_BREAK.split(told)[-1]))


def _holds(sentence: Sentence, place: int) -> bool:
    return sentence.start <= place < sentence.start + len(sentence.text)


def _turns(word: Token) -> bool:
    """ "Nobody thinks", "it is wrong that", "Tom says": another statement, of which this is a part.

    Who is met or has come is told beside it: "I met Katarina Novak (aka Kat)".
    """
    if word.tag in {"NEG", "AUX"} or word.low in _OF_NONE:
        return True
    return word.tag in {"VERB", "BE", "WH"} and word.lemma not in _MEETING


def _meant(before: str) -> str | None:
    """Whom "her" means; empty where nothing stands before, so that a message before may tell."""
    return find_antecedent(before) or ("" if _OPENING.fullmatch(before) else None)


def is_telling(role: str, trust: Trust) -> bool:
    """Whether names are learnt from what is said in this role, with this trust."""
    return role == Role.USER and trust >= Trust.HIGH


def learn_aliases(
    tx: Tx, bank: str, messages: Sequence[Message], context: Sequence[Message] = ()
) -> None:
    """Keep the other names that the user tells of somebody; `context` was said before."""
    said = [each.text for each in context if is_telling(each.role, each.trust)]
    before = said[-1] if said else ""
    for message in messages:
        if is_telling(message.role, message.trust):
            for alias in find_aliases(message.text):
                whole = alias if alias.full else replace(alias, full=_known(tx, bank, before))
                _learn(tx, bank, whole, message.at)
            before = message.text


def _known(tx: Tx, bank: str, before: str) -> str:
    """Whom the message before names; only one who is an entity, and so is erased with it."""
    name = find_antecedent(before)
    return name if name and tx.entities.list_named(bank, alias_key(name)) else ""


def unlearn_aliases(tx: Tx, told: Iterable[tuple[str, SaidAlias]]) -> None:
    """Take back names, given with their bank, that no message says any more."""
    for bank, alias in dict.fromkeys(told):
        if _is_said(tx, bank, alias):
            continue
        keys = {alias_key(alias.full), alias_key(alias.short)} - {""}
        for entity in tx.entities.list_named(bank, alias_key(alias.full or alias.short)):
            names = {alias_key(name) for name in (entity.name, *entity.aliases)}
            if keys <= names:
                gone = keys - _merged_names(tx, entity)
                left = tuple(name for name in entity.aliases if alias_key(name) not in gone)
                kept = replace(entity, aliases=left)
                tx.entities.save(kept, names_of(kept))


def _merged_names(tx: Tx, entity: Entity) -> set[str]:
    """The names an entity has from others that were merged into it, and that are still said."""
    others = tx.entities.list_merged(entity.id)
    names = [name for other in others for name in (other.name, *other.aliases)]
    scope = TextScope(bank=entity.bank)
    return {alias_key(name) for name in names if tx.texts.postings_all(parse_query(name), scope, 1)}


def _is_said(tx: Tx, bank: str, alias: SaidAlias) -> bool:
    words = [*parse_query(alias.full), *parse_query(alias.short)]
    found = tx.texts.postings_all(words, TextScope(bank=bank), _LOOKED_AT)
    messages = tx.conversations.get_messages(found).values()
    telling = [said.text for said in messages if is_telling(said.role, said.trust)]
    return any(_same(alias, each) for text in telling for each in find_aliases(text))


def _same(one: SaidAlias, other: SaidAlias) -> bool:
    fulls = {alias_key(one.full), alias_key(other.full)} if one.full else set[str]()
    return len(fulls) < 2 and alias_key(one.short) == alias_key(other.short)


def _is_sound(alias: SaidAlias) -> bool:
    keys = {alias_key(alias.full), alias_key(alias.short)}
    if len(keys) == 1 or not alias_key(alias.short):
        return False
    return not any(is_plain(name) or name in _DAYS for name in keys)


def _learn(tx: Tx, bank: str, alias: SaidAlias, at: int) -> None:
    if not alias.full:
        return  # of whom is not known
    fulls = tx.entities.list_named(bank, alias_key(alias.full))
    shorts = tx.entities.list_named(bank, alias_key(alias.short))
    if len(fulls) > 1 or len(shorts) > 1 or (fulls and fulls == shorts):
        return  # told before, or of several it is not known which is meant
    if fulls and shorts:
        if all(each.kind in PEOPLE for each in (*fulls, *shorts)):
            merge_entities(tx, fulls[0], shorts[0], at)
        return
    if not fulls and not shorts:
        fresh = Entity(0, bank, alias.full, EntityKind.OTHER, aliases=(alias.short,))
        entity = tx.entities.add(fresh, names_of(fresh), at)
    else:
        known, other = (fulls[0], alias.short) if fulls else (shorts[0], alias.full)
        if known.kind not in PEOPLE:
            return
        entity = replace(known, aliases=(*known.aliases, other))
        tx.entities.save(entity, names_of(entity))
    # No names: they go when the message is erased, and a line of the log stays.
    told = f"Learnt another name of entity:{entity.id}"
    tx.events.add(EventKind.MEMORY, told, at=at, ref=f"entity:{entity.id}")
