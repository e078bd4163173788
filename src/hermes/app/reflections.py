"""What can be done with reflections: draw them, list, show and delete them, project them."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from hermes.app.shapes import Json, time_shape
from hermes.errors import UserError
from hermes.jobs.tasks.reflect import ReflectHandler
from hermes.memory.reflect.keeping import (
    ALL,
    ModelReflector,
    Reflector,
    RuleReflector,
    approve_held,
    delete_reflection,
    get_reflection,
    mark_rejected,
    reflect_session,
)
from hermes.memory.reflect.page import save_page
from hermes.store.base import HeldWrite
from hermes.types import Reflection

if TYPE_CHECKING:
    from hermes.app.light_model import LightModel
    from hermes.app.root import App

_REF = re.compile(r"(?:reflection:)?0*(\d{1,18})", re.I)
Reflections = list[Reflection]


class ReflectionActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def reflect(self, session_id: str) -> Reflections:
        """Draw lessons from what a session has new, now."""
        store = self._app.store
        keep = reflect_session(store, session_id, self.reflector(), self._app.clock.now())
        kept = store.write(keep)
        if kept:
            self.project()
        return kept

    def get(self, ref: str) -> Reflection:
        number = parse_reflection(ref)
        [found] = self._app.store.read(lambda tx: mark_rejected(tx, [get_reflection(tx, number)]))
        return found

    def delete(self, ref: str) -> Reflection:
        number, now = parse_reflection(ref), self._app.clock.now()
        gone = self._app.store.write(lambda tx: delete_reflection(tx, number, now))
        self.project()
        return gone

    def project(self) -> bool:
        """Bring workspace/REFLECTIONS.md up to date; whether that changed it."""
        return save_page(self._app.paths.reflections_file, self.list(limit=ALL))

    def apply(self, write: HeldWrite) -> None:
        """Make a held write to procedures: what approving it does."""
        approve_held(self._app.store, write)
        self.project()

    def reflector(self) -> Reflector:
        """Who reflects: the light model where one is configured, else the rules."""
        if self._app.config.light_model.provider == "none":
            return RuleReflector()
        return ModelReflector(self._light_model.ask)

    def handler(self) -> ReflectHandler:
        """What does the `reflect` job."""
        return ReflectHandler(self.reflector, self.project)

    @cached_property
    def _light_model(self) -> LightModel:
        from hermes.app.light_model import LightModel  # noqa: PLC0415 - brings the network

        return LightModel(self._app)

    def list(self, bank: str = "", *, task_type: str = "", limit: int = 100) -> Reflections:
        """Newest first."""
        return self._app.store.read(
            lambda tx: mark_rejected(
                tx, tx.reflections.list(bank, task_type=task_type, limit=limit)
            )
        )


def parse_reflection(text: str) -> int:
    """The number in `reflection:7`, `reflection:007` or `7`."""
    found = _REF.fullmatch(text.strip())
    if found is None:
        hint = "See `hermes memory reflections list`."
        raise UserError(f"{text[:80]!r} names no reflection.", hint)
    return int(found[1])


def reflection_shape(reflection: Reflection) -> Json:
    return {
        "id": f"reflection:{reflection.id}",
        "bank": reflection.bank,
        "task_type": reflection.task_type,
        "lesson": reflection.lesson,
        "worked": reflection.worked,
        "failed": reflection.failed,
        "next_time": reflection.next_time,
        "successes": reflection.successes,
        "failures": reflection.failures,
        "warning": reflection.is_warning,
        "weight": round(reflection.weight, 3),
        "trust": reflection.trust.name.lower(),
        "held": reflection.held,
        "rejected": reflection.rejected,
        "author": reflection.author,
        "session_id": reflection.session_id,
        "created_at": time_shape(reflection.created_at),
        "updated_at": time_shape(reflection.updated_at),
    }
