"""Settings as they are shown: as plain JSON, with secrets covered."""

from collections.abc import Mapping

from pydantic import SecretStr

from hermes.config.load import Loaded
from hermes.config.references import list_references
from hermes.config.text import Json, Path
from hermes.config.unset import UnsetSecret
from hermes.errors import NotFound

MASK = "****"


def show_value(loaded: Loaded, path: Path, *, reveal: bool = False) -> Json:
    """The value in use at `path`; a secret that the file holds as `${NAME}` is shown so."""
    node: object = loaded.config.model_dump(by_alias=True)
    for part in path:
        if not isinstance(node, Mapping) or part not in node:
            raise NotFound(f"{'.'.join(path)} is not set", "`hermes config list` shows what is.")
        node = node[part]
    return _plain(loaded, node, path, reveal=reveal)


def _plain(loaded: Loaded, node: object, path: Path, *, reveal: bool) -> Json:
    if isinstance(node, UnsetSecret):
        return _covered(loaded, path)
    if isinstance(node, SecretStr):
        return node.get_secret_value() if reveal else _covered(loaded, path)
    if isinstance(node, Mapping):
        return {k: _plain(loaded, v, (*path, str(k)), reveal=reveal) for k, v in node.items()}
    if isinstance(node, tuple | list):
        return [_plain(loaded, item, path, reveal=reveal) for item in node]
    return node if isinstance(node, str | int | float | bool) else None


def _covered(loaded: Loaded, path: Path) -> str:
    root = loaded.document.root
    written = root.find(path) if root is not None and loaded.origin(path) == "file" else None
    text = written.value if written is not None else None
    return text if isinstance(text, str) and any(list_references(text)) else MASK
