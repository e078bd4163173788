"""What was typed before a question was shown: it answers nothing, and waits for the next prompt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from select import select
from typing import TYPE_CHECKING

from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys

if TYPE_CHECKING:
    from prompt_toolkit.input import Input

_ENTER = (Keys.ControlM, Keys.ControlJ)


class Ahead:
    """The keys that are kept for later; `keys` are the bindings of the prompt that asks.

    A paste is something to say, and no answer.
    """

    def __init__(self, input: Input) -> None:
        self._input = input
        self._held = _take_typed(input)
        self.keys = KeyBindings()

        @self.keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            self._held.extend(event.key_sequence)

    @property
    def is_begun(self) -> bool:
        """Whether a line was begun and not ended: who types on may mean to end that one."""
        return bool(self._held) and self._held[-1].key not in _ENTER

    def end_line(self, rest: str) -> None:
        """The line that was begun ends with what was typed since; what came after it waits, too."""
        self._held += [*(KeyPress(each) for each in rest), KeyPress(Keys.ControlM, "\r")]

    def take_in(self) -> None:
        """Keep what was typed up to now."""
        self._held += _take_typed(self._input)

    def give_back(self) -> None:
        store_typeahead(self._input, [*self._held, *get_typeahead(self._input)])


@contextmanager
def kept_for_later(input: Input) -> Iterator[Ahead]:
    """While it lasts, only what is typed from now on is read; the rest comes up again after it."""
    ahead = Ahead(input)
    try:
        yield ahead
    finally:
        ahead.give_back()


def _take_typed(input: Input) -> list[KeyPress]:
    """Every key that was pressed so far, also those of a line that is not ended yet."""
    typed = get_typeahead(input)
    with input.raw_mode():
        while not input.closed and select([input.fileno()], [], [], 0)[0]:
            typed += input.read_keys()  # none of the first part of a long paste
        return typed + input.flush_keys()
