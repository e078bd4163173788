"""Months of a developer and an agent, invented by rule: talk, tools, code, logs, and facts.

What is planted in it is known, so that it can be asked for afterwards: by a question in other words
than the statement's, whose answer is a name, a number or a date. The same seed gives the same
history.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from hermes.clock import DAY_MS, HOUR_MS, MINUTE_MS, parse_time
from hermes.types import NewSession, Role, ToolCall, Turn, Utterance

BANK = "history"
START_AT = parse_time("2025-03-03T08:00:00+00:00")

_PEOPLE = (
    "Amara Bjorn Chiara Dmitri Esther Farid Greta Hiro Ines Jakub Keisha Luca Mireille Noor Oskar "
    "Paloma Quentin Rosa Sanjay Tove Umar Viola Wanda Xenia Yusuf Zuzana Anouk Benoit Carlos Dagny"
)
_PROJECTS = (
    "Heron Lantern Quarry Saffron Tundra Velvet Walnut Zephyr Cobalt Drift Ember Fjord Garnet "
    "Harbor Indigo Juniper Kestrel Lumen Meadow Nimbus Onyx Pebble"
)
_CITIES = "Lisbon Gdansk Osaka Bergen Tucson Nantes Porto Malmo Tartu Girona Utrecht Cork"
_TOOLS = (
    "ClickHouse Terraform Kafka Grafana Vault Nomad Airflow Redis Consul Envoy Dagster Pulsar "
    "Loki Tempo Trino Superset Ansible Packer"
)
_SERVICES = (
    "billing checkout ledger search notifier gateway importer reporting scheduler mailer auth "
    "catalog pricing inventory shipping returns audit archive exporter crawler ranking tagging "
    "uploads avatars sessions webhooks metering quotas invoices refunds"
)

# (who says it, statement, question, answer)
_PLANTED = (
    (
        "user",
        "{person} will own the {service} service of {project} from now on.",
        "Who owns {service} in {project}?",
        "{person}",
    ),
    (
        "user",
        "Decision: {project} moves to {tool}, because the old setup loses messages.",
        "What did we decide {project} should move to?",
        "{tool}",
    ),
    (
        "user",
        "The deadline for the {project} {service} rewrite is {date}.",
        "When is the {service} rewrite of {project} due?",
        "{date}",
    ),
    (
        "user",
        "The {service} database of {project} listens on port {port}.",
        "Which port does the {project} {service} database use?",
        "{port}",
    ),
    (
        "user",
        "We pay {money} euros a month for {tool} on {project}.",
        "What does {tool} cost for {project} per month?",
        "{money}",
    ),
    (
        "user",
        "{person} is moving to {city} in {month}, so standups shift.",
        "Where is {person} moving?",
        "{city}",
    ),
    (
        "user",
        "I prefer {tool} dashboards over screenshots when {person} reports on {project}.",
        "What do I want to see when {person} reports on {project}?",
        "{tool}",
    ),
    (
        "user",
        "In {project} the {service} timeout has to stay under {port} ms, {person} insists.",
        "What is the limit for the {service} timeout in {project}?",
        "{port}",
    ),
    (
        "assistant",
        "The {service} failure in {project} was caused by the {tool} upgrade to {version}.",
        "Which version broke {service} in {project}?",
        "{version}",
    ),
    (
        "assistant",
        "I recommend {tool} with {port} partitions for the {service} load of {project}.",
        "How many partitions were recommended for {service} in {project}?",
        "{port}",
    ),
)
_OPENINGS = (
    "Morning! Ready when you are.",
    "Hey, back again.",
    "Hi! Hope your day is going well.",
    "Good to see this thread still open.",
    "Ok, let's get going.",
)
_CLOSINGS = (
    "Thanks, that was great!",
    "Perfect, thank you.",
    "Awesome, have a nice evening!",
    "Cool, that's all for today.",
    "Great work, see you tomorrow!",
)
_ACKS = ("Understood.", "Noted.", "Sounds good!", "Sure, will do.", "Of course.", "Great, thanks!")
_REQUESTS = (
    "Can you run the tests of the {service} module?",
    "Please show me the {service} logs.",
    "List the files under {service}, I lost track.",
    "Write me a helper that retries {service} calls.",
    "Why is {service} slow today?",
    "Check whether the {service} deploy went through.",
)
_EXPLAINED = (
    "A retry should never be placed inside a transaction, since the lock is held for as long as"
    " the "
    "call takes, and a slow peer then stalls everyone who waits for the same rows.",
    "There are two usual ways to go about it, and both are fine as long as the caller knows "
    "which one "
    "was taken and the difference is written down somewhere people look.",
    "In general it helps to keep the interface narrow, to pass values rather than handles, and "
    "to let "
    "the outermost layer decide about logging and retries.",
    "Before changing anything it is worth measuring, because the part that looks slow in a "
    "profile is "
    "often waiting for another one that does not show up there at all.",
    "The tests are a good place to begin with, as they show how the module is meant to be "
    "called and "
    "which of its edges somebody cared about.",
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A question about the history and the words its answer must hold."""

    question: str
    answer: str
    asked_at: int


@dataclass(slots=True)
class _Speech:
    random: Random
    planted: list[Planted] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def names(self) -> dict[str, str]:
        pick = self.random.choice
        day = self.random.randint(1, 28)
        month = pick("April May June July August September October November December".split())
        return {
            "person": pick(_PEOPLE.split()),
            "project": pick(_PROJECTS.split()),
            "city": pick(_CITIES.split()),
            "tool": pick(_TOOLS.split()),
            "service": pick(_SERVICES.split()),
            "port": str(self.random.randint(1_024, 9_999)),
            "money": str(self.random.randint(120, 4_800)),
            "month": month,
            "date": f"{day} {month}",
            "version": f"{self.random.randint(1, 9)}.{self.random.randint(0, 40)}.{day}",
        }

    def plant(self, asked_at: int) -> tuple[str, str]:
        """Who says it and what; a question that was planted before is not planted again."""
        while True:
            who, statement, question, answer = self.random.choice(_PLANTED)
            names = self.names()
            asked = question.format(**names)
            if asked not in self.used:
                break
        self.used.add(asked)
        self.planted.append(Planted(asked, answer.format(**names), asked_at))
        return who, statement.format(**names)

    def output(self, service: str) -> str:
        make = self.random.choice((self._tests, self._log, self._listing, self._trace))
        return make(service)

    def code(self, service: str) -> str:
        names = [f"{service}_{verb}" for verb in ("load", "retry", "flush", "merge")]
        body = "\n\n".join(
            f"def {name}(rows: list[dict[str, str]], attempts: int = 3) -> int:\n"
            f"    done = {self.random.randint(2, 9)}\n    for row in rows:\n"
            f"        if row.get('state') != 'ready':\n            continue\n"
            f"        done += send(row['id'], attempts=attempts)\n    return done"
            for name in names
        )
        return f"```python\n{body}\n```"

    def _tests(self, service: str) -> str:
        passed = self.random.randint(240, 720)
        lines = [
            f"tests/{service}/test_{word}.py::test_{verb}_{n} PASSED [{100 * n // passed:3d}%]"
            for n in range(passed // 3)
            for word, verb in [(self.random.choice(("rows", "io", "plan")), "keeps")]
        ]
        return "\n".join(
            [*lines, f"===== {passed} passed in {self.random.random() * 30:.2f}s ====="]
        )

    def _log(self, service: str) -> str:
        levels = ("INFO", "INFO", "INFO", "DEBUG", "WARN")
        return "\n".join(
            f"2025-03-1{n % 9} 0{n % 9}:1{n % 6}:22.{self.random.randint(100, 999)}"
            f" {self.random.choice(levels)} {service}.worker"
            f" request={self.random.getrandbits(48):012x}"
            f" took={self.random.randint(2, 900)}ms status=200"
            for n in range(self.random.randint(60, 180))
        )

    def _listing(self, service: str) -> str:
        return "\n".join(
            f"-rw-r--r-- 1 dev dev {self.random.randint(300, 90_000):>7} {service}/"
            f"{self.random.choice(('model', 'view', 'task', 'util', 'schema'))}_{n}.py"
            for n in range(self.random.randint(60, 150))
        )

    def _trace(self, service: str) -> str:
        frames = "\n".join(
            f'  File "/srv/{service}/{name}.py", line {self.random.randint(10, 900)}, in {name}\n'
            f"    return self._{name}(request, timeout=self.timeout)"
            for name in ("main", "dispatch", "send", "connect", "read", "decode", "retry", "flush")
        )
        return (
            f"Traceback (most recent call last):\n{frames}\nTimeoutError: {service} did not answer"
        )


@dataclass(frozen=True, slots=True)
class History:
    turns: tuple[Turn, ...]
    planted: tuple[Planted, ...]
    last_at: int


def make_history(days: int = 120, seed: int = 11) -> History:
    """A history of so many days: one or two sessions on most of them."""
    speech = _Speech(Random(seed))
    turns: list[Turn] = []
    at = START_AT
    for day in range(days):
        at = START_AT + day * DAY_MS
        for _ in range(speech.random.choice((0, 1, 1, 2))):
            at += speech.random.randint(1, 4) * HOUR_MS
            turns += _session(speech, at, len(turns))
    end_at = at + HOUR_MS
    planted = tuple(Planted(p.question, p.answer, end_at) for p in speech.planted)
    return History(tuple(turns), planted, end_at)


def _session(speech: _Speech, at: int, number: int) -> Iterator[Turn]:
    session = NewSession(id=f"history-{number:05d}", bank=BANK, platform="cli", started_at=at)
    clock = at
    for place, said in enumerate(_exchanges(speech, at)):
        clock += speech.random.randint(1, 6) * MINUTE_MS
        timed = tuple(
            Utterance(m.role, m.text, at=clock + n * 1_000, calls=m.calls, call_id=m.call_id)
            for n, m in enumerate(said)
        )
        yield Turn(session, timed, key=f"{session.id}/{place}")


def _exchanges(speech: _Speech, at: int) -> Iterator[tuple[Utterance, ...]]:
    random = speech.random
    yield _said(random.choice(_OPENINGS), "Hello! What shall we work on?")
    for _ in range(random.randint(2, 5)):
        yield _worked(speech)
        if random.random() < 0.75:
            yield _told(speech, at)
        if random.random() < 0.4:
            yield _said(random.choice(_ACKS), random.choice(_ACKS))
    yield _said(random.choice(_CLOSINGS), "You're welcome, anytime!")


def _told(speech: _Speech, at: int) -> tuple[Utterance, ...]:
    who, statement = speech.plant(at)
    if who == "user":
        return _said(statement, speech.random.choice(_ACKS))
    why = " ".join(speech.random.sample(_EXPLAINED, 2))
    return _said(
        "So what did you find out?", f"{why} {statement} {speech.random.choice(_EXPLAINED)}"
    )


def _worked(speech: _Speech) -> tuple[Utterance, ...]:
    service = speech.random.choice(_SERVICES.split())
    asked = Utterance(Role.USER, speech.random.choice(_REQUESTS).format(service=service))
    if speech.random.random() < 0.35:
        text = " ".join(speech.random.sample(_EXPLAINED, 2))
        return asked, Utterance(Role.ASSISTANT, f"{text}\n\n{speech.code(service)}")
    call = ToolCall("call_1", "run", f'{{"target": "{service}"}}')
    return (
        asked,
        Utterance(Role.ASSISTANT, "Let me look.", calls=(call,)),
        Utterance(Role.TOOL, speech.output(service), call_id="call_1"),
        Utterance(Role.ASSISTANT, speech.random.choice(_EXPLAINED)),
    )


def _said(user: str, assistant: str) -> tuple[Utterance, ...]:
    return Utterance(Role.USER, user), Utterance(Role.ASSISTANT, assistant)
