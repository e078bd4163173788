"""A store whose server is away is closed in time: nobody waits for what will not come."""

import threading
import time
from collections.abc import Callable

import pytest

from hermes.errors import HermesError, Unavailable
from hermes.store.postgres import Server, open_store
from hermes.store.postgres.writer import CLOSE_S, RETRY_FOR_S
from postgres_server import new_cluster, new_database, wheel_bin
from talk import keep, turn


def _ask(question: Callable[[], object], failed: list[HermesError]) -> None:
    try:
        question()
    except HermesError as error:
        failed.append(error)


@pytest.mark.slow
def test_closing_while_the_server_is_away_takes_seconds() -> None:
    cluster = new_cluster(wheel_bin(), ("fsync=off",))
    store = open_store(Server(new_database(cluster.address)))
    keep(store, turn("kept"))
    listener = store.listen(lambda _: None, "here")
    assert listener.ready.wait(10)
    cluster.stop("immediate")
    pending = store.submit(lambda tx: tx.changes.latest())
    failed: list[HermesError] = []
    asking = threading.Thread(target=_ask, args=(store.status, failed))
    asking.start()
    began_s = time.monotonic()
    listener.close()
    store.close()
    took_s = time.monotonic() - began_s
    with pytest.raises(Unavailable):
        pending.result(0)
    asking.join(RETRY_FOR_S)
    assert isinstance(failed[0], Unavailable)
    assert took_s < 3 * CLOSE_S < RETRY_FOR_S
    cluster.remove()
