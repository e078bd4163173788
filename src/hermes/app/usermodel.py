"""What can be done with the model of the user: show it, and bring USER.md up to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hermes.app.sharing import follow, sharing_of
from hermes.errors import Conflict, NotFound
from hermes.guard.kept import kept_text
from hermes.memory.agreement import covers
from hermes.memory.banks import DEFAULT
from hermes.memory.facts.given import ALL
from hermes.memory.facts.standing import build_user_model, list_standing, with_acquaintances
from hermes.memory.notekeeping import change_logged
from hermes.memory.notelog import (
    find_gone,
    list_against,
    list_gone_with,
    record_against,
)
from hermes.memory.notes import (
    Action,
    Change,
    Note,
    Operation,
    load_notes,
    parse_notes,
    project_user,
)
from hermes.memory.notes.request import Target
from hermes.memory.stale_notes import (
    Fallen,
    Moved,
    list_fallen,
    list_moved,
    list_returned,
    list_unsettled,
)
from hermes.memory.usermodel import UserModel, build_model, render_lines
from hermes.types import EventKind, Fact, FactKind

if TYPE_CHECKING:
    from pathlib import Path

    from hermes.app.root import App
    from hermes.store.base import Tx


class UserActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def show(self, bank: str = DEFAULT) -> UserModel:
        """The record of what is believed of the user now, each line with its evidence."""
        now = self._app.clock.now()
        return self._app.store.read(lambda tx: build_user_model(tx, bank, now))

    def names(self, bank: str = DEFAULT) -> list[str]:
        """What the user of a bank is believed to be called: who of several speakers they are.

        Where the bank does not know, it is the user of the default one.
        """
        now = self._app.clock.now()

        def read(tx: Tx, of: str) -> list[str]:
            identity = list_standing(tx, of, now, kinds=(FactKind.IDENTITY,))
            return [fact.value for fact in identity if fact.attribute == "name" and fact.value]

        return self._app.store.read(lambda tx: read(tx, bank) or read(tx, DEFAULT))

    def list_gone_notes(self, fact: Fact) -> list[str]:
        """What the notes said that left USER.md when a fact last changed."""

        def read(tx: Tx) -> list[str]:
            gone = (find_gone(tx, each) for each in list_gone_with(tx, fact))
            return [each.text for each in gone if each is not None]

        return self._app.store.read(read)

    def project(self) -> Change | None:
        """Bring USER.md up to what is believed; nothing is made where there is nothing to say.

        Notes that say what no longer holds go, or are marked; what a note says is not drawn again.
        Only the default bank is projected: other banks may be about other people.
        """
        follow(self._app)
        file, limit = self._app.paths.user_note, self._app.config.memory.user_char_limit
        self._settle(file)
        lines, said = self._lines(parse_notes(load_notes(file)))
        if not lines and not file.exists():
            return None
        sharing = sharing_of(self._app, file)
        return project_user(file, lines, limit=limit, said=said, sharing=sharing)

    def _settle(self, file: Path) -> None:
        """Take off the notes that fell with facts, and put those back that went with restored ones.

        It is done once for each change, by whichever program comes first: what is written by hand
        after that stays.
        """
        now = self._app.clock.now()
        changes, upto = self._app.store.read(lambda tx: list_unsettled(tx, DEFAULT))
        if not changes:
            return
        moved = self._app.store.read(lambda tx: list_moved(tx, changes))
        notes = parse_notes(load_notes(file))
        returned, fallen = self._app.store.read(lambda tx: _weigh(tx, notes, moved, now))
        going = [each for each in fallen if each.may_go and _can_come_back(each.note)]
        for each in going:
            self._take_off(each, now)
        staying = [each for each in fallen if each not in going]
        # What failed before this is done again the next time.
        self._app.store.write(lambda tx: _mark(tx, file, staying, upto, now))
        for note_id in returned:
            self._put_back(note_id)

    def _take_off(self, fallen: Fallen, now: int) -> None:
        note, page = fallen.note, self._app.notes.page(Target.USER)
        page = replace(page, sharing=sharing_of(self._app, page.path))
        operations = [Operation(Action.REMOVE, old_text=note.id)]
        facts = (fallen.fact.number,)
        try:
            change_logged(self._app.store, page, operations, now=now, facts=facts)
        except (NotFound, Conflict) as other:  # it stands there twice, or went meanwhile
            self._tell_failure(f"The note {note.id} was not taken off: {other.message}", note.id)

    def _put_back(self, note_id: str) -> None:
        gone = self._app.store.read(lambda tx: find_gone(tx, note_id))
        if gone is None:
            return
        try:
            self._app.notes.put_back(note_id, gone)
        except Conflict as full:
            self._tell_failure(f"The note {note_id} was not put back: {full.message}", note_id)

    def _tell_failure(self, told: str, note_id: str) -> None:
        self._app.events.record(EventKind.FAILURE, told, details={}, ref=f"note:{note_id}")

    def _lines(self, notes: Sequence[Note]) -> tuple[list[str], list[str]]:
        """The lines to draw beside what notes say: each thing once, and what notes say wrongly.

        And all lines there would be without notes.
        """
        now = self._app.clock.now()

        def read(tx: Tx) -> tuple[list[str], list[str]]:
            standing = list_standing(tx, DEFAULT, now)
            known = with_acquaintances(tx, DEFAULT, standing)
            shown = [each for each in known if _is_plain(each.text)]
            drawn = [each for each in shown if each.contradicts or not _is_noted(notes, each)]
            marked = [line for note in notes for line in _marks(tx, note, standing)]
            lines, said = (
                render_lines(build_model(each, now=now), limit=ALL) for each in (drawn, shown)
            )
            return [*marked, *lines], said

        return self._app.store.read(read)


def _weigh(
    tx: Tx, notes: Sequence[Note], moved: Sequence[Moved], now: int
) -> tuple[list[str], list[Fallen]]:
    standing = list_standing(tx, DEFAULT, now)
    return list_returned(tx, moved), list_fallen(tx, notes, moved, standing)


def _mark(tx: Tx, file: Path, staying: Sequence[Fallen], upto: int, now: int) -> None:
    tx.notes.note_settled(upto)
    for each in staying:
        record_against(tx, file.name, each.note.id, each.fact, now=now)


def _can_come_back(note: Note) -> bool:
    """Whether the log may hold what a note says, to the letter: what it may not hold stays."""
    return _is_plain(note.text)


def _is_plain(text: str) -> bool:
    """Whether there is no secret in it: one that was kept as asked stays in the database."""
    return kept_text(text) == text


def _is_noted(notes: Sequence[Note], fact: Fact) -> bool:
    return any(covers(note.text, fact) for note in notes)


def _marks(tx: Tx, note: Note, standing: Sequence[Fact]) -> Iterator[str]:
    """That a note says what no longer holds, unless it does again."""
    for each in list_against(tx, note.id):
        if not any(covers(each.text, fact) for fact in standing):
            yield f"A note here says what is no longer believed: {kept_text(each.text)}"
