"""Hermes as a library: a memory for an agent of any framework, and the agent, in a few lines.

`with Hermes("./memory") as memory: …` opens a home, records what is said, and gives back what
bears on a task. Vectors are made beside the program; recording never waits for them. `chat` and
`run` give the agent that the command line has, with the same memory.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack
from zoneinfo import ZoneInfo

from hermes.app import App, open_app
from hermes.app.background import Background
from hermes.app.facts import NewFact
from hermes.clock import from_datetime
from hermes.config.load import Given
from hermes.config.paths import DEFAULT_PROFILE, read_home
from hermes.config.profiles import create_profile, has_profile
from hermes.errors import UserError
from hermes.memory.banks import DEFAULT, check_bank
from hermes.memory.recall.when.zone import find_zone
from hermes.memory.sessions import SearchOptions, SessionSearch
from hermes.memory.transcript import parse_message
from hermes.types import Fact, Kind, NewSession, Recorded, Turn, Utterance

if TYPE_CHECKING:
    from hermes.agent.approval import Approver
    from hermes.agent.events import Outcome
    from hermes.app.talk import Talk
    from hermes.llm.base import Model
    from hermes.memory.recall.answer import Recall
    from hermes.memory.recall.result import Item
    from hermes.tools.base import AnyTool


class TalkOptions(TypedDict, total=False):
    """What a chat may be given, such as another model than the configured one."""

    model: "Model"
    light: "Model"
    approver: "Approver"
    incognito: bool
    workdir: Path
    max_steps: int


Said = Mapping[str, object] | tuple[str, str] | Utterance


class Hermes:
    """One profile's memory."""

    def __init__(
        self,
        home: str | Path | None = None,
        *,
        profile: str = DEFAULT_PROFILE,
        bank: str = DEFAULT,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        self.bank = check_bank(bank)
        environ = dict(os.environ)
        place = read_home(environ, str(home) if home else None)
        if not has_profile(place, profile):
            create_profile(place, profile)
        given = Given({key: _setting(value) for key, value in (settings or {}).items()})
        self.app: App = open_app(place.profile(profile), environ, flags=given)
        self._talks: list[Talk] = []  # those still open are ended with the memory
        self._indexer = Background(self._index, "hermes-indexer")

    def record(
        self, messages: Sequence[Said], *, session: str = "", task: str = "", key: str = ""
    ) -> Recorded:
        """Keep one turn; it is on disk when this returns.

        A message is `(role, text)` or a mapping in the style of OpenAI. Give the same `session`
        for what belongs together, and a `key` to make a retry harmless.
        """
        where = NewSession(id=session, bank=self.bank, platform="library")
        turn = Turn(where, tuple(map(_utterance, messages)), task, key)
        (receipt,) = self.app.conversations.record([turn])
        self._indexer.wake()
        return receipt

    def remember(self, statement: str) -> Fact | None:
        """Keep a fact the person stated: the new one, or the known one that says the same.

        It counts as their own word and waits for nobody, however it is worded: what a model or a
        page says is for `record`.
        """
        kept = self.app.facts.add(NewFact(statement, bank=self.bank))
        self._indexer.wake()
        return kept.fact

    def recall(
        self, task: str, *, budget_tokens: int | None = None, as_of: str | datetime | None = None
    ) -> "Recall":
        """What bears on a task; `.context()` is the block to put before a model.

        `as_of` a date, in words ("2026-03-01", "last week") or as a moment, what was told later is
        left out.
        """
        at = None if as_of is None else self._moment(as_of)
        asked = _text(task, "task")
        return self.app.memory.recall(asked, bank=self.bank, budget_tokens=budget_tokens, as_of=at)

    def search(
        self, query: str, *, limit: int = 10, kinds: Sequence[Kind | str] = ()
    ) -> "tuple[Item, ...]":
        """Memories by meaning and by words, best first; of some kinds ("fact", …) or of all."""
        asked, wanted = _text(query, "query"), _kinds(kinds)
        return self.app.memory.search(asked, bank=self.bank, limit=limit, kinds=wanted)[0]

    def search_sessions(self, query: str, options: SearchOptions | None = None) -> SessionSearch:
        """Past conversations by what was said in them."""
        wanted = options or SearchOptions()
        if not wanted.bank:
            wanted = replace(wanted, bank=self.bank)
        return self.app.conversations.search(query, wanted)

    def chat(
        self,
        *,
        session: str = "",
        tools: "Sequence[AnyTool]" = (),
        **options: Unpack[TalkOptions],
    ) -> "Talk":
        """A chat with the agent: `chat.say("…").text`. With `session`, go on with that one.

        `tools` of your own come beside those that are installed.
        """
        # Models and tools: a program that only remembers needs none of them.
        from hermes.app.agent import ChatOptions  # noqa: PLC0415
        from hermes.app.talk import Talk  # noqa: PLC0415
        from hermes.tools.registry import make_toolbox  # noqa: PLC0415

        known = self.app.agent.toolbox
        toolbox = make_toolbox([*known.tools.values(), *tools]) if tools else known
        asked = ChatOptions(bank=self.bank, platform="library", toolbox=toolbox, **options)
        talk = Talk(self.app, asked)
        if session:
            talk.resume(session)
        self._talks.append(talk)
        return talk

    def run(
        self, task: str, *, tools: "Sequence[AnyTool]" = (), **options: Unpack[TalkOptions]
    ) -> "Outcome":
        """Have the agent do one task, in a conversation of its own, and learn from it.

        What was learnt at its end is among the receipts.
        """
        with self.chat(tools=tools, **options) as talk:
            outcome = talk.say(task)
        return replace(outcome, receipts=outcome.receipts + talk.learnt.receipts)

    def recovery_key(self) -> str:
        """What opens the memory and its backups if the key file is lost, to be written down.

        Whoever has it can read both. It is given as often as it is asked for, and never printed.
        """
        return self.app.backups.recovery_text()

    def wait_until_indexed(self, timeout_s: float | None = None) -> bool:
        """Wait until everything recorded has its vector; False if that failed or took too long."""
        self._indexer.wake()
        return self._indexer.wait(timeout_s)

    def close(self) -> None:
        for talk in self._talks:
            talk.close()
        self._indexer.close()
        self.app.close()

    def __enter__(self) -> "Hermes":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _moment(self, told: str | datetime) -> int:
        """The last moment of a time told in words, or the moment itself."""
        from hermes.memory.recall.when import parse_when  # noqa: PLC0415 - seldom needed

        zone = find_zone(self.app.environ)
        if not isinstance(told, datetime):
            return parse_when(_text(told, "as_of"), self.app.clock.now(), zone=zone).end_at - 1
        return from_datetime(told if told.tzinfo else told.replace(tzinfo=ZoneInfo(zone)))

    def _index(self, is_stopped: Callable[[], bool]) -> None:
        self.app.memory.index(is_stopped=is_stopped)


def _setting(value: object) -> str:
    """A setting as text, which is how they are given; numbers and lists need not be written so."""
    return value if isinstance(value, str) else json.dumps(value)


def _text(value: object, name: str) -> str:
    if isinstance(value, str):
        return value
    raise UserError(f"{name} is {type(value).__name__}, not text.", f"Give `{name}` as a str.")


def _kinds(names: Sequence[Kind | str]) -> list[Kind]:
    """Kinds by their names; one name alone will do."""
    try:
        return [Kind(name) for name in ([names] if isinstance(names, str) else names)]
    except ValueError as error:
        known = ", ".join(kind.value for kind in Kind)
        raise UserError(f"There is no such kind of memory: {error}.", f"Give {known}.") from error


def _utterance(said: Said) -> Utterance:
    if isinstance(said, Utterance):
        return said
    try:
        if isinstance(said, tuple):
            role, text = said
            return parse_message({"role": role, "content": text})
        return parse_message(said)
    except ValueError as error:
        raise UserError(f"This is no message: {error}", "Give role and content.") from error
