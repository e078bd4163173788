"""The files of the dashboard, named by what is in them: a browser may keep them for good."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib import resources

from starlette.responses import Response

FOR_GOOD = "public, max-age=31536000, immutable"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOLDERS = ("static", "static/vendor")


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, as it is and packed; `path` holds the hash of what is in it."""

    path: str
    media_type: str
    body: bytes = field(repr=False)
    packed: bytes = field(repr=False)


@lru_cache(1)
def load_assets() -> Mapping[str, Asset]:
    """Every file by its name."""
    found: dict[str, Asset] = {}
    for folder in _FOLDERS:
        for file in (resources.files("hermes.web") / folder).iterdir():
            stem, dot, ending = file.name.rpartition(".")
            if dot + ending in _TYPES:
                body = file.read_bytes()
                path = f"/static/{stem}.{sha256(body).hexdigest()[:12]}.{ending}"
                packed = gzip.compress(body, 9, mtime=0)
                found[file.name] = Asset(path, _TYPES[dot + ending], body, packed)
    return found


@lru_cache(1)
def _by_path() -> Mapping[str, Asset]:
    return {asset.path: asset for asset in load_assets().values()}


def find_asset(path: str) -> Asset | None:
    return _by_path().get(path)


def send_asset(asset: Asset, accepted: str) -> Response:
    """The file, packed if whoever asks can unpack it."""
    headers = {"Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding"}
    if "gzip" in accepted:
        headers["Content-Encoding"] = "gzip"
    body = asset.packed if "gzip" in accepted else asset.body
    return Response(body, media_type=asset.media_type, headers=headers)
