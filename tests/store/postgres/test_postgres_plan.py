"""How a database is spread: every table in parts, with all that belongs to it, rows kept."""

import pytest

from hermes.store.postgres import Server, open_store
from hermes.store.postgres.plan import list_tables, plan_citus, plan_partitions
from hermes.store.postgres.server import connect
from postgres_server import execute, new_database
from talk import keep, texts_of, turn

_SHAPE = """SELECT t.relname, i.relname, pg_get_indexdef(i.oid) FROM pg_index x
  JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
  WHERE t.relnamespace = 'hermes'::regnamespace AND NOT t.relispartition"""


def indexes(server: Server) -> dict[str, str]:
    raw = connect(server)
    found = {
        f"{table} {name}": made.replace(" ONLY ", " ").replace("_new_pkey", "_pkey")
        for table, name, made in raw.execute(_SHAPE).fetchall()
    }
    raw.close()
    return {name.replace("_new_pkey", "_pkey"): made for name, made in found.items()}


def test_every_table_is_planned_and_every_index_made_again() -> None:
    whole, parted = Server(new_database()), Server(new_database(parts=3))
    assert indexes(whole) == indexes(parted)
    raw = connect(parted)
    kinds: dict[str, str] = dict(
        raw.execute(
            """SELECT relname, relkind::text FROM pg_class
            WHERE relnamespace = 'hermes'::regnamespace AND relkind IN ('r', 'p')
            AND NOT relispartition"""
        ).fetchall()
    )
    assert {name for name, kind in kinds.items() if kind == "r"} == {"profiles", "schema_versions"}
    parts = raw.execute(
        """SELECT count(*) FROM pg_class WHERE relnamespace = 'hermes'::regnamespace
        AND relkind = 'r' AND relispartition AND relrowsecurity AND relforcerowsecurity"""
    ).fetchall()
    assert parts == [(3 * len(list_tables()),)]
    raw.close()


def test_a_database_in_use_keeps_its_rows_when_it_is_cut() -> None:
    address = new_database()
    for profile in ("one", "two"):
        store = open_store(Server(address, profile))
        for bank in ("work", "home"):
            keep(store, turn(f"{profile} {bank}", session=bank, bank=bank))
        store.close()
    execute(address, *plan_partitions(4))
    for profile in ("one", "two"):
        store = open_store(Server(address, profile))
        assert [texts_of(store, bank) for bank in ("work", "home")] == [
            [f"{profile} work"],
            [f"{profile} home"],
        ]
        keep(store, turn("more", session="work", bank="work"))
        assert {finding.level for finding in store.check()} == {"ok"}
        store.close()


def test_citus_keeps_the_tables_of_a_profile_side_by_side() -> None:
    told = "\n".join(plan_citus())
    for table in list_tables():
        assert f"create_distributed_table('hermes.{table.name}', 'profile'" in told
    assert "create_reference_table('hermes.profiles')" in told


@pytest.mark.parametrize("parts", [1, 64])
def test_any_number_of_parts_can_be_planned(parts: int) -> None:
    told = plan_partitions(parts)
    made = [line for line in told if "PARTITION OF messages_new" in line]
    assert len(made) == parts
