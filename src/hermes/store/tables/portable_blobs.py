"""Contents that come in parts, put together and kept once each, the same on every store."""

import base64
import hashlib
from collections.abc import Sequence

from hermes.store.base.portable import Record
from hermes.store.tables.portable_cells import wrong
from hermes.store.tables.statements import Statements


class ArrivingBlobs:
    """The blobs of a file, in order; one may come in several records."""

    def __init__(self, connection: Statements) -> None:
        self._connection = connection
        self._sha256 = ""
        self._parts: list[bytes] = []

    def put(self, records: Sequence[Record]) -> None:
        for record in records:
            if self._sha256 != record["sha256"]:
                self._sha256, self._parts = record["sha256"], []
            if len(self._parts) != record["part"]:
                raise wrong(f"blob {record['sha256'][:12]}… lacks a part")
            self._parts.append(base64.b64decode(record["content"]))
            if len(self._parts) == record["parts"]:
                self._keep(self._sha256, b"".join(self._parts))
                self._sha256, self._parts = "", []

    def _keep(self, sha256: str, content: bytes) -> None:
        digest = hashlib.sha256(content).digest()
        if digest.hex() != sha256:
            raise wrong(f"blob {sha256[:12]}… is not what its name says")
        sql = "INSERT INTO blobs (sha256, content) VALUES (?, ?) ON CONFLICT DO NOTHING"
        self._connection.execute(sql, (digest, content))
