"""The checks of `hermes doctor`: every part by itself, so that one that is broken hides no other.

Nothing is made here, and nothing is mended: what is wrong is named, with what to do about it.
"""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.keys import key_request
from hermes.app.work_checks import (
    check_copy,
    check_import,
    check_jobs,
    check_log,
    check_notes,
    check_vectors,
)
from hermes.config.files import list_links
from hermes.config.load import load_settings
from hermes.config.model import Config
from hermes.config.paths import ProfilePaths
from hermes.config.unset import HINT
from hermes.errors import HermesError
from hermes.guard.crypto import Encryption
from hermes.store.base import Finding

if TYPE_CHECKING:
    from hermes.app.root import App

LOW_DISK_BYTES = 500 << 20
OTHERS = 0o077

Check = Callable[[], Iterable[Finding]]


def run_checks(checks: Mapping[str, Check]) -> list[Finding]:
    """Every check, each by itself: one that cannot be made is a finding of its part."""
    findings: list[Finding] = []
    for part, check in checks.items():
        try:
            findings.extend(check())
        except HermesError as error:
            findings.append(_unmade(part, error, findings))
        except OSError as error:
            what = f"{error.strerror}: {error.filename or part}"
            findings.append(Finding("failed", part, what, "Check who owns it (`ls -ld`)."))
    return findings


def _unmade(part: str, error: HermesError, before: Sequence[Finding]) -> Finding:
    """A check that failed; what was said of another part already is not said again."""
    for earlier in before:
        if earlier.level == "failed" and earlier.message == error.message:
            return Finding("failed", part, f"not checked: see {earlier.part}")
    return Finding("failed", part, error.message, error.hint)


def outer_checks(paths: ProfilePaths) -> dict[str, Check]:
    """What can be checked without settings."""
    return {
        "home": lambda: check_home(paths),
        "disk": lambda: check_disk(paths),
        "sqlite": check_sqlite,
    }


def inner_checks(app: App) -> dict[str, Check]:
    """What the settings lead to."""
    return {
        "key": lambda: check_key(app),
        "database": lambda: check_database(app),
        "embeddings": lambda: check_embeddings(app),
        "vectors": lambda: check_vectors(app),
        "search": lambda: check_search(app),
        "facts": check_comparer,
        "jobs": lambda: check_jobs(app),
        "log": lambda: check_log(app),
        "import": lambda: check_import(app),
        "copy": lambda: check_copy(app),
        "notes": lambda: check_notes(app),
    }


def unknown_parts() -> list[Finding]:
    """What stands for the inner checks where there are no settings to lead to them."""
    what, hint = "not checked: the settings cannot be read", "Mend the settings first."
    return [Finding("warning", part, what, hint) for part in ("key", "database", "embeddings")]


def check_config(
    paths: ProfilePaths, environ: Mapping[str, str], flags: Mapping[str, str]
) -> tuple[Config | None, list[Finding]]:
    """The settings, if they can be read."""
    try:
        loaded = load_settings(paths, environ, flags)
    except HermesError as error:
        return None, [Finding("failed", "config", error.message, error.hint)]
    file = paths.config_file
    where = str(file) if file.exists() else "defaults: there is no config.json"
    unset = [Finding("warning", "config", str(problem), HINT) for problem in loaded.unset]
    return loaded.config, [Finding("ok", "config", where), *unset, *_check_env(paths)]


def _check_env(paths: ProfilePaths) -> list[Finding]:
    file = paths.env_file
    if not file.exists():
        return []
    if file.stat().st_mode & OTHERS:
        return [Finding("warning", ".env", "others may read your secrets", f"chmod 600 {file}")]
    return [Finding("ok", ".env", "only yours")]


def check_home(paths: ProfilePaths) -> list[Finding]:
    root = paths.home.root
    if not root.exists():
        return [Finding("ok", "home", f"{root} is made on first use")]
    links = [str(link) for link in list_links(root)]
    if links:
        hint = "Replace it by what it points to; links inside the home are refused."
        return [Finding("failed", "home", f"a symbolic link: {', '.join(links[:3])}", hint)]
    places = (root, *paths.folders(), *paths.private_files())
    loose = list(dict.fromkeys(str(p) for p in places if p.exists() and _is_open(p)))
    if loose:
        hint = f"chmod go-rwx {' '.join(loose)}"
        return [Finding("warning", "home", f"others may look into {', '.join(loose)}", hint)]
    return [Finding("ok", "home", f"{root}, only yours")]


def _is_open(path: Path) -> bool:
    return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS)


def check_disk(paths: ProfilePaths) -> list[Finding]:
    place = next(p for p in (paths.root, *paths.root.parents) if p.exists())
    free = shutil.disk_usage(place).free
    if free < LOW_DISK_BYTES:
        hint = "Free some space: a full disk stops recording."
        return [Finding("warning", "disk", f"{free >> 20} MB free", hint)]
    return [Finding("ok", "disk", f"{free >> 30} GB free")]


def check_sqlite() -> list[Finding]:
    # The driver is loaded only when it is asked about: a broken one is a finding.
    try:
        from hermes.store.sqlite.engine import check_engine  # noqa: PLC0415
    except ImportError as error:
        return [Finding("failed", "sqlite", str(error), "Install hermes-memory again.")]
    return [check_engine()]


def check_key(app: App) -> list[Finding]:
    request = key_request(app.paths, app.config.memory, app.environ)
    if request.mode is Encryption.OFF:
        hint = "Turn it on for new memories with memory.encryption."
        return [Finding("warning", "key", "none: whoever has the file can read it", hint)]
    where = f"{request.mode.value}, {request.place}"
    if not request.has_database and not request.place.exists():
        return [Finding("ok", "key", f"{where}: made with the first memory")]
    return [Finding("ok", "key", where)] if app.key else []


def check_database(app: App) -> list[Finding]:
    settings = app.config.memory
    file = app.paths.resolve(settings.path, app.paths.database)
    if settings.backend == "sqlite" and not file.exists():
        return [Finding("ok", "database", "none yet: it is made with the first memory")]
    return app.store.check()


def _ask_embedder(app: App, provider: str) -> Finding:
    """Have a server embed a word: only that shows that it is there and takes our key."""
    embedder = app.embedder
    if embedder is None:
        return Finding("failed", "embeddings", f"{provider} is not there", "Check the settings.")
    try:
        size = len(embedder.embed_queries(["hello"])[0])
    except HermesError as error:
        return Finding("failed", "embeddings", error.message, error.hint)
    return Finding("ok", "embeddings", f"{provider} answers with {size} numbers a text")


def check_embeddings(app: App) -> list[Finding]:
    provider = app.config.memory.embeddings.provider
    if provider == "none":
        return [Finding("ok", "embeddings", "none: recall goes by text only")]
    if provider != "local":
        return [_ask_embedder(app, provider)]
    # numpy, onnxruntime and tokenizers: loaded only when they are asked about
    try:
        from hermes.embed.e5 import check_files  # noqa: PLC0415
        from hermes.embed.local import MODEL_DIR, SPACE  # noqa: PLC0415
    except ImportError as error:
        return [Finding("failed", "embeddings", str(error), "Install hermes-memory again.")]
    check_files(MODEL_DIR)
    return [Finding("ok", "embeddings", f"{SPACE.model}, bundled, checksum right")]


def check_search(app: App) -> list[Finding]:
    """By what the nearest vectors are looked for."""
    if app.config.memory.embeddings.provider == "none":
        return []
    from hermes.store.vectors.loops import get_loops  # noqa: PLC0415 - brings numpy

    by = get_loops().name
    slower = (
        ", two to three times slower: Hermes was installed without a C compiler"
        if by == "numpy"
        else ""
    )
    return [Finding("ok", "search", f"nearest vectors by {by}{slower}")]


def check_comparer() -> list[Finding]:
    """Whether facts are weighed by the model that was taught to; without it, by their signs."""
    try:
        from hermes.embed.comparer import MODEL_DIR  # noqa: PLC0415 - as for embeddings
        from hermes.embed.minilm import MODEL, check_files  # noqa: PLC0415
    except ImportError as error:
        return [Finding("failed", "facts", str(error), "Install hermes-memory again.")]
    check_files(MODEL_DIR)
    return [Finding("ok", "facts", f"weighed by {MODEL}, bundled, checksum right")]
