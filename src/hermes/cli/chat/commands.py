"""What can be said with a slash: each line of the table is a command, its help and what it does."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from hermes.cli.chat import memory_commands as memory
from hermes.cli.chat.images import load_image
from hermes.cli.chat.room import LAST, QUIT, Room, total_usage
from hermes.cli.chat.tty import quiet
from hermes.cli.conversation import name_of
from hermes.cli.layout import fit, hang
from hermes.cli.render import clean, count, render_local
from hermes.errors import UserError
from hermes.guard.redact import redact

if TYPE_CHECKING:
    from hermes.agent.chat import Undone
    from hermes.memory.sessions import Preview

LISTED = 15
TAKEN = 60  # columns of what was taken back
WIDE = 94
UNKEPT = "Incognito, nothing takes them back."
TAKES_BACK = (
    "/rollback takes back what they do to files in this folder that it keeps: not those in .git "
    "or caches, over 4 MB, or beyond 64 MB in all."
)
STILL_ASKED = (
    "You are still asked before a command whose words show that it may change files elsewhere, "
    "and about memory."
)


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command: how it is called, what it does for the person, and the doing."""

    usage: str
    help: str
    run: Callable[[Room, str], Awaitable[None]]
    offer: Callable[[Room, list[str]], Iterable[tuple[str, str]]] | None = None
    """What could be typed next, after the words that stand there; None where nobody can say."""

    @property
    def name(self) -> str:
        return self.usage.split()[0]

    @property
    def needs_argument(self) -> bool:
        return any(not word.startswith("[") for word in self.usage.split()[1:])


async def _help(room: Room, argument: str) -> None:
    width = max(len(command.usage) for command in COMMANDS.values()) + 2
    lines = [f"{command.usage.ljust(width)}{command.help}" for command in COMMANDS.values()]
    keys = "Alt-Enter (or Esc, Enter) begins a new line · Ctrl-C stops an answer · Ctrl-D leaves"
    room.screen.tell("\n".join([*(hang(line, width) for line in lines), "", hang(keys, 0)]))


async def _quit(room: Room, argument: str) -> None:
    room.is_over = True


async def _new(room: Room, argument: str) -> None:
    await room.switch(replace(room.opening, resume="", incognito=False, yolo=False))
    room.screen.tell("A new conversation; memory stays.")


async def _resume(room: Room, argument: str) -> None:
    sessions = await asyncio.to_thread(_list, room)
    if not argument:
        width = get_terminal_size().columns - 6
        lines = [
            f"{n:>3}{'*' if each.session.id == room.chat.thread.id else ' '} {_line(each, width)}"
            for n, each in enumerate(sessions, 1)
        ]
        if room.chat.has_begun and not room.chat.thread.is_kept:
            lines.insert(0, "   * this branch, in which nothing was said yet")
        room.screen.tell("\n".join([*lines, "Go on with one: /resume NUMBER, or an id."]))
        return
    if argument.isdecimal() and 0 < int(argument) <= len(sessions):
        argument = sessions[int(argument) - 1].session.id
    room.end_yolo()
    await room.resume(LAST if argument == LAST else argument)


def _list(room: Room) -> list[Preview]:
    return room.app.agent.browse_recent(LISTED)


def _line(preview: Preview, width: int) -> str:
    """A conversation in a line no wider than there is room for."""
    session = preview.session
    said = count(session.messages, "message")
    rest = f"  {said}  {session.id}" if width >= WIDE else f"  {said}"
    begin = f"{render_local(session.last_at)}  "
    room = max(12, width - len(begin) - len(rest))
    title = clean(name_of(preview)) or "(no title)"
    return begin + (title if len(title) <= room else title[: room - 1] + "…") + rest


def _offer_sessions(room: Room, words: list[str]) -> Iterable[tuple[str, str]]:
    width = get_terminal_size().columns - 12
    if not words:
        yield from ((str(n), _line(each, width)) for n, each in enumerate(_list(room), 1))


async def _branch(room: Room, argument: str) -> None:
    before = room.chat.thread.id
    thread = room.chat.branch()
    room.screen.tell(hang(f"You go on in {thread.id}; {before} stays as it is.", 0))


async def _undo(room: Room, argument: str) -> None:
    room.undone = await asyncio.to_thread(room.chat.undo)
    room.screen.tell(_told_back(room.undone))


def _told_back(undone: Undone) -> str:
    back = f" · undo: hermes sessions restore {undone.session_id}" if undone.session_id else ""
    return f"Taken back: {_shown(undone.text)}{back}"


def _shown(text: str) -> str:
    """What was said, in a few columns, as it is kept: without secrets."""
    return fit(redact(text).text, TAKEN)


async def _retry(room: Room, argument: str) -> None:
    before = room.undone
    undone = before if before is not None else await asyncio.to_thread(_take_back, room)
    text = argument or undone.text
    if before is None:
        room.screen.mention(_told_back(undone))
    room.screen.mention(f"Once more: {_shown(text)}")
    room.images += undone.images
    with quiet():
        room.screen.wait()
        await room.say(text)


def _take_back(room: Room) -> Undone:
    if not room.chat.has_begun:
        raise UserError("There is nothing to send again.", "Say something first.")
    return room.chat.undo()


async def _incognito(room: Room, argument: str) -> None:
    on = not room.opening.incognito
    await room.switch(replace(room.opening, resume="", incognito=on, yolo=False))
    if on:
        room.screen.tell("Incognito: a new conversation, of which nothing is kept.")
        return
    told = (
        "A new conversation: what you say is kept again. /resume last goes on with the one before."
    )
    room.screen.tell(hang(told, 0))


async def _yolo(room: Room, argument: str) -> None:
    on = not room.opening.yolo
    room.set_yolo(on=on)
    back = UNKEPT if room.opening.incognito else TAKES_BACK
    told = hang(f"Commands and file changes run without asking. {back} {STILL_ASKED}", 0)
    room.screen.tell(told if on else "You are asked again before what could do harm.")


async def _usage(room: Room, argument: str) -> None:
    used = total_usage(room.used)
    share = used.cached_tokens / used.input_tokens if used.input_tokens else 0.0
    today = await asyncio.to_thread(room.app.spending.spent)
    about = "about " if today.guessed else ""
    room.screen.tell(
        f"this conversation: {used.input_tokens:,} tokens in ({share:.0%} cached), "
        f"{used.output_tokens:,} out\n"
        f"today: {count(today.calls, 'call')}, {about}${today.usd:.4f}; "
        "`hermes usage` shows every day"
    )


async def _skills(room: Room, argument: str) -> None:
    room.screen.tell("Skills are not available in this version of Hermes.")


async def _model(room: Room, argument: str) -> None:
    model = room.chat.parts.model
    told = model.name if model else "none: answers come from memory alone"
    told += f" ({room.stood_in} answered last in its place)" if room.stood_in else ""
    room.screen.tell(f"{told}. `hermes model` lists, tests and sets models.")


async def _image(room: Room, argument: str) -> None:
    if not argument:
        raise UserError("Which image?", "Say /image PATH, then your message.")
    image = await asyncio.to_thread(load_image, argument)
    room.images.append(image)
    size = max(1, len(image.content) // 1024)
    room.screen.tell(f"{image.media_type}, {size} KB: it goes with your next message.")


async def _rollback(room: Room, argument: str) -> None:
    words = argument.split()
    vault = room.app.agent.checkpoints
    if not words:
        recent = await asyncio.to_thread(vault.list_recent)
        lines = [memory.told_checkpoint(each) for each in recent] or ["No file was changed yet."]
        room.screen.tell("\n".join(lines))
        return
    wants_diff = words[0] == "diff"
    rest = words[1:] if wants_diff else words
    if not rest or not rest[0].isdecimal():
        raise UserError("Which checkpoint?", "/rollback lists them; /rollback [diff] N [FILE].")
    file = rest[1] if len(rest) > 1 else None
    if wants_diff:
        shown = await asyncio.to_thread(vault.diff, int(rest[0]), file)
        room.screen.tell(shown or "Nothing would change.")
        return
    undone = await asyncio.to_thread(vault.rollback, int(rest[0]), file)
    room.screen.tell("\n".join(f"{each.outcome}: {each.path}" for each in undone) or "nothing")


def _offer_checkpoints(room: Room, words: list[str]) -> Iterable[tuple[str, str]]:
    if not words:
        yield "diff", "what taking it back would change"
    if words in ([], ["diff"]):
        for each in room.app.agent.checkpoints.list_recent():
            number, told = memory.told_checkpoint(each).split(maxsplit=1)
            yield number, told
    elif words[-1].isdecimal():
        yield from _offer_files(room, int(words[-1]))


def _offer_files(room: Room, number: int) -> Iterable[tuple[str, str]]:
    """The files that taking back a checkpoint, and all after it, would touch."""
    recent = room.app.agent.checkpoints.list_recent()
    changed = (change.path for each in recent if each.number >= number for change in each.changes)
    yield from ((str(path), "only this file") for path in dict.fromkeys(changed))


COMMANDS = {
    command.name: command
    for command in (
        Command("/new", "Begin a new conversation", _new),
        Command("/resume [N]", "List conversations, or go on with one", _resume, _offer_sessions),
        Command("/branch", "Go on in a copy of this conversation", _branch),
        Command("/undo", "Take your last message and its answer back", _undo),
        Command("/retry [WORDS]", "Ask that again, in other words if given", _retry),
        Command("/memory [WORDS]", "See what is noted, or search memory", memory.show),
        Command(
            "/why FACT",
            "Why something is believed: fact:42, or words",
            memory.why,
            memory.offer_facts,
        ),
        Command(
            "/forget REF",
            "Forget fact:42, note:n-3f9a, or by words",
            memory.forget,
            memory.offer_kept,
        ),
        Command("/restore REF", "Bring back what is gone: fact:42, or by words", memory.restore),
        Command(
            "/approve REF", "Allow a write that waits (held:7)", memory.approve, memory.offer_held
        ),
        Command(
            "/reject REF", "Refuse a write that waits (held:7)", memory.reject, memory.offer_held
        ),
        Command(
            "/rollback [diff] [N] [FILE]",
            "List, compare or undo changes to files",
            _rollback,
            _offer_checkpoints,
        ),
        Command("/image PATH", "Send a picture with your next message", _image),
        Command("/skills", "See the skills", _skills),
        Command("/usage", "Tokens of this conversation, and money of today", _usage),
        Command("/model", "Which model answers", _model),
        Command("/incognito", "Switch to keeping nothing, and back", _incognito),
        Command("/yolo", "Switch off being asked, and on again", _yolo),
        Command("/help", "This list", _help),
        Command(QUIT[0], "Leave", _quit),
    )
}
_COMMAND = re.compile(r"/(?:[^\W\d_][\w:-]*[?!.,;]*|\?)(?:\s|$)")
ALIASES = dict.fromkeys(QUIT[1:], QUIT[0]) | {"/?": "/help", "/h": "/help"}


def is_command(text: str) -> bool:
    """Whether a line is, or was meant as, a command: a slash and a word, so that a path is none."""
    return _COMMAND.match(text.strip()) is not None


def list_arguments(room: Room, typed: str) -> list[tuple[str, str]]:
    """What could stand in the place of the last word of a line that begins with a command."""
    name, *words = typed.split(" ")
    command = COMMANDS.get(ALIASES.get(name, name))
    if command is None or command.offer is None:
        return []
    return list(command.offer(room, words[:-1]))


async def obey(room: Room, text: str) -> None:
    name, _, argument = text.strip().partition(" ")
    command = COMMANDS.get(ALIASES.get(name, name))
    if command is None:
        near = get_close_matches(name, COMMANDS, 1)
        guess = f"Did you mean {near[0]}? " if near else ""
        raise UserError(f"There is no command {name}.", f"{guess}/help lists them.")
    await command.run(room, argument.strip())
