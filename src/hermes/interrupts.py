"""What must come to its end although it is interrupted: what is written is also told."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


def _ignore(result: object) -> None:
    """That it was done is all."""


async def see_through(work: Awaitable[T], then: Callable[[T], None] = _ignore) -> None:
    """Wait for something to its end, however often that is interrupted meanwhile.

    `then` is given what came of it, in either case; an interrupt is raised after that.
    """

    async def go() -> None:
        then(await work)

    task = asyncio.ensure_future(go())
    interrupt: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            interrupt = error
    failure = task.exception()
    if interrupt is not None:
        raise interrupt
    if failure is not None:
        raise failure


async def put_off(work: Awaitable[T], then: Callable[[T], None]) -> None:
    """See something through; an interrupt meanwhile is raised by what is waited for next."""
    try:
        await see_through(work, then)
    except asyncio.CancelledError:
        if (task := asyncio.current_task()) is not None:
            task.uncancel()
            task.cancel()


async def unhurried(work: Callable[[], T], then: Callable[[T], None] = _ignore) -> None:
    """Do something in a thread, and see it through."""
    await see_through(asyncio.to_thread(work), then)
