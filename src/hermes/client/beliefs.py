"""Facts, entities, notes and what waits, through the client."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from hermes.client.transport import Fields, Transport, as_shape, compose, escape
from hermes.types import FactKind, Origin
from hermes.wire import beliefs as wire
from hermes.wire.base import Listed

Page: TypeAlias = Literal["memory", "user"]


class Facts:
    """What is believed: add, correct, delete, explain."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def add(self, new: wire.NewFact | Fields | str) -> wire.Kept:
        """Believe a statement."""
        body = as_shape(wire.NewFact, {"text": new} if isinstance(new, str) else new)
        return self._transport.post(wire.Kept, "/v1/facts", body)

    def list(
        self,
        *,
        bank: str = "",
        kind: FactKind | str | None = None,
        entity: str = "",
        as_of: str = "",
        everything: bool = False,
        before: int | None = None,
        limit: int = 100,
    ) -> Listed[wire.Fact]:
        """Newest first; `everything` also gives closed and deleted ones."""
        return self._transport.get(
            Listed[wire.Fact],
            "/v1/facts",
            bank=bank,
            kind=kind,
            entity=entity,
            as_of=as_of,
            everything=everything,
            before=before,
            limit=limit,
        )

    def search(self, words: str, *, bank: str = "", limit: int = 20) -> Listed[wire.Fact]:
        path = "/v1/facts/search"
        return self._transport.get(Listed[wire.Fact], path, q=words, bank=bank, limit=limit)

    def tally(self, bank: str = "") -> wire.Tally:
        return self._transport.get(wire.Tally, "/v1/facts/tally", bank=bank)

    def contradictions(self, bank: str = "") -> Listed[wire.Fact]:
        """The facts that cannot both hold."""
        return self._transport.get(Listed[wire.Fact], "/v1/facts/contradictions", bank=bank)

    def extract(self, session: str = "") -> Listed[wire.Extracted]:
        """Read facts out of what was said since the last time."""
        body = compose(wire.ExtractTask, session=session)
        return self._transport.post(Listed[wire.Extracted], "/v1/extract", body)

    def get(self, ref: str) -> wire.Fact:
        return self._transport.get(wire.Fact, _path(ref))

    def edit(self, ref: str, edit: wire.FactEdit | Fields | str) -> wire.Fact:
        """Correct a fact, by a new wording or otherwise."""
        body = as_shape(wire.FactEdit, {"text": edit} if isinstance(edit, str) else edit)
        return self._transport.ask(wire.Fact, "PATCH", _path(ref), body=body)

    def delete(self, ref: str) -> wire.Fact:
        return self._transport.ask(wire.Fact, "DELETE", _path(ref))

    def restore(self, ref: str, *, change_id: int | None = None) -> wire.Fact:
        body = compose(wire.RestoreTo, change_id=change_id)
        return self._transport.post(wire.Fact, f"{_path(ref)}/restore", body)

    def merge(self, ref: str, other: str, *, unlike: bool = False) -> wire.Fact:
        body = compose(wire.MergeFact, other=other, unlike=unlike)
        return self._transport.post(wire.Fact, f"{_path(ref)}/merge", body)

    def history(self, ref: str) -> Listed[wire.Change]:
        return self._transport.get(Listed[wire.Change], f"{_path(ref)}/history")

    def why(self, ref: str) -> wire.Why:
        return self._transport.get(wire.Why, f"{_path(ref)}/why")


class Entities:
    """Whom and what memories mention."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, bank: str = "", limit: int = 100, offset: int = 0) -> Listed[wire.Entity]:
        shape = Listed[wire.Entity]
        return self._transport.get(shape, "/v1/entities", bank=bank, limit=limit, offset=offset)

    def show(self, name: str, *, bank: str = "") -> wire.EntityView:
        return self._transport.get(wire.EntityView, f"/v1/entities/{escape(name)}", bank=bank)

    def suggestions(self, bank: str = "") -> Listed[wire.Suggestion]:
        shape = Listed[wire.Suggestion]
        return self._transport.get(shape, "/v1/entities/suggestions", bank=bank)

    def merge(self, keep: str, other: str, *, bank: str = "") -> wire.Entity:
        body = compose(wire.MergeEntities, keep=keep, other=other, bank=bank)
        return self._transport.post(wire.Entity, "/v1/entities/merge", body)

    def split(self, name: str, aliases: Sequence[str], *, bank: str = "") -> Listed[wire.Entity]:
        body = compose(wire.SplitEntity, name=name, aliases=list(aliases), bank=bank)
        return self._transport.post(Listed[wire.Entity], "/v1/entities/split", body)


class Notes:
    """MEMORY.md, USER.md, the user model, and writes that wait for the person."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def read(self, target: Page = "memory") -> wire.Notebook:
        return self._transport.get(wire.Notebook, f"/v1/notes/{escape(target)}")

    def change(
        self,
        target: Page,
        operations: Sequence[wire.NoteOperation | Fields],
        *,
        origin: Origin = Origin.USER,
    ) -> wire.NoteOutcome:
        """Change a notebook, all of it or nothing."""
        body = compose(wire.NoteChange, operations=list(operations), origin=origin)
        return self._transport.post(wire.NoteOutcome, f"/v1/notes/{escape(target)}", body)

    def add(self, content: str, target: Page = "memory") -> wire.NoteOutcome:
        return self.change(target, [{"action": "add", "content": content}])

    def user(self, bank: str = "default") -> wire.UserModel:
        return self._transport.get(wire.UserModel, "/v1/user", bank=bank)

    def sync_user(self) -> wire.Synced:
        """Bring USER.md up to what is known."""
        return self._transport.post(wire.Synced, "/v1/user/sync")

    def pending(
        self, *, decided: bool = False, limit: int = 100, offset: int = 0
    ) -> Listed[wire.Held]:
        return self._transport.get(
            Listed[wire.Held], "/v1/pending", decided=decided, limit=limit, offset=offset
        )

    def approve(self, held_id: int | str) -> wire.Approved:
        return self._transport.post(wire.Approved, f"/v1/pending/{escape(held_id)}/approve")

    def reopen(self, held_id: int | str) -> wire.Held:
        """Let a write that was rejected wait again."""
        return self._transport.post(wire.Held, f"/v1/pending/{escape(held_id)}/reopen")

    def reject(self, held_id: int | str) -> wire.Held:
        return self._transport.post(wire.Held, f"/v1/pending/{escape(held_id)}/reject")


class Reflections:
    """What was learnt of how tasks work."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self, *, bank: str = "", task_type: str = "", limit: int = 100, offset: int = 0
    ) -> Listed[wire.Reflection]:
        return self._transport.get(
            Listed[wire.Reflection],
            "/v1/reflections",
            bank=bank,
            task_type=task_type,
            limit=limit,
            offset=offset,
        )

    def get(self, ref: str) -> wire.Reflection:
        return self._transport.get(wire.Reflection, f"/v1/reflections/{escape(ref)}")

    def delete(self, ref: str) -> wire.Reflection:
        path = f"/v1/reflections/{escape(ref)}"
        return self._transport.ask(wire.Reflection, "DELETE", path)

    def restore(self, ref: str) -> wire.Reflection:
        return self._transport.post(wire.Reflection, f"/v1/reflections/{escape(ref)}/restore")

    def reflect(self, session_id: str) -> Listed[wire.Reflection]:
        """Draw lessons from a session now."""
        path = f"/v1/sessions/{escape(session_id)}/reflect"
        return self._transport.post(Listed[wire.Reflection], path)


def _path(ref: str) -> str:
    return f"/v1/facts/{escape(ref)}"
