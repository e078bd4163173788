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


@contextmanager
def kept_for_later(input: Input) -> Iterator[KeyBindings]:
    """While it lasts, only what is typed from now on is read; the rest comes up again after it.

    The bindings are for the prompt that asks: a paste is something to say, and no answer.
    """
    held = _take_typed(input)
    keys = KeyBindings()

    @keys.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        held.extend(event.key_sequence)

    try:
        yield keys
    finally:
        store_typeahead(input, [*held, *get_typeahead(input)])


def _take_typed(input: Input) -> list[KeyPress]:
    """Every key that was pressed so far, also those of a line that is not ended yet."""
    typed = get_typeahead(input)
    with input.raw_mode():
        while not input.closed and select([input.fileno()], [], [], 0)[0]:
            typed += input.read_keys()  # none of the first part of a long paste
        return typed + input.flush_keys()
