"""What can be done with the notebooks: read them, change them, see them as a model does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hermes.app.following import Follower, open_follower
from hermes.app.sharing import follow, sharing_of
from hermes.errors import Conflict, NotFound
from hermes.memory.banks import DEFAULT
from hermes.memory.notekeeping import (
    Outcome,
    Page,
    Writer,
    apply_held,
    change_page,
    find_gone,
)
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
            return Page(paths.user_note, settings.user_char_limit, DEFAULT)
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
        """Change a page, all of the request or nothing; what is tainted is held."""
        page, now = self._followed(request.target), self._app.clock.now()
        return change_page(self._app.store, page, request, writer=writer or Writer(), now=now)

    def _followed(self, target: Target) -> Page:
        """The page to be changed, with what other homes did to it."""
        follow(self._app)
        page = self.page(target)
        return replace(page, sharing=sharing_of(self._app, page.path))

    def add(self, target: Target, content: str) -> Outcome:
        return self.change(MemoryRequest(target, (Operation(Action.ADD, content),)))

    def replace(self, target: Target, old_text: str, content: str) -> Outcome:
        return self.change(MemoryRequest(target, (Operation(Action.REPLACE, content, old_text),)))

    def remove(self, target: Target, old_text: str) -> Outcome:
        return self.change(MemoryRequest(target, (Operation(Action.REMOVE, "", old_text),)))

    def restore(self, note_id: str) -> Note:
        """Bring a note back that was removed, or put it in the place of what replaced it."""
        gone = self._app.store.read(lambda tx: find_gone(tx, note_id))
        if gone is None:
            raise NotFound(f"No note {note_id!r} was removed.", "See `hermes log`.")
        name, text, by = gone
        target = next(each for each in Target if self.page(each).path.name == name)
        notes = self.list(target)
        if not any(note.id == note_id for note in notes):
            self._put_back(target, text, by if any(note.id == by for note in notes) else "")
        found = next((note for note in self.list(target) if note.id == note_id), None)
        if found is None:
            raise Conflict(f"The note was not put back on {name}.", "See `hermes memory pending`.")
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

    def apply(self, write: HeldWrite) -> None:
        """Make a held change that was approved."""
        pages = {target: self._followed(target) for target in Target}
        apply_held(self._app.store, pages, write, self._app.clock.now())

    def snapshot(self) -> str:
        """What the system prompt holds of the notes; frozen by whoever starts a session."""
        settings = self._app.config.memory
        return render_snapshot(
            self.text(Target.MEMORY),
            self.text(Target.USER),
            load_notes(self._app.paths.seed_file),
            memory_limit=settings.memory_char_limit,
            user_limit=settings.user_char_limit,
        )
