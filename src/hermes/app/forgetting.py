"""Forgetting by word of mouth, and taking it back: facts and notes, by their reference or words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.errors import Conflict, NotFound
from hermes.memory.agreement import says_only
from hermes.memory.banks import DEFAULT
from hermes.memory.facts.reference import is_ref, render_ref
from hermes.memory.notes import Note
from hermes.memory.notes.request import Target
from hermes.types import Fact

if TYPE_CHECKING:
    from hermes.app.root import App

NOTE = "note:"
OFFERED = 5
SHORTEST = 3  # letters of a word that tells what is meant
LONG = 5  # letters of one that a longer word may begin with
_WORD = re.compile(r"\w+")
_POINTING = frozenset(
    "a an the my mine our your his her its their this that these those about of on is are was"
    " der die das ein eine mein meine le la les un une mon ma mes el los las mi mis".split()
)


@dataclass(frozen=True, slots=True)
class Changed:
    """What was forgotten or brought back, and what brings it back; nothing where nothing can.

    `against` names what a fact that was brought back disagrees with, `before` what one that was
    forgotten had replaced: that stays replaced until it is brought back, too.
    """

    text: str
    ref: str
    against: tuple[tuple[str, str], ...] = ()
    before: tuple[tuple[str, str], ...] = ()


def forget(app: App, said: str, bank: str = DEFAULT) -> Changed:
    """Forget a fact or a note; by words, where only one holds them all."""
    if said.startswith((NOTE, "n-")):
        return _forget_note(app, _get_note(app, said.removeprefix(NOTE)))
    if is_ref(said):
        return _forget_fact(app, said)
    found = _holding(app, said, bank)
    if not found:
        hint = "/memory WORDS searches everything; what it shows has a reference."
        raise NotFound(f"Nothing that is believed or noted holds {said!r}.", hint)
    return forget(app, _only_one(found, said).ref, bank)


def restore(app: App, said: str, bank: str = DEFAULT) -> Changed:
    """Bring a note or a fact back; a fact that was reworded gets its words before that.

    By words, where only one of what is gone holds them all.
    """
    if said.startswith((NOTE, "n-")):
        note = app.notes.restore(said.removeprefix(NOTE))
        return Changed(note.text, NOTE + note.id)
    if not is_ref(said):
        return restore(app, _gone_by_words(app, said, bank), bank)
    fact = app.facts.restore(said)
    others = app.facts.why(render_ref(fact.number)).contradicts
    against = _named(other for other in others if _stands(other))
    return Changed(fact.text, render_ref(fact.number), against)


def _gone_by_words(app: App, words: str, bank: str) -> str:
    """The reference of the one thing that was forgotten, else replaced, and holds the words."""
    gone = [fact for fact in app.facts.list_gone(words, bank) if _holds(fact, words)]
    forgotten = [fact for fact in gone if fact.retracted_at is not None]
    found = [Changed(fact.text, render_ref(fact.number)) for fact in forgotten or gone]
    notes = app.notes.list_gone()
    found += [
        Changed(text, NOTE + note_id)
        for note_id, text in notes.items()
        if _contains(text, words) and not any(says_only(text, fact) for fact in forgotten)
    ]
    if not found:
        hint = (
            "/memory WORDS searches what is believed; /restore takes fact:42 or note:n-3f9a, too."
        )
        raise NotFound(f"Nothing that was forgotten holds {words!r}.", hint)
    return _only_one(found, words).ref


def _only_one(found: list[Changed], words: str) -> Changed:
    if len(found) > 1:
        listed = "; ".join(f"{each.ref} {each.text[:80]}" for each in found[:OFFERED])
        raise Conflict(f"{len(found)} things hold {words!r}.", f"Say which: {listed}")
    return found[0]


def _stands(fact: Fact) -> bool:
    return fact.retracted_at is None and fact.superseded_by is None and not fact.ended


def _named(facts: Iterable[Fact]) -> tuple[tuple[str, str], ...]:
    return tuple((render_ref(fact.number), fact.text) for fact in facts)


def _forget_fact(app: App, ref: str) -> Changed:
    before = _named(app.facts.why(ref).replaced)
    fact = app.facts.forget(ref)
    notes = "".join(f", and the note {text!r}" for text in app.user.list_gone_notes(fact))
    return Changed(fact.text + notes, render_ref(fact.number), before=before)


def _forget_note(app: App, note: Note) -> Changed:
    target = next(each for each in Target if note in app.notes.list(each))
    done = app.notes.remove(target, note.id)
    facts = "".join(f", and {render_ref(f.number)} {f.text!r}" for f in done.closed)
    return Changed(note.text + facts, "" if done.lost else NOTE + note.id)


def _get_note(app: App, note_id: str) -> Note:
    for target in Target:
        for note in app.notes.list(target):
            if note.id == note_id:
                return note
    raise NotFound(f"There is no note {note_id!r}.", "/memory lists them.")


def _holding(app: App, words: str, bank: str) -> list[Changed]:
    """Facts and notes that hold all of the words; what a note says and a fact, too, is one."""
    searched = app.facts.search(words, bank=bank, limit=50)
    facts = [fact for fact, _ in searched if _holds(fact, words)]
    notes = [n for target in Target for n in app.notes.list(target) if _holds(n, words)]
    apart = [n for n in notes if not any(says_only(n.text, fact) for fact in facts)]
    found = [Changed(fact.text, render_ref(fact.number)) for fact in facts]
    return found + [Changed(note.text, NOTE + note.id) for note in apart]


def _holds(told: Fact | Note, words: str) -> bool:
    return _contains(told.text, words)


def _contains(text: str, words: str) -> bool:
    return all(word in text.casefold() for word in _telling(words))


def holds_one(text: str, words: str) -> bool:
    """Whether a text holds one of the telling words, or a longer form of it."""
    held = _WORD.findall(text.casefold())
    wanted = [word for word in _telling(words) if len(word) >= SHORTEST]
    return any(_is_form(other, word) for word in wanted for other in held)


def _is_form(word: str, of: str) -> bool:
    """`teas` is one of `tea`, and `wedding` of `weddi`; `team` is none."""
    return word in (of, of + "s", of + "es") or (len(of) >= LONG and word.startswith(of))


def _telling(words: str) -> list[str]:
    """Words but for what only points (the, my): those where there are no others."""
    said = words.casefold().split()
    return [word for word in said if word not in _POINTING] or said
