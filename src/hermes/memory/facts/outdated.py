"""Which of the facts told earlier in a conversation a later message of it says to be otherwise.

Where it is plain what took whose place, the old fact is superseded (`replaced`). Often it is not:
"malmö is off, Idris turned it down" ends more than it names. What was said of the same thing before
is then no longer sure, and nothing that is not sure is held to be so today.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from hermes.memory.facts.audit import Act, Action, alter
from hermes.memory.facts.change import read_change
from hermes.memory.facts.clauses.lexicon import RELATIONS
from hermes.memory.facts.clauses.prose import own_prose
from hermes.memory.facts.compare import stems
from hermes.memory.facts.search import search_facts
from hermes.store.base import Tx
from hermes.types import Fact, Message, Session

_STAMP = re.compile(r" \((?:on |due |said )?\d{4}-\d\d-\d\d\)")
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\w)[^.!?\n]+)*[.!?]*")
_NEXT_STEP = re.compile(r"(?i)\W*(?:ok(?:ay)?,? |and |so |great,? |good,? )*now\b")
_CHANGES = re.compile(
    r"(?i)\b(?:no longer|any ?more|instead|after all|cancell?ed|is off|scrapped|quit|gave up|"
    r"dropped|ditched|swapped|switched|changed|moved|postponed|extended|pushed|renamed|correction|"
    r"scratch that|got (?:that|it) wrong|was wrong|turned (?:it |that )?down|not happening|"
    r"fell through|called off|misread|meant|retired|died)\b"
)
# words that two statements may share without being about one thing
_COMMON = stems(
    "user team family said due with others wants hermes has have was will would now new this that "
    "them day week month year today tomorrow always never please one two three not can going get "
    "got make made time thing work working start starting started need monday tuesday wednesday "
    "thursday friday saturday sunday january february march april may june july august september "
    "october november december jan feb mar apr jun jul aug sep sept oct nov dec father mother mum "
    "mom dad wife husband partner son daughter brother sister kid kids child people last next "
    "until till since after before update called name still back first second full every each "
    "many much more most some any all only good mail email plan help old until"
)
MOST_NEAR = 40  # facts that share words with a told change, the nearest of them
REASON = "spoken of as changed later in the conversation"
_OF_ANOTHER = re.compile(
    rf"(?i)(?:(?:and|but|so|oh|btw|also|update)[:, ]+)*my (?P<who>{'|'.join(sorted(RELATIONS))})\b"
    r"(?! and (?:i|me)\b)"
)
_WORD = re.compile(r"(?=.*[^\W\d]).{3,}")


def close_outdated(
    tx: Tx, session: Session, message: Message, act: Act, *, spared: Collection[int | None] = ()
) -> list[Fact]:
    """Close what was told earlier in a session and is spoken of as changed; `restore` opens it.

    Of the messages `spared` it is known what has changed: the rest of them still holds.
    """
    because = replace(act, reason=REASON)
    closed: list[Fact] = []
    for sentence in list_changed(own_prose(message.text)):
        near = [fact for fact, _ in search_facts(tx, sentence, bank=session.bank, limit=MOST_NEAR)]
        for fact in near:
            said = {source.message_id for source in fact.sources}
            if said & set(spared) or not _is_open(fact, session, message):
                continue
            if is_about(fact.text, sentence):
                after = replace(fact, valid_to=max(message.at, fact.valid_from or 0))
                alter(tx, fact, after, Action.SUPERSEDE, because)
                closed.append(after)
    return closed


def _is_open(fact: Fact, session: Session, message: Message) -> bool:
    """Whether it was told before, in this session only, and holds as far as is known."""
    here = all(source.session_id == session.id for source in fact.sources)
    earlier = all((source.message_id or message.id) < message.id for source in fact.sources)
    trusted = message.trust >= fact.trust
    return here and earlier and trusted and fact.valid_to is None and not fact.ended


def is_about(text: str, sentence: str) -> bool:
    """Whether a statement and a sentence name the same thing, and it is nobody else's."""
    another = _OF_ANOTHER.match(sentence)
    if another and another["who"].lower() not in text.lower():
        return False
    return bool(_words(_STAMP.sub("", text)) & _words(sentence))


def list_changed(message: str) -> list[str]:
    """The sentences of a message that tell of something that changed."""
    return list(_told_changes(message))


def _told_changes(message: str) -> Iterator[str]:
    for found in _SENTENCE.finditer(message):
        sentence = found.group().strip()
        asked = sentence.endswith("?") or _NEXT_STEP.match(sentence)
        if not asked and (read_change(sentence) or _CHANGES.search(sentence)):
            yield sentence


def _words(text: str) -> frozenset[str]:
    return frozenset(each for each in stems(text) - _COMMON if _WORD.fullmatch(each))
