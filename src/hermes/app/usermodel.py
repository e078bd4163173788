"""What can be done with the model of the user: show it, and bring USER.md up to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.app.sharing import follow, sharing_of
from hermes.memory.banks import DEFAULT
from hermes.memory.facts.standing import build_user_model, list_standing
from hermes.memory.notes import Change, project_user
from hermes.memory.usermodel import UserModel, render_lines
from hermes.types import FactKind

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.store.base import Tx


class UserActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def show(self, bank: str = DEFAULT) -> UserModel:
        """The record of what is believed of the user now, each line with its evidence."""
        now = self._app.clock.now()
        return self._app.store.read(lambda tx: build_user_model(tx, bank, now))

    def names(self, bank: str = DEFAULT) -> list[str]:
        """What the user of a bank is believed to be called: who of several speakers they are.

        Where the bank does not know, it is the user of the default one.
        """
        now = self._app.clock.now()

        def read(tx: Tx, of: str) -> list[str]:
            identity = list_standing(tx, of, now, kinds=(FactKind.IDENTITY,))
            return [fact.value for fact in identity if fact.attribute == "name" and fact.value]

        return self._app.store.read(lambda tx: read(tx, bank) or read(tx, DEFAULT))

    def project(self) -> Change | None:
        """Bring the projected lines of USER.md up to date; nothing is made where there are none.

        Only the default bank is projected: other banks may be about other people.
        """
        limit = self._app.config.memory.user_char_limit
        lines = render_lines(self.show(), limit=limit)
        follow(self._app)
        file = self._app.paths.user_note
        if not lines and not file.exists():
            return None
        return project_user(file, lines, limit=limit, sharing=sharing_of(self._app, file))
