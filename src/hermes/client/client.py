"""The client: one server, one token, and everything the token opens."""

import json
from collections.abc import Iterator, Sequence

from hermes.client.beliefs import Entities, Facts, Notes, Reflections
from hermes.client.talk import Sessions
from hermes.client.transport import Route, Transport, compose, parse_shape
from hermes.client.work import Backups, Events, Jobs, Keeping, Profiles
from hermes.config.paths import ProfilePaths
from hermes.config.running import address_file, token_file
from hermes.errors import NotFound
from hermes.types import Kind
from hermes.wire import recalled
from hermes.wire import work as wire
from hermes.wire.base import Listed


class Client:
    """Everything a token opens, by topic."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout_s: float = 120.0,
        ca_file: str | None = None,
        via: str | None = None,
    ) -> None:
        """`via` is where to connect if the name in `url` need not lead there."""
        self.url = url
        route = Route(url, via or url, ca_file)
        self._transport = Transport(route, token, timeout_s=timeout_s)
        self.sessions = Sessions(self._transport)
        self.facts = Facts(self._transport)
        self.entities = Entities(self._transport)
        self.reflections = Reflections(self._transport)
        self.notes = Notes(self._transport)
        self.events = Events(self._transport)
        self.jobs = Jobs(self._transport)
        self.backups = Backups(self._transport)
        self.keeping = Keeping(self._transport)
        self.profiles = Profiles(self._transport)

    @classmethod
    def local(cls, paths: ProfilePaths, *, ca_file: str | None = None) -> "Client":
        """The client of the daemon that runs for a profile on this machine."""
        url, here = find_address(paths)
        return cls(url, find_token(paths), ca_file=ca_file, via=here)

    def recall(
        self,
        task: str,
        *,
        bank: str = "default",
        budget_tokens: int | None = None,
        as_of: str | None = None,
    ) -> recalled.Recall:
        """What bears on a task; `.context` is the block to put before a model."""
        body = compose(
            recalled.RecallTask, task=task, bank=bank, budget_tokens=budget_tokens, as_of=as_of
        )
        return self._transport.post(recalled.Recall, "/v1/recall", body)

    def search(
        self,
        query: str,
        *,
        bank: str = "default",
        limit: int = 10,
        types: Sequence[Kind | str] = (),
    ) -> recalled.MemorySearch:
        """Memories by meaning and by words, best first."""
        body = compose(
            recalled.MemoryQuestion, query=query, bank=bank, limit=limit, types=list(types)
        )
        return self._transport.post(recalled.MemorySearch, "/v1/search", body)

    def status(self) -> wire.Status:
        return self._transport.get(wire.Status, "/v1/status")

    def memory_status(self) -> wire.MemoryStatus:
        return self._transport.get(wire.MemoryStatus, "/v1/memory/status")

    def doctor(self) -> Listed[wire.Finding]:
        return self._transport.get(Listed[wire.Finding], "/v1/doctor")

    def metrics(self) -> str:
        """What Prometheus would read."""
        return self._transport.text("/metrics")

    def login_link(self) -> wire.Login:
        """A link that logs one browser in."""
        return self._transport.post(wire.Login, "/v1/login")

    def changes(self, since: int | None = None) -> Iterator[wire.StoreChange]:
        """Changes as they happen, until the server or the caller has enough."""
        with self._transport.stream("/v1/changes", since=since) as answer:
            for line in answer.iter_lines():
                if line.startswith("data:") and '"kind"' in line:
                    yield parse_shape(wire.StoreChange, line.removeprefix("data:"))

    def latest_change(self) -> int:
        """How far the sequence of changes goes: where `changes` may begin."""
        return self._transport.get(wire.Seq, "/v1/changes/latest").seq

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def find_address(paths: ProfilePaths) -> tuple[str, str]:
    """What the server of a profile goes by, and where it is on this machine; NotFound if none is.

    The name is what its certificate proves, and need not be known here.
    """
    try:
        told = json.loads(address_file(paths).read_text("utf-8"))
        return str(told["url"]), str(told.get("here", told["url"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotFound(
            f"No daemon serves profile {paths.name} over HTTP.",
            "Start one with `hermes start`; see server.enabled if it does run.",
        ) from error


def find_token(paths: ProfilePaths) -> str:
    """The token of the daemon on this machine."""
    try:
        return token_file(paths).read_text("ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError) as error:
        hint = "It is made by `hermes start`."
        raise NotFound(f"Profile {paths.name} has no token yet.", hint) from error
