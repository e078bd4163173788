"""The agent for programs that run no event loop: a chat on a loop of its own, in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from hermes.agent.events import OnEvent, Outcome, ignore
from hermes.app.agent_learning import Learning
from hermes.types import Payload

if TYPE_CHECKING:
    from hermes.agent.chat import Chat
    from hermes.app.agent import ChatOptions
    from hermes.app.root import App

T = TypeVar("T")


class Talk:
    """A chat whose methods wait. Reviews in the background go on between two messages.

    `on_event` is called from the thread of the loop. What is said is kept when `say` returns. Facts
    are read from it when it is closed: `learnt` says which.
    """

    def __init__(self, app: App, options: ChatOptions) -> None:
        self._app = app
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="hermes-talk", daemon=True
        )
        self._thread.start()
        self._chat: Chat = app.agent.open_chat(options)
        self._incognito = options.incognito
        self.learnt = Learning()

    @property
    def session_id(self) -> str:
        return self._chat.thread.id

    def say(
        self, text: str, *, images: Sequence[Payload] = (), on_event: OnEvent = ignore
    ) -> Outcome:
        """One message and the answer to it."""
        return self._wait(self._chat.say(text, images=images, on_event=on_event))

    def resume(self, session_id: str) -> None:
        """Go on with an earlier conversation."""
        self._wait(self._chat.resume(session_id))

    def undo(self) -> str:
        """Go back to before the last message; what it was."""
        return self._chat.undo().text

    def close(self, *, learn: bool = True) -> Learning:
        """End the conversation and, unless a daemon will, learn from it; what was learnt."""
        if self._loop.is_closed():
            return self.learnt
        ended = self._wait(self._chat.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if learn and ended and not self._incognito:
            self.learnt = self._app.agent.work_off(ended)
        return self.learnt

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
