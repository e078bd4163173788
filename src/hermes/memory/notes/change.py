"""Changes to a notebook as text in, text out: add, replace, remove, all of them or none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from hermes.errors import Conflict, HermesError, NotFound, UserError
from hermes.memory.facts.compare import value_words
from hermes.memory.notes.page import (
    BLOCK,
    Note,
    is_sectioned,
    note_id,
    parse_notes,
    render_note,
    visible_text,
)
from hermes.types import Trust

_EXCERPT = 48
_LISTED = 12  # notes named where one was not found
_ALIKE = 0.5  # share of words in common above which two notes are offered for merging


class Action(StrEnum):
    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Operation:
    """One change. `old_text` is a note's id, or words that only one note holds.

    `worth` is how far its words are trusted, where that is less than whoever writes it.
    """

    action: Action
    content: str = ""
    old_text: str = ""
    worth: Trust = Trust.HIGH


@dataclass(frozen=True, slots=True)
class Change:
    """The page after a change, what it did to which notes, and the notes as they stood before."""

    text: str
    notes: tuple[Note, ...]
    size: int
    limit: int
    done: tuple[str, ...] = ()
    before: tuple[Note, ...] = ()


class NotesFull(UserError):
    """The page would grow over its cap; nothing was changed.

    `overflow` is what was to be added, where no more was asked: the caller may keep it in the
    store, and say so. Of a change that also takes notes away a part would be done.
    """

    def __init__(self, message: str, hint: str, overflow: tuple[str, ...]) -> None:
        super().__init__(message, hint)
        self.overflow = overflow


def apply_operations(text: str, operations: Sequence[Operation], *, limit: int) -> Change:
    """The page after every operation, or an error and no change."""
    page, done = run_operations(text, operations)
    size = size_of(page)
    if size > limit and size > size_of(text):
        raise _full(text, size, limit, operations)
    return Change(page, parse_notes(page), size, limit, done, parse_notes(text))


def run_operations(text: str, operations: Sequence[Operation]) -> tuple[str, tuple[str, ...]]:
    """The page after every operation, however long, and what each did; or the error of one."""
    if not operations:
        raise UserError("No operation was given.", "Say add, replace or remove, and what.")
    page, done = text, list[str]()
    for operation in operations:
        try:
            page, told = _apply(page, operation)
        except HermesError as error:
            if len(operations) == 1:
                raise
            raise _failed(error, len(done) + 1, operations, text) from error
        done.append(told)
    return page, tuple(done)


def _failed(
    error: HermesError, number: int, operations: Sequence[Operation], text: str
) -> HermesError:
    """Why a batch was not made: the operation that cannot be, and the page as it still is."""
    hint = error.hint
    if isinstance(error, NotFound):
        hint = _named(parse_notes(text))
    told = f"Operation {number} of {len(operations)} cannot be done, so none was: {error.message}"
    return type(error)(told, hint)


def size_of(text: str) -> int:
    """Characters a page takes in the prompt."""
    return len(visible_text(text))


def _apply(text: str, operation: Operation) -> tuple[str, str]:
    if operation.action is Action.ADD:
        return _add(text, _checked(operation.content))
    note = find_note(parse_notes(text), operation.old_text)
    if operation.action is Action.REMOVE:
        return _remove(text, note), f"removed {note.id}"
    content = _checked(operation.content)
    shown = render_note(content, sectioned=is_sectioned(text))
    return text[: note.start] + shown + text[
        note.end :
    ], f"replaced {note.id} by {note_id(content)}"


def _checked(content: str) -> str:
    content = re.sub(r"\r\n?", "\n", content).strip()
    if not content:
        raise UserError("The note is empty.", "Give `content`, the words to keep.")
    return "\n".join(line.rstrip() for line in content.split("\n"))


def _add(text: str, content: str) -> tuple[str, str]:
    name = note_id(content)
    if any(note.id == name for note in parse_notes(text)):
        return text, f"{name} is already there"
    block = BLOCK.search(text)
    own, projected = (text[: block.start()], text[block.start() :]) if block else (text, "")
    sectioned = is_sectioned(text)
    shown = render_note(content, sectioned=sectioned)
    joint = "\n§\n" if sectioned and parse_notes(own) else "\n"
    own = f"{own.rstrip()}{joint}{shown}\n" if own.strip() else f"{shown}\n"
    return own + (f"\n{projected}" if projected else ""), f"added {name}"


def _remove(text: str, note: Note) -> str:
    """Without the note, its separator and the blank line it would leave."""
    before, after = text[: note.start], text[note.end :]
    if is_sectioned(text):
        if joined := re.search(r"\n?§[ \t]*\n?\s*\Z", before):
            before = before[: joined.start()]
        elif joined := re.match(r"\s*§[ \t]*\n", after):
            after = after[joined.end() :]
        return before + after
    return before + after.removeprefix("\n")


def find_note(notes: Sequence[Note], old_text: str) -> Note:
    """The one note of that id, or that holds those words."""
    wanted = old_text.strip()
    if not wanted:
        raise UserError("`old_text` is empty.", "Give a note's id, or words only that note holds.")
    by_id = [note for note in notes if note.id == wanted]
    found = by_id or [note for note in notes if wanted in note.text]
    if not found:
        raise NotFound(f"No note holds {wanted[:_EXCERPT]!r}.", _named(notes))
    if len(found) > 1:
        hint = f"Use an id:\n{_listing(found)}"
        raise Conflict(f"{len(found)} notes hold {wanted[:_EXCERPT]!r}.", hint)
    return found[0]


def _full(text: str, size: int, limit: int, operations: Sequence[Operation]) -> NotesFull:
    only_adds = all(each.action is Action.ADD for each in operations)
    added = tuple(each.content.strip() for each in operations) if only_adds else ()
    notes = parse_notes(text)
    hint = "Shorten, merge or remove first."
    if advice := suggest(notes):
        hint += f" {'; '.join(advice)}."
    hint += f" Entries:\n{_listing(notes, len(notes))}"
    message = f"The page would take {size:,} of {limit:,} characters; nothing was changed."
    return NotesFull(message, hint, added)


def suggest(notes: Sequence[Note]) -> list[str]:
    """What could be consolidated: notes that say nearly the same, then the longest."""
    alike = [
        f"{one.id} and {other.id} could be merged"
        for index, one in enumerate(notes)
        for other in notes[index + 1 :]
        if _overlap(one.text, other.text) >= _ALIKE
    ]
    longest = sorted(notes, key=lambda note: -len(note.text))[:2]
    return [*alike[:3], *(f"{note.id} is the longest" for note in longest[:1])]


def _overlap(left: str, right: str) -> float:
    one, other = value_words(left), value_words(right)
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def _named(notes: Sequence[Note]) -> str:
    return f"The notes are:\n{_listing(notes)}" if notes else "There are no notes yet."


def _listing(notes: Sequence[Note], most: int = _LISTED) -> str:
    """A line for each note, its length in brackets; the newest stand last on a page."""
    lines = [f"  {note.id} ({len(note.text)}) {_excerpt(note.text)}" for note in notes[-most:]]
    more = len(notes) - len(lines)
    return "\n".join([*([f"  … {more:,} more before these"] if more else []), *lines])


def _excerpt(text: str) -> str:
    line = text.split("\n", maxsplit=1)[0]
    return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…"
