"""The App: one profile, opened, with everything it can do."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from hermes.app.conversations import ConversationActions
from hermes.app.daemon import DaemonActions
from hermes.app.doctor import (
    check_config,
    inner_checks,
    outer_checks,
    run_checks,
    unknown_parts,
)
from hermes.app.embedding import open_embedder
from hermes.app.events import EventActions
from hermes.app.health import HealthActions
from hermes.app.keys import open_database_key
from hermes.app.stores import expect_first_key, open_backend
from hermes.clock import Clock, SystemClock
from hermes.config.load import load_config
from hermes.config.model import Config
from hermes.config.paths import ProfilePaths, ensure_layout
from hermes.embed.base import Embedder
from hermes.embed.comparer import Comparer
from hermes.guard.crypto import DatabaseKey
from hermes.memory.backup.swap import resume_swap
from hermes.memory.recall.when.zone import find_zone
from hermes.store.base import Finding, Store

if TYPE_CHECKING:
    from hermes.app.agent import AgentActions
    from hermes.app.backup import BackupActions
    from hermes.app.compress import CompressActions
    from hermes.app.db import DbActions
    from hermes.app.entities import EntityActions
    from hermes.app.erase import EraseActions
    from hermes.app.facts import FactActions
    from hermes.app.jobs import JobActions
    from hermes.app.model_choice import ModelActions
    from hermes.app.notes import NoteActions
    from hermes.app.overview import OverviewActions
    from hermes.app.pending import PendingActions
    from hermes.app.portable import PortableActions
    from hermes.app.recall import RecallActions
    from hermes.app.reflections import ReflectionActions
    from hermes.app.spending import SpendingActions
    from hermes.app.tokens import TokenActions
    from hermes.app.usermodel import UserActions


@dataclass(frozen=True)
class App:
    """One profile and its settings; parts are opened when they are first used."""

    paths: ProfilePaths
    config: Config
    environ: Mapping[str, str]
    clock: Clock
    absent: Path | None = None
    """Where the memory would lie, while an empty one stands in for it (`looking`)."""

    @cached_property
    def zone(self) -> ZoneInfo:
        """By whose clock days begin and times are told: that of whoever runs Hermes."""
        return ZoneInfo(find_zone(self.environ))

    @property
    def run_folder(self) -> Path:
        """Where things in work lie; nothing is put into a home that is not there."""
        scratch = self.config.memory.path if self.absent else None
        return Path(scratch).parent if scratch else self.paths.run

    @cached_property
    def key(self) -> DatabaseKey | None:
        """The key of the database; `created` tells whether it was made just now."""
        expect_first_key(self)
        return open_database_key(self.paths, self.config.memory, self.environ)

    @cached_property
    def store(self) -> Store:
        return open_backend(self)

    @cached_property
    def conversations(self) -> ConversationActions:
        return ConversationActions(self)

    @cached_property
    def embedder(self) -> Embedder | None:
        """What turns text into vectors; its model is loaded when it is first used."""
        return open_embedder(self.config.memory.embeddings)

    @cached_property
    def comparer(self) -> Comparer:
        """What says whether a reading goes with what was said; it, too, is loaded when used."""
        return Comparer(self.clock)

    @cached_property
    def memory(self) -> "RecallActions":
        # Recall brings numpy: commands that do not recall must not wait for it.
        from hermes.app.recall import RecallActions  # noqa: PLC0415

        return RecallActions(self)

    @cached_property
    def facts(self) -> "FactActions":
        # The rules of extraction are many patterns: only what reads facts needs them.
        from hermes.app.facts import FactActions  # noqa: PLC0415

        return FactActions(self)

    @cached_property
    def entities(self) -> "EntityActions":
        from hermes.app.entities import EntityActions  # noqa: PLC0415 - as for facts

        return EntityActions(self)

    @cached_property
    def overview(self) -> "OverviewActions":
        from hermes.app.overview import OverviewActions  # noqa: PLC0415 - as for facts

        return OverviewActions(self)

    @cached_property
    def pending(self) -> "PendingActions":
        from hermes.app.pending import PendingActions  # noqa: PLC0415 - as for facts

        return PendingActions(self)

    @cached_property
    def user(self) -> "UserActions":
        from hermes.app.usermodel import UserActions  # noqa: PLC0415 - as for facts

        return UserActions(self)

    @cached_property
    def notes(self) -> "NoteActions":
        from hermes.app.notes import NoteActions  # noqa: PLC0415 - as for facts

        return NoteActions(self)

    @cached_property
    def jobs(self) -> "JobActions":
        # Only what works in the background needs the worker and its handlers.
        from hermes.app.jobs import JobActions  # noqa: PLC0415

        return JobActions(self)

    @cached_property
    def agent(self) -> "AgentActions":
        # Models, tools and recall: only a chat needs them.
        from hermes.app.agent import AgentActions  # noqa: PLC0415

        return AgentActions(self)

    @cached_property
    def models(self) -> "ModelActions":
        from hermes.app.model_choice import ModelActions  # noqa: PLC0415 (as agent)

        return ModelActions(self)

    @cached_property
    def events(self) -> EventActions:
        return EventActions(self)

    @cached_property
    def tokens(self) -> "TokenActions":
        from hermes.app.tokens import TokenActions  # noqa: PLC0415 - for those who let others in

        return TokenActions(self)

    @cached_property
    def daemon(self) -> DaemonActions:
        return DaemonActions(self)

    @cached_property
    def health(self) -> HealthActions:
        return HealthActions(self)

    @cached_property
    def backups(self) -> "BackupActions":
        # Encryption, archives and the SQLite driver: needed by few commands.
        from hermes.app.backup import BackupActions  # noqa: PLC0415

        return BackupActions(self)

    @cached_property
    def db(self) -> "DbActions":
        from hermes.app.db import DbActions  # noqa: PLC0415 (as backups)

        return DbActions(self)

    @cached_property
    def erasing(self) -> "EraseActions":
        from hermes.app.erase import EraseActions  # noqa: PLC0415 (as backups)

        return EraseActions(self)

    @cached_property
    def compressing(self) -> "CompressActions":
        from hermes.app.compress import CompressActions  # noqa: PLC0415 (as backups)

        return CompressActions(self)

    @cached_property
    def reflections(self) -> "ReflectionActions":
        from hermes.app.reflections import ReflectionActions  # noqa: PLC0415 (as backups)

        return ReflectionActions(self)

    @cached_property
    def spending(self) -> "SpendingActions":
        from hermes.app.spending import SpendingActions  # noqa: PLC0415 (only calls to models)

        return SpendingActions(self)

    @cached_property
    def portable(self) -> "PortableActions":
        from hermes.app.portable import PortableActions  # noqa: PLC0415 (as backups)

        return PortableActions(self)

    def close(self) -> None:
        """Let go of whatever was opened."""
        for part in ("agent", "memory", "embedder", "store"):
            opened = self.__dict__.get(part)
            if opened is not None:
                opened.close()

    def __enter__(self) -> "App":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_app(
    paths: ProfilePaths,
    environ: Mapping[str, str],
    *,
    flags: Mapping[str, str] | None = None,
    clock: Clock | None = None,
) -> App:
    """Open a profile: its folders are made, its settings read; its store opens on first use."""
    ensure_layout(paths)
    resume_swap(paths)
    config = load_config(paths, environ, flags or {})
    return App(paths, config, environ, clock or SystemClock())


def diagnose(
    paths: ProfilePaths, environ: Mapping[str, str], *, flags: Mapping[str, str] | None = None
) -> list[Finding]:
    """Check every part of a profile, also one that cannot be opened."""
    config, findings = check_config(paths, environ, flags or {})
    findings += run_checks(outer_checks(paths))
    if config is None:
        return findings + unknown_parts()
    with App(paths, config, environ, SystemClock()) as app:
        return findings + run_checks(inner_checks(app))
