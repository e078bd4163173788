"""A sample history to try Hermes on: three months of a developer and her project, Atlas.

It is invented and written by hand, in `atlas.txt`: a heading for each conversation, then who said
what; a line that begins with two blanks goes on with the message above. It lies in a bank of its
own, so that it never mixes with what is real.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib import resources

from hermes.clock import MINUTE_MS, SECOND_MS, parse_time
from hermes.types import NewSession, Role, ToolCall, Turn, Utterance

BANK = "sample"
_HEADING = re.compile(r"== (?P<at>\S+ \S+) \| (?P<platform>\S+) \| (?P<title>.+)")
_SAID = re.compile(r"(user|assistant|tool|call): (.*)")
_THINKING_MS = 25 * SECOND_MS


@dataclass(slots=True)
class _Talk:
    """A conversation while it is read."""

    session: NewSession
    at: int
    turns: list[list[Utterance]] = field(default_factory=list)

    def add(self, who: str, text: str) -> None:
        if who == "call":
            self._add_call(*text.split(" ", 1))
            return
        role = Role(who)
        self.at += MINUTE_MS if role is Role.USER else _THINKING_MS
        if role is Role.USER:
            self.turns.append([])
        call_id = self._last_call() if role is Role.TOOL else ""
        self.turns[-1].append(Utterance(role, text, at=self.at, call_id=call_id))

    def go_on(self, text: str) -> None:
        last = self.turns[-1][-1]
        self.turns[-1][-1] = replace(last, text=f"{last.text}\n{text}")

    def _add_call(self, name: str, arguments: str) -> None:
        asking = self.turns[-1][-1]
        call = ToolCall(f"call_{len(self.turns)}", name, arguments)
        self.turns[-1][-1] = replace(asking, calls=(*asking.calls, call))

    def _last_call(self) -> str:
        return next(m.calls[-1].id for m in reversed(self.turns[-1]) if m.calls)


def load_sample() -> list[Turn]:
    """Every turn of the sample, in order; each has a key, so that it is kept only once."""
    file = resources.files(__name__) / "atlas.txt"
    return [turn for talk in _read(file.read_text("utf-8")) for turn in _turns(talk)]


def _read(text: str) -> Iterator[_Talk]:
    talk: _Talk | None = None
    for line in text.splitlines():
        heading, said = _HEADING.fullmatch(line), _SAID.fullmatch(line)
        if heading:
            if talk is not None:
                yield talk
            talk = _begin(heading)
        elif talk is not None and said:
            talk.add(said[1], said[2])
        elif talk is not None and line:
            talk.go_on(line.removeprefix("  "))
    if talk is not None:
        yield talk


def _begin(heading: re.Match[str]) -> _Talk:
    at = parse_time(f"{heading['at']}+00:00")
    name = "atlas-" + re.sub(r"\D", "", heading["at"])
    about = NewSession(
        id=name,
        bank=BANK,
        platform=heading["platform"],
        identity="lena",
        title=heading["title"],
        started_at=at,
    )
    return _Talk(about, at)


def _turns(talk: _Talk) -> Iterator[Turn]:
    for number, messages in enumerate(talk.turns):
        yield Turn(talk.session, tuple(messages), key=f"sample/{talk.session.id}/{number}")
