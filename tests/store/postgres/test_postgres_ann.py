"""The index of vectors inside the server: built on request, and as good as an exact search."""

import numpy as np
import psycopg
import pytest

from hermes.errors import Refused
from hermes.store.base import Tx
from hermes.store.base.vectors import NewVector, VectorKind
from hermes.store.postgres import Server, open_store
from hermes.store.postgres.ann import build, nearest
from hermes.store.vectors.blocks import add_vectors
from hermes.store.vectors.coding import pack_row
from postgres_server import execute, new_database, shared_address, within
from talk import keep, turn


def as_superuser(address: str) -> str:
    database = str(psycopg.conninfo.conninfo_to_dict(address)["dbname"])
    return within(shared_address(), database, "postgres")


def test_an_ordinary_role_is_told_who_must_create_the_extension() -> None:
    with pytest.raises(Refused, match="pgvector") as caught:
        build(Server(new_database()))
    assert "CREATE EXTENSION vector" in caught.value.hint


def test_the_nearest_of_a_bank_are_found_and_what_is_new_is_added() -> None:
    address = new_database()
    execute(as_superuser(address), "CREATE EXTENSION vector SCHEMA public")
    server = Server(address)
    store = open_store(server)
    assert build(server) == ["no vectors yet: nothing to index"]
    keep(store, *(turn(f"m {n}", bank="ab"[n % 2], session="ab"[n % 2]) for n in range(600)))
    rows = np.random.default_rng(1).normal(size=(600, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)

    def add(tx: Tx, first: int, last: int) -> None:
        space = tx.vectors.ensure_space("test", "noise", 32, 5)
        new = [
            NewVector(VectorKind.MESSAGE, n + 1, 1 + n % 2, pack_row(rows[n]))
            for n in range(first, last)
        ]
        add_vectors(tx, space.id, new)

    store.write(lambda tx: add(tx, 0, 500))
    assert build(server) == ["HNSW index of 500 vectors of 32 dimensions (500 new)"]
    store.write(lambda tx: add(tx, 500, 600))
    store.write(lambda tx: tx.vectors.forget(VectorKind.MESSAGE, 1))
    assert build(server) == ["HNSW index of 599 vectors of 32 dimensions (100 new)"]
    hits = 0
    for n in range(20):
        query = rows[n * 7 + 3]
        bank = 1 + (n * 7 + 3) % 2
        ours = [each for each in range(1, 600) if 1 + each % 2 == bank]
        exact = sorted(ours, key=lambda each: -float(rows[each] @ query))[:10]
        found = store.read(
            lambda tx: nearest(tx.connection, query, bank=bank, limit=10)  # noqa: B023
        )
        assert found[0][1] == pytest.approx(1.0, abs=1e-2)
        hits += len(set(exact) & {number for number, _ in found})
    assert hits >= 190
    store.close()
