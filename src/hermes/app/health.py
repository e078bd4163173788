"""What state Hermes is in: `status` at a glance, `doctor` part by part."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes import __version__
from hermes.errors import HermesError
from hermes.store.base import Finding, StoreStatus

if TYPE_CHECKING:
    from hermes.app.root import App

LOW_DISK_BYTES = 500 << 20


@dataclass(frozen=True, slots=True)
class Status:
    """Hermes at a glance."""

    version: str
    home: str
    profile: str
    store: StoreStatus
    banks: int
    embeddings: str
    extraction: str


class HealthActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def status(self) -> Status:
        config = self._app.config
        light = config.light_model
        return Status(
            version=__version__,
            home=str(self._app.paths.home.root),
            profile=self._app.paths.name,
            store=self._app.store.status(),
            banks=len(self._app.conversations.list_banks()),
            embeddings=config.memory.embeddings.provider,
            extraction="rules" if light.provider == "none" else f"model {light.model}",
        )

    def doctor(self) -> list[Finding]:
        """Check every part; each finding says what to do if it is not ok."""
        findings: list[Finding] = []
        for part, check in self._checks().items():
            try:
                findings.extend(check())
            except HermesError as error:
                findings.append(Finding("failed", part, error.message, error.hint))
        return findings

    def _checks(self) -> dict[str, Callable[[], list[Finding]]]:
        return {
            "home": self._check_home,
            "disk": self._check_disk,
            "encryption": self._check_encryption,
            "database": self._check_database,
        }

    def _check_database(self) -> list[Finding]:
        return self._app.store.check()

    def _check_home(self) -> list[Finding]:
        loose = [
            str(folder)
            for folder in self._app.paths.folders()
            if folder.exists() and folder.stat().st_mode & 0o077
        ]
        if loose:
            hint = f"chmod 700 {' '.join(loose)}"
            return [Finding("warning", "home", f"others may look into {', '.join(loose)}", hint)]
        return [Finding("ok", "home", f"{self._app.paths.root}, only yours")]

    def _check_disk(self) -> list[Finding]:
        free = shutil.disk_usage(self._app.paths.root).free
        if free < LOW_DISK_BYTES:
            hint = "Free some space: a full disk stops recording."
            return [Finding("warning", "disk", f"{free >> 20} MB free", hint)]
        return [Finding("ok", "disk", f"{free >> 30} GB free")]

    def _check_encryption(self) -> list[Finding]:
        mode = self._app.config.memory.encryption
        if self._app.key is None:
            hint = "Turn it on for new memories with memory.encryption."
            return [Finding("warning", "encryption", "off: the file can be read by anyone", hint)]
        return [Finding("ok", "encryption", f"on, key by {mode}")]
