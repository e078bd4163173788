"""The index of vectors inside the server: asked for, and refused with the way out."""

import psycopg
import pytest

from hermes.errors import Refused
from hermes.store.postgres import Server, open_store
from hermes.store.postgres.ann import build
from postgres_server import execute, new_database, shared_address, within


def as_superuser(address: str) -> str:
    database = str(psycopg.conninfo.conninfo_to_dict(address)["dbname"])
    return within(shared_address(), database, "postgres")


def test_an_ordinary_role_is_told_who_must_create_the_extension() -> None:
    with pytest.raises(Refused, match="pgvector") as caught:
        build(Server(new_database()))
    assert "CREATE EXTENSION vector" in caught.value.hint


def test_without_vectors_there_is_nothing_to_index() -> None:
    address = new_database()
    execute(as_superuser(address), "CREATE EXTENSION vector SCHEMA public")
    open_store(Server(address)).close()
    assert build(Server(address)) == ["no vectors yet: nothing to index"]
