"""A profile that another takes the place of: who has it open is told, and loses nothing unheard."""

from collections.abc import Callable

import pytest

from hermes.errors import Conflict
from hermes.store.base import Store
from hermes.store.postgres import Server, open_store
from hermes.store.postgres.profiles import clear_profile, replace_profile
from postgres_server import new_database
from talk import keep, messages_of, turn


def bring_in(server: Server, incoming: Server) -> None:
    replace_profile(server, incoming.profile)


def clear(server: Server, _: Server) -> None:
    clear_profile(server)


@pytest.mark.parametrize("act", [bring_in, clear])
def test_who_has_it_open_is_refused_until_it_is_opened_again(
    act: Callable[[Server, Server], None],
) -> None:
    address = new_database()
    server, incoming = Server(address, "default"), Server(address, "incoming")
    open_before = open_store(server)
    keep(open_before, turn("before"))
    arriving = open_store(incoming)
    keep(arriving, turn("restored"))
    arriving.close()
    act(server, incoming)
    with pytest.raises(Conflict, match="was replaced"):
        keep(open_before, turn("after"))
    with pytest.raises(Conflict, match="was replaced"):
        messages_of(open_before)
    open_before.close()
    again: Store = open_store(server)
    keep(again, turn("after"))
    expected = ["restored", "after"] if act is bring_in else ["after"]
    assert [message.text for message in messages_of(again)] == expected
    again.close()
