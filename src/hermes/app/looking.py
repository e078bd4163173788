"""Opening a profile only to look at it: nothing is made that is not there.

Where nothing has been kept yet, an empty memory in a scratch folder stands in for it, so that every
question has its usual answer: nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from hermes.app.root import App, open_app
from hermes.clock import SystemClock
from hermes.config.load import load_config
from hermes.config.model import Config
from hermes.config.paths import ProfilePaths


@contextmanager
def open_to_look(
    paths: ProfilePaths, environ: Mapping[str, str], *, flags: Mapping[str, str] | None = None
) -> Iterator[App]:
    """The App of a profile, for reading; closed at the end."""
    config = load_config(paths, environ, flags or {})
    place = paths.resolve(config.memory.path, paths.database)
    if config.memory.backend != "sqlite" or place.exists():
        with open_app(paths, environ, flags=flags) as app:
            yield app
        return
    # The SQLite driver is loaded only when a store is opened.
    from hermes.store.sqlite.mark import refuse_to_begin_anew  # noqa: PLC0415

    refuse_to_begin_anew(place)  # nothing is there because it was lost: that is no empty memory
    with TemporaryDirectory(prefix="hermes-look-") as folder:
        empty = _elsewhere(config, Path(folder) / "memory.db")
        with App(paths, empty, environ, SystemClock(), absent=place) as app:
            yield app


@contextmanager
def open_settings(
    paths: ProfilePaths, environ: Mapping[str, str], *, flags: Mapping[str, str] | None = None
) -> Iterator[App]:
    """The App of a profile for what needs no memory: neither is opened nor made by itself."""
    with App(paths, load_config(paths, environ, flags or {}), environ, SystemClock()) as app:
        yield app


def _elsewhere(config: Config, file: Path) -> Config:
    memory = config.memory.model_copy(update={"path": str(file), "encryption": "off"})
    return config.model_copy(update={"memory": memory})
