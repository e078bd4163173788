"""What holds by words that tell a change: "midwife also moved the due date to 2 July".

Who tells of a change seldom says the new as a statement of its own: the value stands behind a verb
that moved it, in a fragment behind the news ("got a new landlord, it's Ms. Adeyemi now"), or behind
what somebody reported. Each is put as the plain sentence that holds by it ("the due date is
2 July") and read as that. What was believed before is not known here: `replacement` finds it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.change import is_unsure
from hermes.memory.facts.clauses.days import Day, find_day
from hermes.memory.facts.clauses.gate import AS_SAID
from hermes.memory.facts.clauses.sentences import read_sentence
from hermes.memory.facts.clauses.split import Sentence
from hermes.memory.facts.clauses.talk import Talk
from hermes.memory.facts.clauses.update_ways import Piece, Update, find_update, is_many
from hermes.memory.facts.sorts import sorts_of
from hermes.types import FactKind

UPDATE = "by:update"
_BEFORE = 200  # letters before a clause in which the thing may be named that it is about
_JOINT = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bProf)(?<!\bSt)[,;:!.]+\s+|\s+[–—-]+\s+|"
    r"(?:^|\s)(?:and|so|but|because|cause|bc)\s+(?=\S)",
    re.I,
)
_REPORTED = re.compile(
    r"(?:(?:actually|also|so|ok|hey|and|but|update)[,:]? )*(?!i\b|we\b)(?:my |our |the )?"
    r"[\w'’-]+ (?:has |have )?(?:just |now )?(?:told (?:me|us)|says|said|"
    r"confirmed|emailed(?: me| us)?|wrote(?: me| us)?|let (?:me|us) know|announced)(?: that)? ",
    re.I,
)
_HEARSAY = re.compile(
    r"(?i)\b(?:heard|rumou?rs?|apparently|supposedly|allegedly|they say|someone|somebody|"
    r"a (?:friend|colleague)|story|novel|game|example|imagine|pretend)\b"
)


def read_updates(sentence: Sentence, talk: Talk, fresh: Sequence[Candidate]) -> list[Candidate]:
    """What holds by the changes that a sentence tells, where no reader has read those words.

    What else was made of them is left out of the talk.
    """
    if sentence.is_question or is_unsure(sentence.text) or _HEARSAY.search(sentence.text):
        return []
    before = talk.text[max(0, sentence.start - _BEFORE) : sentence.start]
    found: list[Candidate] = []
    for update in find_updates(sentence.text, before):
        if not _is_known(update, fresh, talk) and (told := _read(update, talk)):
            talk.found = _without(talk.found, update)
            talk.as_said = _without(talk.as_said, update)
            found += told
    return talk.keep(found)


def find_updates(text: str, before: str = "") -> list[Update]:
    """The changes that a sentence tells, each with the plain sentence that holds by it."""
    pieces = list(_list_pieces(text, before))
    return [told for piece in pieces if (told := find_update(piece)) is not None]


def _is_known(update: Update, fresh: Sequence[Candidate], talk: Talk) -> bool:
    """Whether a reader has read the words, or they are told, with more beside, as they stand."""
    kept = not update.news and not update.better
    if kept and any(each.quote and _meets(each.quote, update.quote) for each in fresh):
        return True
    more = (each for each in talk.as_said if len(each.quote) > len(update.quote))
    return update.plain and any(each.quote.startswith(update.quote) for each in more)


def _without(found: Sequence[Candidate], update: Update) -> list[Candidate]:
    """What was read, without what was made of the words that tell a change, or of its news."""
    news = update.news.strip(" .,!?;:")
    kept = (each for each in found if not _meets(each.quote, update.quote))
    return [each for each in kept if each.quote not in news]


def _meets(quote: str, other: str) -> bool:
    return quote in other or other in quote


def _list_pieces(text: str, before: str) -> Iterator[Piece]:
    start = 0
    for joint in [*_JOINT.finditer(text), None]:
        end = len(text) if joint is None else joint.start()
        said = text[start:end]
        report = _REPORTED.match(said)
        start += report.end() if report else 0
        if said := text[start:end].strip(" .!,;:"):
            yield Piece(said, f"{before} {text[:start]}", text[:start], text[end:])
        start = end if joint is None else joint.end()


def _read(update: Update, talk: Talk) -> list[Candidate]:
    """The plain sentence as the readers read it, resting on the words that tell it."""
    inner = Talk(update.said, talk.at, [])
    read = read_sentence(Sentence(update.said, 0), "", inner) or inner.as_said[:1]
    return [_told(each, update, talk) for each in read]


def _told(each: Candidate, update: Update, talk: Talk) -> Candidate:
    signs = [sign for sign in each.signs if sign != AS_SAID]
    told = replace(
        each,
        quote=update.quote,
        signs=(*signs, *talk.signs, UPDATE),
        change=update.change,
        correction=each.correction or update.correction,
        replaces=update.replaces,
    )
    day = find_day(update.since or update.change.new, talk.at)
    if update.since:
        text, begins = f"{each.text} from {update.since}", day.start_at if day else talk.at
        return replace(told, text=text, valid_from=begins)
    thing = update.change.topic.lower()
    if not each.attribute.startswith("said:") or not thing:
        return told
    if day is not None and "date" in sorts_of(update.change.new):
        return _on_day(told, thing, day)
    if not each.attribute.startswith("said:be"):
        return told
    return replace(told, attribute=thing, value=update.change.new, single=not is_many(thing))


def _on_day(told: Candidate, thing: str, day: Day) -> Candidate:
    text = told.text if day.iso in told.text else f"{told.text} ({day.iso})"
    kind = FactKind.EVENT if told.kind is FactKind.EVENT else FactKind.DEADLINE
    slot = replace(told, text=text, kind=kind, attribute=f"deadline:{thing}", single=True)
    return replace(slot, subject=USER, value=day.iso, valid_from=day.start_at)
