"""A progress bar for long work: on stderr, and only where someone watches."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]


@contextmanager
def progress(label: str, total_bytes: int | None) -> Iterator[Advance]:
    """Yields what is told how many bytes are done; None as the total for a pipe."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    # rich takes 0.1 s to import, and only a terminal needs it
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    watch = TimeRemainingColumn()
    with Progress(*columns, watch, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total_bytes)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def counted(label: str, total: int) -> Iterator[Advance]:
    """As `progress`, for things that are counted rather than read."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    # rich takes 0.1 s to import, and only a terminal needs it
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)
