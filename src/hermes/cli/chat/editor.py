"""The line one types on: history, several lines, completion of commands, pasted text as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.filters import completion_is_selected
from prompt_toolkit.history import History
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import Output

PROMPT = "❯ "
IMAGE = "/image "
CONTINUED = "  "
_ZEROS = re.compile(r"(?<=fact):0+")


Offers = Iterable[tuple[str, str]]
"""What could be typed, and what it means."""


def _no_arguments(typed: str) -> Offers:
    return ()


class SlashCompleter(Completer):
    """Completes the command at the start of a line, what it takes, and the path of a picture."""

    def __init__(
        self,
        list_commands: Callable[[], Offers],
        list_arguments: Callable[[str], Offers] = _no_arguments,
    ) -> None:
        self._list = list_commands
        self._list_arguments = list_arguments
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        if typed.startswith(IMAGE) and "\n" not in typed:
            path = Document(typed.removeprefix(IMAGE))
            yield from self._paths.get_completions(path, event)
            return
        if not typed.startswith("/") or "\n" in typed:
            return
        offers = self._list_arguments(typed) if " " in typed else self._list()
        begun = typed.rpartition(" ")[2]
        for name, told in offers:
            if _bare(name).startswith(_bare(begun)):
                yield Completion(name, start_position=-len(begun), display_meta=told)


def _bare(typed: str) -> str:
    """`fact:042` and `fact:42` are the same: what is typed need not have the zeros."""
    return _ZEROS.sub(":", typed)


class SaidBefore(History):
    """What the person said in earlier conversations, read from memory: no second copy on disk."""

    def __init__(self, load: Callable[[], list[str]]) -> None:
        super().__init__()
        self._load = load

    def load_history_strings(self) -> Iterable[str]:
        return self._load()

    def store_string(self, string: str) -> None:
        """What is said is kept by the conversation itself."""


def make_editor(
    *,
    list_commands: Callable[[], Offers],
    list_arguments: Callable[[str], Offers] = _no_arguments,
    said_before: Callable[[], list[str]],
    toolbar: Callable[[], str],
    input: Input | None = None,
    output: Output | None = None,
) -> PromptSession[str]:
    """A prompt; `input` and `output` are given by tests."""
    return PromptSession(
        message=PROMPT,
        prompt_continuation=CONTINUED,
        multiline=True,
        history=SaidBefore(said_before),
        completer=SlashCompleter(list_commands, list_arguments),
        complete_in_thread=True,  # what is offered is read from the store
        complete_while_typing=True,
        key_bindings=_keys(),
        bottom_toolbar=toolbar,
        reserve_space_for_menu=6,
        input=input,
        output=output,
    )


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter", filter=completion_is_selected)
    def _(event: KeyPressEvent) -> None:
        """Take what was chosen and send it, unless there is more to say."""
        buffer = event.current_buffer
        buffer.complete_state = None
        if not buffer.text.endswith((" ", "/")):
            buffer.validate_and_handle()

    @keys.add("enter", filter=~completion_is_selected)
    def _(event: KeyPressEvent) -> None:
        """Send, or go on after a backslash."""
        buffer = event.current_buffer
        if buffer.document.text_before_cursor.endswith("\\"):
            buffer.delete_before_cursor()
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys
