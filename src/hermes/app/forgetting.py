"""Forgetting by word of mouth, and taking it back: facts and notes, by their reference or words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.errors import Conflict, NotFound
from hermes.memory.banks import DEFAULT
from hermes.memory.facts.reference import is_ref, render_ref
from hermes.memory.notes import Note
from hermes.memory.notes.request import Target
from hermes.types import Fact

if TYPE_CHECKING:
    from hermes.app.root import App

NOTE = "note:"
OFFERED = 5


@dataclass(frozen=True, slots=True)
class Changed:
    """What was forgotten or brought back, and what brings it back; nothing where nothing can."""

    text: str
    ref: str


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
    if len(found) > 1:
        listed = "; ".join(f"{each.ref} {each.text[:80]}" for each in found[:OFFERED])
        raise Conflict(f"{len(found)} things hold {said!r}.", f"Say which: {listed}")
    return forget(app, found[0].ref, bank)


def restore(app: App, ref: str) -> Changed:
    """Bring a note or a fact back; a fact that was reworded gets its words before that."""
    if ref.startswith((NOTE, "n-")):
        note = app.notes.restore(ref.removeprefix(NOTE))
        return Changed(note.text, NOTE + note.id)
    fact, changes = app.facts.history(ref)
    change_id = None
    if fact.retracted_at is None and fact.superseded_by is None:
        reworded = [n for n, each in enumerate(changes) if n and "text" in each.before]
        change_id = changes[reworded[-1] - 1].id if reworded else None
    fact = app.facts.restore(ref, change_id=change_id)
    return Changed(fact.text, render_ref(fact.number))


def _forget_fact(app: App, ref: str) -> Changed:
    fact = app.facts.forget(ref)
    return Changed(fact.text, render_ref(fact.number))


def _forget_note(app: App, note: Note) -> Changed:
    target = next(each for each in Target if note in app.notes.list(each))
    lost = app.notes.remove(target, note.id).lost
    return Changed(note.text, "" if lost else NOTE + note.id)


def _get_note(app: App, note_id: str) -> Note:
    for target in Target:
        for note in app.notes.list(target):
            if note.id == note_id:
                return note
    raise NotFound(f"There is no note {note_id!r}.", "/memory lists them.")


def _holding(app: App, words: str, bank: str) -> list[Changed]:
    """Facts and notes that hold all of the words."""
    facts = [fact for fact, _ in app.facts.search(words, bank=bank, limit=50)]
    notes = [note for target in Target for note in app.notes.list(target)]
    found = [Changed(fact.text, render_ref(fact.number)) for fact in facts if _holds(fact, words)]
    return found + [Changed(n.text, NOTE + n.id) for n in notes if _holds(n, words)]


def _holds(told: Fact | Note, words: str) -> bool:
    text = told.text.casefold()
    return all(word in text for word in words.casefold().split())
