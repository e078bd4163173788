"""What can be done with the notebooks: read them, change them, see them as a model does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hermes.app.following import Follower, open_follower
from hermes.app.sharing import follow, sharing_of
from hermes.errors import Conflict, NotFound
from hermes.guard.kept import kept_text
from hermes.memory.banks import DEFAULT
from hermes.memory.notekeeping import (
    Outcome,
    Page,
    Writer,
    apply_held,
    change_page,
)
from hermes.memory.notelog import Gone, find_gone, list_gone
from hermes.memory.notes import (
    Action,
    MemoryRequest,
    Note,
    NotesFull,
    Operation,
    load_notes,
    parse_notes,
    render_snapshot,
)
from hermes.memory.notes.change import apply_operations, size_of
from hermes.memory.notes.request import Target

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.store.base import HeldWrite


class NoteActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def page(self, target: Target) -> Page:
        settings, paths = self._app.config.memory, self._app.paths
        if target is Target.USER:
            return Page(paths.user_note, settings.user_char_limit, DEFAULT, of_user=True)
        return Page(paths.memory_note, settings.memory_char_limit, DEFAULT)

    def text(self, target: Target) -> str:
        """The page as it is now, hand edits and all."""
        follow(self._app)
        return load_notes(self.page(target).path)

    def list(self, target: Target) -> tuple[Note, ...]:
        return parse_notes(self.text(target))

    def size(self, target: Target) -> int:
        """Characters the page takes in the prompt."""
        return size_of(self.text(target))

    def change(self, request: MemoryRequest, writer: Writer | None = None) -> Outcome:
        """Change a page, all of the request or nothing; of it, what is tainted is held."""
        page, now = self._followed(request.target), self._app.clock.now()
        done = change_page(self._app.store, page, request, writer=writer or Writer(), now=now)
        if page.of_user and done.change is not None:
            self._app.user.project()
        return done

    def _followed(self, target: Target) -> Page:
        """The page to be changed, with what other homes did to it."""
        follow(self._app)
        page = self.page(target)
        return replace(page, sharing=sharing_of(self._app, page.path))

    def add(self, target: Target, content: str, writer: Writer | None = None) -> Outcome:
        return self._do(target, Operation(Action.ADD, content), writer)

    def replace(
        self, target: Target, old_text: str, content: str, writer: Writer | None = None
    ) -> Outcome:
        return self._do(target, Operation(Action.REPLACE, content, old_text), writer)

    def remove(self, target: Target, old_text: str, writer: Writer | None = None) -> Outcome:
        return self._do(target, Operation(Action.REMOVE, "", old_text), writer)

    def _do(self, target: Target, operation: Operation, writer: Writer | None) -> Outcome:
        return self.change(MemoryRequest(target, (operation,)), writer)

    def restore(self, note_id: str) -> Note:
        """Bring a note back that was removed, or put it in the place of what replaced it.

        The facts that went with it come back, too.
        """
        gone = self._app.store.read(lambda tx: find_gone(tx, note_id))
        if gone is None:
            raise NotFound(f"No note {note_id!r} was removed.", "See `hermes log`.")
        found = self.put_back(note_id, gone)
        self._app.facts.reopen(gone.facts)
        return found

    def list_gone(self) -> dict[str, str]:
        """The notes that left their pages lately and stand there no more, newest first."""
        gone = self._app.store.read(list_gone)
        here = {note.id for target in Target for note in self.list(target)}
        return {note_id: text for note_id, text in gone.items() if note_id not in here}

    def put_back(self, note_id: str, gone: Gone) -> Note:
        """The note that is gone, on its page again; as it stands where it is there already."""
        target = next(each for each in Target if self.page(each).path.name == gone.page)
        notes = self.list(target)
        if not any(note.id == note_id for note in notes):
            self._put_back(target, gone.text, gone.by if _has(notes, gone.by) else "")
        found = next((note for note in self.list(target) if note.id == note_id), None)
        if found is None:
            told = f"The note was not put back on {gone.page}."
            raise Conflict(told, "See `hermes memory pending`.")
        return found

    def _put_back(self, target: Target, text: str, by: str) -> None:
        page = self.page(target)
        action = Operation(Action.REPLACE, text, by) if by else Operation(Action.ADD, text)
        try:
            # A dry run: what does not fit would be kept as a fact, and that is not what was asked.
            apply_operations(load_notes(page.path), (action,), limit=page.limit)
        except NotesFull as full:
            raise Conflict(
                f"{page.path.name} is full: with this note it would be over its cap of "
                f"{page.limit:,} characters.",
                "Remove or shorten another note, then restore this one again.",
            ) from full
        self.change(MemoryRequest(target, (action,)))

    def follow(self) -> Follower | None:
        """Have the files follow what other homes do, until that is closed; None where none can."""
        return open_follower(self._app)

    def apply(self, write: HeldWrite) -> Outcome:
        """Make a held change that was approved."""
        pages = {target: self._followed(target) for target in Target}
        return apply_held(self._app.store, pages, write, self._app.clock.now())

    def snapshot(self) -> str:
        """What the system prompt holds of the notes; frozen by whoever starts a session."""
        settings = self._app.config.memory
        pages = render_snapshot(
            self.text(Target.MEMORY),
            self.text(Target.USER),
            load_notes(self._app.paths.seed_file),
            memory_limit=settings.memory_char_limit,
            user_limit=settings.user_char_limit,
        )
        return kept_text(pages)


def _has(notes: Sequence[Note], note_id: str) -> bool:
    return any(note.id == note_id for note in notes)
