"""What can be done with the agent: open a chat, go on with one, learn from what was said.

The one place that puts an agent together. Everything heavy is loaded when it is first needed: a
chat must show its prompt before numpy, models and tools are there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hermes.agent.allowance import Listed, Rules, choose_approver
from hermes.agent.approval import Approver, DenyAll, MemoryApart, Yolo
from hermes.agent.chat import Chat
from hermes.agent.checkpoints import Checkpoints, Scope
from hermes.agent.compact import Compactor
from hermes.agent.delegate import PLATFORM as DELEGATE
from hermes.agent.events import Outcome
from hermes.agent.journal import Journal, NoJournal
from hermes.agent.parts import AgentOptions, Parts
from hermes.agent.prompt import PrefixParts, render_place
from hermes.agent.window import fit_tools, window_of
from hermes.app.agent_desk import AppDesk, AppJournal
from hermes.app.agent_learning import (
    Learning,
    learn_if_possible,
    learn_upto,
    one_cluster,
    receipt_of,
    work_off,
)
from hermes.app.agent_past import export_trajectory, get_prefix
from hermes.app.background import Background
from hermes.app.forgetting import Changed, forget, restore
from hermes.app.models import find_lack, open_light, open_main, runs_here
from hermes.config.load import load_config
from hermes.config.running import find_daemon
from hermes.config.save import Change, save_changes
from hermes.errors import HermesError, NotFound
from hermes.llm.base import Model
from hermes.memory.banks import DEFAULT, Belonging
from hermes.memory.notes import load_notes, render_snapshot
from hermes.memory.notes.request import Target
from hermes.memory.sessions import Preview
from hermes.memory.usermodel import render_lines
from hermes.store.base import SessionFilter
from hermes.tools.base import Receipt, ToolContext
from hermes.tools.registry import Toolbox, load_toolbox
from hermes.types import Message, Session

if TYPE_CHECKING:
    from hermes.agent.environment import Environment
    from hermes.app.root import App

PLATFORM = "cli"
NO_CHAT = "Begin one: `hermes chat`. Any other is resumed by its id: `hermes sessions list`."
INDEX_DELAY_S = 0.05  # a turn ends before its indexing begins
MANY_DELEGATES = 100  # sessions of sub-agents that may lie between two of the person's
Judge = Callable[[Outcome], float]


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """How a chat is opened; `model`, `toolbox` and `max_steps` take the configured ones' place."""

    bank: str = DEFAULT
    platform: str = PLATFORM
    incognito: bool = False
    approver: Approver = field(default_factory=DenyAll)
    workdir: Path = field(default_factory=Path.cwd)
    max_steps: int | None = None
    model: Model | None = None
    light: Model | None = None
    toolbox: Toolbox | None = None


class AgentActions:
    def __init__(self, app: App) -> None:
        self._app = app
        self._bank = DEFAULT

    @property
    def lack(self) -> HermesError | None:
        """Why memory alone answers; None where a model does."""
        return find_lack(self._app)

    def open_chat(self, options: ChatOptions | None = None) -> Chat:
        """A chat with the agent; its first message begins a conversation."""
        asked = options or ChatOptions()
        return Chat(self._parts(asked), bank=asked.bank, platform=asked.platform)

    def bank_here(self, workdir: Path) -> str:
        """The bank of a conversation held in a folder, by the configured strategy.

        A project is the folder that holds `.git`, else the folder itself.
        """
        above = (workdir, *workdir.parents)
        project = next((each for each in above if (each / ".git").exists()), workdir)
        return self._app.conversations.bank_for(Belonging(project=project.name))

    def find_last(self, bank: str = "") -> Session:
        """The chat that was talked in last; what was brought in from elsewhere is none."""
        wanted = SessionFilter(bank=bank, platform=PLATFORM)
        if not (found := self._app.conversations.list_sessions(wanted, 1)):
            raise NotFound("There is no chat to go on with.", NO_CHAT)
        return found[0]

    def browse_recent(self, limit: int) -> list[Preview]:
        """The latest conversations with the person, not those of sub-agents, and how each began."""
        found = self._app.conversations.browse(None, limit + MANY_DELEGATES)
        return [each for each in found if each.session.platform != DELEGATE][:limit]

    def learn(self, session_id: str) -> tuple[Receipt, ...]:
        """Read the facts of what a session has new; what was learnt."""
        learnt: list[Receipt] = []
        for extracted in self._app.facts.extract(session_id):
            facts = [self._app.facts.get(f"fact:{number}") for number in extracted.numbers]
            learnt += [receipt_of(self._app, fact) for fact in facts]
        return tuple(learnt)

    def forget(self, said: str, bank: str = DEFAULT) -> Changed:
        """Forget a fact or a note, by its reference or by words that only it holds."""
        return forget(self._app, said, bank)

    def restore(self, said: str, bank: str = DEFAULT) -> Changed:
        """Take back that something was forgotten or reworded; by its reference, or by words."""
        return restore(self._app, said, bank)

    def learn_upto(self, session_id: str, upto: int) -> None:
        """Read the facts of what a session has new, but none after message `upto`."""
        learn_upto(self._app, session_id, upto)

    def work_off(self, session_ids: Sequence[str]) -> Learning:
        """Learn from conversations that ended, unless a daemon will."""
        return work_off(self._app, session_ids)

    def get_prefix(self, session_id: str) -> str:
        """What every request of a conversation begins with, to the byte."""
        return get_prefix(self._app, session_id)

    def export_trajectory(self, session_id: str) -> dict[str, Any]:
        """A conversation as one line of a training file, without secrets."""
        return export_trajectory(self._app, session_id)

    def environment(
        self, options: ChatOptions | None = None, judge: Judge | None = None
    ) -> Environment:
        """The agent as an environment with reset and step, for training and replays."""
        from hermes.agent.environment import Environment  # noqa: PLC0415 - rarely needed

        asked = options or ChatOptions()

        def make_chat(model: Model) -> Chat:
            return self.open_chat(replace(asked, model=model))

        return Environment(make_chat, judge) if judge else Environment(make_chat)

    @cached_property
    def checkpoints(self) -> Checkpoints:
        paths = self._app.paths
        return Checkpoints(paths.checkpoints, self._app.clock, closed=(paths.home.root,))

    def approver(self, person: Approver, *, incognito: bool, yolo: bool = False) -> Approver:
        """Who decides what may be done: the settings and lists first, then the person."""
        setting = self._app.config.terminal.approval
        rules = Rules(self._rules.all()) if incognito else self._rules
        others = choose_approver(setting, person, rules)
        if yolo and setting != "allow":
            others = Yolo(Listed(rules, person))
        return MemoryApart(person, others)

    @cached_property
    def _rules(self) -> Rules:
        return Rules(self._app.config.terminal.allow, self._keep_rule)

    def _keep_rule(self, rule: str) -> None:
        """An "always" outlives the process: it is written into the settings."""
        app = self._app
        kept = load_config(app.paths, app.environ, {}).terminal.allow
        text = json.dumps([*kept, rule], ensure_ascii=False)
        save_changes(app.paths, app.environ, (Change("terminal.allow", text),))

    @cached_property
    def toolbox(self) -> Toolbox:
        return load_toolbox()

    def snapshot(self, bank: str, workdir: Path | None = None) -> PrefixParts:
        """What a new session of a bank begins with, in a folder."""
        place = render_place(workdir) if workdir is not None else ""
        return PrefixParts(notes=self._notes(bank), place=place)

    def warm(self) -> None:
        """Load what the first question will need, while the person types it."""
        try:
            self._app.memory.recall("hello", bank=DEFAULT)
        except HermesError:
            # Whatever is wrong will be told where it matters: with the first question.
            return

    def wake_indexer(self, bank: str) -> None:
        """Something was said in a bank: give it vectors, and have recall know it, by and by."""
        self._bank = bank
        self._indexer.wake()

    def wait_until_indexed(self, timeout_s: float | None = None) -> bool:
        """Wait until everything said has its vector; False if that failed or took too long."""
        return self._indexer.wait(timeout_s)

    def close(self) -> None:
        if "_indexer" in self.__dict__:
            self._indexer.close()

    @cached_property
    def _indexer(self) -> Background:
        return Background(self._index, "hermes-indexer", delay_s=INDEX_DELAY_S)

    def _index(self, is_stopped: Callable[[], bool]) -> None:
        app = self._app
        if find_daemon(app.paths) is None:
            app.memory.index(is_stopped=is_stopped)
        if not is_stopped():
            # Recall takes in what is new when it is asked: better now than with the next message.
            app.memory.recall("what is new", bank=self._bank)

    def _parts(self, asked: ChatOptions) -> Parts:
        app, desk = self._app, AppDesk(self._app)
        journal: Journal = NoJournal() if asked.incognito else AppJournal(app)
        options = self._options(asked)
        # A light model would be entered into the books, and an incognito chat writes nothing.
        condense = self.condense_by_rules if asked.incognito else self.condense
        return Parts(
            desk=desk,
            journal=journal,
            clock=app.clock,
            toolbox=asked.toolbox or fit_tools(self.toolbox, options.window_tokens),
            prefix=lambda bank: self.snapshot(bank, asked.workdir),
            model=asked.model or open_main(app, incognito=asked.incognito),
            lack=self.lack,
            light=asked.light or open_light(app, incognito=asked.incognito),
            approver=self.approver(asked.approver, incognito=asked.incognito),
            compactor=Compactor(options.window_tokens, self._extract_for(asked), condense),
            equip=self._equip,
            learn=self.learn,
            options=options,
        )

    def _options(self, asked: ChatOptions) -> AgentOptions:
        config = self._app.config
        name, room = config.model.model or "", config.model.context_tokens
        window = window_of(name, room, is_local=runs_here(config.model))
        return AgentOptions(
            window_tokens=window,
            reply_tokens=min(config.model.max_tokens, window // 4),  # else no room is left to talk
            recall_tokens=config.memory.retrieval.context_budget_tokens,
            max_steps=asked.max_steps or config.agent.max_steps,
            review_every=config.memory.nudge_interval,
            incognito=asked.incognito,
            workdir=asked.workdir,
            zone=self._app.zone,
        )

    def _extract_for(self, asked: ChatOptions) -> Callable[[str], Sequence[Receipt]]:
        if asked.incognito:
            return lambda _: ()
        return lambda session_id: learn_if_possible(self._app, session_id, self.learn)

    def condense(self, session_id: str, messages: Sequence[Message]) -> str:
        """Messages in few words: by the light model, or by what of them tells the most."""
        try:
            parts = self._app.compressing.summariser().write(one_cluster(session_id, messages))
        except HermesError:
            # A light model that fails must not cost the person the turn: the rules always can.
            return self.condense_by_rules(session_id, messages)
        return "\n".join(part.text for part in parts)

    def condense_by_rules(self, session_id: str, messages: Sequence[Message]) -> str:
        """Messages in few words, with no model and nothing written."""
        from hermes.memory.compress.drafts import ExtractiveSummariser  # noqa: PLC0415 - rare

        parts = ExtractiveSummariser().write(one_cluster(session_id, messages))
        return "\n".join(part.text for part in parts)

    def _equip(self, context: ToolContext) -> ToolContext:
        def changing(root: Path, files: tuple[Path, ...], why: str) -> AbstractContextManager[None]:
            if context.incognito:
                return nullcontext()  # a checkpoint keeps what was done, and when
            scope = Scope(root, files)
            return self.checkpoints.around(scope, why=why, session_id=context.session_id)

        return replace(
            context,
            changing=changing,
            forbidden=(self._app.paths.home.root,),
            allowed=self._rules.all(),
            environ=self._app.environ,
        )

    def _notes(self, bank: str) -> str:
        """The notebooks and the seed; of the person only what belongs to this bank.

        USER.md is about the person of the default bank. Another bank may be another person's.
        """
        app = self._app
        if bank == DEFAULT:
            return app.notes.snapshot()
        settings = app.config.memory
        lines = render_lines(app.user.show(bank), limit=settings.user_char_limit)
        return render_snapshot(
            app.notes.text(Target.MEMORY),
            "\n".join(lines),
            load_notes(app.paths.seed_file),
            memory_limit=settings.memory_char_limit,
            user_limit=settings.user_char_limit,
        )
